//! What X's errors mean.
//!
//! Most come in the form of problems (RFC 9457), with a type or only with words; gateways answer
//! with the numbers of the first interface.
//!
//! Source: <https://docs.x.com/x-api/fundamentals/response-codes-and-errors>,
//! <https://docs.x.com/x-api/fundamentals/rate-limits> and
//! <https://docs.x.com/x-api/posts/manage-tweets/integrate>.

use chrono::{DateTime, TimeDelta, Utc};
use scheduler_core::ports::{NetworkError, NetworkErrorKind};
use scheduler_core::target::FailureCode;
use serde::Deserialize;

use crate::conversation::Answer;

/// How long too many calls are waited for where X names no time: the window of most limits.
///
/// Source: <https://docs.x.com/x-api/fundamentals/rate-limits>.
const WINDOW: TimeDelta = TimeDelta::minutes(15);

/// The windows that X's headers tell of.
///
/// Source: <https://docs.x.com/x-api/fundamentals/rate-limits>; those of a day are only seen in
/// answers.
const WINDOWS: [&str; 3] = ["x-rate-limit", "x-user-limit-24hour", "x-app-limit-24hour"];

/// Characters of the network's own words that are passed on.
const WORDS_MAX: usize = 300;

/// Characters of a single word beyond which it may be an address or a token.
const WORD_MAX: usize = 40;

/// An error in X's own terms.
#[derive(Debug)]
pub(super) struct Fault {
    /// The last part of the address of its type.
    kind: String,
    /// Numbers of the first interface.
    codes: Vec<i64>,
    /// X's words, fit to be shown.
    said: String,
    /// All that X says, in small letters, to tell errors without a type of their own.
    words: String,
}

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
        Some(Self { kind, codes, said, words: texts.join(" ").to_lowercase() })
    }

    /// True for a text that the account has posted already.
    pub(super) fn is_duplicate(&self) -> bool {
        self.has(&[187], &["duplicate content", "status is a duplicate"])
    }

    /// True when the post that is answered is gone, or too new to be answered.
    pub(super) fn is_unseen(&self) -> bool {
        self.has(&[385], &["deleted or not visible"])
    }

    fn has(&self, codes: &[i64], words: &[&str]) -> bool {
        self.codes.iter().any(|code| codes.contains(code))
            || words.iter().any(|known| self.words.contains(known))
    }
}

/// What an answer that is no success means for a call. `is_visible` says whether others could see
/// what the call does; `now` helps where X tells no time.
pub(super) fn failure(
    answer: &Answer,
    is_visible: bool,
    now: Option<DateTime<Utc>>,
) -> NetworkError {
    use NetworkErrorKind as Kind;
    let fault = Fault::of(answer);
    if let Some(fault) = &fault
        && fault.kind == "usage-capped"
    {
        return permanent(
            "The application of this server has reached its cap at X. Nothing goes out before the next billing cycle, unless the operator raises it in the developer console",
            &fault.said,
        );
    }
    match (answer.status, fault) {
        (429, _) => limited(answer, now),
        // It failed somewhere in the middle; what it had done by then is not known.
        (500.. | 408, fault) => {
            let kind = if is_visible { Kind::Unsettled } else { Kind::Temporary };
            let said = fault.map(|fault| fault.said).unwrap_or_default();
            let said = if said.is_empty() { format!("status {}", answer.status) } else { said };
            NetworkError::new(kind, format!("X failed: {said}"))
                .with_code(FailureCode::NetworkError)
        }
        // Something in front of X answered for it.
        (status, None) => {
            NetworkError::new(Kind::Temporary, format!("X could not be reached: status {status}."))
        }
        (_, Some(fault)) if fault.codes.contains(&88) => limited(answer, now),
        (401, Some(fault)) => NetworkError::new(
            Kind::TokenExpired,
            format!(
                "X does not accept the access token any more: {} Connect the account again.",
                sentence(&fault.said)
            ),
        ),
        (402, Some(fault)) => permanent(
            "The application of this server has no credits at X, or has reached its spending limit. The operator has to top them up in the developer console; retry then",
            &fault.said,
        ),
        (404, Some(fault)) => permanent("It is not on X any more", &fault.said),
        (status, Some(fault)) => refused(status, &fault, answer, now),
    }
}

/// What an answer that is no success means for a call after publishing, of which others saw
/// nothing. What is not allowed there says nothing of publishing: an application that may write need
/// not be allowed to read.
pub(super) fn failure_after(answer: &Answer, now: DateTime<Utc>) -> NetworkError {
    let error = failure(answer, false, Some(now));
    match error.kind {
        NetworkErrorKind::Reconnect => {
            NetworkError::new(NetworkErrorKind::Permanent, error.message)
        }
        NetworkErrorKind::Temporary
        | NetworkErrorKind::RateLimited { .. }
        | NetworkErrorKind::Permanent
        | NetworkErrorKind::TokenExpired
        | NetworkErrorKind::InDoubt
        | NetworkErrorKind::Unsettled => error,
    }
}

