//! What Pinterest's errors mean.
//!
//! The status says the most; codes and words only refine it.
//!
//! Source: <https://github.com/pinterest/api-description>, `v5/openapi.json`, the examples of its
//! errors, and <https://developers.pinterest.com/docs/>, "reference/rate-limits".

use chrono::{DateTime, Days, NaiveTime, TimeDelta, Utc};
use scheduler_core::ports::{NetworkError, NetworkErrorKind as Kind};
use scheduler_core::target::FailureCode;
use serde_json::Value;

use crate::conversation::Answer;
use crate::quotations::without_quotations;
use crate::refusals::Effect::{Failed, Limited, Reconnect, Temporary, TokenExpired};
use crate::refusals::{CONTENT, PAGE, REFUSED, Refusal, TROUBLE, Table, rows, status};

/// How long a limit lasts that names no end.
const LIMIT_WAIT: TimeDelta = TimeDelta::seconds(60);

/// Seconds from which on a moment is meant, not a wait: the year 2001.
const LEAST_EPOCH: i64 = 1_000_000_000;

/// Characters of the network's own words that are passed on.
const WORDS: usize = 300;

/// Bytes that may stand between the first and the last quotation mark of the network's words: an
/// id and a pattern are shorter, a text that is too long is not.
const QUOTED_BYTES: usize = 40;

/// Words of a 400 where a file could not be fetched by its link.
const UNREACHABLE: &[&str] = &["unable to reach", "could not fetch", "couldn't fetch"];

/// Words of a 400 where a call carried more bytes than it may. No such answer is documented.
const TOO_LARGE: &[&str] = &["too large", "too big", "file size", "maximum size"];

/// An error that names the cover of a video.
const COVER: &str = "cover_image";

const CONTENT_REFUSED: &str = "Pinterest refused the post: {said}";

const ERRORS: Table = Table {
    rows: rows! {
        status(&[429]).says(&["spam"]) => CONTENT,
            "Pinterest takes this Pin for spam: {said}. Change it, and wait a day before the next Pin of this account.";
        status(&[429]) => Limited(None), "Pinterest takes no more calls for now.";
        // It failed somewhere in the middle; what it had done by then is not known.
        TROUBLE => Failed, "Pinterest failed: {said}";
        status(&[413]) => CONTENT, "The files are too large for Pinterest: {said}";
        status(&[415]) => CONTENT, "Pinterest does not take this: {said}";
        // Something in front of Pinterest answered for it.
        PAGE => Temporary, "Pinterest could not be reached: status {status}.";
        // A refresh is tried first; where nothing can be refreshed, it asks for a new connection.
        status(&[401]) => TokenExpired,
            "Pinterest does not accept the access token any more: {said}. Connect the account again.";
        status(&[403]).says(&["pinner_data_access_denied"]).unverified() => REFUSED,
            "Pinterest lets this server's application read business accounts only. Convert the Pinterest account to a business account.";
        status(&[403]).codes(&[3]) => Reconnect,
            "Pinterest does not allow this to the account: {said}. Connect it again and allow everything that is asked for.";
        status(&[403]).codes(&[7]) => REFUSED,
            "Pinterest does not let this account use the board or Pin: {said}. Choose a board of its own.";
        status(&[403]).codes(&[29]).says(&["trial"]) => REFUSED,
            "This server's application has only Trial access to Pinterest and cannot publish. The operator has to apply for Standard access: {said}";
        status(&[403]).codes(&[29]) => REFUSED, "Pinterest does not permit this: {said}";
        status(&[403]).codes(&[2625, 2626]) => REFUSED,
            "Pinterest reviews this account or has disapproved of it: {said}. Look at the account on Pinterest.";
        status(&[404]).codes(&[40]) => CONTENT,
            "This board does not exist or is not yours. Choose another: {said}";
        status(&[404]) => REFUSED, "Pinterest does not have this any more: {said}";
        status(&[409]) => Temporary, "Pinterest was changing the same thing just now: {said}";
        status(&[400]).says(TOO_LARGE) => CONTENT,
            "The files are too large for Pinterest: {said}";
        status(&[400]).says(UNREACHABLE) => Temporary,
            "Pinterest could not fetch a file from this server; its public address must be reachable from the internet: {said}";
        status(&[400]).named(&[COVER]) => REFUSED,
            "Pinterest asks for another cover of the video: {said}";
        status(&[400]).says(&["invalid url", "blocked"]) => CONTENT,
            "Pinterest refused the link of this post: {said}. Use another link.";
        status(&[400]).codes(&[1, 400]) => CONTENT, CONTENT_REFUSED;
        // A value is wrong.
        status(&[400]).says(&["invalid request", "constraint", "does not match", "is too long"]) =>
            CONTENT,
            CONTENT_REFUSED;
    },
    unknown: (Temporary, "Pinterest answered status {status}: {said}"),
};

