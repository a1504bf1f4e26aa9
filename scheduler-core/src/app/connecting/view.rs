//! What a page shows.

use super::Browser;
use crate::app::Scheduler;
use crate::connecting::{ConnectingStage, PickOutcome};
use crate::error::AppError;
use crate::platform::Platform;
use crate::ports::ConnectInput;

/// What a page shows of a pending connection.
#[derive(Clone, Debug)]
pub struct ConnectingView {
    /// The name of the workspace that will post as the accounts.
    pub workspace: String,
    /// How far it has come.
    pub stage: StageView,
}

/// How far a pending connection has come, for a page.
#[derive(Clone, Debug)]
pub enum StageView {
    /// The person may begin, or begin again.
    Begin {
        /// What was given already. May hold secrets.
        given: ConnectInput,
    },
    /// The person picks among these.
    Pick {
        /// The accounts.
        choices: Vec<Choice>,
    },
    /// It is over.
    Ended {
        /// What became of each account that was picked.
        outcomes: Vec<PickOutcome>,
    },
}

/// An account to pick.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Choice {
    /// The network's id of it.
    pub network_id: String,
    /// Its name, for people.
    pub label: String,
    /// True when the workspace has it connected.
    pub is_connected: bool,
    /// What it cannot do since the person has not allowed it: a sentence for each.
    pub lacks: Vec<String>,
}

impl Scheduler {
    /// What a browser is to see; changes nothing.
    ///
    /// # Errors
    /// `not_found` when the browser is in no visit.
    pub async fn connecting_view(
        &self,
        platform: Platform,
        browser: &Browser,
    ) -> Result<ConnectingView, AppError> {
        let pending = self.pending(platform, browser).await?;
        let workspace = self.workspace_of(pending.workspace_id).await?;
        let stage = match pending.stage {
            ConnectingStage::Invited { given } => StageView::Begin { given },
            ConnectingStage::Authorizing(authorizing) => {
                StageView::Begin { given: authorizing.given }
            }
            ConnectingStage::Picking { opened } => {
                let accounts = self.store().accounts(workspace.id).await?;
                let is_connected = |network_id: &str| {
                    accounts.iter().any(|account| {
                        account.platform == platform && account.network_id == network_id
                    })
                };
                let choices = opened.into_iter().map(|account| Choice {
                    label: account.label(),
                    is_connected: is_connected(&account.network_id),
                    network_id: account.network_id,
                    lacks: account.lacks,
                });
                StageView::Pick { choices: choices.collect() }
            }
            ConnectingStage::Ended { outcomes } => StageView::Ended { outcomes },
        };
        Ok(ConnectingView { workspace: workspace.name, stage })
    }
}
