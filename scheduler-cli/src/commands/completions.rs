//! `scheduler completions`: what a shell needs to complete commands and options.

use clap::{Args, Command};
use clap_complete::Shell;
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;

/// What the help shows last.
pub(super) const EXAMPLES: &str = "\
Examples:
  scheduler completions bash > ~/.local/share/bash-completion/completions/scheduler
  scheduler completions zsh > ~/.zfunc/_scheduler
  scheduler completions fish > ~/.config/fish/completions/scheduler.fish
  scheduler completions powershell >> $PROFILE";

/// Names the shell.
#[derive(Args, Debug)]
pub(crate) struct CompletionsArguments {
    /// The shell
    shell: Shell,
}

/// Prints the script of a shell.
///
/// # Errors
/// [`Failure::Other`] when standard output cannot be written.
pub(crate) fn run(
    context: &Context,
    arguments: &CompletionsArguments,
    mut command: Command,
) -> Result<Exit, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(arguments.shell, &mut command, "scheduler", &mut script);
    if context.printer.is_json() {
        let shell = arguments.shell.to_string();
        let script = String::from_utf8_lossy(&script);
        context.printer.document(&json!({"shell": shell, "script": script}))
    } else {
        context.printer.verbatim(&script)
    }?;
    Ok(Exit::Done)
}
