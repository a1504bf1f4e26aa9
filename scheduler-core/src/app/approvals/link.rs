//! Links for clients, as the application makes, lists and withdraws them.

use std::collections::BTreeSet;

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use super::{ApprovalView, written};
use crate::app::media::file_deleted;
use crate::app::posts::{saved, too_busy};
use crate::app::{DECIDE_ATTEMPTS, Scheduler};
use crate::connecting::Pass;
use crate::error::{AppError, Invalid, Refusal, Resource};
use crate::ids::{PostId, WorkspaceId};
use crate::object::only_from_object;
use crate::ports::{ApprovalsOf, SaveOutcome};
use crate::post::{
    Approval, ApprovalState, LIMIT_MAX, ListFilter, ListOrder, ListQuery, NOTE_MAX_CHARACTERS,
    PageQuery, Post, PostStatus, Remark, RemarkBy, Window, decide,
};
use crate::timing::Zone;
use crate::webhook::Event;

/// The shortest and the longest time for which a link can be made.
///
/// Source: our decision.
const LIFETIMES: [TimeDelta; 2] = [TimeDelta::hours(1), TimeDelta::days(365)];

/// How long a link is valid for which nothing else is said.
///
/// Source: our decision.
const LIFETIME: TimeDelta = TimeDelta::days(14);

/// The most posts under one link.
///
/// Source: our decision.
pub const APPROVAL_POSTS_MAX: usize = 100;

/// The longest name of a client, in code points.
///
/// Source: our decision.
const CLIENT_MAX_CHARACTERS: usize = 100;

/// What a client is to be shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", rename_all = "camelCase", deny_unknown_fields)]
pub struct ApprovalInput {
    /// The posts, 1 to 100, each once; or else `from` and `to`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = APPROVAL_POSTS_MAX)))]
    pub post_ids: Vec<PostId>,
    /// Shows every scheduled post that is due from here on and that its client has not approved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<DateTime<Utc>>,
    /// Until when these are due, the end excluded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub to: Option<DateTime<Utc>>,
    /// Who is asked, by the name that the team uses; up to 100 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = CLIENT_MAX_CHARACTERS)))]
    pub client: Option<String>,
    /// What they are told above the posts; up to 2 000 characters. Without it, a post tells what it
    /// told under the link before.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = NOTE_MAX_CHARACTERS)))]
    pub note: Option<String>,
    /// The client's IANA zone, in which they are told all times. Without it each time is told by
    /// the clock of its account.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "Option<String>"))]
    pub timezone: Option<Zone>,
    /// From when on the link shows nothing: an hour to 365 days ahead, 14 days unless said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<DateTime<Utc>>,
}

only_from_object!(ApprovalInput);

/// What the team writes to a client about a post.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct RemarkInput {
    /// 1 to 2 000 characters.
    #[cfg_attr(feature = "schema", schemars(length(min = 1, max = NOTE_MAX_CHARACTERS)))]
    pub text: String,
}

only_from_object!(RemarkInput);

/// A link that was just made, with its secret, which is shown this once.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct NewApproval {
    /// What is told of each of its posts, in the order in which they were named.
    pub views: Vec<ApprovalView>,
    /// From when on it shows nothing.
    pub expires_at: DateTime<Utc>,
    /// Its secret.
    pub pass: Pass,
}

impl Scheduler {
    /// Makes the link under which a client sees posts and decides on each, in place of any that
    /// these have. From then on they go out only with their client's approval. All of them are
    /// shown, or none.
    ///
    /// # Errors
    /// `invalid_request` naming the field: no post, too many or one twice, posts and a range or
    /// neither, a text that is too long, a lifetime under an hour or over a year. `not_found`, and
    /// `already_started` once a post has begun to go out, is done or was cancelled; both name the
    /// post where there are several.
    pub async fn create_approval(
        &self,
        workspace: WorkspaceId,
        input: &ApprovalInput,
    ) -> Result<NewApproval, AppError> {
        self.make_approval(workspace, input, true).await
    }

    /// Asks a client for somebody who may not hold the link, since whoever holds it can decide in
    /// the client's place: nobody has the secret of the new approval. A person makes the link that
    /// the client gets, by [`Scheduler::create_approval`].
    ///
    /// # Errors
    /// Those of [`Scheduler::create_approval`], and `invalid_request` naming a post that has a link
    /// which is still valid: its client may have it.
    pub async fn ask_for_approval(
        &self,
        workspace: WorkspaceId,
        input: &ApprovalInput,
    ) -> Result<(DateTime<Utc>, Vec<ApprovalView>), AppError> {
        let asked = self.make_approval(workspace, input, false).await?;
        Ok((asked.expires_at, asked.views))
    }

