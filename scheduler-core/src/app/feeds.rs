//! Feeds whose items become posts: adding, changing, trying them out.

use serde::{Deserialize, Serialize};

use super::webhooks::check_url;
use super::{Caller, CheckInput, CheckReport, Scheduler};
use crate::error::{AppError, FeedRefusal, Refusal, Resource};
use crate::feeds::{FEEDS_MAX, Feed, FeedAnswer, FeedInput, FeedRequest, FeedState, FeedView};
use crate::ids::{FeedId, WorkspaceId};
use crate::post::PostInput;

/// The most items of a feed that are tried out.
///
/// Source: our decision.
pub const TRIED_ITEMS: usize = 5;

/// What would be made of a feed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct FeedTrial {
    /// What the feed calls itself.
    pub title: Option<String>,
    /// How many items it has now.
    pub count: usize,
    /// Its first items, at most 5, and what would be made of each.
    pub items: Vec<TriedItem>,
}

/// What would be made of an item.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct TriedItem {
    /// Its title.
    pub title: String,
    /// Where it leads.
    pub link: Option<String>,
    /// The body of the post.
    pub post: PostInput,
    /// What the networks say of the post.
    pub report: CheckReport,
}

impl Scheduler {
    /// The feeds of a workspace, oldest first.
    ///
    /// # Errors
    /// [`AppError::Store`]
    pub async fn feeds(&self, workspace: WorkspaceId) -> Result<Vec<FeedView>, AppError> {
        let found = self.store().feeds(workspace).await?;
        Ok(found.iter().map(|(feed, state)| FeedView::new(feed, state)).collect())
    }

    /// A feed of a workspace.
    ///
    /// # Errors
    /// `not_found`
    pub async fn feed(&self, workspace: WorkspaceId, id: FeedId) -> Result<FeedView, AppError> {
        let (feed, state) = self.known_feed(workspace, id).await?;
        Ok(FeedView::new(&feed, &state))
    }

    /// Has posts made of a feed's items from now on.
    ///
    /// # Errors
    /// `invalid_request` naming the field, also for an address that is not public, and for a
    /// workspace that has [`FEEDS_MAX`] already; what a post of these targets is refused with.
    pub async fn create_feed(
        &self,
        caller: &Caller,
        input: FeedInput,
    ) -> Result<FeedView, AppError> {
        self.check_feed(caller, &input).await?;
        let now = self.ports.clock.now();
        let id = FeedId(self.ports.ids.next(now));
        let (workspace_id, written_by) = (caller.workspace.id, caller.person.clone());
        let feed = Feed { id, workspace_id, input, written_by, created_at: now };
        let state = FeedState::new(now);
        if self.store().create_feed(&feed, &state, FEEDS_MAX).await? {
            return Ok(FeedView::new(&feed, &state));
        }
        let message = format!(
            "This workspace has {FEEDS_MAX} feeds, which is the limit; remove one before you add another."
        );
        Err(Refusal::invalid("url", message).into())
    }

    /// Changes what is asked of a feed. It keeps its address: what stands in another feed is not
    /// known, and would all be new.
    ///
    /// # Errors
    /// `not_found`; `invalid_request` naming `url` for another address, and those of
    /// [`Self::create_feed`].
    pub async fn change_feed(
        &self,
        caller: &Caller,
        id: FeedId,
        input: FeedInput,
    ) -> Result<FeedView, AppError> {
        let (feed, state) = self.known_feed(caller.workspace.id, id).await?;
        if input.url != feed.input.url {
            let message = "A feed keeps its address; add the other one, and remove this.";
            return Err(Refusal::invalid("url", message).into());
        }
        let stored = &feed.input;
        let is_paused_alone = input.paused && input == FeedInput { paused: true, ..stored.clone() };
        // Also where an account of it is gone.
        if !is_paused_alone {
            self.check_feed(caller, &input).await?;
        }
        let is_sooner = input.every() < stored.every() || stored.paused;
        let next_at = Some(self.ports.clock.now()).filter(|_| is_sooner && !input.paused);
        // Whoever has it wait, go on or polled at other times has written nothing of its posts.
        let (paused, every_minutes) = (stored.paused, stored.every_minutes);
        let is_as_written = *stored == FeedInput { paused, every_minutes, ..input.clone() };
        let author = caller.person.clone().filter(|_| !is_as_written);
        let written_by = author.or(feed.written_by);
        let feed = Feed { input, written_by, ..feed };
        if !self.store().update_feed(&feed, next_at).await? {
            return Err(Refusal::not_found(Resource::Feed).into());
        }
        let next_at = next_at.map_or(state.next_at, |at| state.after_rest(at));
        Ok(FeedView::new(&feed, &FeedState { next_at, ..state }))
    }