/// What is told by words and types, whatever the status.
fn refused(
    status: u16,
    fault: &Fault,
    answer: &Answer,
    now: Option<DateTime<Utc>>,
) -> NetworkError {
    let content =
        |sentence: &str| permanent(sentence, &fault.said).with_code(FailureCode::ValidationFailed);
    let reconnect = |sentence: &str| {
        NetworkError::new(NetworkErrorKind::Reconnect, said(sentence, &fault.said))
    };
    if fault.is_duplicate() {
        return content(
            "X says that this text was posted already. Look at the account, and change the text",
        );
    }
    if fault.has(&[], &["reply to this conversation is not allowed", "you can only reply to"]) {
        return permanent(
            "X refused the thread continuation: it lets applications answer only whom has spoken to the account",
            &fault.said,
        );
    }
    if fault.is_unseen() {
        return permanent(
            "The part before it is not on X any more, so this one cannot answer it",
            &fault.said,
        );
    }
    if fault.has(&[], &["cashtag"]) {
        return content("X takes one cashtag in a post. Leave the others out");
    }
    if fault.has(&[], &["invalid url"]) {
        return content("X does not take a link of this post. Use another");
    }
    if fault.has(&[186], &["text is too long"]) {
        return content("The text is too long for X. Shorten it");
    }
    if fault.kind == "user-suspended"
        || fault.has(&[64, 326], &["temporarily locked", "is suspended"])
    {
        return reconnect(
            "X has suspended or locked this account. Unlock it on X, then connect it again",
        );
    }
    if matches!(fault.kind.as_str(), "client-forbidden" | "oauth1-permissions")
        || fault.has(&[], &["unsupported authentication"])
    {
        return reconnect(
            "X does not accept this application or its kind of token. The operator has to check the application in the developer console; connect the account again then",
        );
    }
    if fault.has(&[185], &["daily status update limit", "daily limit"]) {
        return limited(answer, now);
    }
    if fault.has(&[], &["not permitted to perform this action"]) {
        return permanent(
            "X does not permit this: the content, the account or the application is not allowed to. Look at the account, and at the application's permissions",
            &fault.said,
        );
    }
    if status == 400 {
        return content("X refused the call");
    }
    NetworkError::new(
        NetworkErrorKind::Temporary,
        said(&format!("X answered with an error that is not known here ({status})"), &fault.said),
    )
}

/// What an error of the calls about tokens means.
///
/// Source: <https://docs.x.com/fundamentals/authentication/oauth-2-0/authorization-code>.
pub(super) fn token_failure(answer: &Answer) -> NetworkError {
    let error = answer.words("error");
    let description = shown_words(&answer.words("error_description"));
    match (answer.status, error.as_str()) {
        (400 | 401 | 403, "unauthorized_client" | "invalid_client") => NetworkError::new(
            NetworkErrorKind::Permanent,
            said(
                "X does not know this server's application. The operator has to check its client id and secret",
                &description,
            ),
        ),
        (400, "invalid_request" | "invalid_grant")
            if error == "invalid_grant" || description.contains("was invalid") =>
        {
            NetworkError::new(
                NetworkErrorKind::Reconnect,
                said("The access to the account has ended. Connect it again", &description),
            )
        }
        _ => {
            let failed = failure(answer, false, None);
            match failed.kind {
                NetworkErrorKind::RateLimited { .. } => failed,
                // These calls carry no access token, and nothing else of them is the account's.
                NetworkErrorKind::Temporary
                | NetworkErrorKind::Permanent
                | NetworkErrorKind::TokenExpired
                | NetworkErrorKind::Reconnect
                | NetworkErrorKind::InDoubt
                | NetworkErrorKind::Unsettled => NetworkError::new(
                    NetworkErrorKind::Temporary,
                    said(&format!("X gave no token (status {})", answer.status), &description),
                ),
            }
        }
    }
}

/// The failure of a call of which others saw nothing, and whose answer is none of X's.
pub(super) fn unreadable() -> NetworkError {
    NetworkError::new(NetworkErrorKind::Temporary, "The answer of X cannot be read.")
}

/// The failure of a visible call that was taken, and whose answer says nothing.
pub(super) fn unread_success() -> NetworkError {
    NetworkError::new(NetworkErrorKind::InDoubt, "X took the post, but its answer cannot be read.")
}

fn permanent(sentence: &str, words: &str) -> NetworkError {
    NetworkError::new(NetworkErrorKind::Permanent, said(sentence, words))
}

fn limited(answer: &Answer, now: Option<DateTime<Utc>>) -> NetworkError {
    NetworkError::new(
        NetworkErrorKind::RateLimited { wait: Some(limit_wait(answer, now)) },
        "X takes no more calls for now. It is tried again later.",
    )
}

/// How long a limit lasts: until the latest reset among the windows that are used up, or among all
/// where the answer does not say which are.
fn limit_wait(answer: &Answer, now: Option<DateTime<Utc>>) -> TimeDelta {
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
    wait.or_else(|| answer.retry_after(now)).unwrap_or(WINDOW)
}

/// A sentence of ours, and X's own words where there are any.
fn said(sentence: &str, words: &str) -> String {
    if words.is_empty() { format!("{sentence}.") } else { format!("{sentence}. X said: {words}") }
}

/// Words of X with a full stop.
fn sentence(words: &str) -> String {
    format!("{}.", words.trim_end_matches('.'))
}

/// A text of X on one line, cut, and without words that can be addresses or tokens.
fn shown_words(text: &str) -> String {
    let words = text.split_whitespace().map(|word| {
        let is_hidden = word.contains("://") || word.chars().count() > WORD_MAX;
        if is_hidden { "[…]" } else { word }
    });
    let line = words.collect::<Vec<_>>().join(" ");
    let visible = line.chars().filter(|character| !character.is_control());
    visible.take(WORDS_MAX).collect()
}

#[cfg(test)]
#[path = "errors_tests.rs"]
mod tests;
