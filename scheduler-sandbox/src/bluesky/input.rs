//! Reading bodies and parameters of calls.

use serde_json::{Map, Value};

use super::error::XrpcError;
use crate::request::Request;

/// Largest JSON body in bytes.
///
/// Source: measured at `@atproto/pds` (a record of at most 1,000,000 bytes).
const MAX_JSON_BYTES: u64 = 1_000_000;

/// Reads the JSON object of a procedure.
///
/// # Errors
/// `PayloadTooLarge`, `InvalidRequest`.
pub(super) fn object(request: &Request) -> Result<&Map<String, Value>, XrpcError> {
    if request.body.length > MAX_JSON_BYTES {
        return Err(XrpcError::too_large());
    }
    if request.content_type() != "application/json" {
        let found = request.content_type();
        let message = if found.is_empty() {
            "Request encoding (Content-Type) required but not provided".to_owned()
        } else {
            format!("Wrong request encoding (Content-Type): {found}")
        };
        return Err(XrpcError::invalid(message));
    }
    match request.json() {
        Some(Value::Object(body)) => Ok(body),
        _ => Err(XrpcError::invalid("Input must be an object")),
    }
}

/// Reads a string of a procedure's input.
///
/// # Errors
/// `InvalidRequest`.
pub(super) fn text<'a>(body: &'a Map<String, Value>, name: &str) -> Result<&'a str, XrpcError> {
    match body.get(name) {
        Some(Value::String(text)) => Ok(text),
        Some(_) => Err(XrpcError::invalid(format!("Input/{name} must be a string"))),
        None => Err(XrpcError::invalid(format!("Input must have the property \"{name}\""))),
    }
}

/// Reads a parameter of a query.
///
/// # Errors
/// `InvalidRequest`.
pub(super) fn parameter<'a>(request: &'a Request, name: &str) -> Result<&'a str, XrpcError> {
    request.query(name).ok_or_else(|| {
        XrpcError::invalid(format!("Error: Params must have the property \"{name}\""))
    })
}

/// Reads a whole number of a query within its bounds.
///
/// # Errors
/// `InvalidRequest`.
pub(super) fn number(
    request: &Request,
    name: &str,
    least: usize,
    most: usize,
    default: usize,
) -> Result<usize, XrpcError> {
    let Some(text) = request.query(name) else { return Ok(default) };
    let number: usize = text
        .parse()
        .map_err(|_| XrpcError::invalid(format!("Error: {name} must be an integer")))?;
    if number < least {
        return Err(XrpcError::invalid(format!("Error: {name} can not be less than {least}")));
    }
    if number > most {
        return Err(XrpcError::invalid(format!("Error: {name} can not be greater than {most}")));
    }
    Ok(number)
}