/// What an error body says.
#[derive(Debug)]
struct Fault {
    code: Option<i64>,
    /// All that it says in lower case, without what it quotes: a post can hold any words.
    words: String,
    /// The whole body in lower case, for names of fields, which it quotes.
    body: String,
}

impl Fault {
    /// `None` for what is no error of Pinterest's, such as a proxy's page.
    fn of(answer: &Answer) -> Option<Self> {
        let body: Value = answer.json()?;
        let object = body.as_object()?;
        let code = object.get("code");
        let number = |code: &Value| {
            code.as_i64().or_else(|| code.as_str().and_then(|code| code.parse().ok()))
        };
        Some(Self {
            code: code.and_then(number),
            words: sentences(&body).to_lowercase(),
            body: body.to_string().to_lowercase(),
        })
    }

    fn names(&self, field: &str) -> bool {
        self.body.contains(field)
    }

    fn says(&self, words: &[&str]) -> bool {
        words.iter().any(|words| self.words.contains(words))
    }
}

/// Every text of an error, each without what it quotes.
fn sentences(value: &Value) -> String {
    match value {
        Value::String(text) => format!("{}\n", without_quotations(text)),
        Value::Array(values) => values.iter().map(sentences).collect(),
        Value::Object(members) => members.values().map(sentences).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) => String::new(),
    }
}

/// True when the network could not fetch a file by its link.
pub(super) fn is_unreachable(answer: &Answer) -> bool {
    let says = |fault: Fault| fault.says(UNREACHABLE);
    answer.status == 400 && Fault::of(answer).is_some_and(says)
}

/// True when the bytes within a call were more than it may carry.
pub(super) fn is_too_large(answer: &Answer) -> bool {
    let says = |fault: Fault| fault.says(TOO_LARGE);
    answer.status == 413 || answer.status == 400 && Fault::of(answer).is_some_and(says)
}

/// True when a video is refused that is not ready, or has failed.
pub(super) fn is_about_media(answer: &Answer) -> bool {
    let says = |fault: Fault| fault.says(&["media"]) && !fault.names(COVER);
    answer.status == 400 && Fault::of(answer).is_some_and(says)
}

/// True when the network says that something is not there.
pub(super) fn is_gone(answer: &Answer) -> bool {
    answer.status == 404 && Fault::of(answer).is_some()
}

/// True when the network says that the account may not do this.
pub(super) fn is_denied(answer: &Answer) -> bool {
    answer.status == 403 && Fault::of(answer).is_some()
}

/// What an answer that is no success means for a call. `is_visible` says whether others could see
/// what the call does.
pub(super) fn failure(
    answer: &Answer,
    is_visible: bool,
    now: Option<DateTime<Utc>>,
) -> NetworkError {
    let fault = Fault::of(answer);
    if let Some(network_request_id) = answer.header("x-pinterest-rid") {
        tracing::debug!(network_request_id, status = answer.status, "Pinterest refused a call");
    }
    let is_about_cover = fault.as_ref().is_some_and(|fault| fault.names(COVER));
    ERRORS.failure(&Refusal {
        status: answer.status,
        is_page: fault.is_none(),
        names: is_about_cover.then(|| COVER.to_owned()).into_iter().collect(),
        codes: fault.as_ref().and_then(|fault| fault.code).into_iter().collect(),
        is_visible,
        wait: Some(limit_ends(answer, fault.as_ref(), now)),
        words: fault.map(|fault| fault.words).unwrap_or_default(),
        places: vec![("said", said(answer))],
        ..Refusal::default()
    })
}

/// What an error of the call about tokens means. It carries no access token, and says only that
/// what it was given is not accepted.
///
/// Source: <https://github.com/pinterest/api-description>, `/oauth/token`.
pub(super) fn token_failure(answer: &Answer) -> NetworkError {
    if matches!(answer.status, 400 | 401) && Fault::of(answer).is_some() {
        return NetworkError::new(
            Kind::Reconnect,
            format!(
                "Pinterest does not let this account in any more: {}. Connect it again.",
                said(answer)
            ),
        );
    }
    failure(answer, false, None).without_token()
}

