//! One attempt at one target: step after step, with a look wherever an answer was lost.

use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};

use super::refresh::{REFRESH_AHEAD, Refreshed};
use crate::app::Scheduler;
use crate::ports::{
    Claim, Live, Located, Network, NetworkError, NetworkErrorKind, PublishJob, Recorded, Step,
    StoreError, StoredCredentials, WorkAfter,
};
use crate::post::Post;
use crate::target::{Progress, Target, VisibleCall};

/// How long it may take to store that a call begins: 3 seconds. The lease lasts that much longer
/// than the call; what took longer is stored anew before anything is sent.
///
/// Source: our decision.
const HELD_WITHIN: TimeDelta = TimeDelta::seconds(3);

/// How often one attempt puts a call off.
const DELAYS_MAX: u32 = 5;

/// One attempt at one target, while a claim on it is held.
pub(super) struct Attempt<'a> {
    pub(super) scheduler: &'a Scheduler,
    pub(super) claim: &'a Claim,
    pub(super) post: &'a Post,
    pub(super) network: Arc<dyn Network>,
    pub(super) job: PublishJob,
    pub(super) credentials_version: i64,
    pub(super) target: Target,
    pub(super) progress: Progress,
    /// One attempt looks up the lost answer of a step once, and refreshes a token once.
    pub(super) has_looked: bool,
    pub(super) has_refreshed: bool,
    /// A call of the present step may have been done, and nothing has settled it yet.
    pub(super) is_open: bool,
    /// The network is asked before the step is taken.
    pub(super) must_look: bool,
    /// When the latest look was answered.
    pub(super) looked_at: Option<DateTime<Utc>>,
    /// How often a call was put off because too much time had passed before it.
    pub(super) delays: u32,
}

/// How an attempt ended.
pub(super) enum End {
    Live(Live),
    Waits(DateTime<Utc>),
    Failed(NetworkError),
    /// The claim is not the current one any more.
    Lost,
}

