//! A JSONL file: the API's own body a line, with a key where there is one.

use serde_json::{Map, Value};

use super::entry::Entry;
use super::fault::Fault;
use super::records::Record;
use crate::names::nearest;
use crate::posting::idempotency_key;

/// The fields of a line: those of the API's own body, and the key.
///
/// Source: interface description, PostInput.
const FIELDS: [&str; 13] = [
    "content",
    "linkUrl",
    "mediaIds",
    "altTexts",
    "disclosure",
    "linkCard",
    "scheduledAt",
    "scheduledLocal",
    "queue",
    "publishNow",
    "saveAsDraft",
    "targets",
    "key",
];

/// The fields of a target. Source: interface description, TargetInput.
const TARGET_FIELDS: [&str; 3] = ["platform", "accountId", "options"];

/// Finds every line that is not empty.
pub(super) fn records(bytes: &[u8]) -> Vec<Record> {
    let mut records = Vec::new();
    let (mut start, mut line) = (0, 1);
    for part in bytes.split_inclusive(|byte| *byte == b'\n') {
        let end = start + part.len();
        if !part.trim_ascii().is_empty() {
            records.push(Record { line, start, end });
        }
        start = end;
        line += 1;
    }
    records
}

/// The object of a line.
pub(super) fn object(line: u64, raw: &[u8]) -> Result<Map<String, Value>, Fault> {
    if let Err(error) = std::str::from_utf8(raw) {
        let at = error.valid_up_to() + 1;
        let fault = Fault::error(line, "line", format!("byte {at} of the line is not UTF-8"));
        return Err(fault.advised("save the file as UTF-8"));
    }
    match serde_json::from_slice(raw) {
        Ok(Value::Object(fields)) => Ok(fields),
        Ok(_) => Err(Fault::error(line, "line", "this is JSON, but not an object")
            .advised("write one post a line, in braces")),
        Err(error) => {
            let said = error.to_string();
            let said = said.split(" at line ").next().unwrap_or_default().to_owned();
            let message = format!("this is not JSON: {said} (column {})", error.column());
            Err(Fault::error(line, "line", message).advised("write one post a line, in braces"))
        }
    }
}

/// A line as a post.
pub(super) fn entry(line: u64, raw: &[u8]) -> Result<Entry, Vec<Fault>> {
    let mut fields = object(line, raw).map_err(|fault| vec![fault])?;
    let mut faults = Vec::new();
    for name in fields.keys().filter(|name| !FIELDS.contains(&name.as_str())) {
        faults.push(unknown(line, name, name, &FIELDS));
    }
    let targets = fields.get("targets").and_then(Value::as_array).into_iter().flatten();
    for (index, target) in targets.enumerate() {
        for name in target.as_object().into_iter().flat_map(Map::keys) {
            if !TARGET_FIELDS.contains(&name.as_str()) {
                let field = format!("targets[{index}].{name}");
                faults.push(unknown(line, &field, name, &TARGET_FIELDS));
            }
        }
    }
    let key = match fields.remove("key") {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) => idempotency_key(&text).map(Some),
        Some(_) => Err("a key is a text"),
    };
    faults.extend(key.as_ref().err().map(|reason| Fault::error(line, "key", *reason)));
    match key {
        Ok(key) if faults.is_empty() => Ok(Entry::of_body(line, key, fields)),
        _ => Err(faults),
    }
}

fn unknown(line: u64, field: &str, name: &str, known: &[&str]) -> Fault {
    let lower = |name: &str| name.to_ascii_lowercase().replace('_', "");
    let alike = known.iter().copied().find(|known| lower(known) == lower(name));
    let near = alike.map(str::to_owned).or_else(|| nearest(name, known));
    Fault::error(line, field, "the field is not known").advised(match near {
        Some(near) => format!("did you mean {near}?"),
        None => format!("known are {}", known.join(", ")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_and_what_is_wrong_with_them() {
        let text = "\n{\"content\":\"a\",\"key\":\"12345678\",\"targets\":[]}\r\n\n[]\n{\"contnt\":1}\n{\"a\n";
        let records = records(text.as_bytes());
        assert_eq!(records.iter().map(|record| record.line).collect::<Vec<_>>(), [2, 4, 5, 6]);
        let entry_of = |index: usize| {
            let record = records[index];
            entry(record.line, &text.as_bytes()[record.range()])
        };
        let first = entry_of(0).unwrap();
        assert_eq!(first.key.as_deref(), Some("12345678"));
        assert!(!first.body.contains_key("key"));
        let said = |index: usize| {
            let fault = entry_of(index).unwrap_err().remove(0);
            (fault.line, fault.field, fault.message, fault.advice)
        };
        assert!(said(1).2.contains("not an object"));
        assert_eq!(said(2).3.as_deref(), Some("did you mean content?"));
        assert!(said(3).2.starts_with("this is not JSON"), "{:?}", said(3));
    }

    #[test]
    fn fields_are_known_or_refused() {
        for (text, field, near) in [
            (r#"{"scheduled_at":"x"}"#, "scheduled_at", "scheduledAt"),
            (r#"{"medias":[]}"#, "medias", "mediaIds"),
            (r#"{"targets":[{"platfrm":"bluesky"}]}"#, "targets[0].platfrm", "platform"),
        ] {
            let fault = entry(1, text.as_bytes()).unwrap_err().remove(0);
            assert_eq!(fault.field, field);
            assert_eq!(fault.advice, Some(format!("did you mean {near}?")), "{text}");
        }
        let fault = entry(1, br#"{"key":7}"#).unwrap_err().remove(0);
        assert_eq!(fault.message, "a key is a text");
        let fault = entry(3, b"{\"content\":\"caf\xe9\"}").unwrap_err().remove(0);
        assert_eq!(fault.message, "byte 16 of the line is not UTF-8");
    }
}
