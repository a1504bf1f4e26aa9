//! The message of a request: its fields, its files, and what is refused of them.
//!
//! Source: <https://docs.discord.com/developers/resources/message#create-message> and
//! <https://docs.discord.com/developers/reference>, "Uploading Files".

use http::StatusCode;
use serde_json::Value;

use super::error::ApiError;
use super::extras::{self, Extras};
use super::model::Guild;
use crate::multipart::Part;
use crate::network::LiveMedia;
use crate::request::Request;

/// Longest text, in code points.
const CONTENT_LIMIT: usize = 2_000;
/// Longest alternative text of a file.
const DESCRIPTION_LIMIT: usize = 1_024;
/// Longest name of a thread.
const NAME_LIMIT: usize = 100;
/// Most files of a message.
const FILES_LIMIT: usize = 10;
/// Largest request, in bytes.
const REQUEST_BYTES: u64 = 25 * 1024 * 1024;
const MIB: u64 = 1024 * 1024;

/// A file as it was sent.
#[derive(Clone, Debug)]
pub(super) struct File {
    pub(super) filename: String,
    pub(super) description: Option<String>,
    pub(super) file: LiveMedia,
}

/// A message as it was sent.
#[derive(Clone, Debug)]
pub(super) struct Input {
    pub(super) content: String,
    pub(super) files: Vec<File>,
    pub(super) extras: Extras,
}

/// Reads the JSON of a request: its body, or the part `payload_json` of a form.
///
/// # Errors
/// It is none, or the request is too large.
pub(super) fn payload(request: &Request) -> Result<Value, ApiError> {
    if request.body.length > REQUEST_BYTES {
        let message = "Request entity too large";
        return Err(ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, 40_005, message));
    }
    let payload = match request.content_type().as_str() {
        "multipart/form-data" => {
            let part = request.body.parts.iter().find(|part| part.name == "payload_json");
            match part {
                Some(part) => serde_json::from_slice(&part.head).ok(),
                None => Some(Value::Object(serde_json::Map::new())),
            }
        }
        _ => request.json().cloned(),
    };
    let invalid = || ApiError::bad(50_109, "The request body contains invalid JSON.");
    payload.filter(Value::is_object).ok_or_else(invalid)
}

/// Reads a message out of its JSON and the files of the request.
///
/// # Errors
/// Too long, too many, too large, or nothing at all.
pub(super) fn message(
    request: &Request,
    message: &Value,
    path: &str,
    guild: &Guild,
) -> Result<Input, ApiError> {
    let parts: Vec<(usize, &Part)> = request
        .body
        .parts
        .iter()
        .filter_map(|part| {
            let index = part.name.strip_prefix("files[")?.strip_suffix(']')?;
            Some((index.parse().ok()?, part))
        })
        .collect();
    if parts.len() > FILES_LIMIT {
        let message = "Maximum number of attachments in a message reached (10)";
        return Err(ApiError::bad(30_015, message));
    }
    let files = parts.iter().map(|(index, part)| file(*index, part, message, path, guild));
    let files = files.collect::<Result<Vec<_>, _>>()?;
    let content = content(message, path)?;
    let extras = extras::read(message, path)?;
    if content.is_empty() && files.is_empty() && extras.is_empty() {
        return Err(ApiError::bad(50_006, "Cannot send an empty message"));
    }
    Ok(Input { content, files, extras })
}

/// Reads the text of a message, without space at its ends.
///
/// # Errors
/// It is no text, or too long.
pub(super) fn content(message: &Value, path: &str) -> Result<String, ApiError> {
    let path = format!("{path}content");
    match &message["content"] {
        Value::Null => Ok(String::new()),
        Value::String(text) if text.chars().count() > CONTENT_LIMIT => {
            let message = format!("Must be {CONTENT_LIMIT} or fewer in length.");
            Err(ApiError::field(&path, "BASE_TYPE_MAX_LENGTH", &message))
        }
        Value::String(text) => Ok(text.trim().to_owned()),
        Value::Bool(_) | Value::Number(_) | Value::Array(_) | Value::Object(_) => {
            Err(ApiError::field(&path, "STRING_TYPE_CONVERT", "Could not interpret as string."))
        }
    }
}

/// Reads the name of a thread; `None` where there is none.
///
/// # Errors
/// It is empty or too long.
pub(super) fn thread_name(input: &Value, member: &str) -> Result<Option<String>, ApiError> {
    let Some(name) = input[member].as_str() else { return Ok(None) };
    let name = name.trim();
    if (1..=NAME_LIMIT).contains(&name.chars().count()) {
        return Ok(Some(name.to_owned()));
    }
    let message = format!("Must be between 1 and {NAME_LIMIT} in length.");
    Err(ApiError::field(member, "BASE_TYPE_BAD_LENGTH", &message))
}

fn file(
    index: usize,
    part: &Part,
    message: &Value,
    path: &str,
    guild: &Guild,
) -> Result<File, ApiError> {
    let largest = match guild.premium_tier {
        0 | 1 => 10 * MIB,
        2 => 50 * MIB,
        _ => 100 * MIB,
    };
    if part.length > largest {
        return Err(ApiError::bad(50_045, "File uploaded exceeds the maximum size"));
    }
    let Some(sent_name) = part.file_name.clone().filter(|name| !name.is_empty()) else {
        let path = format!("{path}files.{index}.filename");
        return Err(ApiError::field(&path, "BASE_TYPE_REQUIRED", "This field is required"));
    };
    let told = message["attachments"].as_array().into_iter().flatten().enumerate();
    let is_of = |told: &Value| match &told["id"] {
        Value::String(id) => id.parse() == Ok(index),
        id => id.as_u64() == u64::try_from(index).ok(),
    };
    let told = told.into_iter().find(|(_, told)| is_of(told));
    let text = |member: &str| told.and_then(|(_, told)| told[member].as_str().map(str::to_owned));
    let description = text("description").filter(|text| !text.is_empty());
    if description.as_ref().is_some_and(|text| text.chars().count() > DESCRIPTION_LIMIT) {
        let at = told.map_or(index, |(at, _)| at);
        let path = format!("{path}attachments.{at}.description");
        let message = format!("Must be {DESCRIPTION_LIMIT} or fewer in length.");
        return Err(ApiError::field(&path, "BASE_TYPE_MAX_LENGTH", &message));
    }
    Ok(File {
        filename: text("filename").filter(|name| !name.is_empty()).unwrap_or(sent_name),
        description,
        file: LiveMedia {
            media_type: part.content_type.clone().unwrap_or_default(),
            bytes: part.length,
            sha256: part.sha256,
        },
    })
}
