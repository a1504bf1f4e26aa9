//! What X's errors mean.
//!
//! Most come in the form of problems (RFC 9457), with a type or only with words; gateways answer
//! with the numbers of the first interface.
//!
//! Source: <https://docs.x.com/x-api/fundamentals/response-codes-and-errors>,
//! <https://docs.x.com/x-api/fundamentals/rate-limits> and
//! <https://docs.x.com/x-api/posts/manage-tweets/integrate>.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::platform::twitter::WINDOW;
use scheduler_core::ports::{NetworkError, NetworkErrorKind};
use serde::Deserialize;

use crate::conversation::Answer;
use crate::quotations::shown_words;
use crate::refusals::Effect::{Failed, Limited, Reconnect, Temporary, TokenExpired};
use crate::refusals::{
    CONTENT, PAGE, REFUSED, Refusal, Row, TROUBLE, Table, When, codes, known_of_tokens, named,
    rows, says, status,
};

/// The windows that X's headers tell of.
///
/// Source: <https://docs.x.com/x-api/fundamentals/rate-limits>; those of a day are only seen in
/// answers.
const WINDOWS: [&str; 3] = ["x-rate-limit", "x-user-limit-24hour", "x-app-limit-24hour"];

const CALLS: &str = "X takes no more calls for now. It is tried again later.";

const ERRORS: Table = Table {
    rows: rows! {
        named(&["usage-capped"]) => REFUSED,
            "The application of this server has reached its cap at X. Nothing goes out before the next billing cycle, unless the operator raises it in the developer console{said}";
        status(&[429]) => Limited(Some(WINDOW)), CALLS;
        // It failed somewhere in the middle; what it had done by then is not known.
        TROUBLE => Failed, "X failed: {words}";
        // Something in front of X answered for it.
        PAGE => Temporary, "X could not be reached: status {status}.";
        codes(&[88]) => Limited(Some(WINDOW)), CALLS;
        status(&[401]) => TokenExpired,
            "X does not accept the access token any more: {sentence} Connect the account again.";
        status(&[402]) => REFUSED,
            "The application of this server has no credits at X, or has reached its spending limit. The operator has to top them up in the developer console; retry then{said}";
        status(&[413]) => CONTENT, "A file is too large for X. Send a smaller one{said}";
        status(&[404]) => REFUSED, "It is not on X any more{said}";
        DUPLICATE => CONTENT,
            "X says that this text was posted already. Look at the account, and change the text{said}";
        says(&["reply to this conversation is not allowed", "you can only reply to"]) => REFUSED,
            "X refused the thread continuation: it lets applications answer only whom has spoken to the account{said}";
        says(&["community"]) => CONTENT,
            "X does not take the post into this community. Join it with the account, and check communityId{said}";
        UNSEEN => REFUSED,
            "The part before it is not on X any more, so this one cannot answer it{said}";
        says(&["cashtag"]).unverified() => CONTENT, "X takes one cashtag in a post. Leave the others out{said}";
        says(&["invalid url"]).unverified() => CONTENT, "X does not take a link of this post. Use another{said}";
        codes(&[186]).says(&["text is too long"]).either() => CONTENT,
            "The text is too long for X. Shorten it{said}";
        named(&["user-suspended"]).codes(&[64, 326]).says(&["temporarily locked", "is suspended"])
            .either() => Reconnect,
            "X has suspended or locked this account. Unlock it on X, then connect it again{said}";
        named(&["client-forbidden", "oauth1-permissions"]).says(&["unsupported authentication"])
            .either() => Reconnect,
            "X does not accept this application or its kind of token. The operator has to check the application in the developer console; connect the account again then{said}";
        codes(&[185]).says(&["daily status update limit", "daily limit"]).either() =>
            Limited(Some(WINDOW)),
            CALLS;
        says(&["not permitted to perform this action"]) => REFUSED,
            "X does not permit this: the content, the account or the application is not allowed to. Look at the account, and at the application's permissions{said}";
        FILES_GONE => CONTENT, "X does not know the files of the post any more{said}";
        status(&[400]) => CONTENT, "X refused the call{said}";
    },
    unknown: (Temporary, "X answered with an error that is not known here ({status}){said}"),
};

