//! Why a target does not go out when it is due.

use chrono::{DateTime, Utc};

use super::report::FindingKind;
use crate::platform::{BudgetScope, Platform, PublishingLimit};
use crate::post::Month;
use crate::target::{Failure, FailureCode};

/// Why a target does not go out when it is due.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Cause {
    /// The kind of finding that it makes.
    pub(super) kind: FindingKind,
    /// The limit of the network that has no room, by its place among them.
    pub(super) limit: Option<usize>,
    /// When the token, the version or the month ends.
    pub(super) ends_at: Option<DateTime<Utc>>,
}

impl Cause {
    /// A cause of which there is nothing more to say.
    pub(super) const fn of(kind: FindingKind) -> Self {
        Self { kind, limit: None, ends_at: None }
    }

    /// The end of something, at an instant.
    pub(super) const fn until(kind: FindingKind, at: DateTime<Utc>) -> Self {
        Self { ends_at: Some(at), ..Self::of(kind) }
    }

    /// A limit of a network that has no room, by its place among them.
    pub(super) fn limit(platform: Platform, index: usize) -> Self {
        let kind = match limit(platform, index) {
            Some(PublishingLimit { whose: BudgetScope::App, .. }) => FindingKind::Quota,
            Some(limit) if limit.span.length().num_hours() < 24 => FindingKind::Rate,
            _ => FindingKind::DailyCount,
        };
        Self { limit: Some(index), ..Self::of(kind) }
    }

    /// Why a publish failed for good by an attempt `at` an instant; `refused` is what the network
    /// said last, `token_ended` when the account's token did.
    pub(super) fn of_failure(
        failure: &Failure,
        at: DateTime<Utc>,
        refused: Option<Self>,
        token_ended: Option<DateTime<Utc>>,
    ) -> Self {
        match failure.code {
            FailureCode::AccountNotConnected => match token_ended {
                Some(at) => Self::until(FindingKind::TokenExpires, at),
                None => Self::of(FindingKind::NeedsReconnect),
            },
            FailureCode::ChannelLimit => Self::of(FindingKind::Paused),
            FailureCode::ValidationFailed => Self::of(FindingKind::Rules),
            FailureCode::MediaUnusable => Self::of(FindingKind::Files),
            FailureCode::Unsupported => Self::of(FindingKind::NotOffered),
            // A cap is no network's answer, and ends the publish at once.
            FailureCode::RateLimited if failure.permanent => {
                Self::until(FindingKind::MonthCost, Month::of(at).end())
            }
            FailureCode::RateLimited
            | FailureCode::NotFound
            | FailureCode::NetworkError
            | FailureCode::NetworkRefused
            | FailureCode::InDoubt => refused.unwrap_or(Self::of(FindingKind::Other)),
        }
    }
}

/// A limit of a network, by its place among them.
pub(super) fn limit(platform: Platform, index: usize) -> Option<&'static PublishingLimit> {
    platform.sheet().publishing.get(index)
}
