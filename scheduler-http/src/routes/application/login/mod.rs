//! How a program gets a session.

mod claim;
mod confirm;
mod request;
mod waiting;

use scheduler_core::error::Refusal;
use scheduler_core::session::{LoginCode, UnknownLoginCode};

use crate::endpoint::Endpoint;

pub(super) static ENDPOINTS: &[&Endpoint] =
    &[&request::ENDPOINT, &waiting::ENDPOINT, &claim::ENDPOINT, &confirm::ENDPOINT];

/// Reads a code.
///
/// # Errors
/// `invalid_request` naming `code`.
fn code_of(text: &str) -> Result<LoginCode, Refusal> {
    text.parse().map_err(|error: UnknownLoginCode| Refusal::invalid("code", format!("{error}.")))
}
