//! Networks that the engine publishes to beside the rehearsal: they keep the counts of the networks'
//! documentation, written down once more, and refuse tokens and versions that have ended.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

use async_trait::async_trait;
use chrono::{DateTime, NaiveDate, NaiveTime, TimeDelta, Utc};
use scheduler_core::account::{Account, Credentials};
use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    ApiVersion, ConnectInput, Connected, Located, Network, NetworkError, NetworkErrorKind as Kind,
    PublishJob, Step,
};
use scheduler_core::target::Remote;
use serde_json::{Value, json};

/// What a network is in a test.
pub(crate) struct Counting {
    pub(crate) platform: Platform,
    /// The accounts whose tokens cannot be renewed, by what the network calls them.
    pub(crate) unrenewed: BTreeSet<String>,
    pub(crate) version_ends: Option<NaiveDate>,
    /// When posts went out, by account.
    pub(crate) published: Mutex<BTreeMap<String, Vec<DateTime<Utc>>>>,
}

/// How long the network keeps a publish waiting: so many in a time before it, or in a span of that
/// length that the first begins, or a day of Pacific time.
enum Rule {
    Before(usize, TimeDelta, TimeDelta),
    Span(usize, TimeDelta),
    PacificDay(usize),
}

fn rule(platform: Platform) -> Option<Rule> {
    let hours = TimeDelta::hours;
    Some(match platform {
        Platform::Instagram => Rule::Before(100, hours(24), hours(3)),
        Platform::Threads => Rule::Before(250, hours(24), TimeDelta::minutes(150)),
        Platform::Telegram => Rule::Span(20, TimeDelta::minutes(1)),
        Platform::Mastodon => Rule::Span(300, hours(3)),
        Platform::Twitter => Rule::Span(100, TimeDelta::minutes(15)),
        Platform::Youtube => Rule::PacificDay(100),
        _ => return None,
    })
}

impl Counting {
    pub(crate) fn new(platform: Platform) -> Self {
        Self {
            platform,
            unrenewed: BTreeSet::new(),
            version_ends: None,
            published: Mutex::default(),
        }
    }

    fn wait(&self, taken: &[DateTime<Utc>], now: DateTime<Utc>) -> Option<TimeDelta> {
        match rule(self.platform)? {
            Rule::Before(most, per, wait) => {
                let counted = taken.iter().filter(|at| **at > now - per).count();
                (counted >= most).then_some(wait)
            }
            Rule::Span(most, per) => {
                let mut began: Option<(DateTime<Utc>, usize)> = None;
                for at in taken {
                    began = match began {
                        Some((first, count)) if *at < first + per => Some((first, count + 1)),
                        _ => Some((*at, 1)),
                    };
                }
                let (first, count) = began.filter(|(first, _)| now < *first + per)?;
                (count >= most).then(|| first + per - now)
            }
            Rule::PacificDay(most) => {
                // Pacific standard time, in which the tests lie.
                let day = |at: DateTime<Utc>| (at - TimeDelta::hours(8)).date_naive();
                let counted = taken.iter().filter(|at| day(**at) == day(now)).count();
                let midnight = day(now).succ_opt()?.and_time(NaiveTime::MIN).and_utc();
                (counted >= most).then(|| midnight + TimeDelta::hours(8) - now)
            }
        }
    }
}

#[async_trait]
impl Network for Counting {
    fn api_version(&self) -> Option<ApiVersion> {
        let retires_on = self.version_ends?;
        Some(ApiVersion { name: "v1".to_owned(), retires_on: Some(retires_on) })
    }

    async fn connect(&self, _: &ConnectInput) -> Result<Vec<Connected>, NetworkError> {
        unreachable!("accounts are there")
    }

    fn begin(&self, _: &PublishJob) -> Value {
        json!({})
    }

    fn is_visible(&self, _: &Value) -> bool {
        true
    }

    async fn advance(&self, job: &PublishJob, _: &Value) -> Result<Step, NetworkError> {
        let fails = |kind| Err(NetworkError::new(kind, "no"));
        if self.version_ends.is_some_and(|day| day <= job.now.date_naive()) {
            return fails(Kind::Permanent);
        }
        if job.credentials.expires_at.is_some_and(|at| at <= job.now) {
            return fails(Kind::TokenExpired);
        }
        let mut published = self.published.lock().unwrap();
        let whose = match self.platform {
            Platform::Youtube => String::new(),
            _ => job.account.network_id.clone(),
        };
        let taken = published.entry(whose).or_default();
        if let Some(wait) = self.wait(taken, job.now) {
            return fails(Kind::RateLimited { wait: Some(wait) });
        }
        taken.push(job.now);
        Ok(Step::Live(Remote::new(job.target_id.to_string(), None).into()))
    }

    async fn locate(&self, _: &PublishJob, progress: &Value) -> Result<Located, NetworkError> {
        Ok(Located::Absent(progress.clone()))
    }

    fn live_part(&self, _: &Value) -> Option<Remote> {
        None
    }

    fn renews(&self, account: &Account, _: &Credentials) -> bool {
        !self.unrenewed.contains(&account.network_id)
    }

    async fn refresh(
        &self,
        account: &Account,
        old: &Credentials,
    ) -> Result<Credentials, NetworkError> {
        if self.renews(account, old) {
            Ok(Credentials::new(old.expose().to_owned(), None))
        } else {
            Err(NetworkError::new(Kind::Reconnect, "no"))
        }
    }
}
