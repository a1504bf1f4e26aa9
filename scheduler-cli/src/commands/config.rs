//! `scheduler config`: what is set, whether it can be used, and what can be set.

mod check;
mod example;
mod keys;
mod show;

use std::collections::BTreeMap;

use clap::{Args, Subcommand};

use crate::config::{Checked, ServerOptions, Sources, StorageOptions, UnknownVariable};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;

/// What to do with the settings.
#[derive(Debug, Subcommand)]
pub(crate) enum ConfigCommand {
    /// Show what is in force and where each value comes from; secrets are not shown
    ///
    /// Takes the options of `serve`. Without --all, settings of networks and plans are shown only
    /// where they are set, and others where they have a value. Exits with 1 when a setting cannot
    /// be used.
    #[command(after_help = show::EXAMPLES)]
    Show(show::ShowArguments),
    /// Check that every setting can be used, without starting anything
    ///
    /// Takes the options of `serve`. Exits with 1 when a setting cannot be used.
    #[command(after_help = check::EXAMPLES)]
    Check(check::CheckArguments),
    /// List the settings, or explain one
    #[command(after_help = keys::EXAMPLES)]
    Keys(keys::KeysArguments),
    /// Print a settings file with every setting explained and commented out
    #[command(after_help = example::EXAMPLES)]
    Example,
}

/// The options of `serve`, of which nothing is started here.
#[derive(Args, Clone, Debug)]
pub(super) struct ServeOptions {
    #[command(flatten)]
    server: ServerOptions,
    #[command(flatten)]
    storage: StorageOptions,
    /// Run on the sandbox networks [env: SCHEDULER_SANDBOX]
    #[arg(long)]
    sandbox: bool,
}

impl ServeOptions {
    /// The options that are given, by their keys.
    fn given(&self) -> BTreeMap<&'static str, String> {
        let sandbox = self.sandbox.then(|| ("sandbox", true.to_string()));
        self.server.given().chain(self.storage.given()).chain(sandbox).collect()
    }

    fn check(self, sources: &Sources) -> Checked {
        Checked::read(self.server, self.storage, sources)
    }
}

/// Does what the command says.
///
/// # Errors
/// [`Failure::Usage`] for an unknown setting, [`Failure::Other`] when standard output cannot be
/// written.
pub(crate) fn run(context: &Context, command: ConfigCommand) -> Result<Exit, Failure> {
    match command {
        ConfigCommand::Show(arguments) => show::run(context, arguments),
        ConfigCommand::Check(arguments) => check::run(context, arguments),
        ConfigCommand::Keys(arguments) => keys::run(context, &arguments),
        ConfigCommand::Example => example::run(context),
    }
}

/// Says what cannot be used and what nobody reads, and how the command ends.
fn judge(context: &Context, faults: &[String], unknown: &[UnknownVariable]) -> Exit {
    let printer = context.printer;
    if !printer.is_json() {
        unknown.iter().for_each(|variable| printer.warning(&variable.to_string()));
        faults.iter().for_each(|fault| printer.error(fault));
    }
    if faults.is_empty() {
        return Exit::Done;
    }
    if !printer.is_json() {
        printer.advice("`scheduler config keys NAME` explains a setting");
    }
    Exit::Failed
}
