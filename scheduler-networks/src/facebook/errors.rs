//! What Facebook's errors mean.
//!
//! An error is known by its subcode, else by its code, else by `is_transient` and its status.
//!
//! Source: <https://developers.facebook.com/docs/graph-api/guides/error-handling/>; the subcodes
//! without a page of their own are those that clients have met.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::platform::facebook::LIMIT_WAIT;
use scheduler_core::ports::{NetworkError, NetworkErrorKind};
use scheduler_core::target::FailureCode;
use serde_json::Value;

use super::wire::{Offsets, PhaseError};
use crate::conversation::Answer;
pub(super) use crate::graph::Described;
use crate::graph::{limit_wait, words};
use crate::refusals::{
    ANY, CONTENT, Effect, PAGE, REFUSED, Refusal, TROUBLE, Table, When, code_between, codes, rows,
    status, subcodes, told,
};

/// How long a Page that was blocked by policy is left alone.
const BLOCK_WAIT: TimeDelta = TimeDelta::hours(24);

/// What an error means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Meaning {
    /// The network failed; what it had done by then is not known.
    Theirs,
    /// Nothing was done; the same call may do later.
    Later,
    /// Too many calls.
    Limited,
    /// Blocked for now by policy.
    Blocked,
    /// A person has to connect the Page again.
    Reconnect,
    /// The text is that of the last post.
    Duplicate,
    /// The photos are part of a post already.
    AlreadyPosted,
    /// The page behind the link could not be read.
    NoPreview,
    /// The bytes do not begin where the network goes on.
    WrongOffset,
    /// The upload is spoiled; another one is needed.
    NewUpload,
    /// The network could not fetch a file by its link.
    NotFetched,
    /// The content is refused.
    Content,
    /// The owner has to settle something at Facebook.
    Restricted,
    /// What the call is about does not exist, or is not ours.
    Missing,
    /// The call is refused for another reason.
    Refused,
    /// An error that nobody has described.
    Unknown,
}

/// The network's sentence begins with that of a missing role. Words further on may be quoted from
/// the post.
const ROLE: &str = "a missing role";

const CODES: &[(When, Meaning)] = rows! {
    subcodes(&[33]).codes(&[100]) => Meaning::Missing;
    subcodes(&[458, 459, 460, 463, 464, 467, 492]).codes(&[102, 190]) => Meaning::Reconnect;
    subcodes(&[1_363_005, 1_363_042]) => Meaning::Reconnect;
    subcodes(&[1_404_078]).unverified() => Meaning::Reconnect;
    subcodes(&[1_366_051]).unverified() => Meaning::AlreadyPosted;
    subcodes(&[1_390_008]).unverified() => Meaning::Limited;
    subcodes(&[1_609_005]) => Meaning::NoPreview;
    subcodes(&[1_363_047, 1_609_010]).unverified() => Meaning::Later;
    subcodes(&[1_363_037]) => Meaning::WrongOffset;
    subcodes(&[1_363_019, 1_363_021, 1_363_030, 1_363_033, 1_363_041, 1_363_045]) =>
        Meaning::NewUpload;
    subcodes(&[1_363_022, 1_363_023, 1_363_024, 1_363_025, 1_363_026, 1_363_031, 1_363_032]) =>
        Meaning::Content;
    subcodes(&[1_366_046, 1_346_003, 1_404_102, 1_609_008, 2_061_006, 1_349_125, 2_069_019])
        .unverified() => Meaning::Content;
    subcodes(&[1_404_112, 1_404_006, 4_854_002]).unverified() => Meaning::Restricted;
    codes(&[1, 2]) => Meaning::Theirs;
    codes(&[4, 17, 32, 341, 613, 80_001]) => Meaning::Limited;
    codes(&[368]) => Meaning::Blocked;
    codes(&[102, 190, 10]) => Meaning::Reconnect;
    code_between(200, 299) => Meaning::Reconnect;
    // The role or the scope is missing, under the code of a wrong parameter.
    codes(&[100]).named(&[ROLE]) => Meaning::Reconnect;
    code_between(i64::MIN, i64::MAX).transient() => Meaning::Theirs;
    codes(&[100]) => Meaning::Refused;
    codes(&[506]) => Meaning::Duplicate;
    codes(&[382, 6000, 6001]) => Meaning::Content;
    codes(&[324]).unverified() => Meaning::Content;
    codes(&[389]) => Meaning::NotFetched;
    status(&[429]) => Meaning::Limited;
    TROUBLE => Meaning::Theirs;
    // Something in front of the network answered for it.
    PAGE => Meaning::Later;
    status(&[401]) => Meaning::Reconnect;
    ANY.transient() => Meaning::Theirs;
};

