//! Reading a body of JSON, and saying what is wrong with it.

use std::panic::resume_unwind;

use bytes::Bytes;
use scheduler_core::error::{ErrorCode, Refusal};
use serde::de::{DeserializeOwned, IgnoredAny};
use serde_path_to_error::Segment;

use crate::budget::is_large;
use crate::error::ApiError;

/// Works a body through. A large one is read where it holds up no other request.
///
/// # Errors
/// `internal` while the process stops.
pub(super) async fn read<T: Send + 'static>(
    bytes: Bytes,
    work: fn(&[u8]) -> T,
) -> Result<T, ApiError> {
    if !is_large(bytes.len()) {
        return Ok(work(&bytes));
    }
    match tokio::task::spawn_blocking(move || work(&bytes)).await {
        Ok(read) => Ok(read),
        Err(error) => match error.try_into_panic() {
            Ok(words) => resume_unwind(words),
            Err(cancelled) => Err(ApiError::internal(cancelled)),
        },
    }
}

/// Reads a value.
///
/// # Errors
/// `invalid_request` for what is not JSON, or a field of another type, unknown or missing, which
/// is named.
pub(super) fn parse<T: DeserializeOwned>(bytes: &[u8]) -> Result<T, Refusal> {
    match bytes.trim_ascii_start().first() {
        None => return Err(not_json("The body is empty; send a JSON object.")),
        // A list would otherwise pass for the fields of the object in their order.
        Some(b'[') => return Err(not_json("The body is a list; send a JSON object.")),
        Some(_) => {}
    }
    let mut deserializer = serde_json::Deserializer::from_slice(bytes);
    let value = serde_path_to_error::deserialize(&mut deserializer).map_err(|error| {
        let path = error.path().clone();
        // A number where a name is expected counts as broken JSON there; only a second look tells.
        let broken = serde_json::from_slice::<IgnoredAny>(bytes).err();
        match broken.filter(|_| !error.inner().is_data()) {
            Some(broken) => syntax(&broken),
            None => refusal_of(&path, error.inner()),
        }
    })?;
    deserializer.end().map_err(|error| syntax(&error))?;
    Ok(value)
}

fn not_json(message: impl Into<String>) -> Refusal {
    Refusal::new(ErrorCode::InvalidRequest, message)
}

fn syntax(error: &serde_json::Error) -> Refusal {
    let (line, column) = (error.line(), error.column());
    let what = if error.is_eof() { "it ends too early" } else { "it cannot be read" };
    not_json(format!("The body is not JSON: {what} at line {line}, column {column}."))
}

fn refusal_of(path: &serde_path_to_error::Path, error: &serde_json::Error) -> Refusal {
    let text = error.to_string();
    let text = text.split(" at line ").next().unwrap_or_default();
    let mut field = path_text(path);
    if let Some((name, known)) = quoted_after(text, "unknown field `") {
        join_field(&mut field, name);
        let known = known.strip_prefix(", expected ").unwrap_or("nothing here");
        return Refusal::invalid(field, format!("{name:?} is not a field here; known: {known}."));
    }
    if let Some((name, _)) = quoted_after(text, "missing field `") {
        join_field(&mut field, name);
        return Refusal::invalid(field, format!("{name} is required."));
    }
    if let Some((name, _)) = quoted_after(text, "duplicate field `") {
        join_field(&mut field, name);
        return Refusal::invalid(field, format!("{name} is sent more than once."));
    }
    let message = wrong_value(text);
    if field.is_empty() { not_json(message) } else { Refusal::invalid(field, message) }
}

/// What is wrong with a value, without the value itself: it may be a caption.
fn wrong_value(text: &str) -> String {
    if let Some((_, known)) = quoted_after(text, "unknown variant `") {
        let known = known.strip_prefix(", expected ").unwrap_or("something else");
        return format!("This is not a known value; {known} is expected.");
    }
    if text.starts_with("UUID parsing failed") {
        return "This is not a UUID.".to_owned();
    }
    let described = text.strip_prefix("invalid type: ").or(text.strip_prefix("invalid value: "));
    let described = described.and_then(|rest| rest.rsplit_once(", expected "));
    let Some((found, expected)) = described else {
        return "This is not an allowed value.".to_owned();
    };
    let kind = found.split([' ', '"', '`']).next().unwrap_or_default();
    let kind = match kind {
        "map" => "an object",
        "sequence" => "a list",
        "string" => "a string",
        "integer" | "floating" => "a number",
        "boolean" => "true or false",
        "null" => "null",
        _ => "of another type",
    };
    let expected = match expected {
        "a map" => "an object",
        "a sequence" => "a list",
        "a boolean" => "true or false",
        "u64" => "a whole number, 0 or more,",
        "u32" => "a whole number from 0 to 4294967295",
        "f64" => "a number",
        _ if expected.starts_with("struct ") => "an object",
        _ => expected,
    };
    format!("This is {kind}; {expected} is expected.")
}

/// The text between a prefix and the next backtick, and what follows.
fn quoted_after<'a>(text: &'a str, prefix: &str) -> Option<(&'a str, &'a str)> {
    text.strip_prefix(prefix)?.split_once('`')
}

fn path_text(path: &serde_path_to_error::Path) -> String {
    let mut text = String::new();
    for segment in path {
        match segment {
            Segment::Seq { index } => text.push_str(&format!("[{index}]")),
            Segment::Map { key } => join_field(&mut text, key),
            Segment::Enum { .. } | Segment::Unknown => {}
        }
    }
    text
}

/// Adds a field's name to the path of its object, unless it stands there already.
fn join_field(path: &mut String, name: &str) {
    let last = path.rsplit('.').next().unwrap_or_default();
    if last == name {
        return;
    }
    if !path.is_empty() {
        path.push('.');
    }
    path.push_str(name);
}

#[cfg(test)]
mod tests {
    use scheduler_core::media::MediaInput;
    use scheduler_core::post::PostInput;

    use super::*;

    #[test]
    fn refused_bodies() {
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
                "\"publish_now\" is not a field here; known: one of `content`, `linkUrl`, `mediaIds`, `altTexts`, `scheduledAt`, `scheduledLocal`, `queue`, `publishNow`, `saveAsDraft`, `targets`.",
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
                "\"foo\" is not a field here; known: one of `platform`, `accountId`, `options`.",
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
                "This is not a known value; one of `youtube`, `tiktok`, `instagram`, `facebook`, `threads`, `twitter`, `linkedin`, `pinterest`, `bluesky`, `mastodon`, `telegram`, `discord`, `tumblr` is expected.",
            ),
            (
                "a number in place of a name",
                r#"{"targets":[{"platform":5}]}"#,
                Some("targets[0].platform"),
                "This is not an allowed value.",
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
            assert_eq!(
                (refusal.field.as_deref(), refusal.message.as_str()),
                (field, message),
                "{name}"
            );
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
            let found = (refusal.field.as_deref(), refusal.message.as_str());
            assert_eq!(found, (Some(field), message), "{body}");
        }
    }
}
