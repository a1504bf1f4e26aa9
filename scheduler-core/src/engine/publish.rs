//! Publishing one target.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};

use super::Ran;
use super::refresh::{REFRESH_AHEAD, Refreshed, disconnected};
use crate::app::media::{facts, refuse_deleted};
use crate::app::{Scheduler, issues_of};
use crate::error::AppError;
use crate::ids::EventId;
use crate::ports::{
    Claim, Located, Network, NetworkError, NetworkErrorKind, PublishContext, PublishJob, Recorded,
    Step, StoreError, StoredCredentials, WorkAfter,
};
use crate::post::Post;
use crate::retry::{FREE_RATE_LIMITS, rate_limit_wait};
use crate::rules::Severity;
use crate::target::{Failure, FailureCode, Progress, Remote, Target, TargetEvent, TargetStatus};
use crate::webhook::Event;

/// One attempt at one target, while a claim on it is held.
struct Attempt<'a> {
    scheduler: &'a Scheduler,
    claim: &'a Claim,
    post: &'a Post,
    network: Arc<dyn Network>,
    job: PublishJob,
    credentials_version: i64,
    target: Target,
    progress: Progress,
    /// One attempt looks up the lost answer of a step once, and refreshes a token once.
    has_looked: bool,
    has_refreshed: bool,
}

/// How an attempt ended.
enum End {
    Live(Remote),
    Waits(DateTime<Utc>),
    Failed(NetworkError),
    /// The claim is not the current one any more.
    Lost,
}

impl Scheduler {
    pub(super) async fn publish(&self, claim: &Claim) -> Result<Ran, StoreError> {
        let store = &self.ports().store;
        let Some(context) = store.publish_context(claim).await? else { return Ok(Ran::Lost) };
        let Some(target) = context.target().cloned() else { return Ok(Ran::Lost) };
        let target = match target.status {
            // Left behind by a holder that died, or waiting for the network.
            TargetStatus::Publishing => target,
            TargetStatus::Pending => {
                let Ok(status) = target.status.transition(TargetEvent::Start) else {
                    return Ok(Ran::Lost);
                };
                Target { status, attempts: target.attempts + 1, slot_at: None, ..target }
            }
            TargetStatus::Published | TargetStatus::Failed | TargetStatus::Skipped => {
                return Ok(Ran::Lost);
            }
        };
        let post = context.post.clone();
        let mut attempt = match self.attempt(claim, &post, context, &target).await? {
            Ok(attempt) => attempt,
            Err(refused) => {
                let progress = target.progress.clone();
                return self.record_failure(claim, &post, target, progress, &refused).await;
            }
        };
        match attempt.run().await? {
            End::Lost => Ok(Ran::Lost),
            End::Live(remote) => self.record_live(claim, &post, attempt.target, remote).await,
            End::Waits(until) => {
                let target = Target { progress: Some(attempt.progress), ..attempt.target };
                let after = WorkAfter::DueAt(until);
                self.record(claim, &target, None, after, Ran::PublishWaits).await
            }
            End::Failed(error) => {
                if error.kind == NetworkErrorKind::Reconnect {
                    let version = attempt.credentials_version;
                    store.mark_needs_reconnect(attempt.target.account_id, version).await?;
                }
                let mut target = attempt.target;
                target.remote =
                    attempt.network.live_part(&attempt.progress.state).or(target.remote);
                self.record_failure(claim, &post, target, Some(attempt.progress), &error).await
            }
        }
    }