/// What an error of the place for videos means, which speaks a language of its own.
///
/// Source: <https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html>.
pub(super) fn upload_failure(answer: &Answer) -> NetworkError {
    let code = upload_code(answer);
    let status = answer.status;
    match (status, code.as_str()) {
        (413, _) | (400, "EntityTooLarge" | "EntityTooSmall") => NetworkError::permanent(format!(
            "Pinterest does not take a video of this size: {code}."
        ))
        .with_code(FailureCode::ValidationFailed),
        _ => NetworkError::temporary(format!(
            "The place for videos of Pinterest answered status {status} {code}."
        )),
    }
}

/// True when what opens the place for a video has ended, or is not taken.
///
/// Source: <https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html>.
pub(super) fn has_place_ended(answer: &Answer) -> bool {
    const ENDED: [&str; 3] = ["ExpiredToken", "InvalidToken", "TokenRefreshRequired"];
    answer.status == 403 || answer.status == 400 && ENDED.contains(&upload_code(answer).as_str())
}

fn upload_code(answer: &Answer) -> String {
    let text = String::from_utf8_lossy(&answer.body);
    let code = text.split_once("<Code>").and_then(|(_, rest)| rest.split_once("</Code>"));
    let code = code.map(|(code, _)| code).unwrap_or_default();
    code.chars().filter(char::is_ascii_alphanumeric).take(60).collect()
}

/// The failure of a call of which others saw nothing, and whose answer is none of Pinterest's.
pub(super) fn unreadable() -> NetworkError {
    NetworkError::temporary("The answer of Pinterest cannot be read.")
}

/// The failure of a visible call that was taken, and whose answer says nothing.
pub(super) fn unreadable_success() -> NetworkError {
    let message = "Pinterest took the Pin, but its answer cannot be read.";
    NetworkError::new(Kind::InDoubt, message)
}

fn said(answer: &Answer) -> String {
    let body: Option<Value> = answer.json();
    let words = |member: &str| {
        let text = body.as_ref().and_then(|body| body.get(member)).and_then(Value::as_str);
        unquoted(text.unwrap_or_default())
    };
    let (message, detail) = (words("message"), words("message_detail"));
    match (message.trim_end_matches('.'), detail.trim_end_matches('.')) {
        ("", "") => format!("status {}", answer.status),
        (message, "") => message.to_owned(),
        ("", detail) => detail.to_owned(),
        (message, detail) => format!("{message} ({detail})"),
    }
}

/// The network's words without what they quote of the post, which can be all of its text, without
/// control characters, and cut.
fn unquoted(text: &str) -> String {
    const QUOTES: [char; 2] = ['\'', '"'];
    let visible: String = text.chars().filter(|character| !character.is_control()).collect();
    let short = match (visible.find(QUOTES), visible.rfind(QUOTES)) {
        (Some(first), Some(last)) if last - first > QUOTED_BYTES => {
            format!("{}'…{}", &visible[..first], &visible[last..])
        }
        _ => visible,
    };
    short.chars().take(WORDS).collect()
}

/// How long a limit lasts: as the answer says, until the next midnight of UTC for one of a day,
/// else a minute.
fn limit_ends(answer: &Answer, fault: Option<&Fault>, now: Option<DateTime<Utc>>) -> TimeDelta {
    let of_day = || {
        fault.filter(|fault| fault.says(&["daily", "per day", "24 hours"]))?;
        let now = answer.given_at().or(now)?;
        let midnight = now.date_naive().checked_add_days(Days::new(1))?.and_time(NaiveTime::MIN);
        Some(midnight.and_utc() - now)
    };
    let wait = answer.retry_after(now).or_else(|| resets_in(answer, now)).or_else(of_day);
    wait.unwrap_or(LIMIT_WAIT)
}

/// How long until a limit begins anew, by a header that holds seconds or a moment.
fn resets_in(answer: &Answer, now: Option<DateTime<Utc>>) -> Option<TimeDelta> {
    let seconds: i64 = answer.header("x-ratelimit-reset")?.trim().parse().ok()?;
    match seconds {
        LEAST_EPOCH.. => answer.until(DateTime::from_timestamp(seconds, 0)?, now),
        0.. => Some(TimeDelta::seconds(seconds)),
        _ => None,
    }
}

#[cfg(test)]
#[path = "errors_tests.rs"]
mod tests;