/// A text that the account has posted already.
const DUPLICATE: When =
    codes(&[187]).says(&["duplicate content", "status is a duplicate"]).either();

/// The post that is answered is gone, or too new to be answered.
const UNSEEN: When = codes(&[385]).says(&["deleted or not visible"]).either();

/// A file that the post shows is not there, or not any more, or cannot be shown.
///
/// Source: <https://github.com/plhery/node-twitter-api-v2/issues/375>.
const FILES_GONE: When = status(&[400]).says(&["media ids are invalid"]);

const ENDED: &str = "The access to the account has ended. Connect it again{said}";

const TOKEN_ERRORS: &[Row] = rows! {
    status(&[400, 401, 403]).named(&["unauthorized_client", "invalid_client"]) => REFUSED,
        "X does not know this server's application. The operator has to check its client id and secret{said}";
    status(&[400]).named(&["invalid_grant"]) => Reconnect, ENDED;
    status(&[400]).named(&["invalid_request"]).says(&["was invalid"]) => Reconnect, ENDED;
};

/// An error in X's own terms.
#[derive(Debug)]
pub(super) struct Fault(Refusal);

#[derive(Deserialize)]
struct Problem {
    title: Option<String>,
    detail: Option<String>,
    #[serde(rename = "type")]
    kind: Option<String>,
    code: Option<i64>,
    message: Option<String>,
    #[serde(default)]
    errors: Vec<Single>,
}

#[derive(Deserialize)]
struct Single {
    code: Option<i64>,
    message: Option<String>,
}

impl Fault {
    /// The error in an answer; `None` when it is something else, such as a proxy's page.
    pub(super) fn of(answer: &Answer) -> Option<Self> {
        let problem: Problem = answer.json()?;
        let kind = problem.kind.unwrap_or_default();
        let kind = kind.rsplit('/').next().unwrap_or_default().to_owned();
        let codes = problem.errors.iter().map(|error| error.code).chain([problem.code]);
        let codes = codes.flatten().collect();
        // What is wrong with which parameter is said by the first of several errors.
        let of_parameter = problem.errors.iter().find_map(|error| error.message.clone());
        let texts = [of_parameter, problem.detail, problem.message, problem.title];
        let texts: Vec<String> =
            texts.into_iter().flatten().filter(|text| !text.is_empty()).collect();
        let said = texts.first().map(|text| shown_words(text)).unwrap_or_default();
        let words =
            if said.is_empty() { format!("status {}", answer.status) } else { said.clone() };
        // The words with a full stop.
        let sentence = format!("{}.", said.trim_end_matches('.'));
        Some(Self(Refusal {
            status: answer.status,
            names: vec![kind],
            codes,
            words: texts.join(" ").to_lowercase(),
            places: vec![("said", after_sentence(&said)), ("words", words), ("sentence", sentence)],
            ..Refusal::default()
        }))
    }

    /// True for a text that the account has posted already.
    pub(super) fn is_duplicate(&self) -> bool {
        DUPLICATE.holds(&self.0)
    }

    /// True when a file that the post shows is not there any more.
    pub(super) fn is_of_files(&self) -> bool {
        FILES_GONE.holds(&self.0)
    }

    /// True when the post that is answered is gone, or too new to be answered.
    pub(super) fn is_unseen(&self) -> bool {
        UNSEEN.holds(&self.0)
    }
}

/// What an answer that is no success means for a call. `is_visible` says whether others could see
/// what the call does; `now` helps where X tells no time.
pub(super) fn failure(
    answer: &Answer,
    is_visible: bool,
    now: Option<DateTime<Utc>>,
) -> NetworkError {
    let of_page = || Refusal {
        status: answer.status,
        is_page: true,
        places: vec![("words", format!("status {}", answer.status))],
        ..Refusal::default()
    };
    let refusal = Fault::of(answer).map_or_else(of_page, |Fault(refusal)| refusal);
    ERRORS.failure(&Refusal { is_visible, wait: limit_wait(answer, now), ..refusal })
}

