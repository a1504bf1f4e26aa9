//! When the credentials of an account are exchanged for new ones, and what the exchange leads to:
//! ahead of their end, and where the network refuses them, once for whatever is done with them.
//! Pure; [`Scheduler::refreshed`](crate::app::Scheduler) exchanges them.

use chrono::{DateTime, TimeDelta, Utc};

use crate::ports::{NetworkError, NetworkErrorKind, StoredCredentials};

/// Credentials that expire within this time are refreshed before they are used.
const REFRESH_AHEAD: TimeDelta = TimeDelta::minutes(5);

/// Why credentials are exchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Need {
    /// They expire soon, and may still do until then.
    Soon,
    /// They have expired, or the network refuses them.
    Now,
}

impl Need {
    /// The need before credentials are used that expire at this instant; `None` where they last.
    pub(super) fn before_use(
        expires_at: Option<DateTime<Utc>>,
        now: DateTime<Utc>,
    ) -> Option<Self> {
        let expires_at = expires_at.filter(|at| *at <= now + REFRESH_AHEAD)?;
        Some(if expires_at <= now { Self::Now } else { Self::Soon })
    }
}

/// What came of a refresh.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Refreshed<C = StoredCredentials> {
    /// There are new credentials, by this holder's own refresh or another's.
    New(C),
    /// Another holder is refreshing them; look again then.
    Busy(DateTime<Utc>),
    /// There are none.
    Failed(NetworkError),
}

impl Refreshed {
    /// Puts new credentials in the place of the old ones.
    pub(super) fn replace(self, old: &mut StoredCredentials) -> Refreshed<()> {
        match self {
            Self::New(new) => {
                *old = new;
                Refreshed::New(())
            }
            Self::Busy(until) => Refreshed::Busy(until),
            Self::Failed(error) => Refreshed::Failed(error),
        }
    }
}

/// What a refresh leads to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Then {
    /// The network is asked.
    GoOn,
    /// Another holder refreshes the credentials until then. That is no failure and uses nothing up.
    Wait(DateTime<Utc>),
    /// The network cannot be asked.
    Fail(NetworkError),
}

/// Whether credentials can still be exchanged for what is done with them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// Once.
    Original,
    /// They were, or that failed.
    Exchanged,
}

impl Token {
    /// True when the network's refusal calls for a refresh.
    pub(super) fn can_mend(self, error: &NetworkError) -> bool {
        self == Self::Original && error.kind == NetworkErrorKind::TokenExpired
    }

    /// What follows a refresh.
    pub(super) fn refreshed(self, need: Need, refreshed: Refreshed<()>) -> (Self, Then) {
        match (refreshed, need) {
            (Refreshed::New(()), _) => (Self::Exchanged, Then::GoOn),
            (Refreshed::Busy(_), Need::Soon) => (self, Then::GoOn),
            (Refreshed::Busy(until), Need::Now) => (self, Then::Wait(until)),
            (Refreshed::Failed(error), Need::Soon) if error.kind != NetworkErrorKind::Reconnect => {
                (Self::Exchanged, Then::GoOn)
            }
            (Refreshed::Failed(error), _) => (Self::Exchanged, Then::Fail(error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use NetworkErrorKind as Kind;

    #[test]
    fn credentials_are_needed_five_minutes_before_their_end() {
        let now = DateTime::UNIX_EPOCH;
        for (name, expires_in, want) in [
            ("without an end", None, None),
            ("later", Some(301), None),
            ("in five minutes", Some(300), Some(Need::Soon)),
            ("in a second", Some(1), Some(Need::Soon)),
            ("now", Some(0), Some(Need::Now)),
            ("before", Some(-1), Some(Need::Now)),
        ] {
            let expires_at = expires_in.map(|seconds| now + TimeDelta::seconds(seconds));
            assert_eq!(Need::before_use(expires_at, now), want, "{name}");
        }
    }

    #[test]
    fn every_outcome_of_a_refresh() {
        let until = DateTime::UNIX_EPOCH;
        let failed = |kind| Refreshed::Failed(NetworkError::new(kind, "no"));
        let fail = |kind| Then::Fail(NetworkError::new(kind, "no"));
        for (name, need, refreshed, is_exchanged, want) in [
            ("new, soon", Need::Soon, Refreshed::New(()), true, Then::GoOn),
            ("new, now", Need::Now, Refreshed::New(()), true, Then::GoOn),
            ("busy, soon", Need::Soon, Refreshed::Busy(until), false, Then::GoOn),
            ("busy, now", Need::Now, Refreshed::Busy(until), false, Then::Wait(until)),
            ("a fault, soon", Need::Soon, failed(Kind::Temporary), true, Then::GoOn),
            ("a fault, now", Need::Now, failed(Kind::Temporary), true, fail(Kind::Temporary)),
            ("refused, soon", Need::Soon, failed(Kind::Reconnect), true, fail(Kind::Reconnect)),
            ("refused, now", Need::Now, failed(Kind::Reconnect), true, fail(Kind::Reconnect)),
        ] {
            for before in [Token::Original, Token::Exchanged] {
                let after = if is_exchanged { Token::Exchanged } else { before };
                let told = before.refreshed(need, refreshed.clone());
                assert_eq!(told, (after, want.clone()), "{name}, {before:?}");
            }
        }
        let refusal = NetworkError::new(Kind::TokenExpired, "no");
        assert!(Token::Original.can_mend(&refusal));
        assert!(!Token::Exchanged.can_mend(&refusal));
        assert!(!Token::Original.can_mend(&NetworkError::new(Kind::Reconnect, "no")));
    }
}
