//! The `scheduler` command: the server, the application, and posting from scripts.
//!
//! A command is a file in `commands`; it gets a [`context::Context`], reads its settings from
//! `config`, works on the database through `runtime` or on a server through `client`, and prints
//! through `printer`. Every error ends in [`failure::Failure`], which knows the exit code and what
//! to do next.

#![forbid(unsafe_code)]

mod address;
mod client;
mod command_path;
mod commands;
mod config;
mod confirming;
mod connecting;
mod context;
#[cfg(test)]
mod documented_tests;
mod exit;
mod failure;
mod files;
mod first_key;
mod handles;
mod importing;
mod logging;
mod named_accounts;
mod names;
mod node;
mod opening;
mod optional;
mod posting;
mod printer;
mod receiver;
mod runtime;
mod sandboxed;
mod server_lock;
mod signals;
mod times;
mod uploading;
mod waiting;

use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue, ErrorKind};
use clap::{CommandFactory as _, Parser as _};

use command_path::CommandPath;
use commands::Arguments;
use config::{LogFormat, LogSettings, Sources};
use context::Context;
use exit::Exit;
use failure::Failure;
use printer::Printer;

/// Threads for blocking work (files, name look-ups) at most; each costs memory.
const BLOCKING_THREADS: usize = 16;

fn main() -> ExitCode {
    let mut words = std::env::args_os().skip(1);
    if words.next().is_some_and(|word| word == config::CONFINED_TOOL) {
        return scheduler_media::launch(words);
    }
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return misunderstood(&error),
    };
    arguments.common.color.apply();
    let printer = Printer::new(arguments.common.json);
    if printer.is_json() {
        waiting::keep_still();
    }
    let exit = match start(arguments, printer) {
        Ok(exit) => exit,
        Err(failure) => {
            report(printer, &failure, &command_path());
            failure.exit()
        }
    };
    exit.into()
}

/// The command that was called.
fn command_path() -> CommandPath {
    let words = std::env::args_os().skip(1);
    let words = words.map(|word| word.to_string_lossy().into_owned());
    CommandPath::of(&Arguments::command(), words)
}

/// Says what is wrong with the arguments, or shows the help or the version that they ask for.
fn misunderstood(error: &clap::Error) -> ExitCode {
    // Nobody is left to hear it when the stream is closed.
    let _ = error.print();
    if !error.use_stderr() {
        return Exit::Done.into();
    }
    // Nothing was read of arguments that are wrong, so whether JSON is wanted is looked up.
    let is_json = std::env::args_os()
        .skip(1)
        .take_while(|argument| argument != "--")
        .any(|argument| argument == "--json");
    if is_json {
        let _ = Printer::new(true).document(&Failure::Usage(summary(error)).document());
    }
    Exit::Usage.into()
}

/// What is wrong, without the usage and the hints below it.
fn summary(error: &clap::Error) -> String {
    if error.kind() == ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand {
        return "a command is missing".to_owned();
    }
    let text = error.render().to_string();
    let said = text.split("\n\n").next().unwrap_or_default();
    let lines: Vec<&str> =
        said.strip_prefix("error: ").unwrap_or(said).split_whitespace().collect();
    let meant: Vec<&str> = SUGGESTIONS.iter().flat_map(|kind| names_in(error, *kind)).collect();
    match meant[..] {
        [] => lines.join(" "),
        [..] => format!("{}; did you mean {}?", lines.join(" "), meant.join(" or ")),
    }
}

/// Where a name may stand that was meant.
const SUGGESTIONS: [ContextKind; 3] =
    [ContextKind::SuggestedSubcommand, ContextKind::SuggestedArg, ContextKind::SuggestedValue];

fn names_in(error: &clap::Error, kind: ContextKind) -> Vec<&str> {
    match error.get(kind) {
        Some(ContextValue::String(name)) => vec![name],
        Some(ContextValue::Strings(names)) => names.iter().map(String::as_str).collect(),
        Some(_) | None => Vec::new(),
    }
}

fn start(arguments: Arguments, printer: Printer) -> Result<Exit, Failure> {
    let (file, level) = (arguments.common.config.as_deref(), arguments.command.default_log());
    let (sources, log) = if arguments.command.reports_config_errors() {
        let sources = Sources::load_what_can_be_read(file);
        let log = LogSettings::load(&sources, level);
        (sources, log.unwrap_or_else(|_| LogSettings::new(level)))
    } else {
        let sources = Sources::load(file)?;
        let log = LogSettings::load(&sources, level)?;
        (sources, log)
    };
    // Whoever collects the log of a service gets what it prints with it.
    let is_collected = arguments.command.is_server() && log.format == LogFormat::Json;
    let printer = if is_collected { Printer::new(true) } else { printer };
    logging::start(log);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .max_blocking_threads(BLOCKING_THREADS)
        .enable_all()
        .build()?;
    let profile = arguments.common.profile;
    let context = Context { printer, sources: sources.into(), profile };
    let result = runtime.block_on(Box::pin(arguments.command.run(context)));
    // What still blocks (a read of standard input) must not keep the process alive.
    runtime.shutdown_background();
    match result {
        Err(failure) if is_collected => {
            tracing::error!(next = %failure.advice(&command_path()), "{failure}");
            Ok(failure.exit())
        }
        other => other,
    }
}

/// Says what went wrong and what can be done, and prints the one JSON document where asked to.
fn report(printer: Printer, failure: &Failure, command: &CommandPath) {
    if let Failure::Other(error) = failure
        && is_broken_pipe(error)
    {
        return;
    }
    printer.error(&failure.headline());
    if let Failure::Refused(body) = failure {
        if let Some(field) = &body.error.field {
            printer.message(&format!("field: {field}"));
        }
        if let Some(plan) = &body.error.upgrade_to {
            printer.message(&format!("the plan {plan} would allow it"));
        }
    }
    for issue in failure.issues() {
        printer.issue(issue);
    }
    printer.advice(&failure.advice(command));
    if printer.is_json() {
        // Standard output may be the very thing that failed.
        let _ = printer.document(&failure.document());
    }
}

/// True when whoever read the output has gone, such as `head`.
fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .downcast_ref::<std::io::Error>()
        .is_some_and(|error| error.kind() == std::io::ErrorKind::BrokenPipe)
}
