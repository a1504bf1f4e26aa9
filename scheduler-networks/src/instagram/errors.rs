//! What Instagram's errors mean.
//!
//! An error is known by its subcode, else by its code, else by `is_transient` and its status.
//!
//! Source: <https://developers.facebook.com/documentation/instagram-platform/instagram-graph-api/reference/error-codes>.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::platform::instagram::DAY_LIMIT_WAIT;
use scheduler_core::ports::{NetworkError, NetworkErrorKind};

use crate::conversation::Answer;
pub(super) use crate::graph::Described;
use crate::graph::{limit_wait, words};
use crate::refusals::{
    ANY, CONTENT, Effect, PAGE, REFUSED, TROUBLE, Table, When, code_between, codes, rows, says,
    status, subcodes, told,
};

/// How long a rate limit without a figure lasts. Our decision.
const LIMIT_WAIT: TimeDelta = TimeDelta::hours(1);

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
        let refusal = self.refusal(false, None);
        let known = CODES.iter().find(|(when, _)| when.holds(&refusal));
        known.map_or(Meaning::Unknown, |(_, meaning)| *meaning)
    }
}

const CODES: &[(When, Meaning)] = rows! {
    subcodes(&[2_207_003]) => Meaning::Later;
    subcodes(&[2_207_077]).unverified() => Meaning::Later;
    subcodes(&[2_207_001]) => Meaning::Theirs;
    subcodes(&[2_207_020, 2_207_032, 2_207_053, 2_207_082]) => Meaning::NewContainer;
    subcodes(&[2_207_051]) => Meaning::Spam;
    subcodes(&[2_207_042]) => Meaning::DayLimit;
    subcodes(&[2_207_027]) => Meaning::NotReady;
    subcodes(&[2_207_006]) => Meaning::NotFound;
    subcodes(&[2_207_008]) => Meaning::NotFoundYet;
    subcodes(&[2_207_050]) => Meaning::Reconnect;
    subcodes(&[2_207_052]) => Meaning::NotFetched;
    subcodes(&[2_207_004, 2_207_005, 2_207_009, 2_207_010, 2_207_026, 2_207_028, 2_207_035,
        2_207_036, 2_207_037, 2_207_040, 2_207_057, 2_207_073]) => Meaning::Content;
    subcodes(&[2_207_023, 2_207_081]) => Meaning::Refused;
    subcodes(&[2_207_085]).unverified() => Meaning::Refused;
    codes(&[190, 102, 10]) => Meaning::Reconnect;
    code_between(200, 299) => Meaning::Reconnect;
    codes(&[4, 17, 32, 613]) => Meaning::Limited;
    codes(&[80_002]).unverified() => Meaning::Limited;
    codes(&[-1, 1, 2]) => Meaning::Theirs;
    codes(&[-2]) => Meaning::Later;
    codes(&[9]) => Meaning::DayLimit;
    codes(&[9004]) => Meaning::NotFetched;
    codes(&[9007]) => Meaning::NotReady;
    codes(&[24]) => Meaning::NotFound;
    codes(&[25]) => Meaning::Reconnect;
    codes(&[352, 36000, 36001, 36003, 36004]) => Meaning::Content;
    subcodes(&[33]).codes(&[100]) => Meaning::Missing;
    status(&[429]) => Meaning::Limited;
    TROUBLE => Meaning::Theirs;
    // Something in front of the network answered for it.
    PAGE => Meaning::Later;
    status(&[401]) => Meaning::Reconnect;
    ANY.transient() => Meaning::Theirs;
    says(&["param collaborators is not allowed"]) => Meaning::Refused;
};

/// What a meaning is for a call, and the sentence. [`RECONNECT`] has those of the others.
const TOLD: &[(Meaning, Effect, &str)] = rows! {
    Meaning::Limited => Effect::Limited(Some(LIMIT_WAIT)),
        "Instagram takes no more calls from this account for now. Instagram says: {said}";
    Meaning::DayLimit => Effect::Limited(Some(DAY_LIMIT_WAIT)),
        "The account has published as many posts within 24 hours as Instagram allows; this one goes out when there is room. Instagram says: {said}";
    Meaning::Spam => Effect::Limited(Some(SPAM_WAIT)),
        "Instagram has blocked publishing for this account for a while, as it does against spam. Instagram says: {said}";
    Meaning::Content => CONTENT,
        "Instagram refuses the post: {said} Change the post or its files, then retry.";
    Meaning::Refused => REFUSED, "Instagram refused: {said}{trace}";
    Meaning::NotFound => REFUSED, "Instagram refused: {said}{trace}";
    Meaning::Missing => REFUSED,
        "It does not exist on Instagram any more, or the account may not reach it: {said}";
    Meaning::Theirs => Effect::Failed, "Instagram failed: {said}{trace}";
    Meaning::NotFetched => Effect::Temporary,
        "Instagram could not fetch the file; is the public address of this server reachable? It says: {said}";
    Meaning::NotReady => Effect::Temporary, "Instagram still works on the files: {said}";
    Meaning::NewContainer => Effect::Temporary,
        "Instagram could not use what was prepared for the post: {said}";
    Meaning::NotFoundYet => Effect::Temporary,
        "Instagram could not use what was prepared for the post: {said}";
    Meaning::Later => Effect::Temporary, "Instagram could not do it now: {said}";
    Meaning::Unknown => Effect::Temporary,
        "Instagram gave an error that is not described: {said}{trace}";
};

const RESTRICTED: &str = "Instagram has restricted the account. Log in to Instagram's app, settle it there, and connect the account again: {said}";
const NOT_ALLOWED: &str = "The account has not been allowed to do this. Connect it again and allow everything that is asked: {said}";

/// Why an account is to be connected again.
const RECONNECT: Table = Table {
    rows: rows! {
        codes(&[25]) => Effect::Reconnect, RESTRICTED;
        subcodes(&[2_207_050]) => Effect::Reconnect, RESTRICTED;
        codes(&[10]) => Effect::Reconnect, NOT_ALLOWED;
        code_between(200, 299) => Effect::Reconnect, NOT_ALLOWED;
    },
    unknown: (
        Effect::Reconnect,
        "Instagram does not let this account in any more. Connect it again: {said}",
    ),
};

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
    if is_not_allowed(&Described::read(answer)) { error.of_act() } else { error }
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
    let refusal = described.refusal(is_visible, wait);
    match told(TOLD, described.meaning()) {
        Some((effect, sentence)) => refusal.failure(effect, sentence),
        None => RECONNECT.failure(&refusal),
    }
}

/// The failure for a success that cannot be read; a visible call may have done its work.
pub(super) fn unreadable(is_visible: bool) -> NetworkError {
    let kind = if is_visible { NetworkErrorKind::InDoubt } else { NetworkErrorKind::Temporary };
    NetworkError::new(kind, "Instagram took the call, but its answer cannot be read.")
}

fn reconnect(described: &Described) -> NetworkError {
    RECONNECT.failure(&described.refusal(false, None))
}

#[cfg(test)]
#[path = "errors_tests.rs"]
mod tests;