    /// Brings together what an attempt needs, or says why it cannot begin.
    async fn attempt<'a>(
        &'a self,
        claim: &'a Claim,
        post: &'a Post,
        context: PublishContext,
        target: &Target,
    ) -> Result<Result<Attempt<'a>, NetworkError>, StoreError> {
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
        if begins && let Some(refused) = self.last_look(post, target, &account.limits).await? {
            return Ok(Err(refused));
        }
        let now = self.ports().clock.now();
        let job = PublishJob {
            target_id: target.id,
            revision: target.revision,
            content: post.content.clone(),
            link_url: post.link_url.clone(),
            alt_texts: post.alt_texts.clone(),
            options: target.options.clone(),
            account,
            credentials: stored.credentials,
            begun_at: target.progress.as_ref().map_or(now, |progress| progress.begun_at),
            now,
        };
        let progress = target.progress.clone().unwrap_or_else(|| Progress {
            state: network.begin(&job),
            sending: false,
            resend_unknown: false,
            begun_at: now,
        });
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
        }))
    }

    /// The rules once more, right before the first step: files and limits may have changed.
    async fn last_look(
        &self,
        post: &Post,
        target: &Target,
        limits: &crate::platform::AccountLimits,
    ) -> Result<Option<NetworkError>, StoreError> {
        let media = match self.named_media(post.workspace_id, &post.media_ids).await {
            Ok(media) => media,
            Err(AppError::Store(error)) => return Err(error),
            Err(AppError::Refused(refusal)) => {
                let error = NetworkError::new(NetworkErrorKind::Permanent, refusal.message);
                return Ok(Some(error.with_code(FailureCode::MediaUnusable)));
            }
        };
        if let Err(refusal) = refuse_deleted(&media) {
            let error = NetworkError::new(NetworkErrorKind::Permanent, refusal.message);
            return Ok(Some(error.with_code(FailureCode::MediaUnusable)));
        }
        let issues = issues_of(post, &[(target, limits)], &facts(&media));
        let first = issues.into_iter().find(|issue| issue.severity == Severity::Error);
        Ok(first.map(|issue| {
            NetworkError::new(NetworkErrorKind::Permanent, issue.message)
                .with_code(FailureCode::ValidationFailed)
        }))
    }

    async fn record_live(
        &self,
        claim: &Claim,
        post: &Post,
        target: Target,
        remote: Remote,
    ) -> Result<Ran, StoreError> {
        let Ok(status) = target.status.transition(TargetEvent::Succeed) else {
            return Ok(Ran::Lost);
        };
        let now = self.ports().clock.now();
        let target = Target {
            status,
            remote: Some(remote),
            published_at: Some(now),
            failure: None,
            due_at: None,
            slot_at: None,
            progress: None,
            ..target
        };
        let id = EventId(self.ports().ids.next(now));
        let event = Event::published(id, post.workspace_id, post.id, &target, now);
        self.record(claim, &target, Some(&event), WorkAfter::Done, Ran::Published).await
    }

    /// Stores a failed attempt: another to come, or the end.
    async fn record_failure(
        &self,
        claim: &Claim,
        post: &Post,
        mut target: Target,
        progress: Option<Progress>,
        error: &NetworkError,
    ) -> Result<Ran, StoreError> {
        let now = self.ports().clock.now();
        target.progress = progress;
        let (permanent, wait) = match error.kind {
            NetworkErrorKind::Permanent | NetworkErrorKind::Reconnect => (true, None),
            NetworkErrorKind::RateLimited { wait }
                if target.spent.rate_limits < FREE_RATE_LIMITS =>
            {
                target.spent.rate_limits += 1;
                (false, Some(rate_limit_wait(wait)))
            }
            NetworkErrorKind::RateLimited { .. }
            | NetworkErrorKind::Temporary
            | NetworkErrorKind::TokenExpired => {
                target.spent.tries += 1;
                let wait = self.settings().waits.after_publish(target.spent.tries, self.jitter());
                (false, wait.map(|wait| asked_wait(error.kind).unwrap_or(wait)))
            }
            NetworkErrorKind::InDoubt | NetworkErrorKind::Unsettled => (false, None),
        };
        let is_unknown = target.progress.as_ref().is_some_and(|progress| progress.sending);
        target.failure = Some(if wait.is_none() && is_unknown {
            // A person has to look, whatever it was that kept us from finding out.
            let message = format!("{} {LOOK_FIRST}", error.message);
            Failure { message, code: FailureCode::InDoubt, permanent: false }
        } else {
            Failure { message: error.message.clone(), code: error.code, permanent }
        });
        target.slot_at = None;
        let event = if wait.is_some() { TargetEvent::Defer } else { TargetEvent::Fail };
        let Ok(status) = target.status.transition(event) else { return Ok(Ran::Lost) };
        target.status = status;
        target.due_at = wait.map(|wait| now + wait);
        if let Some(due_at) = target.due_at {
            let after = WorkAfter::DueAt(due_at);
            return self.record(claim, &target, None, after, Ran::PublishDeferred).await;
        }
        let id = EventId(self.ports().ids.next(now));
        let event = Event::failed(id, post.workspace_id, post.id, &target, now);
        self.record(claim, &target, Some(&event), WorkAfter::Done, Ran::PublishFailed).await
    }

    async fn record(
        &self,
        claim: &Claim,
        target: &Target,
        event: Option<&Event>,
        after: WorkAfter,
        ran: Ran,
    ) -> Result<Ran, StoreError> {
        let now = self.ports().clock.now();
        match self.ports().store.record_publish(claim, target, event, after, now).await? {
            Recorded::Lost => Ok(Ran::Lost),
            Recorded::Stored => {
                if event.is_some() {
                    self.ports().wake.wake();
                }
                Ok(ran)
            }
        }
    }
}

