//! One attempt at one target: step after step, with a look wherever an answer was lost.

use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::refresh::{REFRESH_AHEAD, Refreshed};
use crate::app::Scheduler;
use crate::ports::{
    Claim, Live, Located, Network, NetworkError, NetworkErrorKind, PublishJob, Recorded, Step,
    StoreError, StoredCredentials, WorkAfter,
};
use crate::post::Post;
use crate::target::{Progress, Target};

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
    /// An earlier holder marked its call as sent and recorded nothing more.
    pub(super) was_left: bool,
    /// The network is asked before the step is taken.
    pub(super) must_look: bool,
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
                    Looked::End(end) => return Ok(end),
                }
            }
            let is_visible = self.network.is_visible(&self.progress.state);
            self.progress.sending = self.is_open || is_visible;
            if self.hold().await? == Recorded::Lost {
                return Ok(End::Lost);
            }
            self.job.now = self.scheduler.ports().clock.now();
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

    /// Looks up what became of a call whose answer was lost.
    async fn locate(&mut self) -> Result<Looked, StoreError> {
        self.has_looked = true;
        self.job.now = self.scheduler.ports().clock.now();
        match self.network.locate(&self.job, &self.progress.state).await {
            Ok(Located::Live(live)) => Ok(Looked::End(End::Live(live))),
            // The call of a holder that vanished may still be on its way: that nothing is there
            // yet settles nothing.
            Ok(Located::Continue(state)) if self.was_left && state == self.progress.state => {
                self.must_look = false;
                Ok(Looked::Continue)
            }
            Ok(Located::Continue(state)) => {
                self.done(state);
                Ok(Looked::Continue)
            }
            Ok(Located::Repeat(state)) => {
                self.progress.state = state;
                self.must_look = false;
                Ok(Looked::Continue)
            }
            Ok(Located::Wait { progress, until }) => {
                self.progress.state = progress;
                Ok(Looked::End(End::Waits(until)))
            }
            Ok(Located::Unknown) if self.progress.resend_unknown => {
                self.done(self.progress.state.clone());
                Ok(Looked::Continue)
            }
            Ok(Located::Unknown) => Ok(Looked::End(End::Failed(in_doubt(self.post, &self.job)))),
            Err(error) => match self.recovered(for_now(error)).await? {
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
            | NetworkErrorKind::Reconnect => Ok(match self.recovered(error).await? {
                Recovery::GoOn => None,
                Recovery::WaitUntil(until) => Some(End::Waits(until)),
                Recovery::Failed(error) => Some(End::Failed(error)),
            }),
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
