//! Comments on a live target: read, and acted on as the connected account.

use serde::{Deserialize, Serialize};

use super::not_offered;
use crate::app::answers::Question;
use crate::app::item_page::page_of;
use crate::app::repeating::Repeatable;
use crate::app::{Caller, Scheduler};
use crate::error::{AppError, Refusal};
use crate::idempotency::{IdempotencyKey, KeyScope, Made};
use crate::ids::{PostId, TargetId};
use crate::inbox::{CommentChange, ReceivedComment};
use crate::key::Scope;
use crate::ports::{Comment, CommentAction, CommentRights};
use crate::post::{CONTENT_MAX_CHARACTERS, PageInput, check_text};
use crate::rules::comment_over_limit;

/// The comments of a live target.
///
/// Source: interface description, GET /posts/{id}/targets/{targetId}/comments.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CommentList"))]
pub struct CommentsView {
    /// The comments, as the network orders them.
    pub data: Vec<Comment>,
    /// Whether they can be read.
    pub supported: bool,
    /// What may be done with them.
    pub can: CommentRights,
    /// The cursor of the next page, where a page was asked for and more follow.
    #[serde(rename = "nextCursor", default, skip_serializing_if = "Option::is_none")]
    pub next_cursor: Option<String>,
}

/// What is to be done with a comment.
///
/// Source: interface description, POST /posts/{id}/targets/{targetId}/comments/{commentId}.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "CommentAction"))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CommentInput {
    /// What to do.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(required, !default, !skip_serializing_if))]
    pub action: Option<String>,
    /// Required for `reply` and `edit`, no longer than the network allows.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = CONTENT_MAX_CHARACTERS)))]
    pub text: Option<String>,
}

impl CommentInput {
    /// # Errors
    /// `invalid_request` naming `action` or `text`.
    fn act(self) -> Result<CommentAction, Refusal> {
        if let Some(text) = &self.text {
            check_text("text", text, CONTENT_MAX_CHARACTERS)?;
        }
        match self.action.as_deref() {
            Some("reply") => Ok(CommentAction::Reply(needed(self.text)?)),
            Some("edit") => Ok(CommentAction::Edit(needed(self.text)?)),
            Some("hide") => Ok(CommentAction::Hide),
            Some("unhide") => Ok(CommentAction::Unhide),
            Some("like") => Ok(CommentAction::Like),
            Some("unlike") => Ok(CommentAction::Unlike),
            Some("delete") => Ok(CommentAction::Delete),
            Some(_) | None => Err(Refusal::invalid(
                "action",
                "action is required: reply, edit, hide, unhide, like, unlike or delete.",
            )),
        }
    }
}

/// The text of what cannot do without.
///
/// # Errors
/// `invalid_request` naming `text`.
fn needed(text: Option<String>) -> Result<String, Refusal> {
    text.filter(|text| !text.trim().is_empty()).ok_or_else(|| {
        Refusal::invalid("text", "A reply or an edit needs a text that is not empty.")
    })
}

/// What came of doing something with a comment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum CommentOutcome {
    /// A reply: the new comment.
    Replied(Comment),
    /// Anything else.
    Done {
        /// The comment.
        id: String,
        /// What was done with it.
        action: String,
    },
}

impl Scheduler {
    /// Reads the comments of a live target from its network.
    ///
    /// # Errors
    /// `forbidden` without `posts:read`; `not_found`; `not_published`; `rate_limited` when the
    /// network may not be asked now; what the network answers.
    pub async fn comments(
        &self,
        caller: &Caller,
        post_id: PostId,
        target_id: TargetId,
    ) -> Result<CommentsView, AppError> {
        caller.require(Scope::PostsRead)?;
        let found = self.live_target(caller, post_id, target_id).await?;
        if !found.platform.sheet().can_read_comments {
            return Ok(CommentsView::default());
        }
        let account = self.account_of(caller, found.account_id).await?;
        let live = &found.live;
        let comments = async {
            let asked = self
                .ask(&account, |after, access| async move { after.comments(&access, live).await });
            Ok(asked.await?.map_or_else(CommentsView::default, |comments| CommentsView {
                data: comments.comments,
                supported: true,
                can: comments.rights,
                next_cursor: None,
            }))
        };
        self.answered(&account, Question::Comments(target_id), comments).await
    }

    /// A page of them. They are kept for a minute, so that pages which are read one after the other
    /// are of the same answer.
    ///
    /// # Errors
    /// Those of [`Self::comments`]; `invalid_request` naming `limit` or `before`.
    pub async fn comments_page(
        &self,
        caller: &Caller,
        post_id: PostId,
        target_id: TargetId,
        page: &PageInput,
    ) -> Result<CommentsView, AppError> {
        let whole = self.comments(caller, post_id, target_id).await?;
        let (data, next_cursor) = page_of(whole.data, page, |comment| comment.id.clone())?;
        Ok(CommentsView { data, next_cursor, ..whole })
    }

