//! What Instagram's errors mean.
//!
//! An error is known by its subcode, else by its code, else by `is_transient` and its status.
//!
//! Source: <https://developers.facebook.com/documentation/instagram-platform/instagram-graph-api/reference/error-codes>.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ports::{NetworkError, NetworkErrorKind};
use scheduler_core::target::FailureCode;

use crate::conversation::Answer;
pub(super) use crate::graph::Described;
use crate::graph::{limit_wait, words};
use crate::quotations::without_quotations;

/// How long a rate limit without a figure lasts, and the limit of posts a day, which frees a
/// place whenever a post of the day before is older than 24 hours. Our decision.
const LIMIT_WAIT: TimeDelta = TimeDelta::hours(1);
const DAY_LIMIT_WAIT: TimeDelta = TimeDelta::hours(3);

/// How long an account that was taken for a spammer is left alone.
const SPAM_WAIT: TimeDelta = TimeDelta::hours(24);

/// What an error means for a container and its publishing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// Nothing was done; the same call may do later.
    Later,
    /// The container is spent; another one is needed.
    NewContainer,
    /// The network could not fetch a file by its link.
    NotFetched,
    /// The container is still being processed.
    NotReady,
    /// The container is not known, or not yet.
    NotFoundYet,
    /// The container is not known.
    NotFound,
    /// The network failed; what it had done by then is not known.
    Theirs,
    /// The posts of the day are used up.
    DayLimit,
    /// Too many calls.
    Limited,
    /// The account was taken for a spammer.
    Spam,
    /// The content is refused.
    Content,
    /// The call is refused for another reason.
    Refused,
    /// What the call is about does not exist, or is not ours.
    Missing,
    /// A person has to connect the account again.
    Reconnect,
    /// An error that nobody has described.
    Unknown,
}

impl Described {
    /// The error of a container that could not be processed, whose text holds a subcode.
    pub(super) fn of_status(text: &str) -> Self {
        let subcode = text.match_indices("22070").find_map(|(at, _)| {
            let digits = text.get(at..at + 7)?;
            digits.parse::<i64>().ok()
        });
        Self { subcode, message: words(text), status: 400, ..Self::default() }
    }

    /// What it means.
    pub(super) fn meaning(&self) -> Meaning {
        let by_subcode = self.subcode.and_then(by_subcode);
        let by_code = || self.code.and_then(|code| by_code(code, self.subcode));
        by_subcode.or_else(by_code).unwrap_or_else(|| self.by_status())
    }

    fn by_status(&self) -> Meaning {
        match self.status {
            429 => Meaning::Limited,
            408 | 500.. => Meaning::Theirs,
            // Something in front of the network answered for it.
            _ if self.is_page => Meaning::Later,
            401 => Meaning::Reconnect,
            _ if self.is_transient => Meaning::Theirs,
            _ if without_quotations(&self.message)
                .contains("param collaborators is not allowed") =>
            {
                Meaning::Refused
            }
            _ => Meaning::Unknown,
        }
    }
}

fn by_subcode(subcode: i64) -> Option<Meaning> {
    Some(match subcode {
        2_207_003 | 2_207_077 => Meaning::Later,
        2_207_001 => Meaning::Theirs,
        2_207_020 | 2_207_032 | 2_207_053 | 2_207_082 => Meaning::NewContainer,
        2_207_051 => Meaning::Spam,
        2_207_042 => Meaning::DayLimit,
        2_207_027 => Meaning::NotReady,
        2_207_006 => Meaning::NotFound,
        2_207_008 => Meaning::NotFoundYet,
        2_207_050 => Meaning::Reconnect,
        2_207_052 => Meaning::NotFetched,
        2_207_004 | 2_207_005 | 2_207_009 | 2_207_010 | 2_207_026 | 2_207_028 | 2_207_035
        | 2_207_036 | 2_207_037 | 2_207_040 | 2_207_057 => Meaning::Content,
        2_207_023 | 2_207_081 | 2_207_085 => Meaning::Refused,
        _ => return None,
    })
}

fn by_code(code: i64, subcode: Option<i64>) -> Option<Meaning> {
    Some(match (code, subcode) {
        (190 | 102 | 10 | 200..=299, _) => Meaning::Reconnect,
        (4 | 17 | 32 | 613 | 80002, _) => Meaning::Limited,
        (-1 | 1 | 2, _) => Meaning::Theirs,
        (-2, _) => Meaning::Later,
        (9, _) => Meaning::DayLimit,
        (9004, _) => Meaning::NotFetched,
        (9007, _) => Meaning::NotReady,
        (24, _) => Meaning::NotFound,
        (25, _) => Meaning::Reconnect,
        (352 | 36000 | 36001 | 36003 | 36004, _) => Meaning::Content,
        (100, Some(33)) => Meaning::Missing,
        _ => return None,
    })
}