/// What an answer that is no success means for a call about a file, of which others see nothing.
pub(super) fn failure_of_file(answer: &Answer, now: DateTime<Utc>) -> NetworkError {
    let error = failure(answer, false, Some(now));
    let is_bare = Fault::of(answer).is_some_and(|Fault(refusal)| {
        refusal.status == 403 && refusal.words.split(' ').all(|word| word == "forbidden")
    });
    if !is_bare {
        return error;
    }
    // X says no more than that to a token without the permission.
    // Source: <https://github.com/plhery/node-twitter-api-v2/issues/588>.
    let message = "X takes no files from this account: connect it again, and allow files to be uploaded (media.write).";
    NetworkError::new(NetworkErrorKind::Reconnect, message)
}

/// The failure of a call about a file that was taken, and whose answer says nothing.
pub(super) fn unreadable_file() -> NetworkError {
    NetworkError::temporary("X took a file, but its answer cannot be read.")
}

/// What an answer that is no success means for a call after publishing, of which others saw
/// nothing. What is not allowed there says nothing of publishing: an application that may write
/// need not be allowed to read.
pub(super) fn failure_after(answer: &Answer, now: DateTime<Utc>) -> NetworkError {
    failure(answer, false, Some(now)).of_act()
}

/// What an error of the calls about tokens means.
///
/// Source: <https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code>.
pub(super) fn token_failure(answer: &Answer) -> NetworkError {
    let said = after_sentence(&shown_words(&answer.words("error_description")));
    known_of_tokens(TOKEN_ERRORS, answer, said.clone()).unwrap_or_else(|| {
        let error = failure(answer, false, None);
        match error.kind {
            NetworkErrorKind::RateLimited { .. } => error,
            // These calls carry no access token, and nothing else of them is the account's.
            _ => {
                NetworkError::temporary(format!("X gave no token (status {}){said}", answer.status))
            }
        }
    })
}

/// The failure of a call of which others saw nothing, and whose answer is none of X's.
pub(super) fn unreadable() -> NetworkError {
    NetworkError::temporary("The answer of X cannot be read.")
}

/// The failure of a visible call that was taken, and whose answer says nothing.
pub(super) fn unread_success() -> NetworkError {
    NetworkError::new(NetworkErrorKind::InDoubt, "X took the post, but its answer cannot be read.")
}

/// How long a limit lasts: until the latest reset among the windows that are used up, or among all
/// where the answer does not say which are.
fn limit_wait(answer: &Answer, now: Option<DateTime<Utc>>) -> Option<TimeDelta> {
    let number = |window: &str, what: &str| {
        answer.header(&format!("{window}-{what}")).and_then(|text| text.trim().parse::<i64>().ok())
    };
    let resets: Vec<(i64, bool)> = WINDOWS
        .into_iter()
        .filter_map(|window| {
            let is_left = number(window, "remaining").is_some_and(|left| left > 0);
            Some((number(window, "reset")?, is_left))
        })
        .collect();
    let used_up = resets.iter().filter(|(_, is_left)| !is_left).map(|(reset, _)| *reset).max();
    let reset = used_up.or_else(|| resets.iter().map(|(reset, _)| *reset).max());
    let until = reset.and_then(|reset| DateTime::from_timestamp(reset, 0));
    let wait = until.and_then(|until| answer.until(until, now));
    wait.or_else(|| answer.retry_after(now))
}

/// X's own words where there are any, after a sentence of ours that has no full stop yet.
pub(super) fn after_sentence(words: &str) -> String {
    if words.is_empty() { ".".to_owned() } else { format!(". X said: {words}") }
}

#[cfg(test)]
#[path = "errors_tests.rs"]
mod tests;
