//! What every part of the Graph API has in common: pages of lists, errors, times and limits.
//!
//! Source: <https://developers.facebook.com/docs/graph-api/overview/>.

use std::collections::BTreeMap;

use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

use crate::conversation::Answer;
use crate::quotations::without_quotations;
use crate::refusals::Refusal;

mod hosts;
mod pages_login;
mod version;

pub(crate) use hosts::{Host, Hosts};
pub(crate) use pages_login::{PagesLogin, lacks, proof, prove};
pub(crate) use version::graph_version;

/// Characters of the network's own words that are passed on.
const WORDS_MAX: usize = 300;

/// A page of a list.
#[derive(Debug, Deserialize)]
pub(crate) struct Page<T> {
    pub(crate) data: Vec<T>,
    #[serde(default)]
    paging: Paging,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Paging {
    cursors: Cursors,
    next: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Cursors {
    after: Option<String>,
}

impl<T> Page<T> {
    /// Where the next page begins; `None` when this is the last. The address that the network
    /// gives holds the token, so that only its cursor is taken.
    pub(crate) fn after(&self) -> Option<String> {
        let next = self.paging.next.as_deref()?;
        let named = || {
            let next = url::Url::parse(next).ok()?;
            next.query_pairs().find(|(name, _)| name == "after").map(|(_, after)| after.into())
        };
        self.paging.cursors.after.clone().or_else(named)
    }
}

/// An error as the network words it.
#[derive(Debug, Default)]
pub(crate) struct Described {
    pub(crate) code: Option<i64>,
    pub(crate) subcode: Option<i64>,
    pub(crate) is_transient: bool,
    pub(crate) message: String,
    pub(crate) trace: Option<String>,
    pub(crate) status: u16,
    /// The answer is no error of the network's: something in front of it answered.
    pub(crate) is_page: bool,
}

#[derive(Deserialize)]
struct Body {
    error: Error,
}

#[derive(Deserialize)]
struct Error {
    message: Option<String>,
    code: Option<i64>,
    error_subcode: Option<i64>,
    is_transient: Option<bool>,
    error_user_msg: Option<String>,
    fbtrace_id: Option<String>,
}

impl Described {
    /// The error in an answer that is no success.
    pub(crate) fn read(answer: &Answer) -> Self {
        let Some(Body { error }) = answer.json() else {
            let is_page = answer.json::<Value>().is_none();
            return Self { status: answer.status, is_page, ..Self::default() };
        };
        let said = error.error_user_msg.filter(|text| !text.is_empty());
        Self {
            code: error.code,
            subcode: error.error_subcode.filter(|subcode| *subcode != 0),
            is_transient: error.is_transient.unwrap_or_default(),
            message: words(&said.or(error.message).unwrap_or_default()),
            trace: error.fbtrace_id.map(|trace| words(&trace)),
            status: answer.status,
            is_page: false,
        }
    }

    /// The same as tables read it. `{trace}` stands for what the network's support can find the
    /// call by.
    pub(crate) fn refusal(&self, is_visible: bool, wait: Option<TimeDelta>) -> Refusal {
        let trace = self.trace.as_ref().map(|trace| format!(" (trace {trace})"));
        Refusal {
            status: self.status,
            is_page: self.is_page,
            is_transient: self.is_transient,
            codes: self.code.into_iter().collect(),
            subcode: self.subcode,
            words: without_quotations(&self.message),
            is_visible,
            wait,
            places: vec![("said", self.said()), ("trace", trace.unwrap_or_default())],
            ..Refusal::default()
        }
    }

    /// The network's own words, or the status where it has none.
    pub(crate) fn said(&self) -> String {
        let mut said = if self.message.is_empty() {
            format!("status {}", self.status)
        } else {
            self.message.clone()
        };
        if !said.ends_with(['.', '!', '?']) {
            said.push('.');
        }
        said
    }
}

/// An id that may be written as a number.
pub(crate) fn id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::String(text) => Ok(text),
        Value::Number(number) => Ok(number.to_string()),
        Value::Null | Value::Bool(_) | Value::Array(_) | Value::Object(_) => {
            Err(serde::de::Error::custom("an id is a text or a number"))
        }
    }
}

/// The time in its two forms: RFC 3339, and `+0000` without a colon. An unreadable one is none.
pub(crate) fn instant<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<DateTime<Utc>>, D::Error> {
    let text: Option<String> = Option::deserialize(deserializer)?;
    let read = |text: String| {
        let compact = || DateTime::parse_from_str(&text, "%Y-%m-%dT%H:%M:%S%z");
        DateTime::parse_from_rfc3339(&text).or_else(|_| compact()).ok()
    };
    Ok(text.and_then(read).map(|instant| instant.to_utc()))
}

/// How long the network wants to be left alone, in the longest of the waits that it names.
pub(crate) fn limit_wait(answer: &Answer, now: Option<DateTime<Utc>>) -> Option<TimeDelta> {
    #[derive(Deserialize)]
    struct Usage {
        #[serde(default)]
        estimated_time_to_regain_access: i64,
    }
    let usage = answer.header("x-business-use-case-usage").and_then(|text| {
        let usage: BTreeMap<String, Vec<Usage>> = serde_json::from_str(text).ok()?;
        let minutes = usage.values().flatten().map(|usage| usage.estimated_time_to_regain_access);
        minutes.max().filter(|minutes| *minutes > 0)
    });
    usage.and_then(TimeDelta::try_minutes).or_else(|| answer.retry_after(now))
}

/// The network's words on one line, cut, and without addresses, which can hold signatures.
pub(crate) fn words(text: &str) -> String {
    let visible = |word: &str| -> String {
        if word.contains("://") {
            return "[address]".to_owned();
        }
        word.chars().filter(|character| !character.is_control()).collect()
    };
    let words: Vec<String> = text.split_whitespace().map(visible).collect();
    words.join(" ").chars().take(WORDS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn an_error_is_known_by_its_code_whatever_else_is_left_open() {
        for (name, more) in [
            ("left out", json!({})),
            ("null", json!({ "message": null, "is_transient": null, "error_user_msg": null })),
        ] {
            let mut error = json!({ "code": 190 });
            error.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
            let body = serde_json::to_vec(&json!({ "error": error })).unwrap();
            let answer = Answer { status: 400, headers: Vec::new(), body };
            let described = Described::read(&answer);
            assert_eq!(
                (described.code, described.said().as_str()),
                (Some(190), "status 400."),
                "{name}"
            );
        }
    }

    #[test]
    fn the_next_page_is_known_by_its_cursor() {
        let next = "https://graph.instagram.com/v26.0/1/comments?access_token=t&after=QVF";
        for (name, paging, want) in [
            ("a cursor", json!({ "cursors": { "after": "abc" }, "next": next }), Some("abc")),
            ("only an address", json!({ "next": next }), Some("QVF")),
            ("the last page", json!({ "cursors": { "after": "abc" } }), None),
            ("nothing", json!({}), None),
        ] {
            let page: Page<Value> =
                serde_json::from_value(json!({ "data": [], "paging": paging })).unwrap();
            assert_eq!(page.after().as_deref(), want, "{name}");
        }
    }
}
