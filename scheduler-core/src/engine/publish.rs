//! Publishing one target.

use std::panic::AssertUnwindSafe;

use chrono::{DateTime, TimeDelta, Utc};
use futures_util::FutureExt as _;

use super::attempt::{Attempt, End};
use super::follow::what_follows;
use super::refresh::disconnected;
use super::{Fact, Ran, Watch};
use crate::app::media::{facts, refuse_deleted, thumbnail_facts};
use crate::app::{Scheduler, issues_of};
use crate::error::AppError;
use crate::ids::EventId;
use crate::media::Media;
use crate::platform::AccountLimits;
use crate::ports::{
    Claim, JobFile, Live, NetworkError, NetworkErrorKind, PublishContext, PublishJob, Recorded,
    StoreError, WorkAfter,
};
use crate::post::{Post, decide};
use crate::retry::{FREE_RATE_LIMITS, rate_limit_wait};
use crate::rules::Severity;
use crate::target::{Failure, FailureCode, Progress, Spent, Target, TargetEvent, TargetStatus};
use crate::webhook::Event;

/// How long work is left alone of which something cannot be read.
///
/// Source: our decision.
pub(super) const UNREADABLE_AGAIN: TimeDelta = TimeDelta::minutes(5);

impl Scheduler {
    /// Publishes a target, or does what follows it. A panic on the way is a failed attempt.
    pub(super) async fn publish(
        &self,
        claim: &Claim,
        watch: &dyn Watch,
    ) -> Result<Ran, StoreError> {
        match AssertUnwindSafe(self.publish_once(claim, watch)).catch_unwind().await {
            Ok(ran) => ran,
            Err(_) => self.publish_panicked(claim, watch).await,
        }
    }

    async fn publish_once(&self, claim: &Claim, watch: &dyn Watch) -> Result<Ran, StoreError> {
        let store = &self.ports().store;
        let read = store.publish_context(claim).await;
        let Some(context) = self.readable(claim, read).await? else { return Ok(Ran::Lost) };
        let Some(target) = context.target().cloned() else { return Ok(Ran::Lost) };
        let target = match target.status {
            // Left behind by a holder that died, or waiting for the network.
            TargetStatus::Publishing => target,
            TargetStatus::Pending if decide::is_withheld(&context.post, &target) => {
                let target = decide::withhold(&context.post, target, self.ports().clock.now());
                let after = WorkAfter::DueAt(target.due_at.unwrap_or(claim.due_at));
                return self.record(claim, &target, None, after, Ran::PublishWithheld).await;
            }
            TargetStatus::Pending => {
                let Ok(status) = target.status.transition(TargetEvent::Start) else {
                    return Ok(Ran::Lost);
                };
                Target { status, attempts: target.attempts + 1, slot_at: None, ..target }
            }
            // It is live, and something follows.
            TargetStatus::Published if target.progress.is_some() => target,
            TargetStatus::Published | TargetStatus::Failed | TargetStatus::Skipped => {
                return Ok(Ran::Lost);
            }
        };
        let post = context.post.clone();
        watch.learn(Fact::Publish {
            post_id: post.id,
            target_id: target.id,
            account_id: target.account_id,
            attempt: target.attempts,
        });
        let mut attempt = match self.attempt(claim, &post, context, &target).await? {
            Ok(attempt) => attempt,
            Err(refused) if target.status == TargetStatus::Published => {
                learn_failure(watch, &refused);
                return self.record_unfollowed(claim, target, &refused).await;
            }
            Err(refused) => {
                let progress = target.progress.clone();
                return self.record_failure(claim, &post, target, progress, &refused, watch).await;
            }
        };
        let end = attempt.run().await?;
        if attempt.target.status == TargetStatus::Published {
            return self.record_followed(attempt, end, watch).await;
        }
        match end {
            End::Lost => Ok(Ran::Lost),
            End::Live(live) => {
                let begun_at = attempt.progress.begun_at;
                let due_at = attempt.target.due_at.unwrap_or(claim.due_at);
                let now = self.ports().clock.now();
                watch.learn(Fact::Live { after: now - due_at.min(begun_at) });
                self.record_live(claim, &post, attempt.target, live, begun_at).await
            }
            End::Waits(until) => {
                let target = Target { progress: Some(attempt.progress), ..attempt.target };
                let after = WorkAfter::DueAt(until);
                self.record(claim, &target, None, after, Ran::PublishWaits).await
            }
            End::Failed(error) => {
                let error = self.unless_reconnected(&attempt, error).await?;
                let mut target = attempt.target;
                target.remote =
                    attempt.network.live_part(&attempt.progress.state).or(target.remote);
                let progress = Some(attempt.progress);
                self.record_failure(claim, &post, target, progress, &error, watch).await
            }
        }
    }