/// What a meaning is for a call, and the sentence. [`RECONNECT`] has those of the others.
const TOLD: &[(Meaning, Effect, &str)] = rows! {
    Meaning::Limited => Effect::Limited(Some(LIMIT_WAIT)),
        "Facebook takes no more calls for this Page for now. Facebook says: {said}";
    Meaning::Blocked => Effect::Limited(Some(BLOCK_WAIT)),
        "Facebook has blocked this for the Page for a while, as its policies say. Facebook says: {said}";
    Meaning::Duplicate => CONTENT,
        "Facebook refuses the same text twice in a row. Change the text, then retry.";
    Meaning::Content => CONTENT,
        "Facebook refuses the post: {said} Change the post or its files, then retry.";
    Meaning::NoPreview => Effect::Temporary,
        "Facebook could not read the page behind the link: {said}";
    Meaning::Restricted => REFUSED,
        "Facebook has restricted the account. Open Facebook and settle it there, then retry: {said}";
    Meaning::AlreadyPosted => REFUSED,
        "Facebook says that these photos are part of a post already: {said} Look at the Page.";
    Meaning::Refused => REFUSED, "Facebook refused: {said}{trace}";
    Meaning::Missing => REFUSED,
        "It does not exist on Facebook any more, or the Page may not reach it: {said}";
    Meaning::Theirs => Effect::Failed, "Facebook failed: {said}{trace}";
    Meaning::NotFetched => Effect::Temporary,
        "Facebook could not fetch the file; is the public address of this server reachable? It says: {said}";
    Meaning::WrongOffset => Effect::Temporary, "Facebook could not go on with the upload: {said}";
    Meaning::NewUpload => Effect::Temporary, "Facebook could not go on with the upload: {said}";
    Meaning::Later => Effect::Temporary, "Facebook could not do it now: {said}";
    Meaning::Unknown => Effect::Temporary,
        "Facebook gave an error that is not described: {said}{trace}";
};

const NOT_ALLOWED: &str = "The Page has not been allowed to do this, or the person has lost the role on it. Connect it again and allow everything that is asked: {said}";

/// Why a Page is to be connected again.
const RECONNECT: Table = Table {
    rows: rows! {
        subcodes(&[1_404_078]).unverified() => Effect::Reconnect,
            "The Page needs Facebook's publishing authorisation. Complete it in the Page's settings, then connect the Page again: {said}";
        codes(&[100, 10]) => Effect::Reconnect, NOT_ALLOWED;
        subcodes(&[1_363_005, 1_363_042]) => Effect::Reconnect, NOT_ALLOWED;
        code_between(200, 299) => Effect::Reconnect, NOT_ALLOWED;
    },
    unknown: (
        Effect::Reconnect,
        "Facebook does not let this Page in any more. Connect it again: {said}",
    ),
};

/// What an error means.
pub(super) fn meaning(described: &Described) -> Meaning {
    let is_role = described
        .message
        .trim_start_matches("(#100) ")
        .starts_with("No permission to publish the video");
    let names = is_role.then(|| ROLE.to_owned()).into_iter().collect();
    let refusal = Refusal { names, ..described.refusal(false, None) };
    let known = CODES.iter().find(|(when, _)| when.holds(&refusal));
    known.map_or(Meaning::Unknown, |(_, meaning)| *meaning)
}

