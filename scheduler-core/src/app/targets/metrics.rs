//! The figures of a live target: read now, and as they were read before.

use serde_json::{Map, Value};

use super::{LiveTarget, not_offered};
use crate::account::Account;
use crate::app::answers::Question;
use crate::app::{Caller, Scheduler};
use crate::error::{AppError, Refusal, Resource, Unsupported};
use crate::ids::{PostId, TargetId};
use crate::key::Scope;
use crate::post::parse_instant;
use crate::reading::{HISTORY_MAX, Reading, superfluous};

/// Readings in one answer at most.
///
/// Source: interface description, GET /posts/{id}/targets/{targetId}/metrics/history.
pub const READINGS_MAX: u32 = 500;

impl Scheduler {
    /// Reads the figures of a live target from its network and keeps them; the latest ones where
    /// the network has none at present.
    ///
    /// # Errors
    /// `forbidden` without `posts:read`; `not_found`; `not_published`; `unsupported` where there
    /// are no figures; `rate_limited` when the network may not be asked now, while the post still
    /// shows what was read last; what the network answers.
    pub async fn read_metrics(
        &self,
        caller: &Caller,
        post_id: PostId,
        target_id: TargetId,
    ) -> Result<Map<String, Value>, AppError> {
        caller.require(Scope::PostsRead)?;
        let found = self.live_target(caller, post_id, target_id).await?;
        if found.platform.sheet().metric_fields.is_empty() {
            return Err(not_offered(found.platform, "figures of a post").into());
        }
        let account = self.account_of(caller, found.account_id).await?;
        let read = self.read_now(&found, &account, target_id);
        self.answered(&account, Question::Figures(target_id), read).await
    }

    async fn read_now(
        &self,
        found: &LiveTarget,
        account: &Account,
        target_id: TargetId,
    ) -> Result<Map<String, Value>, AppError> {
        let live = &found.live;
        let figures = self.ask(account, |after, access| async move {
            after.figures(&access, std::slice::from_ref(live)).await
        });
        let Some(figures) = figures.await?.into_iter().next().flatten() else {
            let latest = found.post.target(target_id).and_then(|target| target.reading.as_ref());
            let none = || Refusal::from(Unsupported::Figures(found.platform));
            return Ok(latest.map(Reading::view).ok_or_else(none)?);
        };
        let reading = Reading { at: self.ports.clock.now(), figures };
        let limit = u32::try_from(HISTORY_MAX).unwrap_or(u32::MAX);
        let earlier = self.store().readings(target_id, None, limit).await?;
        let mut taken_at: Vec<_> = earlier.iter().map(|earlier| earlier.at).collect();
        taken_at.push(reading.at);
        let superfluous = superfluous(live.published_at, &taken_at);
        self.store().add_reading(target_id, &reading, &superfluous).await?;
        Ok(reading.view())
    }

    /// The readings of a target from `since` on, oldest first: at most the latest 500.
    ///
    /// # Errors
    /// `forbidden` without `posts:read`; `invalid_request` naming `since`; `not_found`.
    pub async fn metrics_history(
        &self,
        caller: &Caller,
        post_id: PostId,
        target_id: TargetId,
        since: Option<&str>,
    ) -> Result<Vec<Map<String, Value>>, AppError> {
        caller.require(Scope::PostsRead)?;
        let since = since.map(|since| parse_instant("since", since)).transpose()?;
        let post = self.post_of(caller, post_id).await?;
        if post.target(target_id).is_none() {
            return Err(Refusal::not_found(Resource::Target).into());
        }
        let readings = self.store().readings(target_id, since, READINGS_MAX).await?;
        Ok(readings.iter().map(Reading::view).collect())
    }
}
