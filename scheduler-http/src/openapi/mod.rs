//! The OpenAPI document of the API.
//!
//! What exists as data is read from where it stands: methods, paths, scopes and names of
//! parameters from [`crate::endpoints`], codes and their statuses from the errors, bounds and the
//! networks' options from the core. What is written here is what exists as words only. One file a
//! resource; `schemas` has the bodies.

mod accounts;
mod ai;
mod assembly;
mod errors;
mod events;
mod examples;
mod media;
mod operation;
mod platforms;
mod posts;
mod schema;
mod schemas;
mod targets;
mod webhooks;

use serde_json::Value;

use operation::Operation;

/// The version of the interface.
///
/// Source: interface description, Versioning.
pub const VERSION: &str = "2026.10.06";

/// The version of OpenAPI that the document is written in.
const OPENAPI: &str = "3.1.0";

/// The document, an object of OpenAPI 3.1.
#[must_use]
pub fn document() -> Value {
    assembly::document(&operations())
}

/// Every operation of the API, in the order of the interface description.
fn operations() -> Vec<Operation> {
    [
        platforms::operations(),
        posts::operations(),
        targets::operations(),
        media::operations(),
        accounts::operations(),
        ai::operations(),
        webhooks::operations(),
    ]
    .into_iter()
    .flatten()
    .collect()
}
