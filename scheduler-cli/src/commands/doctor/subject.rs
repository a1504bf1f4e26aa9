//! What is looked at: the settings, and what they lead to.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use reqwest::Client;
use scheduler_core::ports::Clock as _;
use scheduler_store::{Database, Inspection, SealingKey};
use scheduler_worker::SystemClock;
use tokio::sync::OnceCell;
use tokio::time::timeout;

use super::finding::{Finding, Verdict};
use super::reach::{Behind, TIMEOUT, behind};
use super::settings::Settings;
use super::stored::{Connected, Stored};
use crate::files::FileStore;

/// A file store that can be opened.
pub(super) struct OpenedFiles {
    /// The store.
    pub(super) store: FileStore,
    /// Whether its links are those of the server.
    pub(super) has_links: bool,
}

/// Everything that is looked at. In place of what cannot be looked at stands what to tell of it.
pub(super) struct Subject {
    pub(super) settings: Settings,
    pub(super) key: Result<SealingKey, Finding>,
    /// What was seen in the database, and when its clock was read, by our own; `None` when there
    /// is no database yet.
    pub(super) database: Result<Option<(Inspection, DateTime<Utc>)>, Finding>,
    /// Why a database whose schema is current cannot be opened.
    pub(super) fault_of_store: Option<Finding>,
    /// What the database holds; `None` when there is no database yet, or it is empty.
    pub(super) stored: Result<Option<Stored>, Finding>,
    pub(super) files: Result<OpenedFiles, Finding>,
    pub(super) clock: Arc<SystemClock>,
    /// Calls the server and the networks, past any proxy, as the server itself does.
    pub(super) client: Client,
    /// Whether the server runs where its settings say; several checks ask.
    pub(super) runs_here: OnceCell<bool>,
    pub(super) store: Option<Database>,
    /// Whether the findings are for the owner of one workspace, who is told nothing of others.
    pub(super) is_of_one_workspace: bool,
}

impl Subject {
    /// Closes what was opened.
    pub(super) async fn close(self) {
        if let Some(store) = self.store {
            // One that hangs is left to the end of the process.
            let _ = timeout(TIMEOUT, store.close()).await;
        }
    }

    /// The present instant.
    pub(super) fn now(&self) -> DateTime<Utc> {
        self.clock.now()
    }

    /// Whether the server runs on this machine, where its settings say.
    pub(super) async fn runs_here(&self) -> bool {
        let ask = || async {
            match self.settings.own_url() {
                None => false,
                Some(url) => matches!(behind(&self.client, &url).await, Behind::Scheduler),
            }
        };
        *self.runs_here.get_or_init(ask).await
    }

    /// What the database holds.
    ///
    /// # Errors
    /// What to say instead, also that there is `nothing` yet; that it cannot be read is told once,
    /// by the check of the accounts, and others only say that `they` cannot.
    pub(super) fn stored(&self, they: &str, nothing: &str) -> Result<&Stored, Finding> {
        let stored = self.stored.as_ref().map_err(|instead| match instead.verdict {
            Verdict::Problem => Finding::skipped(format!("{they} cannot be read")),
            Verdict::Ok | Verdict::Warning | Verdict::Skipped => instead.clone(),
        })?;
        stored.as_ref().ok_or_else(|| Finding::ok(nothing))
    }

    /// Every connected account that is known of.
    pub(super) fn accounts(&self) -> impl Iterator<Item = &Connected> {
        let stored = self.stored.iter().flatten();
        stored.flat_map(|stored| &stored.workspaces).flat_map(|held| &held.accounts)
    }

    /// Whether an account is connected of a network that fetches files by their address.
    pub(super) fn has_fetching_accounts(&self) -> bool {
        self.accounts().any(|connected| connected.account.platform.sheet().media.fetched_by_address)
    }

    /// Whether the server runs on sandbox networks, which reach every address of this machine.
    pub(super) fn has_sandbox(&self) -> bool {
        self.settings.has_sandbox()
    }
}