    /// Stops making posts of a feed. Posts that were made stay.
    ///
    /// # Errors
    /// `not_found`
    pub async fn remove_feed(&self, workspace: WorkspaceId, id: FeedId) -> Result<(), AppError> {
        if self.store().remove_feed(workspace, id).await? {
            return Ok(());
        }
        Err(Refusal::not_found(Resource::Feed).into())
    }

    /// Has a feed polled next, whenever it was to be.
    ///
    /// # Errors
    /// `not_found`; `invalid_request` naming `paused` for one that is; `rate_limited` while it is
    /// polled, and within a minute of its last poll.
    pub async fn hurry_feed(
        &self,
        workspace: WorkspaceId,
        id: FeedId,
    ) -> Result<FeedView, AppError> {
        let (feed, state) = self.known_feed(workspace, id).await?;
        if feed.input.paused {
            let message = "The feed is paused; let it go on first.";
            return Err(Refusal::invalid("paused", message).into());
        }
        let next_at = self.ports.clock.now();
        if let Some(until) = state.rests_until.filter(|until| next_at < *until) {
            return Err(FeedRefusal::Rests { until, now: next_at }.into());
        }
        // Whoever has taken it meanwhile polls it now, and once.
        if !self.store().hurry_feed(workspace, id, next_at).await? {
            return Err(Refusal::not_found(Resource::Feed).into());
        }
        Ok(FeedView::new(&feed, &FeedState { next_at, ..state }))
    }

    /// Reads a feed, and says what would be made of its first items; makes nothing.
    ///
    /// # Errors
    /// Those of [`Self::create_feed`], and `invalid_request` naming `url` where the feed cannot be
    /// read.
    pub async fn try_feed(
        &self,
        caller: &Caller,
        input: &FeedInput,
    ) -> Result<FeedTrial, AppError> {
        self.check_feed(caller, input).await?;
        let request = FeedRequest { url: input.url.clone(), ..FeedRequest::default() };
        let read = self.ports.fetcher.feed(&request).await;
        let answer = read.map_err(|error| Refusal::invalid("url", error.to_string()))?;
        // Nothing was said of an earlier answer, so this is none of "as it was".
        let FeedAnswer::Read(document) = answer else {
            return Err(Refusal::invalid("url", "The feed answered with nothing.").into());
        };
        let mut items = Vec::new();
        for item in document.items.iter().take(TRIED_ITEMS) {
            let post = input.post_of(item, input.mode);
            let report = Box::pin(self.check_post(caller, CheckInput::from(post.clone()))).await?;
            items.push(TriedItem {
                title: item.title.clone(),
                link: item.link.clone(),
                post,
                report,
            });
        }
        Ok(FeedTrial {
            title: document.title,
            count: document.items.len() + document.beyond.len(),
            items,
        })
    }

    async fn known_feed(
        &self,
        workspace: WorkspaceId,
        id: FeedId,
    ) -> Result<(Feed, FeedState), AppError> {
        let found = self.store().feed(workspace, id).await?;
        Ok(found.ok_or_else(|| Refusal::not_found(Resource::Feed))?)
    }

    /// Checks what is asked of a feed, and that its targets are there.
    async fn check_feed(&self, caller: &Caller, input: &FeedInput) -> Result<(), AppError> {
        input.check()?;
        check_url("url", &input.url)?;
        let checked = self.ports.fetcher.check_address(&input.url);
        checked.map_err(|message| Refusal::invalid("url", message))?;
        let roster = self.roster(caller).await?;
        self.chosen_accounts(&roster, &input.targets).await?;
        Ok(())
    }
}
