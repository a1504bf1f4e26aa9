//! `scheduler man`: the pages of the manual.

use std::path::{Path, PathBuf};

use anyhow::Context as _;
use clap::{Args, Command};
use clap_mangen::Man;
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;

/// What the help shows last.
pub(super) const EXAMPLES: &str = "\
Examples:
  scheduler man | man -l -
  scheduler man --out ~/.local/share/man/man1";

/// Where the pages go.
#[derive(Args, Debug)]
pub(crate) struct ManArguments {
    /// Write a page for each command into this folder, instead of the first page to standard output
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

/// Prints the page of the command, or writes one for each of its commands.
///
/// # Errors
/// [`Failure::Other`] when the folder or standard output cannot be written.
pub(crate) fn run(
    context: &Context,
    arguments: &ManArguments,
    command: Command,
) -> Result<Exit, Failure> {
    let mut command = command.disable_help_subcommand(true);
    command.build();
    if let Some(folder) = &arguments.out {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("cannot make the folder {}", folder.display()))?;
        let mut pages = Vec::new();
        write(&command, folder, &mut pages)?;
        let line = format!("{} pages are in {}", pages.len(), folder.display());
        context.print(&json!({"pages": pages}), &line)?;
        return Ok(Exit::Done);
    }
    let mut page = Vec::new();
    Man::new(command).render(&mut page)?;
    if context.printer.is_json() {
        context.printer.document(&json!({"page": String::from_utf8_lossy(&page)}))
    } else {
        context.printer.verbatim(&page)
    }?;
    Ok(Exit::Done)
}

/// Writes the pages of a command and of all below it.
fn write(command: &Command, folder: &Path, pages: &mut Vec<PathBuf>) -> anyhow::Result<()> {
    for below in command.get_subcommands().filter(|below| !below.is_hide_set()) {
        write(below, folder, pages)?;
    }
    let man = Man::new(command.clone());
    let page = man
        .generate_to(folder)
        .with_context(|| format!("cannot write {} in {}", man.get_filename(), folder.display()))?;
    pages.push(page);
    Ok(())
}
