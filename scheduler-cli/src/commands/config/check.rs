//! `scheduler config check`: whether every setting can be used.

use clap::Args;
use serde_json::json;

use super::{ServeOptions, judge};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;

/// Lines for the help.
pub(super) const EXAMPLES: &str = "\
Examples:
  scheduler config check
  scheduler config check --config /etc/scheduler/scheduler.toml";

/// What to check.
#[derive(Args, Debug)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    serve: ServeOptions,
}

/// Says whether every setting can be used.
///
/// # Errors
/// [`Failure::Other`] when standard output cannot be written.
pub(super) fn run(context: &Context, arguments: CheckArguments) -> Result<Exit, Failure> {
    let sources = &context.sources;
    let faults = arguments.serve.check(sources).faults;
    let unknown = sources.unknown_variables();
    if context.printer.is_json() {
        let document = json!({
            "ok": faults.is_empty(),
            "file": sources.file(),
            "faults": faults,
            "unknownVariables": unknown,
        });
        context.printer.document(&document).map_err(anyhow::Error::from)?;
    } else if faults.is_empty() {
        let line = match sources.file() {
            Some(file) => {
                format!("every setting can be used; the settings file is {}", file.display())
            }
            None => "every setting can be used; there is no settings file".to_owned(),
        };
        context.printer.line(&line).map_err(anyhow::Error::from)?;
    }
    Ok(judge(context, &faults, &unknown))
}
