//! What a command works with.

use std::io;
use std::sync::Arc;

use scheduler_store::sqlite_file;
use secrecy::ExposeSecret as _;
use serde::Serialize;

use crate::client::{Client, connect};
use crate::config::{
    ClientOptions, ClientSettings, Here, OfWorkspace, Profile, Profiles, Sources, StorageOptions,
    StorageSettings,
};
use crate::exit::Exit;
use crate::failure::Failure;
use crate::opening::is_missing;
use crate::printer::{Printer, Shows};
use crate::runtime::Application;
use crate::server_lock::is_served;
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
    /// A client of the server or of the database of this machine that the options or the settings
    /// name; else of the server that the person has logged in to; else of the database of this
    /// folder. A profile that is named comes first, and a server before a database where settings
    /// name both.
    ///
    /// # Errors
    /// [`Failure::Config`] for an address that is none; [`Failure::Usage`] for a profile that there
    /// is not; those of [`application`](Self::application).
    pub(crate) async fn client(&self, options: ClientOptions) -> Result<Client, Failure> {
        let ClientOptions { remote, here: Here(here) } = options;
        let is_elsewhere = !here.is_given() && ClientSettings::are_given(&remote, &self.sources);
        if is_elsewhere && self.profile.is_none() {
            return connect(ClientSettings::load(remote, &self.sources)?);
        }
        let OfWorkspace { workspace, storage } = here;
        if let Some(client) = self.remote(&storage, workspace.as_deref())? {
            return Ok(client);
        }
        if self.has_no_database(&storage).await? {
            if let Some(workspace) = workspace {
                let message = format!(
                    "--workspace {workspace} names a workspace of a database on this machine, and there is none here: name its folder with --data, or leave the option out, since an API key opens one workspace"
                );
                return Err(Failure::Usage(message));
            }
            return connect(ClientSettings::load(remote, &self.sources)?);
        }
        Box::pin(self.here(storage, workspace.as_deref())).await
    }

    /// True where neither an option nor a setting names a database, and there is none where one
    /// would be by default.
    async fn has_no_database(&self, options: &StorageOptions) -> Result<bool, Failure> {
        if StorageSettings::are_given(options, &self.sources) {
            return Ok(false);
        }
        let storage = StorageSettings::load(options.clone(), &self.sources)?;
        Ok(is_missing(&storage).await?)
    }

    /// The profile that is named, or the one that counts, with its name; `None` where nobody has
    /// logged in, and where options or settings name a database and no profile is named.
    ///
    /// # Errors
    /// [`Failure::Usage`] for a profile that there is not.
    fn logged_in(&self, storage: &StorageOptions) -> Result<Option<(String, Profile)>, Failure> {
        if self.profile.is_none() && StorageSettings::are_given(storage, &self.sources) {
            return Ok(None);
        }
        let profiles = Profiles::load()?;
        let chosen = profiles.chosen(self.profile.as_deref()).map_err(Failure::Usage)?;
        Ok(chosen.map(|(name, profile)| (name.to_owned(), profile.clone())))
    }

    /// Refuses to guess which server is meant where nobody has named a profile, and this folder has
    /// the database of a server: what is done would go to the wrong one.
    ///
    /// # Errors
    /// [`Failure::WhichServer`] where there is such a database; [`Failure::Config`] for a setting that is
    /// wrong.
    fn refuse_ambiguous(
        &self,
        storage: &StorageOptions,
        (name, profile): (&str, &Profile),
    ) -> Result<(), Failure> {
        if self.profile.is_some() {
            return Ok(());
        }
        let here = StorageSettings::load(storage.clone(), &self.sources)?;
        if sqlite_file(here.database.expose_secret()).is_none_or(|file| !file.exists()) {
            return Ok(());
        }
        Err(Failure::WhichServer {
            profile: name.to_owned(),
            url: profile.url.to_string(),
            data: here.data.display().to_string(),
        })
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
            None => Box::pin(self.here(storage, workspace)).await,
        }
    }

    /// A client of the handlers of this process, over the database of this machine.
    async fn here(
        &self,
        storage: StorageOptions,
        workspace: Option<&str>,
    ) -> Result<Client, Failure> {
        let settings = StorageSettings::load(storage.clone(), &self.sources)?;
        let (application, workspace) = Application::of_workspace(self, storage, workspace).await?;
        application.client(self, &settings, workspace)
    }

    /// The client of the server that the person has logged in to; `None` where the database of this
    /// machine is meant.
    ///
    /// # Errors
    /// [`Failure::Usage`] for a profile that there is not, for a workspace that its session does not
    /// open, and where this folder has a database as well and nothing says which is meant.
    pub(crate) fn remote(
        &self,
        storage: &StorageOptions,
        workspace: Option<&str>,
    ) -> Result<Option<Client>, Failure> {
        let Some((name, profile)) = self.logged_in(storage)? else { return Ok(None) };
        self.refuse_ambiguous(storage, (&name, &profile))?;
        if let Some(name) = workspace.filter(|name| *name != profile.workspace) {
            return Err(Failure::Usage(format!(
                "the session opens the workspace {:?} alone, not {name:?}; log in to another with `scheduler login`, or name the database with --database",
                profile.workspace
            )));
        }
        connect(ClientSettings::of_profile(&profile)).map(Some)
    }

    /// Refuses what works on a database of this machine alone to somebody who is logged in to a
    /// server and names no database: they would take what is here for what is there.
    ///
    /// # Errors
    /// [`Failure::Usage`]
    pub(crate) fn need_local(&self, storage: &StorageOptions) -> Result<(), Failure> {
        match self.logged_in(storage)? {
            None => Ok(()),
            Some(_) => Err(Failure::Usage(
                "this works on the database of this machine, and you are logged in to a server: run it on the server's machine, or name the database with --data or --database, without --profile".into(),
            )),
        }
    }

    /// Says where no server runs on the database of this machine that the client works on, and so
    /// nothing goes out. It can be told only where the database is a file.
    ///
    /// # Errors
    /// [`Failure::Config`] for a setting that is wrong.
    pub(crate) fn tell_unserved(
        &self,
        client: &Client,
        storage: &StorageOptions,
    ) -> Result<(), Failure> {
        if client.transport().needs_key() {
            return Ok(());
        }
        let settings = StorageSettings::load(storage.clone(), &self.sources)?;
        if is_served(settings.database.expose_secret()) == Some(false) {
            self.printer.message(
                "no server is running here: the post goes out once one does (`scheduler serve`)",
            );
        }
        Ok(())
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

impl OfWorkspace {
    /// A client of the application that works on it.
    ///
    /// # Errors
    /// Those of [`Context::application`].
    pub(crate) async fn open(self, context: &Context) -> Result<Client, Failure> {
        context.application(self.storage, self.workspace.as_deref()).await
    }
}