impl Attempt<'_> {
    /// Takes step after step until the post is live, the network wants time, or a step fails.
    async fn run(&mut self) -> Result<End, StoreError> {
        if let Some(expires_at) = self.job.credentials.expires_at
            && expires_at <= self.job.now + REFRESH_AHEAD
        {
            match self.refresh().await? {
                Recovery::GoOn => {}
                // The old token may still do; only a definite refusal ends the attempt here.
                Recovery::WaitUntil(until) if expires_at <= self.job.now => {
                    return Ok(End::Waits(until));
                }
                Recovery::Failed(error) if error.kind == NetworkErrorKind::Reconnect => {
                    return Ok(End::Failed(error));
                }
                Recovery::WaitUntil(_) | Recovery::Failed(_) => {}
            }
        }
        loop {
            if self.progress.sending {
                match self.locate().await? {
                    Looked::Continue => {}
                    Looked::Again => continue,
                    Looked::End(end) => return Ok(end),
                }
            }
            self.progress.sending = self.network.is_visible(&self.progress.state);
            if self.hold().await? == Recorded::Lost {
                return Ok(End::Lost);
            }
            self.job.now = self.scheduler.ports().clock.now();
            match self.network.advance(&self.job, &self.progress.state).await {
                Ok(Step::Next(state)) => {
                    self.done(state);
                    self.has_looked = false;
                }
                Ok(Step::Live(remote)) => return Ok(End::Live(remote)),
                Ok(Step::Wait { progress, until }) => {
                    self.done(progress);
                    return Ok(End::Waits(until));
                }
                Err(error) => {
                    if let Some(end) = self.failed(error).await? {
                        return Ok(end);
                    }
                }
            }
        }
    }

    /// Looks up what became of a call whose answer was lost.
    async fn locate(&mut self) -> Result<Looked, StoreError> {
        self.has_looked = true;
        self.job.now = self.scheduler.ports().clock.now();
        match self.network.locate(&self.job, &self.progress.state).await {
            Ok(Located::Live(remote)) => Ok(Looked::End(End::Live(remote))),
            Ok(Located::Continue(state)) => {
                self.done(state);
                Ok(Looked::Continue)
            }
            Ok(Located::Unknown) if self.progress.resend_unknown => {
                self.progress.sending = false;
                self.progress.resend_unknown = false;
                Ok(Looked::Continue)
            }
            Ok(Located::Unknown) => Ok(Looked::End(End::Failed(in_doubt(self.post, &self.job)))),
            Err(error) => match self.recovered(for_now(error)).await? {
                // Nothing is known yet; `sending` is still set, so the look is repeated.
                Recovery::GoOn => Ok(Looked::Again),
                // The look failed, not the call: `sending` stays, and the next attempt looks again.
                Recovery::WaitUntil(until) => Ok(Looked::End(End::Waits(until))),
                Recovery::Failed(error) => Ok(Looked::End(End::Failed(error))),
            },
        }
    }

    /// Decides what follows a failed step; `None` to go on.
    async fn failed(&mut self, error: NetworkError) -> Result<Option<End>, StoreError> {
        let is_open = matches!(error.kind, NetworkErrorKind::InDoubt | NetworkErrorKind::Unsettled);
        if is_open && (!self.progress.sending || self.has_looked) {
            // What nobody can see may be done twice, and one attempt looks once.
            return Ok(Some(End::Failed(for_now(error))));
        }
        match error.kind {
            NetworkErrorKind::InDoubt => Ok(None),
            NetworkErrorKind::Unsettled => self.settled(error).await.map(Some),
            NetworkErrorKind::Temporary
            | NetworkErrorKind::RateLimited { .. }
            | NetworkErrorKind::Permanent
            | NetworkErrorKind::TokenExpired
            | NetworkErrorKind::Reconnect => {
                self.progress.sending = false;
                Ok(match self.recovered(error).await? {
                    Recovery::GoOn => None,
                    Recovery::WaitUntil(until) => Some(End::Waits(until)),
                    Recovery::Failed(error) => Some(End::Failed(error)),
                })
            }
        }
    }

    /// Ends an attempt that the network answered with a fault of its own: live all the same, or a
    /// failure after which the next attempt can go on.
    async fn settled(&mut self, error: NetworkError) -> Result<End, StoreError> {
        loop {
            match self.locate().await? {
                Looked::Again => {}
                Looked::Continue => return Ok(End::Failed(for_now(error))),
                Looked::End(end) => return Ok(end),
            }
        }
    }

    /// Refreshes a token that has run out, once; gives every other error back.
    async fn recovered(&mut self, error: NetworkError) -> Result<Recovery, StoreError> {
        if error.kind != NetworkErrorKind::TokenExpired || self.has_refreshed {
            return Ok(Recovery::Failed(error));
        }
        self.refresh().await
    }

    async fn refresh(&mut self) -> Result<Recovery, StoreError> {
        let stored = StoredCredentials {
            credentials: self.job.credentials.clone(),
            version: self.credentials_version,
        };
        let account = &self.job.account;
        Ok(match self.scheduler.refreshed(&*self.network, account, &stored).await? {
            Refreshed::New(new) => {
                self.has_refreshed = true;
                self.job.credentials = new.credentials;
                self.credentials_version = new.version;
                Recovery::GoOn
            }
            Refreshed::Busy(until) => Recovery::WaitUntil(until),
            Refreshed::Failed(error) => {
                self.has_refreshed = true;
                Recovery::Failed(error)
            }
        })
    }

    /// Stores the progress before the next step, and keeps the work.
    async fn hold(&mut self) -> Result<Recorded, StoreError> {
        self.target.progress = Some(self.progress.clone());
        let now = self.scheduler.ports().clock.now();
        let after = WorkAfter::Held(now + super::LEASE);
        let store = &self.scheduler.ports().store;
        store.record_publish(self.claim, &self.target, None, after, now).await
    }

    fn done(&mut self, state: serde_json::Value) {
        self.progress.state = state;
        self.progress.sending = false;
        self.progress.resend_unknown = false;
    }
}

/// What becomes of a step whose token has run out.
enum Recovery {
    GoOn,
    /// Another holder refreshes it. That is no failure of the target and uses nothing up.
    WaitUntil(DateTime<Utc>),
    Failed(NetworkError),
}

/// What a look at the network leads to.
enum Looked {
    Continue,
    Again,
    End(End),
}

/// A failure that leaves nothing of the post in doubt, whatever became of the call.
pub(super) fn for_now(error: NetworkError) -> NetworkError {
    match error.kind {
        NetworkErrorKind::InDoubt | NetworkErrorKind::Unsettled => {
            NetworkError::new(NetworkErrorKind::Temporary, error.message)
        }
        NetworkErrorKind::Temporary
        | NetworkErrorKind::RateLimited { .. }
        | NetworkErrorKind::Permanent
        | NetworkErrorKind::TokenExpired
        | NetworkErrorKind::Reconnect => error,
    }
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

fn in_doubt(post: &Post, job: &PublishJob) -> NetworkError {
    NetworkError::new(
        NetworkErrorKind::InDoubt,
        format!(
            "The connection to {} broke while post {} went out, and the network offers no way to ask.",
            job.account.label(),
            post.id
        ),
    )
}
