//! Changing a live post.

use serde::{Deserialize, Serialize};

use super::{LiveTarget, not_offered};
use crate::account::Account;
use crate::app::media::{of_post, of_targets};
use crate::app::posts::{refuse_errors, saved, too_busy};
use crate::app::{Caller, DECIDE_ATTEMPTS, Scheduler};
use crate::error::{AppError, ErrorCode, Refusal, Resource};
use crate::ids::{PostId, TargetId};
use crate::key::Scope;
use crate::links::Sent;
use crate::ports::{RemoteEdit, SaveOutcome};
use crate::post::{CONTENT_MAX_CHARACTERS, Field, Post, check_text, decide};

/// What is to become of a live post.
///
/// Source: interface description, PATCH /posts/{id}/targets/{targetId}/remote.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "RemoteEdit", extend("minProperties" = 1)))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct EditInput {
    /// The new text; `null` is none.
    #[serde(default, skip_serializing_if = "Field::is_absent")]
    #[cfg_attr(feature = "schema", schemars(length(max = CONTENT_MAX_CHARACTERS)))]
    pub content: Field<String>,
    /// The new title, where the network has one; `null` is none.
    #[serde(default, skip_serializing_if = "Field::is_absent")]
    #[cfg_attr(feature = "schema", schemars(length(max = CONTENT_MAX_CHARACTERS)))]
    pub title: Field<String>,
}

impl EditInput {
    /// # Errors
    /// `invalid_request` naming `content` when neither is sent, or the one that is too long.
    fn edit(self) -> Result<RemoteEdit, Refusal> {
        let edit = RemoteEdit {
            content: sent("content", self.content)?,
            title: sent("title", self.title)?,
        };
        if edit == RemoteEdit::default() {
            return Err(Refusal::invalid("content", "Send content, title or both."));
        }
        Ok(edit)
    }
}

/// The text of a field; `None` when it was not sent.
///
/// # Errors
/// `invalid_request` naming the field when the text is too long.
fn sent(name: &str, field: Field<String>) -> Result<Option<String>, Refusal> {
    match field {
        Field::Absent => Ok(None),
        Field::Null => Ok(Some(String::new())),
        Field::Value(text) => {
            check_text(name, &text, CONTENT_MAX_CHARACTERS)?;
            Ok(Some(text))
        }
    }
}

/// An edit as the network gets it: links that the post was sent with stay as they were sent.
fn edit_to_send(post: &Post, id: TargetId, edit: &RemoteEdit) -> RemoteEdit {
    let Some(target) = post.target(id) else { return edit.clone() };
    let sent =
        |text: &String| Sent::of(text, None, &target.options, &target.links).content.into_owned();
    RemoteEdit { content: edit.content.as_ref().map(sent), title: edit.title.clone() }
}

impl Scheduler {
    /// Changes a live post on its network, and in our record. Of several callers at once, the text
    /// of the one who is written down last is live.
    ///
    /// # Errors
    /// In the order of the checks: `forbidden` without `posts:write` and `posts:publish`;
    /// `invalid_request`; `not_found`; `not_published`; `unsupported` where the network does not
    /// offer it; `invalid_request` for a title where there are none; `validation_failed`; what the
    /// network answers.
    pub async fn edit_live_post(
        &self,
        caller: &Caller,
        post_id: PostId,
        target_id: TargetId,
        input: EditInput,
    ) -> Result<Post, AppError> {
        caller.require(Scope::PostsWrite)?;
        caller.require(Scope::PostsPublish)?;
        let edit = &input.edit()?;
        let mut found = self.live_target(caller, post_id, target_id).await?;
        let sheet = found.platform.sheet();
        if !sheet.can_edit_remote {
            return Err(not_offered(found.platform, "editing a live post").into());
        }
        // Of the networks whose live posts can be edited, one has titles.
        if edit.title.is_some() && sheet.option("title").is_none() {
            let message = format!("A post on {} has no title.", sheet.name);
            return Err(Refusal::invalid("title", message).into());
        }
        let account = self.account_of(caller, found.account_id).await?;
        for _ in 0..DECIDE_ATTEMPTS {
            self.check_edit(&found, &account, target_id, edit).await?;
            let live = &found.live;
            let sent = &edit_to_send(&found.post, target_id, edit);
            self.change(
                &account,
                |after, access| async move { after.edit(&access, live, sent).await },
            )
            .await?;
            if let Some(post) = self.record_edit(&found.post, target_id, edit).await? {
                return Ok(post);
            }
            // The post has changed since it was read, by another edit perhaps, and nobody can tell
            // which of the two the network took last. Ours goes there again, so that what is
            // written down at the end is what is live.
            let current = self.post_of(caller, post_id).await?;
            found = match Self::live_target_of(current.clone(), target_id) {
                Ok(found) => found,
                // It was taken down since.
                Err(refusal) if refusal.code == ErrorCode::NotPublished => return Ok(current),
                Err(refusal) => return Err(refusal.into()),
            };
        }
        Err(too_busy().into())
    }

    /// Refuses a post that its network would refuse if it were published as it is to be.
    async fn check_edit(
        &self,
        found: &LiveTarget,
        account: &Account,
        id: TargetId,
        edit: &RemoteEdit,
    ) -> Result<(), AppError> {
        let post = decide::edit_live(&found.post, id, edit, found.post.updated_at)?;
        let Some(index) = post.targets.iter().position(|target| target.id == id) else {
            return Err(Refusal::not_found(Resource::Target).into());
        };
        let target = &post.targets[index];
        let named = of_post(&post.media_ids).chain(of_targets([target]));
        // The network has its files, whatever became of ours since.
        let files = self.named_files(post.workspace_id, named).await?.taken_as_ready();
        let zone = self.zone_for_rules(post.workspace_id).await?;
        let targets = [(target, Some(account))];
        let mut issues = self.issues_of(&post, &targets, zone, &files);
        // A title that was made of the text stays as it is.
        issues.retain(|issue| edit.title.is_some() || issue.rule != "youtube.title.missing");
        for issue in &mut issues {
            issue.target = issue.target.map(|_| index);
        }
        refuse_errors(issues)?;
        Ok(())
    }

    /// Stores what the network has taken; `None` when the post has changed since it was read.
    async fn record_edit(
        &self,
        read: &Post,
        target_id: TargetId,
        edit: &RemoteEdit,
    ) -> Result<Option<Post>, AppError> {
        let post = decide::edit_live(read, target_id, edit, self.ports.clock.now())?;
        // The post was counted when it first went out.
        match self.store().save_post(&post, u64::MAX).await? {
            SaveOutcome::Saved => Ok(Some(saved(post))),
            SaveOutcome::Missing => Err(Refusal::not_found(Resource::Post).into()),
            SaveOutcome::FileDeleted => Err(crate::app::media::file_deleted().into()),
            SaveOutcome::Stale | SaveOutcome::SlotTaken | SaveOutcome::LimitReached => Ok(None),
        }
    }
}
