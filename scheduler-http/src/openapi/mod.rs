//! The OpenAPI document of the API.
//!
//! It is made from what stands elsewhere: the endpoints with what they say of themselves, codes and
//! their statuses from the errors, schemas from the types of the core, the networks' options from
//! their sheets.

mod assembly;
pub(crate) mod derived;
pub(crate) mod description;
mod errors;
mod events;
pub(crate) mod examples;
mod options;
mod outline;
pub(crate) mod schema;

use serde_json::Value;

use crate::routes;

pub use assembly::VERSION;

/// The document of the API of keys, an object of OpenAPI 3.1.
#[must_use]
pub fn document() -> Value {
    assembly::document(&outline::API, routes::api())
}

/// The document of the application.
#[must_use]
pub fn application() -> Value {
    assembly::document(&outline::APPLICATION, routes::application())
}
