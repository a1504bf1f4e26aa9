//! Taking back that a post was edited or cancelled.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::update::as_input;
use super::{saved, too_busy};
use crate::app::media::refuse_deleted;
use crate::app::{Caller, DECIDE_ATTEMPTS, Scheduler};
use crate::error::{AppError, NotFound, PostRefusal, Refusal};
use crate::ids::PostId;
use crate::ports::SaveOutcome;
use crate::post::{ChangeKind, LastChange, Post, PostStatus, TargetInput, UNDO_WITHIN};
use crate::target::Target;

/// How many changes are listed at most.
const LISTED: u32 = 50;

/// A change that can be taken back.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct ChangeView {
    /// The post.
    pub post_id: PostId,
    /// What was done.
    pub change: ChangeKind,
    /// When.
    pub at: DateTime<Utc>,
    /// Until when it can be taken back.
    pub until: DateTime<Utc>,
}

impl From<&LastChange> for ChangeView {
    fn from(change: &LastChange) -> Self {
        Self { post_id: change.post_id, change: change.kind, at: change.at, until: change.until() }
    }
}

impl Scheduler {
    /// The changes of posts that can be taken back, newest first: the last of each post, for ten
    /// minutes, up to 50.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn changes_to_undo(&self, caller: &Caller) -> Result<Vec<ChangeView>, AppError> {
        let since = self.ports.clock.now() - UNDO_WITHIN;
        let workspace = caller.workspace.id;
        let changes = self.store().last_changes(workspace, since, LISTED).await?;
        Ok(changes.iter().map(ChangeView::from).collect())
    }

    /// Takes back that a post was edited or cancelled, within ten minutes and while nothing has
    /// changed it since. What it was is checked as a new post is. It comes back as a draft where
    /// its time has passed meanwhile. An edit that was taken back can be brought back in the same way.
    ///
    /// # Errors
    /// `not_found` when there is no such post, or nothing to take back; `stale` when its revision is
    /// none of `expected`; `already_started`;
    /// `slot_taken` when another post holds its slot now; `account_not_connected`,
    /// `media_unusable`, `validation_failed`, `post_limit`.
    pub async fn undo_post(
        &self,
        caller: &Caller,
        id: PostId,
        expected: Option<&[i64]>,
    ) -> Result<Post, AppError> {
        for _ in 0..DECIDE_ATTEMPTS {
            let current = self.post_of(caller, id).await?;
            self.refuse_stale(&current, expected).await?;
            let now = self.ports.clock.now();
            let change = self.store().last_change(caller.workspace.id, id).await?;
            let change = change.ok_or_else(|| Refusal::from(NotFound::Change))?;
            let mut post = change.undo(&current, now)?;
            caller.write(Some(&current), &mut post);

            let roster = self.roster(caller).await?;
            let goes_out = post.status == PostStatus::Scheduled;
            if goes_out {
                let inputs: Vec<TargetInput> = post.targets.iter().map(as_input).collect();
                self.chosen_accounts(&roster, &inputs).await?;
            }
            let files = self.files_of(&post).await?;
            refuse_deleted(files.of(&post.media_ids))?;
            self.check_changed(caller, &mut post, &roster, &files, !goes_out)?;
            let posts_a_month = self.allowances(caller).posts_a_month;
            let outcome = self.store().save_post(&post, posts_a_month).await?;
            if outcome == SaveOutcome::SlotTaken
                && let Some(slot) = post.targets.iter().find_map(Target::slot_at)
            {
                return Err(PostRefusal::SlotTaken(slot).into());
            }
            if self.is_saved(&caller.workspace, outcome)? {
                self.begin_conversions(&post, &roster, &files).await;
                self.note_version(caller, Some(&current), &post).await;
                return Ok(saved(post));
            }
        }
        Err(too_busy().into())
    }
}
