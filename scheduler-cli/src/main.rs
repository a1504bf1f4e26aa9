//! The `scheduler` command: the server, the application, and posting from scripts.
//!
//! A command is a file in `commands`; it reads its settings from `config`, works on the database
//! through `runtime` or on a server through `client`, and prints through `printer`. Every error
//! ends in [`failure::Failure`], which knows the exit code and what to do next.

#![forbid(unsafe_code)]

mod address;
mod client;
mod commands;
mod config;
mod connecting;
mod exit;
mod failure;
mod files;
mod logging;
mod node;
mod posting;
mod printer;
mod receiver;
mod runtime;
mod sandboxed;
mod signals;
mod uploading;

use std::process::ExitCode;

use clap::Parser as _;

use commands::{Arguments, Context};
use config::{LogSettings, Sources};
use exit::Exit;
use failure::Failure;
use printer::Printer;

/// Threads for blocking work (files, name look-ups) at most; each costs memory.
const BLOCKING_THREADS: usize = 16;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let printer = Printer::new(arguments.common.json);
    let exit = match start(arguments, printer) {
        Ok(exit) => exit,
        Err(failure) => {
            report(printer, &failure);
            failure.exit()
        }
    };
    exit.into()
}

fn start(arguments: Arguments, printer: Printer) -> Result<Exit, Failure> {
    let sources = Sources::load(arguments.common.config.as_deref())?;
    let log = LogSettings::load(&sources, arguments.command.default_log())?;
    logging::start(log);
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .max_blocking_threads(BLOCKING_THREADS)
        .enable_all()
        .build()
        .map_err(anyhow::Error::from)?;
    let context = Context { printer, sources };
    let result = runtime.block_on(Box::pin(arguments.command.run(context)));
    // What still blocks (a read of standard input) must not keep the process alive.
    runtime.shutdown_background();
    result
}

/// Says what went wrong and what can be done, and prints the one JSON document where asked to.
fn report(printer: Printer, failure: &Failure) {
    if let Failure::Other(error) = failure
        && is_broken_pipe(error)
    {
        return;
    }
    printer.error(&failure.to_string());
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
    if let Some(advice) = failure.advice() {
        printer.advice(advice);
    }
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
