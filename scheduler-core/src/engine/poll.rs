//! Polling feeds, whose items become posts.

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::future::join_all;

use super::recurrences::is_passing;
use crate::app::{Caller, Member, Scheduler};
use crate::error::{AppError, Refusal};
use crate::feeds::{
    Feed, FeedAnswer, FeedItem, FeedMode, FeedRequest, FeedState, Polled, Turn, key_of,
};
use crate::ids::EventId;
use crate::ports::StoreError;
use crate::post::{Field, POST_NOTE_MAX_CHARACTERS};
use crate::webhook::Event;

/// How long whoever has taken a feed has for it. Reading it and the pages that its items link to is
/// given up long before.
///
/// Source: our decision.
const LEASE: TimeDelta = TimeDelta::minutes(5);

/// Feeds that are polled at once, so that servers that are slow hold up no others.
///
/// Source: our decision.
const AT_ONCE: usize = 8;

impl Scheduler {
    /// Polls every feed that is due, and makes posts of what is new; says how many posts were made.
    /// Whoever runs an engine calls this from time to time; several may at once.
    ///
    /// A process that dies between making a post and storing that it did makes no second one: the
    /// post has the feed and the item as its idempotency key.
    ///
    /// # Errors
    /// [`StoreError`]; what was made before stays made.
    pub async fn poll_feeds(&self) -> Result<usize, StoreError> {
        // One that fails breaks off none of the others.
        let made = join_all((0..AT_ONCE).map(|_| self.poll_in_turn())).await;
        made.into_iter().sum()
    }

    /// Polls feeds one after the other until none is due.
    async fn poll_in_turn(&self) -> Result<usize, StoreError> {
        let store = &self.ports().store;
        let mut made = 0;
        loop {
            let now = self.ports().clock.now();
            let lease_until = now + LEASE;
            let (feed, state) = match store.claim_feed(now, lease_until).await {
                Ok(Some(claimed)) => claimed,
                Ok(None) => return Ok(made),
                // It is taken all the same, so that what cannot be read keeps no other waiting.
                Err(StoreError::Corrupt { .. }) => continue,
                Err(error) => return Err(error),
            };
            let polled = Box::pin(self.poll(&feed, &state, now)).await?;
            if let Polled::Read { posted, .. } = &polled {
                made += posted;
            }
            let now = self.ports().clock.now();
            let state = state.after(&feed, polled, now);
            let event = state.keeps_failing().then(|| {
                let id = EventId(self.ports().ids.next(now));
                Event::feed_failing(id, &feed, &state, now)
            });
            // Where it is lost, somebody else has the feed by now, or it is gone.
            store.record_poll(feed.id, lease_until, &state, event.as_ref()).await?;
            if event.is_some() {
                self.ports().wake.wake();
            }
        }
    }

    async fn poll(
        &self,
        feed: &Feed,
        state: &FeedState,
        now: DateTime<Utc>,
    ) -> Result<Polled, StoreError> {
        let Some(workspace) = self.ports().store.workspace(feed.workspace_id).await? else {
            return Ok(Polled::NotModified);
        };
        let (etag, last_modified) = (state.etag.clone(), state.last_modified.clone());
        let request = FeedRequest { url: feed.input.url.clone(), etag, last_modified };
        let document = match self.ports().fetcher.feed(&request).await {
            Ok(FeedAnswer::Read(document)) => document,
            Ok(FeedAnswer::NotModified) => return Ok(Polled::NotModified),
            Err(error) => return Ok(Polled::Failed(error.to_string())),
        };
        let turn = Turn::of(feed, state, &document);
        let caller = Member::owner_of(workspace).caller();
        // Posts have the author of the feed, whose own approval is none.
        let caller = Caller { person: feed.written_by.clone(), ..caller };
        let (mut settled, mut posted, mut error) = (0, 0, None);
        for item in &turn.items {
            // What is left has a lease of its own with the next poll.
            if self.ports().clock.now() - now > LEASE / 2 {
                error = Some("The pages that its items link to are slow; more follows.".to_owned());
                break;
            }
            match Box::pin(self.post_item(&caller, feed, item)).await {
                Ok(()) => (settled, posted) = (settled + 1, posted + 1),
                Err(AppError::Refused(refusal)) => {
                    error = Some(format!("An item became no post: {}", refusal.message()));
                    if is_passing(refusal.code) {
                        break;
                    }
                    // Not even its text is taken: it would keep all that follow waiting.
                    settled += 1;
                }
                // What was made before is noted; what is left comes with the next poll.
                Err(AppError::Store(failed)) => {
                    error = Some(format!("An item became no post: {failed}."));
                    break;
                }
                Err(AppError::Files(failed)) => {
                    error = Some(failed.to_string());
                    break;
                }
            }
        }
        Ok(Polled::Read { document, turn, settled, posted, error })
    }

    /// Makes a post of an item, once; where a post is refused, a draft with the reason, and where
    /// its accounts are not there any more, its text alone, which goes nowhere yet.
    async fn post_item(
        &self,
        caller: &Caller,
        feed: &Feed,
        item: &FeedItem,
    ) -> Result<(), AppError> {
        let key = key_of(feed.id, item);
        let mode = feed.input.mode;
        let mut refused = None;
        if mode == FeedMode::Queue {
            match self.create_post(caller, feed.input.post_of(item, mode), Some(&key)).await {
                Ok(_) => return Ok(()),
                Err(AppError::Refused(refusal)) if !is_passing(refusal.code) => {
                    refused = Some(refusal)
                }
                Err(error) => return Err(error),
            }
        }
        let noted = |refused: Option<&Refusal>| {
            let mut draft = feed.input.post_of(item, FeedMode::Drafts);
            if let Some(refusal) = refused {
                let note = format!("From the feed {}: {}", feed.input.name, refusal.message());
                let note: String = note.chars().take(POST_NOTE_MAX_CHARACTERS).collect();
                draft.note = note.into();
            }
            draft
        };
        let draft = noted(refused.as_ref());
        match self.create_post(caller, draft, Some(&key)).await {
            Ok(_) => return Ok(()),
            Err(AppError::Refused(refusal)) if !is_passing(refusal.code) => {
                refused.get_or_insert(refusal);
            }
            Err(error) => return Err(error),
        }
        let mut draft = noted(refused.as_ref());
        draft.targets = Vec::new().into();
        draft.link_url = Field::Absent;
        self.create_post(caller, draft, Some(&key)).await.map(drop)
    }
}
