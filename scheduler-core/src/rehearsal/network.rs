//! The networks of a rehearsal: they answer at once and keep count.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use async_trait::async_trait;
use chrono::{DateTime, NaiveTime, Utc};
use serde_json::{Value, json};

use super::cause::Cause;
use super::counts::{Counts, Use};
use super::report::FindingKind;
use crate::account::{Account, Credentials};
use crate::ids::{AccountId, TargetId};
use crate::platform::{Platform, ThreadPart};
use crate::ports::{
    ApiVersion, ConnectInput, Connected, Located, Network, NetworkError, NetworkErrorKind,
    PublishJob, Step, unsupported,
};
use crate::target::Remote;

/// What the networks of a rehearsal have counted and refused.
#[derive(Default)]
pub(super) struct Seen {
    counts: Counts,
    /// Why targets were refused, the first time and the last.
    causes: BTreeMap<TargetId, (Cause, Cause)>,
    /// When the tokens ended that could not be renewed.
    ended: BTreeMap<AccountId, DateTime<Utc>>,
}

/// The same, shared by all networks of a rehearsal.
#[derive(Clone, Default)]
pub(super) struct Shared(Arc<Mutex<Seen>>);

impl Shared {
    fn seen(&self) -> MutexGuard<'_, Seen> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Counts what went out before the rehearsal.
    pub(super) fn count(&self, used: &Use<'_>, at: DateTime<Utc>) {
        self.seen().counts.add(used, at);
    }

    /// Notes why a target does not go out now.
    pub(super) fn note(&self, target: TargetId, cause: Cause) {
        let causes = &mut self.seen().causes;
        causes.entry(target).and_modify(|(_, last)| *last = cause).or_insert((cause, cause));
    }

    /// Why a target was refused, the first time and the last.
    pub(super) fn causes(&self, target: TargetId) -> Option<(Cause, Cause)> {
        self.seen().causes.get(&target).copied()
    }

    /// When the token of an account ended that could not be renewed.
    pub(super) fn token_ended(&self, account: AccountId) -> Option<DateTime<Utc>> {
        self.seen().ended.get(&account).copied()
    }
}

/// One network.
pub(super) struct Imitation {
    pub(super) platform: Platform,
    pub(super) shared: Shared,
    /// The accounts whose tokens cannot be renewed.
    pub(super) unrenewed: Vec<AccountId>,
    pub(super) version: Option<ApiVersion>,
}

fn part(progress: &Value) -> usize {
    progress["part"].as_u64().and_then(|part| usize::try_from(part).ok()).unwrap_or_default()
}

#[async_trait]
impl Network for Imitation {
    async fn connect(&self, _: &ConnectInput) -> Result<Vec<Connected>, NetworkError> {
        Err(unsupported(self.platform))
    }

    fn begin(&self, _: &PublishJob) -> Value {
        json!({ "part": 0 })
    }

    fn is_visible(&self, _: &Value) -> bool {
        true
    }

    async fn advance(&self, job: &PublishJob, progress: &Value) -> Result<Step, NetworkError> {
        let fails = |kind, words: &str| Err(NetworkError::new(kind, words));
        let retires_on = self.version.as_ref().and_then(|version| version.retires_on);
        let ends_at = retires_on.map(|day| day.and_time(NaiveTime::MIN).and_utc());
        if let Some(ends_at) = ends_at.filter(|at| *at <= job.now) {
            self.shared.note(job.target_id, Cause::until(FindingKind::ApiVersion, ends_at));
            return fails(NetworkErrorKind::Permanent, "The version has ended.");
        }
        let part = part(progress);
        let files = job.files_by_part().filter(|(of, _)| *of == part);
        let used = Use {
            platform: self.platform,
            account: job.account.id,
            options: &job.options,
            part,
            files: files.map(|(_, file)| file.facts.kind).collect(),
        };
        let taken = self.shared.seen().counts.take(&used, job.now);
        if let Err(full) = taken {
            self.shared.note(job.target_id, Cause::limit(self.platform, full.limit));
            let kind = NetworkErrorKind::RateLimited { wait: Some(full.wait) };
            return fails(kind, "The network takes no more until its limit has room.");
        }
        if part < ThreadPart::all(self.platform, &job.options).len() {
            return Ok(Step::Next(json!({ "part": part + 1 })));
        }
        Ok(Step::Live(Remote::new(job.target_id.to_string(), None).into()))
    }

    async fn locate(&self, _: &PublishJob, progress: &Value) -> Result<Located, NetworkError> {
        Ok(Located::Absent(progress.clone()))
    }

    fn live_part(&self, _: &Value) -> Option<Remote> {
        None
    }

    async fn refresh(
        &self,
        account: &Account,
        credentials: &Credentials,
    ) -> Result<Credentials, NetworkError> {
        if self.unrenewed.contains(&account.id) {
            if let Some(ends_at) = credentials.expires_at {
                self.shared.seen().ended.insert(account.id, ends_at);
            }
            let words = "The account has to be connected again.";
            return Err(NetworkError::new(NetworkErrorKind::Reconnect, words));
        }
        // It is renewed again whenever it has to be.
        Ok(Credentials::new(credentials.expose().to_owned(), None))
    }
}
