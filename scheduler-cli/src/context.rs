//! What a command works with.

use std::io;

use serde::Serialize;

use crate::client::Client;
use crate::config::{ClientOptions, ClientSettings, Sources};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::{Printer, Shows};
use crate::waiting;

/// What a command works with.
pub(crate) struct Context {
    /// Prints.
    pub(crate) printer: Printer,
    /// Where settings come from.
    pub(crate) sources: Sources,
}

impl Context {
    /// A client of the server that the settings name.
    ///
    /// # Errors
    /// [`Failure::Config`] for an address that is none.
    pub(crate) fn client(&self, options: ClientOptions) -> Result<Client, Failure> {
        Client::new(ClientSettings::load(options, &self.sources)?)
    }

    /// Waits for work, and shows on a terminal what is waited for.
    pub(crate) async fn with_spinner<T>(&self, what: &str, work: impl Future<Output = T>) -> T {
        waiting::shown(self.printer, what, work).await
    }

    /// Prints a document, or this line for a person.
    ///
    /// # Errors
    /// [`Failure::Other`] when standard output cannot be written.
    pub(crate) fn print(&self, document: &impl Serialize, line: &str) -> Result<(), Failure> {
        Ok(self.printer.report(document, line)?)
    }

    /// Ends a command with a document, or with this line for a person.
    ///
    /// # Errors
    /// [`Failure::Other`] when standard output cannot be written.
    pub(crate) fn done(&self, document: &impl Serialize, line: &str) -> Result<Exit, Failure> {
        self.show(document, |printer| printer.line(line))
    }

    /// Ends a command with a document, or with what `text` prints for a person.
    ///
    /// # Errors
    /// [`Failure::Other`] when standard output cannot be written.
    pub(crate) fn show(
        &self,
        document: &impl Serialize,
        text: impl FnOnce(Printer) -> io::Result<()>,
    ) -> Result<Exit, Failure> {
        self.printer.result(document, text)?;
        Ok(Exit::Done)
    }

    /// Ends a command with a document, or for a person with a row for each of `rows`, or with
    /// `empty` where there are none.
    ///
    /// # Errors
    /// [`Failure::Other`] when standard output cannot be written.
    pub(crate) fn list<T>(
        &self,
        document: &impl Serialize,
        rows: &[T],
        columns: &[Shows<T>],
        empty: &str,
    ) -> Result<Exit, Failure> {
        self.show(document, |printer| printer.list(rows, columns, empty))
    }
}