    /// The reply that was made under an Idempotency-Key before, as its network answered it.
    ///
    /// # Errors
    /// `forbidden` without `posts:publish`; `in_flight` when it stays under way; `in_doubt` when
    /// the network's answer was lost.
    pub async fn earlier_reply(
        &self,
        caller: &Caller,
        target_id: TargetId,
        comment_id: &str,
        key: Option<&IdempotencyKey>,
    ) -> Result<Option<Made<CommentOutcome>>, AppError> {
        caller.require(Scope::PostsPublish)?;
        self.earlier_act(caller, &KeyScope::replies(target_id, comment_id), key).await
    }

    /// Does something with a comment on a live target, publicly, as the connected account. A reply
    /// is made once for each key; whatever else is done makes nothing, and leaves no key behind.
    ///
    /// # Errors
    /// `forbidden` without `posts:publish`; `invalid_request` naming `action` or `text`, the latter
    /// also for one that is longer than comments on the network may be; `not_found`, also for a
    /// comment that the network does not know; `not_published`; `unsupported` for what the network
    /// does not offer; those of [`Self::earlier_reply`]; what the network answers else.
    pub async fn act_on_comment(
        &self,
        caller: &Caller,
        post_id: PostId,
        target_id: TargetId,
        comment_id: &str,
        input: CommentInput,
        key: Option<&IdempotencyKey>,
    ) -> Result<Made<CommentOutcome>, AppError> {
        if let Some(earlier) = self.earlier_reply(caller, target_id, comment_id, key).await? {
            return Ok(earlier);
        }
        let action = input.action.clone().unwrap_or_default();
        let act = &input.act()?;
        let found = self.live_target(caller, post_id, target_id).await?;
        if !found.platform.sheet().can_read_comments {
            return Err(not_offered(found.platform, "comments").into());
        }
        let account = self.account_of(caller, found.account_id).await?;
        if let CommentAction::Reply(text) | CommentAction::Edit(text) = act
            && let Some(message) = comment_over_limit(found.platform, &account.limits, text)
        {
            return Err(Refusal::invalid("text", message).into());
        }
        let live = &found.live;
        let done = async {
            let answered = self.change(&account, |after, access| async move {
                after.act_on_comment(&access, live, comment_id, act).await
            });
            let outcome = match answered.await? {
                Some(made) => CommentOutcome::Replied(made),
                None => CommentOutcome::Done { id: comment_id.to_owned(), action },
            };
            if let Some(change) = self.change_of(act) {
                let id = ReceivedComment::id_of(live, comment_id);
                // It is done: what the inbox does not hear of now, it shows after a reading.
                let _ = self.store().change_comment(id, change).await;
            }
            Ok(outcome)
        };
        let key = key.filter(|_| matches!(act, CommentAction::Reply(_)));
        let scope = KeyScope::replies(target_id, comment_id);
        self.make_once(caller, Repeatable { key, scope, belongs_to: post_id.0 }, done).await
    }
}

impl Scheduler {
    /// What the inbox is told of; `None` for what it does not show.
    fn change_of(&self, act: &CommentAction) -> Option<CommentChange> {
        match act {
            CommentAction::Reply(_) => Some(CommentChange::Answered(self.ports.clock.now())),
            CommentAction::Hide => Some(CommentChange::Hidden(true)),
            CommentAction::Unhide => Some(CommentChange::Hidden(false)),
            CommentAction::Delete => Some(CommentChange::Deleted),
            CommentAction::Edit(_) | CommentAction::Like | CommentAction::Unlike => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_refused() {
        let long = "é".repeat(CONTENT_MAX_CHARACTERS + 1);
        let longest = "é".repeat(CONTENT_MAX_CHARACTERS);
        for (action, text, want) in [
            (Some("reply"), Some(longest.as_str()), None),
            (Some("reply"), Some(long.as_str()), Some("text")),
            (Some("edit"), Some(" "), Some("text")),
            (Some("reply"), None, Some("text")),
            (Some("delete"), None, None),
            (Some("delete"), Some("not read"), None),
            (Some("delete"), Some(long.as_str()), Some("text")),
            (Some("praise"), None, Some("action")),
            (None, None, Some("action")),
        ] {
            let input =
                CommentInput { action: action.map(str::to_owned), text: text.map(str::to_owned) };
            let found = input.act().err().and_then(|refusal| refusal.field);
            assert_eq!(found.as_deref(), want, "{action:?}");
        }
    }
}
