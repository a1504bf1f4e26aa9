//! The figures of a post in words.

use scheduler_core::platform::Metric;
use serde_json::{Map, Value};

use crate::figures::number;

/// The figures that a network has told, each by its name for people.
pub(crate) fn shown(metrics: Option<&Map<String, Value>>) -> Vec<(String, String)> {
    let metrics = metrics.into_iter().flatten();
    let figure = |(key, value): (&String, &Value)| {
        let value = value.as_f64()?;
        let metric = Metric::ALL.into_iter().find(|metric| metric.as_str() == key);
        let name = metric.map_or_else(|| key.clone(), |metric| metric.name().to_lowercase());
        Some((name, number(value)))
    };
    metrics.filter_map(figure).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn figures_have_names_for_people() {
        let metrics = json!({"outboundClicks": 12345, "likes": 1, "own": 2.5, "fetchedAt": "now"});
        let shown = shown(metrics.as_object());
        let shown: Vec<(&str, &str)> =
            shown.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
        let want = [("likes", "1"), ("outbound clicks", "12\u{202f}345"), ("own", "2.5")];
        assert_eq!(shown, want);
    }
}