    /// Makes a link; only where it `replaces` may one of the posts have another.
    async fn make_approval(
        &self,
        workspace: WorkspaceId,
        input: &ApprovalInput,
        replaces: bool,
    ) -> Result<NewApproval, AppError> {
        let now = self.ports.clock.now();
        let expires_at = input.expires_at.unwrap_or(now + LIFETIME);
        let ids = self.posts_to_show(workspace, input).await?;
        let client =
            optional("client", "The name of the client", &input.client, CLIENT_MAX_CHARACTERS)?;
        let message = optional("note", "The note", &input.note, NOTE_MAX_CHARACTERS)?;
        let [shortest, longest] = LIFETIMES;
        if expires_at < now + shortest || expires_at > now + longest {
            let message = "A link for a client is valid for an hour to 365 days.";
            return Err(Refusal::invalid("expiresAt", message).into());
        }
        let pass = Pass::from_random(self.ports.random.bytes());
        let approval_of = |post_id: PostId, earlier: Option<Approval>| Approval {
            post_id,
            workspace_id: workspace,
            pass: pass.hash(),
            client: client.clone(),
            message: message.clone().or_else(|| earlier.as_ref()?.message.clone()),
            timezone: input.timezone,
            created_at: now,
            expires_at,
            decided_at: None,
            seen: None,
            remarks: earlier.map(|approval| approval.remarks).unwrap_or_default(),
        };
        for _ in 0..DECIDE_ATTEMPTS {
            let mut changes = Vec::with_capacity(ids.len());
            for (index, id) in ids.iter().enumerate() {
                let shown = self.shown_to_client(workspace, *id, now, replaces).await;
                let (post, earlier) = shown.map_err(|error| match error {
                    AppError::Refused(refusal) if input.post_ids.len() > 1 => {
                        refusal.at(format!("postIds[{index}]")).into()
                    }
                    error => error,
                })?;
                changes.push((post, Some(approval_of(*id, earlier))));
            }
            if self.are_approvals_saved(&changes, None).await? {
                let views = changes.iter().filter_map(|(post, approval)| {
                    Some(ApprovalView::new(approval.as_ref()?, post))
                });
                return Ok(NewApproval { views: views.collect(), expires_at, pass });
            }
        }
        Err(too_busy().into())
    }

    /// The latest approvals of a workspace, newest first.
    ///
    /// # Errors
    /// [`AppError::Store`]
    pub async fn approvals(
        &self,
        workspace: WorkspaceId,
        limit: u32,
    ) -> Result<Vec<ApprovalView>, AppError> {
        let found = self.store().approvals(ApprovalsOf::Workspace(workspace, limit)).await?;
        Ok(found.iter().map(|(approval, post)| ApprovalView::new(approval, post)).collect())
    }

    /// The approval of a post, and what came of it.
    ///
    /// # Errors
    /// `not_found` when there is no such post, or it has no link.
    pub async fn approval(
        &self,
        workspace: WorkspaceId,
        id: PostId,
    ) -> Result<ApprovalView, AppError> {
        let (approval, post) = self.approval_in(workspace, id).await?;
        Ok(ApprovalView::new(&approval, &post))
    }

    /// Writes to the client of a post, who reads it on the page of their link. Changes nothing of
    /// the post.
    ///
    /// # Errors
    /// `not_found` when there is no such post, or it has no link; `invalid_request` naming `text`
    /// when it is empty or too long.
    pub async fn remark_on_approval(
        &self,
        workspace: WorkspaceId,
        id: PostId,
        input: &RemarkInput,
    ) -> Result<ApprovalView, AppError> {
        let text = written("text", "The text", &input.text, NOTE_MAX_CHARACTERS)?
            .ok_or_else(|| Refusal::invalid("text", "Write something."))?;
        for _ in 0..DECIDE_ATTEMPTS {
            let (mut approval, post) = self.approval_in(workspace, id).await?;
            let at = self.ports.clock.now();
            approval.remark(Remark { at, by: RemarkBy::Team, text: text.clone() });
            let view = ApprovalView::new(&approval, &post);
            if self.are_approvals_saved(&[(post, Some(approval))], None).await? {
                return Ok(view);
            }
        }
        Err(too_busy().into())
    }

    /// Removes the approval of a post, which then goes out without one: at its time, or at once
    /// where it has waited for the client. The link shows its other posts, if it has any.
    ///
    /// # Errors
    /// `not_found` when there is no such post, or it has no link; `already_started` once the post
    /// has begun to go out, is done or was cancelled.
    pub async fn withdraw_approval(
        &self,
        workspace: WorkspaceId,
        id: PostId,
    ) -> Result<Post, AppError> {
        for _ in 0..DECIDE_ATTEMPTS {
            let current = self.post_in(workspace, id).await?;
            let post = decide::withdraw(&current, self.ports.clock.now())?;
            if self.are_approvals_saved(&[(post.clone(), None)], None).await? {
                return Ok(saved(post));
            }
        }
        Err(too_busy().into())
    }

