//! How long to wait after a failure.

use chrono::TimeDelta;
use scheduler_core::retry::Waits;

use super::{ConfigError, Sources};

/// A wait longer than this is surely a mistake.
const LONGEST_SECONDS: i64 = 30 * 24 * 3_600;

/// Reads the waits before each retry of a publish and of a delivery.
///
/// # Errors
/// [`ConfigError::Value`] unless there are five whole numbers.
pub(crate) fn waits(sources: &Sources) -> Result<Waits, ConfigError> {
    let default = Waits::default();
    Ok(Waits {
        publish: sources.parsed(None, "publish_retry_seconds", five)?.unwrap_or(default.publish),
        delivery: sources.parsed(None, "delivery_retry_seconds", five)?.unwrap_or(default.delivery),
    })
}

/// Waits as a setting is written.
pub(crate) fn text(waits: &[TimeDelta]) -> String {
    let seconds: Vec<String> = waits.iter().map(|wait| wait.num_seconds().to_string()).collect();
    seconds.join(",")
}

fn five(text: &str) -> Result<[TimeDelta; 5], &'static str> {
    let wrong =
        "must be five numbers of seconds with commas between, such as 60,300,900,3600,10800";
    let waits: Option<Vec<TimeDelta>> = text.split(',').map(seconds).collect();
    waits.and_then(|waits| waits.try_into().ok()).ok_or(wrong)
}

fn seconds(text: &str) -> Option<TimeDelta> {
    let seconds: i64 = text.trim().parse().ok()?;
    (0..=LONGEST_SECONDS).contains(&seconds).then(|| TimeDelta::seconds(seconds))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::sources;

    #[test]
    fn five_numbers() {
        for (name, text, want) in [
            ("five", "1,2,3,4,5", Some([1, 2, 3, 4, 5])),
            ("spaces", " 1, 2 ,3,4,5 ", Some([1, 2, 3, 4, 5])),
            ("zero", "0,0,0,0,0", Some([0; 5])),
            ("four", "1,2,3,4", None),
            ("six", "1,2,3,4,5,6", None),
            ("negative", "1,2,3,4,-5", None),
            ("half a second", "1,2,3,4,0.5", None),
            ("more than a month", "1,2,3,4,2592001", None),
        ] {
            let parsed = five(text).ok().map(|waits| waits.map(|wait| wait.num_seconds()));
            assert_eq!(parsed, want, "{name}");
        }
    }

    #[test]
    fn each_setting_has_its_own_waits() {
        let waits =
            waits(&sources(&[("SCHEDULER_DELIVERY_RETRY_SECONDS", "1,1,2,2,3")], &[])).unwrap();
        assert_eq!(waits.publish, Waits::default().publish);
        assert_eq!(waits.delivery.map(|wait| wait.num_seconds()), [1, 1, 2, 2, 3]);
    }
}