    /// Gives work back whose rows or secrets cannot be read, such as with another key than the one
    /// that sealed them: an operator may still find the key, and nothing is wrong with the work.
    ///
    /// # Errors
    /// That of the reading.
    pub(super) async fn readable<T>(
        &self,
        claim: &Claim,
        read: Result<T, StoreError>,
    ) -> Result<T, StoreError> {
        if let Err(StoreError::Corrupt { .. }) = read {
            let due_at = self.ports().clock.now() + UNREADABLE_AGAIN;
            self.ports().store.release(claim, due_at).await?;
        }
        read
    }

    /// Marks an account whose credentials were refused. Where a person has connected it again
    /// meanwhile, the refusal was of the old ones and the next attempt will do.
    pub(super) async fn unless_reconnected(
        &self,
        attempt: &Attempt<'_>,
        error: NetworkError,
    ) -> Result<NetworkError, StoreError> {
        if error.kind != NetworkErrorKind::Reconnect {
            return Ok(error);
        }
        let store = &self.ports().store;
        let id = attempt.target.account_id;
        let version = attempt.credentials_version;
        if self.patiently(|| store.mark_needs_reconnect(id, version)).await? {
            return Ok(error);
        }
        let current = self.patiently(|| store.credentials(id)).await?;
        let is_newer =
            current.is_some_and(|current| current.version != attempt.credentials_version);
        Ok(if is_newer {
            NetworkError::new(NetworkErrorKind::Temporary, error.message)
        } else {
            error
        })
    }

