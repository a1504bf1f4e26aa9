//! The checks of single values that the record checks are made of.

use chrono::DateTime;
use serde_json::{Map, Value};
use unicode_segmentation::UnicodeSegmentation;

/// The first rule that a record breaks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::bluesky) struct Fault {
    pub(in crate::bluesky) message: String,
}

/// A blob that a record refers to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(in crate::bluesky) struct BlobRef {
    pub(in crate::bluesky) cid: String,
    /// Largest size in bytes that the place in the record allows.
    pub(in crate::bluesky) max_bytes: u64,
}

/// Where in a record a value stands, for messages.
#[derive(Clone, Debug)]
pub(super) struct Place(String);

impl Place {
    /// The record itself.
    pub(super) fn root() -> Self {
        Self("$".to_owned())
    }

    /// A member of an object.
    pub(super) fn member(&self, name: &str) -> Self {
        Self(format!("{}.{name}", self.0))
    }

    /// An item of a list.
    pub(super) fn item(&self, index: usize) -> Self {
        Self(format!("{}[{index}]", self.0))
    }

    /// A fault at this place.
    pub(super) fn fault(&self, what: &str) -> Fault {
        Fault { message: format!("{what} at {}", self.0) }
    }
}

/// Reads an object.
pub(super) fn object<'a>(value: &'a Value, place: &Place) -> Result<&'a Map<String, Value>, Fault> {
    value.as_object().ok_or_else(|| unexpected("object", value, place))
}

/// Reads a member that has to be there.
pub(super) fn required<'a, T>(
    object: &'a Map<String, Value>,
    name: &str,
    place: &Place,
    check: impl Fn(&'a Value, &Place) -> Result<T, Fault>,
) -> Result<T, Fault> {
    match object.get(name) {
        Some(value) => check(value, &place.member(name)),
        None => Err(place.fault(&format!("Missing required key \"{name}\""))),
    }
}

/// Reads a member that may be left out; `null` is not left out.
pub(super) fn optional<'a, T>(
    object: &'a Map<String, Value>,
    name: &str,
    place: &Place,
    check: impl Fn(&'a Value, &Place) -> Result<T, Fault>,
) -> Result<Option<T>, Fault> {
    object.get(name).map(|value| check(value, &place.member(name))).transpose()
}

/// Checks a list's length and each of its items.
pub(super) fn array<'a>(
    value: &'a Value,
    place: &Place,
    max: usize,
    mut check: impl FnMut(&'a Value, &Place) -> Result<(), Fault>,
) -> Result<(), Fault> {
    let items = value.as_array().ok_or_else(|| unexpected("array", value, place))?;
    if items.len() > max {
        return Err(place.fault(&format!("array too big (maximum {max}, got {})", items.len())));
    }
    items.iter().enumerate().try_for_each(|(index, item)| check(item, &place.item(index)))
}

/// Reads a string.
pub(super) fn string<'a>(value: &'a Value, place: &Place) -> Result<&'a str, Fault> {
    value.as_str().ok_or_else(|| unexpected("string", value, place))
}

/// Checks a string that is limited in bytes of UTF-8 and in grapheme clusters.
pub(super) fn limited(
    value: &Value,
    place: &Place,
    max_bytes: usize,
    max_graphemes: usize,
) -> Result<(), Fault> {
    let text = string(value, place)?;
    if text.len() > max_bytes {
        let message = format!("string too big (maximum {max_bytes}, got {})", text.len());
        return Err(place.fault(&message));
    }
    let graphemes = text.graphemes(true).count();
    if graphemes > max_graphemes {
        let message = format!("grapheme too big (maximum {max_graphemes}, got {graphemes})");
        return Err(place.fault(&message));
    }
    Ok(())
}

/// Checks a whole number that is at least `least`.
pub(super) fn integer(value: &Value, place: &Place, least: i64) -> Result<(), Fault> {
    let number = value.as_i64().ok_or_else(|| unexpected("integer", value, place))?;
    if number < least {
        let message = format!("integer too small (minimum {least}, got {number})");
        return Err(place.fault(&message));
    }
    Ok(())
}

/// Checks a time: RFC 3339 with seconds, a capital `T` and a zone.
pub(super) fn datetime(value: &Value, place: &Place) -> Result<(), Fault> {
    let text = string(value, place)?;
    let is_valid = text.as_bytes().get(10) == Some(&b'T')
        && !text.ends_with("-00:00")
        && !text.ends_with('z')
        && DateTime::parse_from_rfc3339(text).is_ok();
    if is_valid { Ok(()) } else { Err(place.fault(&format!("Invalid datetime (got \"{text}\")"))) }
}

