//! Who is told how calls and operations went, such as to count and time them.

use std::fmt;
use std::time::Duration;

use crate::platform::Platform;

/// What became of one request to a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum CallClass {
    /// The network answered with a status of 200 to 299, or less.
    Succeeded,
    /// It answered with a status of 300 to 399.
    Redirected,
    /// It answered that we ask too often, with the status 429.
    RateLimited,
    /// It refused, with another status of 400 to 499.
    Refused,
    /// It failed, with a status from 500 on.
    Failed,
    /// It could not be reached: nothing was sent.
    Unreachable,
    /// The request left, and its answer was lost, or nobody waited for it any more.
    Lost,
    /// The request was not made, such as for its address or its file.
    NotMade,
}

impl CallClass {
    /// Every class. Tables in tests run over it.
    pub const ALL: [Self; 8] = [
        Self::Succeeded,
        Self::Redirected,
        Self::RateLimited,
        Self::Refused,
        Self::Failed,
        Self::Unreachable,
        Self::Lost,
        Self::NotMade,
    ];

    /// The class of an answer, by its status.
    #[must_use]
    pub const fn of_status(status: u16) -> Self {
        match status {
            0..=299 => Self::Succeeded,
            300..=399 => Self::Redirected,
            429 => Self::RateLimited,
            400..=499 => Self::Refused,
            500.. => Self::Failed,
        }
    }

    /// The name in metrics.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Succeeded => "succeeded",
            Self::Redirected => "redirected",
            Self::RateLimited => "rate_limited",
            Self::Refused => "refused",
            Self::Failed => "failed",
            Self::Unreachable => "unreachable",
            Self::Lost => "lost",
            Self::NotMade => "not_made",
        }
    }
}

/// One request to a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NetworkCall {
    /// The network.
    pub platform: Platform,
    /// What it was part of: the name of a method of [`Network`](super::Network) or
    /// [`AfterPublishing`](super::AfterPublishing).
    pub operation: &'static str,
    /// What became of it.
    pub class: CallClass,
    /// How long it took, the reading of its answer included.
    pub took: Duration,
}

/// One operation of a store.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoreCall {
    /// Its name in the store.
    pub operation: &'static str,
    /// False when the store failed.
    pub succeeded: bool,
    /// How long it took, waiting for its turn and for the commit included.
    pub took: Duration,
}

/// Is told how calls and operations went. Its methods are called on the way of what they tell of,
/// so they must be quick and never wait.
pub trait Observer: Send + Sync + fmt::Debug {
    /// A request to a network has ended.
    fn called_network(&self, _call: &NetworkCall) {}

    /// An operation of the store has ended.
    fn called_store(&self, _call: &StoreCall) {}

    /// The credentials of an account were exchanged for new ones, or could not be; `failure` is
    /// the name of the kind of its error.
    fn refreshed_token(&self, _platform: Platform, _failure: Option<&'static str>) {}
}

/// Takes notice of nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl Observer for Unobserved {}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn statuses() {
        for (status, want) in [
            (0, CallClass::Succeeded),
            (200, CallClass::Succeeded),
            (299, CallClass::Succeeded),
            (300, CallClass::Redirected),
            (399, CallClass::Redirected),
            (400, CallClass::Refused),
            (401, CallClass::Refused),
            (428, CallClass::Refused),
            (429, CallClass::RateLimited),
            (430, CallClass::Refused),
            (499, CallClass::Refused),
            (500, CallClass::Failed),
            (599, CallClass::Failed),
            (u16::MAX, CallClass::Failed),
        ] {
            assert_eq!(CallClass::of_status(status), want, "{status}");
        }
    }

    #[test]
    fn every_class_has_a_name_of_its_own() {
        let names: BTreeSet<&str> = CallClass::ALL.into_iter().map(CallClass::as_str).collect();
        assert_eq!(names.len(), CallClass::ALL.len());
    }
}
