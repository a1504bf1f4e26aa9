//! What a storm is: how long, of how many targets, with which faults.

use std::collections::BTreeMap;
use std::str::FromStr;
use std::time::{Duration, SystemTime};

use chrono::{DateTime, Utc};

/// Something that goes wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Fault {
    RestartFast,
    RestartImmediate,
    KillPostgres,
    KillBackend,
    TerminateBackends,
    Promote,
    CutConnections,
    StopNode,
    KillNode,
    RestartNode,
    Clock,
    Error500,
    RateLimited,
    Timeout,
    ResetBefore,
    ResetAfter,
    Slow,
    ExpiredToken,
    Permanent,
    ReceiverFails,
    DiskFull,
}

impl Fault {
    const ALL: [(Self, &'static str); 21] = [
        (Self::RestartFast, "restart_fast"),
        (Self::RestartImmediate, "restart_immediate"),
        (Self::KillPostgres, "kill_postgres"),
        (Self::KillBackend, "kill_backend"),
        (Self::TerminateBackends, "terminate_backends"),
        (Self::Promote, "promote"),
        (Self::CutConnections, "cut_connections"),
        (Self::StopNode, "stop_node"),
        (Self::KillNode, "kill_node"),
        (Self::RestartNode, "restart_node"),
        (Self::Clock, "clock"),
        (Self::Error500, "error500"),
        (Self::RateLimited, "rate_limited"),
        (Self::Timeout, "timeout"),
        (Self::ResetBefore, "reset_before"),
        (Self::ResetAfter, "reset_after"),
        (Self::Slow, "slow"),
        (Self::ExpiredToken, "expired_token"),
        (Self::Permanent, "permanent"),
        (Self::ReceiverFails, "receiver_fails"),
        (Self::DiskFull, "disk_full"),
    ];
    pub(crate) const DATABASE: [Self; 7] = [
        Self::RestartFast,
        Self::RestartImmediate,
        Self::KillPostgres,
        Self::KillBackend,
        Self::TerminateBackends,
        Self::Promote,
        Self::CutConnections,
    ];
    pub(crate) const NODE: [Self; 4] =
        [Self::StopNode, Self::KillNode, Self::RestartNode, Self::Clock];
    pub(crate) const NETWORK: [Self; 8] = [
        Self::Error500,
        Self::RateLimited,
        Self::Timeout,
        Self::ResetBefore,
        Self::ResetAfter,
        Self::Slow,
        Self::ExpiredToken,
        Self::Permanent,
    ];

    /// Its name in the table and in `STORM_FAULTS`; that of a network's fault is the
    /// sandbox's own.
    pub(crate) fn name(self) -> &'static str {
        let found = Self::ALL.into_iter().find(|(fault, _)| *fault == self);
        found.expect("all are listed").1
    }
}

/// A storm.
#[derive(Clone, Debug)]
pub(crate) struct Plan {
    pub(crate) seed: u64,
    /// How long faults and posts come.
    pub(crate) length: Duration,
    pub(crate) targets: usize,
    pub(crate) faults: Vec<Fault>,
    /// How many accounts there are of each network.
    pub(crate) accounts: usize,
    /// Whether it has what a network may settle only after five minutes or more.
    pub(crate) waits_long: bool,
    /// How long a node is stopped at most.
    pub(crate) longest_stop: Duration,
    /// How long everything may take to end after the last fault.
    pub(crate) time_limit: Duration,
}

impl Plan {
    /// The storm that the environment asks for: `STORM_MINUTES`,
    /// `STORM_TARGETS`, `STORM_SEED`, and `STORM_FAULTS`, which is
    /// `none` or names of faults with commas between. Without them one minute.
    pub(crate) fn from_environment() -> Self {
        let minutes: f64 = variable("STORM_MINUTES").unwrap_or(1.0);
        let is_long = minutes > 3.0;
        let faults = match std::env::var("STORM_FAULTS") {
            Err(_) => Fault::ALL.map(|(fault, _)| fault).into(),
            Ok(names) if names.is_empty() || names == "all" => {
                Fault::ALL.map(|(fault, _)| fault).into()
            }
            Ok(names) if names == "none" => Vec::new(),
            Ok(names) => {
                let known: BTreeMap<_, _> =
                    Fault::ALL.into_iter().map(|(fault, name)| (name, fault)).collect();
                let named = |name: &str| {
                    let names: Vec<_> = known.keys().collect();
                    *known.get(name.trim()).unwrap_or_else(|| panic!("{name} is none of {names:?}"))
                };
                names.split(',').map(named).collect()
            }
        };
        Self {
            seed: variable("STORM_SEED")
                .unwrap_or_else(|| now().timestamp_micros().unsigned_abs() % 1_000_000),
            length: Duration::from_secs_f64(minutes * 60.0),
            targets: variable("STORM_TARGETS").unwrap_or(if is_long { 2000 } else { 360 }),
            faults,
            accounts: if is_long { 3 } else { 2 },
            longest_stop: Duration::from_secs(if is_long { 60 } else { 20 }),
            waits_long: is_long,
            // Some networks want to be left alone for five minutes; pictures on TikTok are
            // searched for for up to half an hour.
            time_limit: Duration::from_secs(if is_long { 2_400 } else { 480 }),
        }
    }

    /// Those of several faults that are asked for.
    pub(crate) fn of(&self, faults: &[Fault]) -> Vec<Fault> {
        faults.iter().copied().filter(|fault| self.faults.contains(fault)).collect()
    }

    /// The storm about a full disk: a small one on SQLite, beside which nothing else happens.
    pub(crate) fn on_a_full_disk(mut self) -> Self {
        self.targets = (self.targets / 6).max(20);
        self.length = (self.length / 4).max(Duration::from_secs(20));
        self.faults = self.of(&[Fault::DiskFull]);
        self.accounts = 1;
        self
    }
}

fn variable<T: FromStr>(name: &str) -> Option<T> {
    let text = std::env::var(name).ok().filter(|text| !text.is_empty())?;
    Some(text.parse().unwrap_or_else(|_| panic!("{name} is {text}, which is no number")))
}

/// The time of this machine, which no fault shifts.
pub(crate) fn now() -> DateTime<Utc> {
    #[expect(clippy::disallowed_methods, reason = "a caller reads its own clock")]
    SystemTime::now().into()
}
