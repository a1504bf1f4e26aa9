//! Picking among the accounts that a network has opened.

use super::{Browser, no_visit};
use crate::app::Scheduler;
use crate::connecting::{ConnectingStage, Pass, PendingConnection, PickOutcome};
use crate::error::{AppError, Refusal};
use crate::platform::Platform;
use crate::ports::Connected;
use crate::workspace::Workspace;

impl Scheduler {
    /// Connects the accounts that the person has picked, by the network's ids; of those that the
    /// plan covers no more, the visit's end says so. The others are forgotten.
    ///
    /// # Errors
    /// `not_found` when there is nothing to pick from; `invalid_request` when nothing, or
    /// something else, is picked; `channel_limit` when none of them could be connected.
    pub async fn pick_accounts(
        &self,
        platform: Platform,
        cookie: Option<&Pass>,
        network_ids: &[String],
    ) -> Result<(), AppError> {
        let Some(cookie) = cookie else { return Err(no_visit().into()) };
        let pending = self.pending(platform, &Browser::in_visit(Some(cookie.clone()))).await?;
        let opened = match pending.stage.clone() {
            ConnectingStage::Picking { opened } => opened,
            // A second click on the same button.
            ConnectingStage::Ended { .. } => return Ok(()),
            ConnectingStage::Invited { .. } | ConnectingStage::Authorizing(_) => {
                return Err(no_visit().into());
            }
        };
        let is_picked = |account: &Connected| network_ids.contains(&account.network_id);
        let picked: Vec<Connected> = opened.into_iter().filter(is_picked).collect();
        if picked.is_empty() {
            return Err(Refusal::invalid("account", "Pick at least one account.").into());
        }
        let workspace = self.workspace_of(pending.workspace_id).await?;
        self.finish_visit(pending, &workspace, cookie, picked).await
    }

    /// Lets the person pick among accounts; a single one is picked by having been opened.
    pub(super) async fn settle_visit(
        &self,
        pending: PendingConnection,
        workspace: &Workspace,
        cookie: &Pass,
        opened: Vec<Connected>,
    ) -> Result<(), AppError> {
        if opened.len() == 1 {
            return self.finish_visit(pending, workspace, cookie, opened).await;
        }
        self.step(pending.moved(cookie, ConnectingStage::Picking { opened })).await?;
        Ok(())
    }

    /// Connects accounts and ends the visit. Connecting one twice is connecting it once, so that a
    /// failure in between does no harm.
    async fn finish_visit(
        &self,
        pending: PendingConnection,
        workspace: &Workspace,
        cookie: &Pass,
        picked: Vec<Connected>,
    ) -> Result<(), AppError> {
        let mut outcomes = Vec::with_capacity(picked.len());
        let mut first_refusal = None;
        for account in picked {
            let (label, lacks) = (account.label(), account.lacks.clone());
            let outcome = match self.add_account(workspace, pending.platform, account).await {
                Ok(connected) => {
                    self.note_connected(&connected.account).await?;
                    PickOutcome {
                        label,
                        account_id: Some(connected.account.id),
                        was_known: connected.was_known,
                        problem: None,
                        lacks,
                    }
                }
                Err(AppError::Refused(refusal)) => {
                    let problem = Some(refusal.message());
                    first_refusal.get_or_insert(refusal);
                    PickOutcome { label, account_id: None, was_known: false, problem, lacks }
                }
                Err(error @ (AppError::Store(_) | AppError::Files(_))) => return Err(error),
            };
            outcomes.push(outcome);
        }
        if let Some(refusal) = first_refusal
            && outcomes.iter().all(|outcome| outcome.account_id.is_none())
        {
            return Err(refusal.into());
        }
        self.step(pending.moved(cookie, ConnectingStage::Ended { outcomes })).await?;
        Ok(())
    }
}
