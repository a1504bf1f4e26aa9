//! Reading a body of JSON, and saying as data what is wrong with it and where.
//!
//! ```
//! use scheduler_core::error::{Invalid, RefusalKind};
//! use scheduler_core::json;
//! use scheduler_core::post::PostInput;
//!
//! let body = br#"{"content": "Hello", "targets": [{"platform": "bluesky"}, {}]}"#;
//! let refusal = json::parse::<PostInput>(body).unwrap_err();
//! assert_eq!(refusal.field.as_deref(), Some("targets[1].platform"));
//! assert_eq!(refusal.kind, RefusalKind::Invalid(Invalid::Required("platform")));
//! assert_eq!(refusal.to_string(), "platform is required.");
//! ```

#[cfg(test)]
mod field_names;
mod reader;

use serde::de::{DeserializeOwned, IgnoredAny};

use crate::error::{Invalid, Refusal};

use reader::{Fault, Problem, Reader, Slot, Step};

/// Reads a body of JSON.
///
/// # Errors
/// `invalid_request` for what is not JSON, or a field of another type, unknown or missing, which
/// is named by its path. It shows no value: that may be a caption.
pub fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Refusal> {
    match bytes.trim_ascii_start().first() {
        None => return Err(Invalid::EmptyBody.into()),
        // A list would otherwise pass for the fields of the object in their order.
        Some(b'[') => return Err(Invalid::ListBody.into()),
        Some(_) => {}
    }
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let slot = Slot::default();
    let value = T::deserialize(Reader::new(&mut deserializer, &slot)).map_err(|fault| {
        if !matches!(fault.problem, Problem::Unreadable | Problem::UnreadableName(_)) {
            return refusal_of(fault);
        }
        // A number where a name is expected counts as broken JSON there, as does a text that is not
        // Unicode; only a second look tells.
        match serde_json::from_slice::<IgnoredAny>(bytes).err() {
            Some(broken) => syntax(&broken),
            None if is_unicode(bytes) => refusal_of(fault),
            None => refusal_of(Fault { problem: Problem::Value(Invalid::NotUnicode), ..fault }),
        }
    })?;
    deserializer.end().map_err(|error| syntax(&error))?;
    Ok(value)
}

fn syntax(error: &serde_json::Error) -> Refusal {
    let (line, column) = (error.line(), error.column());
    Invalid::NotJson { ends_too_early: error.is_eof(), line, column }.into()
}

/// True when the texts of what is JSON otherwise are Unicode: its bytes are UTF-8, and of two
/// surrogates that belong together none is escaped alone.
fn is_unicode(json: &[u8]) -> bool {
    let Ok(json) = str::from_utf8(json) else { return false };
    let mut rest = json;
    let mut is_pair_open = false;
    while let Some(start) = rest.find('\\') {
        let (before, escape) = rest.split_at(start);
        let unit = escape.get(2..6).filter(|_| escape.as_bytes().get(1) == Some(&b'u'));
        let unit = unit.and_then(|digits| u16::from_str_radix(digits, 16).ok());
        let is_second = unit.is_some_and(|unit| (0xDC00..=0xDFFF).contains(&unit));
        // The second follows the first at once, and nothing else does.
        if is_second != is_pair_open || (is_pair_open && !before.is_empty()) {
            return false;
        }
        is_pair_open = unit.is_some_and(|unit| (0xD800..=0xDBFF).contains(&unit));
        let length = if unit.is_some() { 6 } else { 2 };
        rest = escape.get(length..).unwrap_or_default();
    }
    !is_pair_open
}

fn refusal_of(fault: Fault) -> Refusal {
    let mut field = String::new();
    for step in fault.steps.into_iter().rev() {
        match step {
            Step::Item(index) => field.push_str(&format!("[{index}]")),
            Step::Field(name) => join(&mut field, &name),
        }
    }
    let problem = match fault.problem {
        Problem::Field { name, problem } => {
            join(&mut field, &name);
            problem
        }
        Problem::Value(problem) => problem,
        Problem::Kind { found, expected } => Invalid::WrongKind { found, expected },
        Problem::UnreadableName(known) => Invalid::UnknownValue { known },
        Problem::Unreadable | Problem::NotAllowed => Invalid::NotAllowed,
    };
    if field.is_empty() { problem.into() } else { Refusal::invalid(field, problem) }
}

/// Adds a field's name to the path of its object.
fn join(path: &mut String, name: &str) {
    if !path.is_empty() {
        path.push('.');
    }
    path.push_str(name);
}

