//! The OpenAPI document of the API.
//!
//! It is made from what stands elsewhere: the endpoints with what they say of themselves, codes and
//! their statuses from the errors, bounds and the networks' options from the core. `schemas` has what
//! several of them share.

mod assembly;
pub(crate) mod content;
pub(crate) mod description;
mod errors;
mod events;
pub(crate) mod examples;
pub(crate) mod schema;
mod schemas;

use serde_json::Value;

use crate::routes;

pub use assembly::VERSION;

/// The document, an object of OpenAPI 3.1.
#[must_use]
pub fn document() -> Value {
    assembly::document(routes::api())
}