    /// Brings together what an attempt needs, or says why it cannot begin.
    async fn attempt<'a>(
        &'a self,
        claim: &'a Claim,
        post: &'a Post,
        context: PublishContext,
        target: &Target,
    ) -> Result<Result<Attempt<'a>, NetworkError>, StoreError> {
        let was_held = context.target().is_some_and(|stored| {
            matches!(stored.status, TargetStatus::Publishing | TargetStatus::Published)
        });
        let account = context.account;
        let Some(network) = self.ports().networks.network(target.platform).cloned() else {
            return Ok(Err(NetworkError::new(
                NetworkErrorKind::Permanent,
                format!("This server cannot publish to {}.", target.platform),
            )
            .with_code(FailureCode::Unsupported)));
        };
        let Some(stored) = context.credentials.filter(|_| !account.needs_reconnect) else {
            return Ok(Err(disconnected(&account)));
        };
        let begins = target.progress.is_none();
        // As does what a person has retried.
        let begins_anew = begins || (!was_held && target.spent == Spent::NOTHING);
        if begins_anew && let Some(refused) = self.beyond_plan(&account).await? {
            return Ok(Err(refused));
        }
        let files = self.job_files(post, target, begins.then_some(&account.limits)).await?;
        let (files, thumbnail) = match files {
            Ok(files) => files,
            Err(refused) => return Ok(Err(refused)),
        };
        let now = self.ports().clock.now();
        let job = PublishJob {
            target_id: target.id,
            revision: target.revision,
            content: post.content.clone(),
            link_url: post.link_url.clone(),
            files,
            thumbnail,
            options: target.options.clone(),
            account,
            credentials: stored.credentials,
            begun_at: target.progress.as_ref().map_or(now, |progress| progress.begun_at),
            now,
        };
        let progress = target.progress.clone().unwrap_or_else(|| Progress {
            state: network.begin(&job),
            sending: false,
            call: None,
            resend_unknown: false,
            begun_at: now,
        });
        let is_open = progress.sending;
        Ok(Ok(Attempt {
            scheduler: self,
            claim,
            post,
            network,
            job,
            credentials_version: stored.version,
            target: target.clone(),
            progress,
            has_looked: false,
            has_refreshed: false,
            is_open,
            must_look: is_open,
            looked_at: None,
            delays: 0,
        }))
    }

    /// The files that go with a target; with `limits`, before the first step, once more under the
    /// rules: files and limits may have changed. Later the network decides, since something may be
    /// live already.
    async fn job_files(
        &self,
        post: &Post,
        target: &Target,
        limits: Option<&AccountLimits>,
    ) -> Result<Result<(Vec<JobFile>, Option<JobFile>), NetworkError>, StoreError> {
        let files = match self.files_of(post, target, limits.is_some()).await {
            Ok(files) => files,
            Err(AppError::Store(error)) => return Err(error),
            Err(AppError::Files(error)) => {
                return Ok(Err(NetworkError::new(NetworkErrorKind::Temporary, error.to_string())));
            }
            Err(AppError::Refused(refusal)) => {
                let error = NetworkError::new(NetworkErrorKind::Permanent, refusal.message);
                return Ok(Err(error.with_code(FailureCode::MediaUnusable)));
            }
        };
        let (media, thumbnail) = files;
        if let Some(limits) = limits {
            let (limits, thumbnail) = ([(target, limits)], thumbnail_facts(&thumbnail));
            let issues = issues_of(self.rules(), post, &limits, &facts(&media), &thumbnail);
            let first = issues.into_iter().find(|issue| issue.severity == Severity::Error);
            if let Some(issue) = first {
                let error = NetworkError::new(NetworkErrorKind::Permanent, issue.message);
                return Ok(Err(error.with_code(FailureCode::ValidationFailed)));
            }
        }
        let files = media.iter().enumerate();
        let files = files
            .map(|(index, media)| job_file(media, post.alt_texts.get(index).cloned().flatten()));
        let thumbnail = thumbnail.iter().flatten().next().map(|media| job_file(media, None));
        Ok(Ok((files.collect(), thumbnail)))
    }

    /// The files of a post and the thumbnail of one of its targets.
    ///
    /// # Errors
    /// `not_found` for a file that the workspace does not have; `media_unusable` for a deleted
    /// one where the publish begins.
    async fn files_of(
        &self,
        post: &Post,
        target: &Target,
        begins: bool,
    ) -> Result<(Vec<Media>, Vec<Option<Media>>), AppError> {
        let media = self.named_media(post.workspace_id, &post.media_ids).await?;
        let options = std::iter::once((target.platform, Some(&target.options)));
        let thumbnail = self.named_thumbnails(post.workspace_id, options).await?;
        if begins {
            refuse_deleted(media.iter().chain(thumbnail.iter().flatten()))?;
        }
        Ok((media, thumbnail))
    }

    async fn record_live(
        &self,
        claim: &Claim,
        post: &Post,
        target: Target,
        live: Live,
        begun_at: DateTime<Utc>,
    ) -> Result<Ran, StoreError> {
        let Ok(status) = target.status.transition(TargetEvent::Succeed) else {
            return Ok(Ran::Lost);
        };
        let now = self.ports().clock.now();
        let (progress, after) = what_follows(live.then, begun_at, now);
        let target = Target {
            status,
            remote: live.remote,
            published_at: Some(now),
            failure: None,
            due_at: None,
            slot_at: None,
            spent: Spent::NOTHING,
            progress,
            ..target
        };
        let id = EventId(self.ports().ids.next(now));
        let event = Event::published(id, post.workspace_id, post.id, &target, now);
        self.record(claim, &target, Some(&event), after, Ran::Published).await
    }

    /// Stores a failed attempt: another to come, or the end.
    pub(super) async fn record_failure(
        &self,
        claim: &Claim,
        post: &Post,
        mut target: Target,
        progress: Option<Progress>,
        error: &NetworkError,
        watch: &dyn Watch,
    ) -> Result<Ran, StoreError> {
        let now = self.ports().clock.now();
        target.progress = progress;
        let wait = self.next_try(&mut target.spent, error.kind);
        let permanent =
            matches!(error.kind, NetworkErrorKind::Permanent | NetworkErrorKind::Reconnect);
        let is_unknown = target.progress.as_ref().is_some_and(|progress| progress.sending);
        target.failure = Some(if wait.is_none() && is_unknown {
            // A person has to look, whatever it was that kept us from finding out.
            let message = format!("{} {LOOK_FIRST}", error.message);
            Failure { message, code: Some(FailureCode::InDoubt), permanent: false }
        } else {
            Failure { message: error.message.clone(), code: Some(error.code), permanent }
        });
        if let Some(Failure { code: Some(code), .. }) = target.failure {
            watch.learn(Fact::Failed { kind: error.kind, code });
        }
        target.slot_at = None;
        let event = if wait.is_some() { TargetEvent::Defer } else { TargetEvent::Fail };
        let Ok(status) = target.status.transition(event) else { return Ok(Ran::Lost) };
        target.status = status;
        target.due_at = wait.map(|wait| now + wait);
        if let Some(due_at) = target.due_at {
            watch.learn(Fact::Again { at: due_at });
            let after = WorkAfter::DueAt(due_at);
            return self.record(claim, &target, None, after, Ran::PublishDeferred).await;
        }
        let id = EventId(self.ports().ids.next(now));
        let event = Event::failed(id, post.workspace_id, post.id, &target, now);
        self.record(claim, &target, Some(&event), WorkAfter::Done, Ran::PublishFailed).await
    }

    /// Spends one try on a failure, and says how long until the next; `None` when there is none.
    pub(super) fn next_try(&self, spent: &mut Spent, kind: NetworkErrorKind) -> Option<TimeDelta> {
        match kind {
            NetworkErrorKind::RateLimited { wait } if spent.rate_limits < FREE_RATE_LIMITS => {
                spent.rate_limits += 1;
                Some(rate_limit_wait(wait))
            }
            NetworkErrorKind::RateLimited { .. }
            | NetworkErrorKind::Temporary
            | NetworkErrorKind::TokenExpired => {
                spent.tries += 1;
                let wait = self.settings().waits.after_publish(spent.tries, self.jitter());
                wait.map(|wait| asked_wait(kind).unwrap_or(wait))
            }
            NetworkErrorKind::Permanent
            | NetworkErrorKind::Reconnect
            | NetworkErrorKind::InDoubt
            | NetworkErrorKind::Unsettled => None,
        }
    }

    pub(super) async fn record(
        &self,
        claim: &Claim,
        target: &Target,
        event: Option<&Event>,
        after: WorkAfter,
        ran: Ran,
    ) -> Result<Ran, StoreError> {
        let (store, now) = (&self.ports().store, self.ports().clock.now());
        let stored = self.patiently(|| store.record_publish(claim, target, event, after, now));
        match stored.await? {
            Recorded::Lost => Ok(Ran::Lost),
            Recorded::Stored => {
                if matches!(ran, Ran::Published | Ran::Followed | Ran::FollowDeferred) {
                    self.answers().forget(target.account_id);
                }
                if event.is_some() {
                    self.ports().wake.wake();
                }
                Ok(ran)
            }
        }
    }
}

/// Tells of a failure as the network put it.
pub(super) fn learn_failure(watch: &dyn Watch, error: &NetworkError) {
    watch.learn(Fact::Failed { kind: error.kind, code: error.code });
}

fn job_file(media: &Media, alt_text: Option<String>) -> JobFile {
    JobFile { id: media.id, folder: media.folder(), facts: media.facts(), alt_text }
}

/// How long a network has asked to be left alone.
fn asked_wait(kind: NetworkErrorKind) -> Option<TimeDelta> {
    match kind {
        NetworkErrorKind::RateLimited { wait } => wait.map(|wait| rate_limit_wait(Some(wait))),
        NetworkErrorKind::Temporary
        | NetworkErrorKind::Permanent
        | NetworkErrorKind::TokenExpired
        | NetworkErrorKind::Reconnect
        | NetworkErrorKind::InDoubt
        | NetworkErrorKind::Unsettled => None,
    }
}

/// What to do about an outcome that is not known.
const LOOK_FIRST: &str = "It is not known whether the post is live: look at the account, and retry only if it is missing.";