impl Attempt<'_> {
    /// Takes step after step until the post is live, the network wants time, or a step fails.
    pub(super) async fn run(&mut self) -> Result<End, StoreError> {
        if let Some(expires_at) = self.job.credentials.expires_at
            && expires_at <= self.job.now + REFRESH_AHEAD
        {
            match self.refresh().await? {
                Recovery::GoOn => {}
                // The old token may still do until it has run out.
                Recovery::WaitUntil(until) if expires_at <= self.job.now => {
                    return Ok(End::Waits(until));
                }
                Recovery::Failed(error)
                    if expires_at <= self.job.now || error.kind == NetworkErrorKind::Reconnect =>
                {
                    return Ok(End::Failed(error));
                }
                Recovery::WaitUntil(_) | Recovery::Failed(_) => {}
            }
        }
        loop {
            if self.must_look {
                match self.locate().await? {
                    Looked::Continue => {}
                    Looked::Again => continue,
                    Looked::Early(ends_at) => return Ok(End::Waits(ends_at)),
                    Looked::End(end) => return Ok(end),
                }
            }
            let is_visible = self.network.is_visible(&self.progress.state);
            if self.hold(is_visible).await? == Recorded::Lost {
                return Ok(End::Lost);
            }
            if is_visible && self.has_waited() {
                if self.delays == DELAYS_MAX {
                    self.progress.sending = self.is_open;
                    return Ok(End::Failed(too_slow()));
                }
                self.delays += 1;
                self.must_look = self.is_open;
                continue;
            }
            match self.network.advance(&self.job, &self.progress.state).await {
                Ok(Step::Next(state)) => {
                    self.done(state);
                    self.has_looked = false;
                }
                Ok(Step::Live(live)) => return Ok(End::Live(live)),
                Ok(Step::Wait { progress, until }) => {
                    self.done(progress);
                    return Ok(End::Waits(until));
                }
                Err(error) => {
                    if let Some(end) = self.failed(error, is_visible).await? {
                        return Ok(end);
                    }
                }
            }
        }
    }

    /// Looks up what became of a call whose answer was lost. While that call may still be under
    /// way the look can find the post, and settles nothing else.
    async fn locate(&mut self) -> Result<Looked, StoreError> {
        self.has_looked = true;
        let now = self.scheduler.ports().clock.now();
        self.job.now = now;
        self.progress.call = self.progress.call.map(|call| call.begun_by(now));
        let ends_at = self.progress.call.and_then(|call| call.ends_after(now));
        let located = self.network.locate(&self.job, &self.progress.state).await;
        self.looked_at = Some(self.scheduler.ports().clock.now());
        match (located, ends_at) {
            (Ok(Located::Live(live)), _) => Ok(Looked::End(End::Live(live))),
            (Ok(Located::Continue(state)), _) | (Ok(Located::Absent(state)), None) => {
                self.done(state);
                Ok(Looked::Continue)
            }
            (Ok(Located::Absent(_) | Located::Repeat(_) | Located::Unknown), Some(ends_at)) => {
                Ok(Looked::Early(ends_at))
            }
            (Ok(Located::Repeat(state)), None) => {
                self.progress.state = state;
                self.must_look = false;
                Ok(Looked::Continue)
            }
            (Ok(Located::Wait { progress, until }), _) => {
                self.progress.state = progress;
                Ok(Looked::End(End::Waits(until)))
            }
            (Ok(Located::Unknown), None) if self.progress.resend_unknown => {
                self.done(self.progress.state.clone());
                Ok(Looked::Continue)
            }
            (Ok(Located::Unknown), None) => {
                Ok(Looked::End(End::Failed(in_doubt(self.post, &self.job))))
            }
            (Err(error), _) => match self.recovered(while_open(error)).await? {
                // Nothing is known yet, so the look is repeated.
                Recovery::GoOn => Ok(Looked::Again),
                // The look failed, not the call: `sending` stays, and the next attempt looks again.
                Recovery::WaitUntil(until) => Ok(Looked::End(End::Waits(until))),
                Recovery::Failed(error) => Ok(Looked::End(End::Failed(error))),
            },
        }
    }

    /// Decides what follows a failed step; `None` to go on.
    async fn failed(
        &mut self,
        error: NetworkError,
        was_visible: bool,
    ) -> Result<Option<End>, StoreError> {
        let is_lost = matches!(error.kind, NetworkErrorKind::InDoubt | NetworkErrorKind::Unsettled);
        // What nobody can see may be done twice. An open call stays open, also when its repeat is
        // refused: networks check much before they look at a key.
        self.is_open |= is_lost && was_visible;
        self.progress.sending = self.is_open;
        if is_lost && (!was_visible || self.has_looked) {
            return Ok(Some(End::Failed(for_now(error))));
        }
        match error.kind {
            NetworkErrorKind::InDoubt => {
                self.must_look = true;
                Ok(None)
            }
            NetworkErrorKind::Unsettled => self.settled(error).await.map(Some),
            NetworkErrorKind::Temporary
            | NetworkErrorKind::RateLimited { .. }
            | NetworkErrorKind::Permanent
            | NetworkErrorKind::TokenExpired
            | NetworkErrorKind::Reconnect => {
                let error = if self.is_open { while_open(error) } else { error };
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
                // The network has answered, so this attempt has failed; the next looks again.
                Looked::Continue | Looked::Early(_) => return Ok(End::Failed(for_now(error))),
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
        let (scheduler, network, account) = (self.scheduler, &self.network, &self.job.account);
        let refreshed = scheduler.patiently(|| scheduler.refreshed(network, account, &stored));
        Ok(match refreshed.await? {
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

    /// Stores the progress before the next step, and keeps the work: for as long as a call that
    /// others can see may last, so that nobody else takes it up while it is under way.
    async fn hold(&mut self, is_visible: bool) -> Result<Recorded, StoreError> {
        let scheduler = self.scheduler;
        let now = scheduler.ports().clock.now();
        self.job.now = now;
        let mut lease = super::LEASE;
        self.progress.sending = self.is_open || is_visible;
        if is_visible {
            let lasts = self.network.call_within(&self.job, &self.progress.state) + HELD_WITHIN;
            self.progress.call = Some(VisibleCall::new(now, lasts));
            lease = lease.max(lasts);
        }
        self.target.progress = Some(self.progress.clone());
        let (claim, target, ports) = (self.claim, &self.target, scheduler.ports());
        scheduler
            .patiently(|| {
                // A store that was away for a while would end the lease at once otherwise.
                let now = ports.clock.now();
                let after = WorkAfter::Held(now + lease);
                ports.store.record_publish(claim, target, None, after, now)
            })
            .await
    }

    /// True when storing that the call begins took so long that it would outlast its lease, or when
    /// what a look has allowed is past: as in a process that was stopped meanwhile.
    fn has_waited(&self) -> bool {
        let since = self.looked_at.filter(|_| self.is_open).unwrap_or(self.job.now);
        self.scheduler.ports().clock.now() - since.min(self.job.now) > HELD_WITHIN
    }

    fn done(&mut self, state: serde_json::Value) {
        self.progress.state = state;
        self.progress.sending = false;
        self.progress.call = None;
        self.progress.resend_unknown = false;
        self.is_open = false;
        self.must_look = false;
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
    /// Nothing can be concluded before then.
    Early(DateTime<Utc>),
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

/// A failure of a look, or of the repeat of a call whose answer was lost. A refusal says nothing of
/// that call, so the next attempt looks again.
fn while_open(error: NetworkError) -> NetworkError {
    match error.kind {
        NetworkErrorKind::Permanent => {
            NetworkError::new(NetworkErrorKind::Temporary, error.message)
        }
        _ => for_now(error),
    }
}

fn too_slow() -> NetworkError {
    let message = "The server was too slow to begin a call in time. Nothing was sent.";
    NetworkError::new(NetworkErrorKind::Temporary, message)
}

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