/// What an answer that is no success means.
pub(super) fn meaning_of(answer: &Answer) -> Meaning {
    meaning(&Described::read(answer))
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

/// The same for something that the Page can do without: where only the permission for it is
/// missing, the Page itself stays connected.
pub(super) fn act_failure(
    answer: &Answer,
    is_visible: bool,
    now: Option<DateTime<Utc>>,
) -> NetworkError {
    let error = failure(answer, is_visible, now);
    if is_not_allowed(&Described::read(answer)) { error.of_act() } else { error }
}

/// Whether the Page may not do this, but may be good for everything else: the token is not what is
/// refused.
pub(super) fn is_not_allowed(described: &Described) -> bool {
    meaning(described) == Meaning::Reconnect && !matches!(described.code, None | Some(102 | 190))
}

/// The same for a call to the Page itself, which is gone or closed to us when it is missing.
pub(super) fn page_failure(answer: &Answer, now: Option<DateTime<Utc>>) -> NetworkError {
    let described = Described::read(answer);
    if meaning(&described) == Meaning::Missing {
        return reconnect(&described);
    }
    act_failure(answer, false, now)
}

/// What an error means, where the network wants to be left alone for `wait`.
fn described_failure(
    described: &Described,
    is_visible: bool,
    wait: Option<TimeDelta>,
) -> NetworkError {
    let refusal = described.refusal(is_visible, wait);
    match told(TOLD, meaning(described)) {
        Some((effect, sentence)) => refusal.failure(effect, sentence),
        None => RECONNECT.failure(&refusal),
    }
}

/// Whether another upload may do where a video could not be processed. The errors of videos stand
/// there without the code that they belong to.
pub(super) fn is_passing(error: Option<&PhaseError>) -> bool {
    let code = error.and_then(|error| error.code);
    let described = Described { code, subcode: code, status: 400, ..Described::default() };
    matches!(
        meaning(&described),
        Meaning::Theirs | Meaning::Later | Meaning::NewUpload | Meaning::WrongOffset
    )
}

/// The failure for a video that could not be processed.
pub(super) fn processing_failure(error: Option<&PhaseError>) -> NetworkError {
    let said = error.map_or_else(String::new, |error| words(&error.message));
    let said = if said.is_empty() { "It does not say why.".to_owned() } else { said };
    let code = error.and_then(|error| error.code).unwrap_or_default();
    let described = Described { code: Some(code), status: 400, ..Described::default() };
    if matches!(meaning(&described), Meaning::Reconnect) {
        return reconnect(&Described { message: said, ..described });
    }
    NetworkError::permanent(format!(
        "Facebook could not process the video: {said} Change the video, then retry."
    ))
    .with_code(FailureCode::ValidationFailed)
}

/// The failure for a success that cannot be read; a visible call may have done its work.
pub(super) fn unreadable(is_visible: bool) -> NetworkError {
    let kind = if is_visible { NetworkErrorKind::InDoubt } else { NetworkErrorKind::Temporary };
    NetworkError::new(kind, "Facebook took the call, but its answer cannot be read.")
}

/// The failure for a call that the network took and did nothing for.
pub(super) fn undone(what: &str) -> NetworkError {
    NetworkError::temporary(format!("Facebook did not {what}, and does not say why."))
}

/// Where the network goes on with an upload, as the refusal of other bytes says.
pub(super) fn expected(answer: &Answer) -> Option<Offsets> {
    let body: Value = answer.json()?;
    let data = body.get("error")?.get("error_data")?;
    match data {
        Value::String(text) => serde_json::from_str(text).ok(),
        other => serde_json::from_value(other.clone()).ok(),
    }
}

fn reconnect(described: &Described) -> NetworkError {
    RECONNECT.failure(&described.refusal(false, None))
}

#[cfg(test)]
#[path = "errors_tests.rs"]
mod tests;