/// What an answer that is no success means for a call. `is_visible` says whether others could see
/// what the call does; `now` helps where the network tells no time.
pub(super) fn failure(
    answer: &Answer,
    is_visible: bool,
    now: Option<DateTime<Utc>>,
) -> NetworkError {
    let described = Described::read(answer);
    described_failure(&described, is_visible, limit_wait(answer, now))
}

/// True when the account has not been allowed what was asked for.
pub(super) fn is_not_allowed(described: &Described) -> bool {
    matches!(described.code, Some(10 | 200..=299)) && described.meaning() == Meaning::Reconnect
}

/// The same for a call after publishing. What it has not been allowed says nothing of publishing,
/// which goes on.
pub(super) fn failure_after(answer: &Answer, is_visible: bool, now: DateTime<Utc>) -> NetworkError {
    let error = failure(answer, is_visible, Some(now));
    match is_not_allowed(&Described::read(answer)) {
        true => NetworkError::new(NetworkErrorKind::Permanent, error.message),
        false => error,
    }
}

/// The same for a call to the account itself, which is gone or closed to us when it is missing.
pub(super) fn account_failure(answer: &Answer, now: Option<DateTime<Utc>>) -> NetworkError {
    let described = Described::read(answer);
    if described.meaning() == Meaning::Missing {
        return reconnect(&described);
    }
    described_failure(&described, false, limit_wait(answer, now))
}

/// What an error means, where the network wants to be left alone for `wait`.
pub(super) fn described_failure(
    described: &Described,
    is_visible: bool,
    wait: Option<TimeDelta>,
) -> NetworkError {
    use NetworkErrorKind as Kind;
    let said = described.said();
    let limited = |wait: TimeDelta, message: &str| {
        let message = format!("{message} Instagram says: {said}");
        NetworkError::new(Kind::RateLimited { wait: Some(wait) }, message)
    };
    let permanent = |message: String| NetworkError::new(Kind::Permanent, message);
    let temporary = |message: String| {
        NetworkError::new(Kind::Temporary, message).with_code(FailureCode::NetworkError)
    };
    match described.meaning() {
        Meaning::Limited => limited(
            wait.unwrap_or(LIMIT_WAIT),
            "Instagram takes no more calls from this account for now.",
        ),
        Meaning::DayLimit => limited(
            wait.unwrap_or(DAY_LIMIT_WAIT),
            "The account has published as many posts within 24 hours as Instagram allows; this one goes out when there is room.",
        ),
        Meaning::Spam => limited(
            wait.unwrap_or(SPAM_WAIT),
            "Instagram has blocked publishing for this account for a while, as it does against spam.",
        ),
        Meaning::Reconnect => reconnect(described),
        Meaning::Content => permanent(format!(
            "Instagram refuses the post: {said} Change the post or its files, then retry."
        ))
        .with_code(FailureCode::ValidationFailed),
        Meaning::Refused | Meaning::NotFound => {
            permanent(format!("Instagram refused: {}", described.said_with_trace()))
        }
        Meaning::Missing => permanent(format!(
            "It does not exist on Instagram any more, or the account may not reach it: {said}"
        )),
        Meaning::Theirs => {
            let kind = if is_visible { Kind::Unsettled } else { Kind::Temporary };
            let said = described.said_with_trace();
            NetworkError::new(kind, format!("Instagram failed: {said}"))
                .with_code(FailureCode::NetworkError)
        }
        Meaning::NotFetched => temporary(format!(
            "Instagram could not fetch the file; is the public address of this server reachable? It says: {said}"
        )),
        Meaning::NotReady => temporary(format!("Instagram still works on the files: {said}")),
        Meaning::NewContainer | Meaning::NotFoundYet => {
            temporary(format!("Instagram could not use what was prepared for the post: {said}"))
        }
        Meaning::Later => temporary(format!("Instagram could not do it now: {said}")),
        Meaning::Unknown => temporary(format!(
            "Instagram gave an error that is not described: {}",
            described.said_with_trace()
        )),
    }
}

/// The failure for a success that cannot be read; a visible call may have done its work.
pub(super) fn unreadable(is_visible: bool) -> NetworkError {
    let kind = if is_visible { NetworkErrorKind::InDoubt } else { NetworkErrorKind::Temporary };
    NetworkError::new(kind, "Instagram took the call, but its answer cannot be read.")
}

fn reconnect(described: &Described) -> NetworkError {
    let said = described.said();
    let message = match (described.code, described.subcode) {
        (Some(25), _) | (_, Some(2_207_050)) => format!(
            "Instagram has restricted the account. Log in to Instagram's app, settle it there, and connect the account again: {said}"
        ),
        (Some(10 | 200..=299), _) => format!(
            "The account has not been allowed to do this. Connect it again and allow everything that is asked: {said}"
        ),
        _ => format!("Instagram does not let this account in any more. Connect it again: {said}"),
    };
    NetworkError::new(NetworkErrorKind::Reconnect, message)
}

#[cfg(test)]
#[path = "errors_tests.rs"]
mod tests;