    /// The posts that a client is to be shown, as named or by when they are due.
    async fn posts_to_show(
        &self,
        workspace: WorkspaceId,
        input: &ApprovalInput,
    ) -> Result<Vec<PostId>, AppError> {
        let (from, to) = match (input.post_ids.as_slice(), input.from, input.to) {
            ([], Some(from), Some(to)) => (from, to),
            ([], None, None) => {
                let message = "Name posts, or say from when to when they are due.";
                return Err(Refusal::invalid("postIds", message).into());
            }
            ([], None, Some(_)) => {
                return Err(Refusal::invalid("from", "A range has a beginning and an end.").into());
            }
            ([], Some(_), None) => {
                return Err(Refusal::invalid("to", "A range has a beginning and an end.").into());
            }
            (ids, None, None) => {
                check_posts(ids)?;
                return Ok(ids.to_vec());
            }
            (_, _, _) => {
                let message = "Name posts, or a range, but not both.";
                return Err(Refusal::invalid("postIds", message).into());
            }
        };
        let mut query = ListQuery {
            workspace_id: workspace,
            status: Some(PostStatus::Scheduled),
            filter: ListFilter::default(),
            window: Window::Between { from, to },
            order: ListOrder::Due,
            page: PageQuery { limit: LIMIT_MAX, before: None },
        };
        let mut ids = Vec::new();
        loop {
            let page = self.store().list_posts(&query).await?;
            let Some(last) = page.last().filter(|_| ids.len() <= APPROVAL_POSTS_MAX) else { break };
            query.page.before = query.order.place(last);
            let is_open = |post: &&Post| post.approval_state != Some(ApprovalState::Approved);
            ids.extend(page.iter().filter(is_open).map(|post| post.id));
        }
        if ids.is_empty() {
            let message = "No post that is due then waits for an approval.";
            return Err(Refusal::invalid("from", message).into());
        }
        check_posts(&ids).map_err(|refusal| refusal.at("to"))?;
        Ok(ids)
    }

    /// A post as it is once it is shown to a client, and the approval that it had before: what was
    /// said stays.
    async fn shown_to_client(
        &self,
        workspace: WorkspaceId,
        id: PostId,
        now: DateTime<Utc>,
        replaces: bool,
    ) -> Result<(Post, Option<Approval>), AppError> {
        let earlier = self.store().approvals(ApprovalsOf::Post(workspace, id)).await?.pop();
        let is_valid = |(approval, _): &(Approval, Post)| approval.expires_at > now;
        if !replaces && earlier.as_ref().is_some_and(is_valid) {
            let message = "A client is asked about this post already; a person makes a new link under Approvals, or with `scheduler approvals create`.";
            return Err(Refusal::invalid("postIds", message).into());
        }
        let (earlier, current) = match earlier {
            Some((approval, post)) => (Some(approval), post),
            None => (None, self.post_in(workspace, id).await?),
        };
        Ok((decide::request_approval(&current, now)?, earlier))
    }

    /// Stores posts with their approvals, and what happened; `false` when one of them has changed
    /// since it was read.
    ///
    /// # Errors
    /// `not_found` when a post is gone; `media_unusable`.
    pub(super) async fn are_approvals_saved(
        &self,
        changes: &[(Post, Option<Approval>)],
        event: Option<&Event>,
    ) -> Result<bool, AppError> {
        match self.store().save_approvals(changes, event).await? {
            SaveOutcome::Saved => {
                self.ports.wake.wake();
                Ok(true)
            }
            SaveOutcome::Missing => Err(Refusal::not_found(Resource::Post).into()),
            SaveOutcome::FileDeleted => Err(file_deleted().into()),
            SaveOutcome::Stale | SaveOutcome::SlotTaken | SaveOutcome::LimitReached => Ok(false),
        }
    }

    async fn approval_in(
        &self,
        workspace: WorkspaceId,
        id: PostId,
    ) -> Result<(Approval, Post), AppError> {
        self.post_in(workspace, id).await?;
        let found = self.store().approvals(ApprovalsOf::Post(workspace, id)).await?.pop();
        Ok(found.ok_or_else(|| Refusal::not_found(Resource::ApprovalLink))?)
    }

    async fn post_in(&self, workspace: WorkspaceId, id: PostId) -> Result<Post, AppError> {
        let post = self.store().post(workspace, id).await?;
        Ok(post.ok_or_else(|| Refusal::not_found(Resource::Post))?)
    }
}

fn check_posts(ids: &[PostId]) -> Result<(), Refusal> {
    if ids.is_empty() {
        return Err(Refusal::invalid("postIds", "Name at least one post."));
    }
    if ids.len() > APPROVAL_POSTS_MAX {
        let problem = Invalid::TooLong {
            what: "The list of posts".to_owned(),
            found: ids.len(),
            unit: "posts long",
            most: APPROVAL_POSTS_MAX,
            advice: "; make a link for the rest",
        };
        return Err(Refusal::invalid("postIds", problem));
    }
    let mut named = BTreeSet::new();
    match ids.iter().position(|id| !named.insert(id)) {
        Some(index) => {
            let field = format!("postIds[{index}]");
            Err(Refusal::invalid(field, "This post is named twice."))
        }
        None => Ok(()),
    }
}

/// A text that need not be given.
fn optional(
    field: &str,
    what: &str,
    text: &Option<String>,
    most: usize,
) -> Result<Option<String>, Refusal> {
    written(field, what, text.as_deref().unwrap_or_default(), most)
}
