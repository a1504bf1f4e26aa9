//! Telling people what has happened.

use chrono::{DateTime, TimeDelta, Utc};

use crate::app::Scheduler;
use crate::notification::{EVENTS_IN_A_MESSAGE, Message, Notifier, NotifierState, SETTLES_WITHIN};
use crate::ports::{Recorded, StoreError};

/// How long whoever has taken a notifier has for it. Mail and webhooks are answered or given up
/// long before.
///
/// Source: our decision.
const LEASE: TimeDelta = TimeDelta::minutes(2);

impl Scheduler {
    /// Has every notifier that is due look for news and tell them in one message each; says how
    /// many messages were sent. Whoever runs an engine calls this from time to time; several may at
    /// once.
    ///
    /// A process that dies between sending a message and storing that it did sends it again.
    ///
    /// # Errors
    /// [`StoreError`]; who was told before stays told.
    pub async fn notify(&self) -> Result<usize, StoreError> {
        let store = &self.ports().store;
        let mut sent = 0;
        loop {
            let now = self.ports().clock.now();
            let lease_until = now + LEASE;
            let (notifier, state) = match store.claim_notifier(now, lease_until).await {
                Ok(Some(claimed)) => claimed,
                Ok(None) => return Ok(sent),
                // It is taken all the same, so that what cannot be read keeps nobody else waiting.
                Err(StoreError::Corrupt { .. }) => continue,
                Err(error) => return Err(error),
            };
            let told_before = state.told_at;
            let state = self.tell(&notifier, state, now).await?;
            let has_told = state.told_at != told_before;
            let recorded = store.record_notified(notifier.id, lease_until, &state).await?;
            sent += usize::from(has_told && recorded == Recorded::Stored);
        }
    }

    /// Tells what has happened since a notifier last told something; gives how far it has come.
    async fn tell(
        &self,
        notifier: &Notifier,
        state: NotifierState,
        now: DateTime<Utc>,
    ) -> Result<NotifierState, StoreError> {
        let store = &self.ports().store;
        let until = now - SETTLES_WITHIN;
        let most = EVENTS_IN_A_MESSAGE;
        let mut events = store.news(notifier, state.told_until, until, most + 1).await?;
        let has_more = events.len() > most as usize;
        events.truncate(most as usize);
        let Some(last) = events.last() else { return Ok(state.looked(now)) };
        let place = (last.created_at, last.id);
        if let Some(ends) = notifier.quiet.and_then(|quiet| quiet.ends(now)) {
            return Ok(NotifierState { next_at: ends, ..state });
        }
        let Some(workspace) = store.workspace(notifier.workspace_id).await? else {
            return Ok(state.looked(now));
        };
        let pages = self.pages_of(&workspace);
        let message = Message::of(&workspace.name, pages.as_deref(), &events, has_more);
        let sent = self.send_message(notifier, &message).await;
        let now = self.ports().clock.now();
        Ok(match sent {
            Ok(()) => state.told(place, now),
            Err(error) => {
                let wait = self.settings().waits.after_delivery(state.failures + 1, self.jitter());
                state.failed(place, error, wait, now)
            }
        })
    }
}
