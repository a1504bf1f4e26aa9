//! `scheduler config example`: a settings file to begin with.

use serde_json::json;

use crate::config::example;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;

/// Lines for the help.
pub(super) const EXAMPLES: &str = "\
Examples:
  scheduler config example > scheduler.toml";

/// Prints the file.
///
/// # Errors
/// [`Failure::Other`] when standard output cannot be written.
pub(super) fn run(context: &Context) -> Result<Exit, Failure> {
    let text = example();
    context.print(&json!({"toml": text}), text.trim_end())?;
    Ok(Exit::Done)
}
