//! Lines of the log as JSON objects, for programs that collect logs.
//!
//! Every field stands at the top, also those of the spans around a line, so that a request or a
//! post is found by `request_id` or `post_id` alone. Where two have the same name, the line's own
//! wins over its spans', and an inner span's over an outer one's.

use std::fmt;

use serde_json::{Map, Value};
use tracing::field::{Field, Visit};
use tracing::{Event, Subscriber};
use tracing_subscriber::fmt::format::{JsonFields, Writer};
use tracing_subscriber::fmt::time::{FormatTime, SystemTime};
use tracing_subscriber::fmt::{FmtContext, FormatEvent, FormattedFields};
use tracing_subscriber::registry::LookupSpan;

/// Writes one JSON object a line: `timestamp` (UTC), `level`, `target`, `message`, and all fields.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct JsonLines;

impl<S> FormatEvent<S, JsonFields> for JsonLines
where
    S: Subscriber + for<'lookup> LookupSpan<'lookup>,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, JsonFields>,
        mut writer: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let mut timestamp = String::new();
        SystemTime.format_time(&mut Writer::new(&mut timestamp))?;
        let mut line = Map::new();
        line.insert("timestamp".to_owned(), timestamp.into());
        line.insert("level".to_owned(), event.metadata().level().as_str().into());
        line.insert("target".to_owned(), event.metadata().target().into());
        event.record(&mut Fields(&mut line));
        // From the innermost outwards.
        for span in context.event_scope().into_iter().flatten() {
            let extensions = span.extensions();
            let Some(fields) = extensions.get::<FormattedFields<JsonFields>>() else { continue };
            let Ok(fields) = serde_json::from_str::<Map<String, Value>>(fields) else { continue };
            for (name, value) in fields {
                line.entry(name).or_insert(value);
            }
        }
        writeln!(writer, "{}", Value::Object(line))
    }
}

/// Takes the fields of a line.
struct Fields<'a>(&'a mut Map<String, Value>);

impl Fields<'_> {
    /// What every line has stays what it is.
    fn put(&mut self, field: &Field, value: Value) {
        self.0.entry(field.name()).or_insert(value);
    }
}

impl Visit for Fields<'_> {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.put(field, format!("{value:?}").into());
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.put(field, value.into());
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.put(field, value.into());
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.put(field, value.into());
    }

    fn record_f64(&mut self, field: &Field, value: f64) {
        self.put(field, value.into());
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.put(field, value.into());
    }
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Seek as _};
    use std::sync::Arc;

    use tracing::field::{Empty, display};
    use tracing_subscriber::layer::SubscriberExt as _;
    use tracing_subscriber::{fmt, registry};

    use super::*;

    fn logged(act: impl FnOnce()) -> Vec<Map<String, Value>> {
        let mut file = tempfile::tempfile().unwrap();
        let writer = Arc::new(file.try_clone().unwrap());
        let log = fmt::layer().fmt_fields(JsonFields::new()).event_format(JsonLines);
        tracing::subscriber::with_default(registry().with(log.with_writer(writer)), act);
        let mut text = String::new();
        file.rewind().unwrap();
        file.read_to_string(&mut text).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }

    #[test]
    fn every_field_stands_at_the_top() {
        let lines = logged(|| {
            let outer = tracing::error_span!("request", request_id = "r1", same = "outer");
            let _outer = outer.enter();
            let inner = tracing::error_span!("work", post_id = Empty, left = Empty, same = "inner");
            inner.record("post_id", display(17));
            let _inner = inner.enter();
            let missing: Option<u16> = None;
            tracing::info!(status = 200, is_late = true, missing, "it is \"live\"\nnow");
            tracing::warn!(same = "own", level = "loud", ratio = 0.5, back = -3);
        });
        let [first, second] = lines.as_slice() else { panic!("{lines:?}") };
        for (name, want) in [
            ("level", Value::from("INFO")),
            ("message", "it is \"live\"\nnow".into()),
            ("status", 200.into()),
            ("is_late", true.into()),
            ("request_id", "r1".into()),
            ("post_id", "17".into()),
            ("same", "inner".into()),
        ] {
            assert_eq!(first.get(name), Some(&want), "{name}: {first:?}");
        }
        assert!(!first.contains_key("missing") && !first.contains_key("left"), "{first:?}");
        let timestamp = first["timestamp"].as_str().unwrap();
        let at = chrono::DateTime::parse_from_rfc3339(timestamp).unwrap();
        assert!(timestamp.ends_with('Z') && at.offset().local_minus_utc() == 0, "{timestamp}");
        for (name, want) in [
            ("level", Value::from("WARN")),
            ("same", "own".into()),
            ("ratio", 0.5.into()),
            ("back", (-3).into()),
            ("request_id", "r1".into()),
        ] {
            assert_eq!(second.get(name), Some(&want), "{name}: {second:?}");
        }
    }
}
