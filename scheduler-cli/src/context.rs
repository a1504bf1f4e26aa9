//! What a command works with.

use std::io;
use std::sync::Arc;

use serde::Serialize;

use crate::client::Client;
use crate::config::{
    ClientOptions, ClientSettings, Profile, Profiles, Sources, StorageOptions, StorageSettings,
};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::{Printer, Shows};
use crate::runtime::Application;
use crate::waiting;

/// What a command works with.
pub(crate) struct Context {
    /// Prints.
    pub(crate) printer: Printer,
    /// Where settings come from.
    pub(crate) sources: Arc<Sources>,
    /// The profile that a person has named.
    pub(crate) profile: Option<String>,
}

impl Context {
    /// A client of the server that the options or the settings name, else of the one that the person
    /// has logged in to. A profile that is named comes first.
    ///
    /// # Errors
    /// [`Failure::Config`] for an address that is none; [`Failure::Usage`] for a profile that there
    /// is not.
    pub(crate) fn client(&self, options: ClientOptions) -> Result<Client, Failure> {
        let is_given = ClientSettings::are_given(&options, &self.sources);
        let profile = if is_given && self.profile.is_none() { None } else { self.logged_in()? };
        match profile {
            Some(profile) => Client::new(ClientSettings::of_profile(&profile)),
            None => Client::new(ClientSettings::load(options, &self.sources)?),
        }
    }

    /// The profile that is named, or the one that counts; `None` where nobody has logged in.
    ///
    /// # Errors
    /// [`Failure::Usage`] for a profile that there is not.
    fn logged_in(&self) -> Result<Option<Profile>, Failure> {
        let profiles = Profiles::load()?;
        let chosen = profiles.chosen(self.profile.as_deref()).map_err(Failure::Usage)?;
        Ok(chosen.map(|(_, profile)| profile.clone()))
    }

    /// A client of the application: of the server that the person has logged in to, else of the
    /// database of this machine. Options or settings that name a database come before a profile
    /// that is not named.
    ///
    /// # Errors
    /// [`Failure::Usage`] for a profile that there is not, and for a workspace that its session does
    /// not open; those of [`Application::of_workspace`].
    pub(crate) async fn application(
        &self,
        storage: StorageOptions,
        workspace: Option<&str>,
    ) -> Result<Client, Failure> {
        match self.remote(&storage, workspace)? {
            Some(client) => Ok(client),
            None => {
                let (application, workspace) =
                    Application::of_workspace(self, storage, workspace).await?;
                application.client(self, workspace)
            }
        }
    }

    /// The client of the server that the person has logged in to; `None` where the database of this
    /// machine is meant.
    ///
    /// # Errors
    /// [`Failure::Usage`] for a profile that there is not, and for a workspace that its session does
    /// not open.
    pub(crate) fn remote(
        &self,
        storage: &StorageOptions,
        workspace: Option<&str>,
    ) -> Result<Option<Client>, Failure> {
        let is_given = StorageSettings::are_given(storage, &self.sources);
        let profile = if is_given && self.profile.is_none() { None } else { self.logged_in()? };
        let Some(profile) = profile else { return Ok(None) };
        if let Some(name) = workspace.filter(|name| *name != profile.workspace) {
            return Err(Failure::Usage(format!(
                "the session opens the workspace {:?} alone, not {name:?}; log in to another with `scheduler login`, or name the database with --database",
                profile.workspace
            )));
        }
        Client::new(ClientSettings::of_profile(&profile)).map(Some)
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
