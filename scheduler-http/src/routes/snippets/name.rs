//! The snippet that a path names.

use scheduler_core::error::Refusal;
use scheduler_core::snippet::{NoSnippetName, SnippetName};

use crate::routes::prelude::*;

pub(super) fn name(call: &Call) -> Result<SnippetName, Refusal> {
    let name = call.segment("name").parse();
    name.map_err(|error: NoSnippetName| Refusal::invalid("name", format!("This is none: {error}.")))
}