/// Checks an address of a record.
pub(super) fn at_uri(value: &Value, place: &Place) -> Result<(), Fault> {
    let text = string(value, place)?;
    let authority = text.strip_prefix("at://").and_then(|rest| rest.split('/').next());
    match authority {
        Some(authority) if !authority.is_empty() && !text.contains(char::is_whitespace) => Ok(()),
        _ => Err(place.fault(&format!("Invalid AT-URI (got \"{text}\")"))),
    }
}

/// Checks an address of any scheme.
pub(super) fn uri(value: &Value, place: &Place) -> Result<(), Fault> {
    let text = string(value, place)?;
    let is_valid = text.split_once(':').is_some_and(|(scheme, rest)| {
        !scheme.is_empty()
            && scheme.chars().all(|letter| letter.is_ascii_alphanumeric() || "+-.".contains(letter))
            && !rest.trim_start_matches('/').is_empty()
            && !rest.contains(char::is_whitespace)
    });
    if is_valid { Ok(()) } else { Err(place.fault(&format!("Invalid URI (got \"{text}\")"))) }
}

/// Checks an account's identifier.
pub(super) fn did(value: &Value, place: &Place) -> Result<(), Fault> {
    let text = string(value, place)?;
    let mut parts = text.splitn(3, ':');
    match (parts.next(), parts.next(), parts.next()) {
        (Some("did"), Some(method), Some(name)) if !method.is_empty() && !name.is_empty() => Ok(()),
        _ => Err(place.fault(&format!("Invalid DID (got \"{text}\")"))),
    }
}

/// Checks a language tag.
pub(super) fn language(value: &Value, place: &Place) -> Result<(), Fault> {
    let text = string(value, place)?;
    let primary = text.split('-').next().unwrap_or("");
    let is_valid = (primary == "i" || (2..=8).contains(&primary.len()))
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '-');
    if is_valid { Ok(()) } else { Err(place.fault(&format!("Invalid language (got \"{text}\")"))) }
}

/// Checks a reference to a version of a record.
pub(super) fn strong_ref(value: &Value, place: &Place) -> Result<(), Fault> {
    let reference = object(value, place)?;
    required(reference, "uri", place, at_uri)?;
    required(reference, "cid", place, |value, place| {
        let text = string(value, place)?;
        let is_valid = text.len() > 8 && text.chars().all(|letter| letter.is_ascii_alphanumeric());
        if is_valid { Ok(()) } else { Err(place.fault(&format!("Invalid CID (got \"{text}\")"))) }
    })
}

/// Checks a blob's reference and notes it.
pub(super) fn blob(
    value: &Value,
    place: &Place,
    accepted: &str,
    max_bytes: u64,
    blobs: &mut Vec<BlobRef>,
) -> Result<(), Fault> {
    let blob = object(value, place)?;
    if required(blob, "$type", place, string)? != "blob" {
        return Err(unexpected("blob", value, place));
    }
    let mime = required(blob, "mimeType", place, string)?;
    let fits = match accepted.strip_suffix('*') {
        Some(prefix) => mime.starts_with(prefix),
        None => mime == accepted,
    };
    if !fits {
        let message = format!("Expected \"{accepted}\" (got \"{mime}\")");
        return Err(place.member("mimeType").fault(&message));
    }
    let bytes = required(blob, "size", place, |size, place| {
        size.as_u64().ok_or_else(|| unexpected("integer", size, place))
    })?;
    if bytes > max_bytes {
        let message = format!("blob too big (maximum {max_bytes}, got {bytes})");
        return Err(place.fault(&message));
    }
    let link = required(blob, "ref", place, |reference, place| {
        required(object(reference, place)?, "$link", place, string)
    })?;
    blobs.push(BlobRef { cid: link.to_owned(), max_bytes });
    Ok(())
}

fn unexpected(expected: &str, value: &Value, place: &Place) -> Fault {
    let found = match value {
        Value::Null => "null",
        Value::Bool(_) => "boolean",
        Value::Number(_) => "number",
        Value::String(_) => "string",
        Value::Array(_) => "array",
        Value::Object(_) => "object",
    };
    place.fault(&format!("Expected {expected} value type (got {found})"))
}