#[cfg(test)]
mod tests {
    use super::field_names::field_names;
    use super::*;
    use crate::app::{CheckInput, ScheduleInput, ZoneInput};
    use crate::error::{ErrorCode, JsonKind, RefusalKind};
    use crate::media::MediaInput;
    use crate::platform::{NAMES, Platform};
    use crate::post::PostInput;

    #[test]
    fn refused_bodies() {
        let quoted = |names: &[&str]| format!("`{}`", names.join("`, `"));
        let unknown_field = format!(
            "\"publish_now\" is not a field here; known: one of {}.",
            quoted(field_names::<PostInput>())
        );
        let unknown_network = format!(
            "This is not a known value; one of {} is expected.",
            quoted(&Platform::ALL.map(Platform::as_str))
        );
        for (name, body, field, message) in [
            ("empty", "", None, "The body is empty; send a JSON object."),
            ("a list", "[]", None, "The body is a list; send a JSON object."),
            ("a number", "5", None, "This is a number; an object is expected."),
            (
                "cut off",
                r#"{"content":"#,
                None,
                "The body is not JSON: it ends too early at line 1, column 11.",
            ),
            (
                "not JSON",
                "{content}",
                None,
                "The body is not JSON: it cannot be read at line 1, column 2.",
            ),
            (
                "two values",
                "{} {}",
                None,
                "The body is not JSON: it cannot be read at line 1, column 4.",
            ),
            (
                "wrong type",
                r#"{"content":["my caption"]}"#,
                Some("content"),
                "This is a list; a string is expected.",
            ),
            (
                "wrong type that would show its value",
                r#"{"queue":"my, expected caption"}"#,
                Some("queue"),
                "This is a string; true or false is expected.",
            ),
            (
                "null in a list",
                r#"{"targets":[null]}"#,
                Some("targets[0]"),
                "This is null; an object is expected.",
            ),
            (
                "unknown field",
                r#"{"publish_now":true}"#,
                Some("publish_now"),
                unknown_field.as_str(),
            ),
            (
                "field twice",
                r#"{"content":"a","content":"b"}"#,
                Some("content"),
                "content is sent more than once.",
            ),
            (
                "unknown field of a target",
                r#"{"targets":[{"platform":"bluesky","foo":1}]}"#,
                Some("targets[0].foo"),
                "\"foo\" is not a field here; known: one of `platform`, `accountId`, `options`, `mediaIds`, `files`.",
            ),
            (
                "missing field of a target",
                r#"{"targets":[{"platform":"bluesky"},{}]}"#,
                Some("targets[1].platform"),
                "platform is required.",
            ),
            (
                "wrong type in a target",
                r#"{"targets":[{"platform":"bluesky"},{"platform":"x","options":5}]}"#,
                Some("targets[1].platform"),
                unknown_network.as_str(),
            ),
            (
                "a number in place of a name",
                r#"{"targets":[{"platform":5}]}"#,
                Some("targets[0].platform"),
                unknown_network.as_str(),
            ),
            (
                "nothing in place of a name",
                r#"{"targets":[{"platform":}]}"#,
                None,
                "The body is not JSON: it cannot be read at line 1, column 25.",
            ),
            (
                "half of a surrogate pair",
                r#"{"targets":[],"content":"Hi \ud800!"}"#,
                Some("content"),
                "This is not Unicode; send UTF-8, and no half of a surrogate pair such as \\ud800.",
            ),
            (
                "wrong options",
                r#"{"targets":[{"platform":"bluesky"},{"platform":"bluesky","options":5}]}"#,
                Some("targets[1].options"),
                "This is a number; an object is expected.",
            ),
            (
                "not a uuid",
                r#"{"targets":[{"platform":"bluesky","accountId":"abc"}]}"#,
                Some("targets[0].accountId"),
                "This is not a UUID.",
            ),
            (
                "not a uuid in a list",
                r#"{"mediaIds":["0190a0a0-0000-7000-8000-000000000000","abc"]}"#,
                Some("mediaIds[1]"),
                "This is not a UUID.",
            ),
            (
                "a target as a list",
                r#"{"targets":[["bluesky"]]}"#,
                Some("targets[0]"),
                "This is a list; an object is expected.",
            ),
        ] {
            let refusal = parse::<PostInput>(body.as_bytes()).expect_err(name);
            assert_eq!(refusal.code, ErrorCode::InvalidRequest, "{name}");
            assert_eq!((refusal.field.as_deref(), &*refusal.message()), (field, message), "{name}");
        }
        assert!(parse::<PostInput>(b" \n{\"content\":\"a\"}\n").is_ok());
        for (body, field, message) in [
            (
                r#"{"sizeBytes":-1}"#,
                "sizeBytes",
                "This is a number; a whole number, 0 or more, is expected.",
            ),
            (
                r#"{"width":4294967296}"#,
                "width",
                "This is a number; a whole number from 0 to 4294967295 is expected.",
            ),
            (r#"{"fps":"30"}"#, "fps", "This is a string; a number is expected."),
        ] {
            let refusal = parse::<MediaInput>(body.as_bytes()).expect_err(body);
            assert_eq!(refusal.field.as_deref(), Some(field), "{body}");
            assert_eq!(refusal.message(), message, "{body}");
        }
    }

    #[test]
    fn texts_that_are_not_unicode() {
        for (json, want) in [
            (r#"{"a": "plain"}"#, true),
            (r#"{"a": "\ud83d\ude00"}"#, true),
            (r#"{"a": "\ud83d\ude00\ud83d\ude00 \n\\ud800"}"#, true),
            (r#"{"a": "\u00e4\"\\"}"#, true),
            (r#"{"a": "\ud83d"}"#, false),
            (r#"{"a": "\ude00"}"#, false),
            (r#"{"a": "\ud83d \ude00"}"#, false),
            (r#"{"a": "\ud83d\n"}"#, false),
            (r#"{"a": "\ude00\ud83d"}"#, false),
            (r#"{"\ud83d": "a"}"#, false),
        ] {
            assert_eq!(is_unicode(json.as_bytes()), want, "{json}");
            let is_read = serde_json::from_str::<serde_json::Value>(json).is_ok();
            assert_eq!(is_read, want, "{json}: as it is read");
        }
        assert!(!is_unicode(b"{\"a\": \"\xff\"}"));
    }

    #[test]
    fn names_that_are_misspelt() {
        for (body, message) in [
            (
                r#"{"zone": "Berlin"}"#,
                "This is not an IANA time zone; the nearest is Europe/Berlin.",
            ),
            (r#"{"zone": "+01:00"}"#, "This is not an IANA time zone, such as Europe/Berlin."),
        ] {
            let refusal = parse::<ZoneInput>(body.as_bytes()).expect_err(body);
            assert_eq!(refusal.field.as_deref(), Some("zone"), "{body}");
            assert_eq!(refusal.message(), message, "{body}");
        }
        let days = "This is not a known value; one of `mon`, `tue`, `wed`, `thu`, `fri`, `sat`, `sun` is expected.";
        for weekday in ["1", "\"monday\""] {
            let body = format!(r#"{{"slots": [{{"weekday": {weekday}, "time": "09:00"}}]}}"#);
            let refusal = parse::<ScheduleInput>(body.as_bytes()).expect_err(weekday);
            assert_eq!(refusal.field.as_deref(), Some("slots[0].weekday"), "{weekday}");
            assert_eq!(refusal.message(), days, "{weekday}");
        }
    }

    #[test]
    fn what_is_wrong_is_data() {
        for (body, field, want) in [
            (
                r#"{"mediaItems": [{"kind": "image"}, {"kind": "image", "width": -1}]}"#,
                Some("mediaItems[1].width"),
                Invalid::WrongKind {
                    found: JsonKind::Number,
                    expected: "a whole number from 0 to 4294967295".to_owned(),
                },
            ),
            (
                r#"{"mediaItems": [{"kind": "image", "kind": "video"}]}"#,
                Some("mediaItems[0].kind"),
                Invalid::Repeated("kind"),
            ),
            (
                r#"{"mediaItems": [{"kind": "film"}]}"#,
                Some("mediaItems[0].kind"),
                Invalid::UnknownValue { known: &["image", "video", "document"] },
            ),
            (
                r#"{"targets": [{"platform": {}}]}"#,
                Some("targets[0].platform"),
                Invalid::UnknownValue { known: &NAMES },
            ),
            (
                r#"{"targets": [{"options": {"cw": "\udc00"}, "platform": "mastodon"}]}"#,
                Some("targets[0].options.cw"),
                Invalid::NotUnicode,
            ),
            (
                r#"{"mediaIds": ["01936b3c"]}"#,
                Some("mediaIds[0]"),
                Invalid::NotA("a UUID".to_owned()),
            ),
            ("{", None, Invalid::NotJson { ends_too_early: true, line: 1, column: 1 }),
        ] {
            let refusal = parse::<CheckInput>(body.as_bytes()).expect_err(body);
            assert_eq!(refusal.field.as_deref(), field, "{body}");
            assert_eq!(refusal.kind, RefusalKind::Invalid(want), "{body}");
        }
    }
}
