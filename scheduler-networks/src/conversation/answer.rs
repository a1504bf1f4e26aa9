//! An answer as a value, and what can be read from any network's answers.

use std::fmt;

use chrono::{DateTime, TimeDelta, Utc};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Characters of a network's own words that are passed on.
const WORDS_MAX: usize = 300;

/// What a network answered.
#[derive(Clone, PartialEq, Eq)]
pub struct Answer {
    /// The HTTP status.
    pub status: u16,
    /// Headers: names in lower case, and values that are text.
    pub headers: Vec<(String, String)>,
    /// The body, whole.
    pub body: Vec<u8>,
}

impl Answer {
    /// True for a status of 200 to 299.
    #[must_use]
    pub const fn is_success(&self) -> bool {
        matches!(self.status, 200..=299)
    }

    /// The first header of a name in lower case.
    #[must_use]
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The body as JSON of a shape; `None` when it is something else, such as a proxy's page.
    #[must_use]
    pub fn json<T: DeserializeOwned>(&self) -> Option<T> {
        serde_json::from_slice(&self.body).ok()
    }

    /// What a success says; `refused` tells what any other answer means, and `unreadable` what a
    /// success of another shape does.
    ///
    /// # Errors
    /// Those of both.
    pub(crate) fn taken<T: DeserializeOwned, E>(
        &self,
        refused: impl FnOnce() -> E,
        unreadable: impl FnOnce() -> E,
    ) -> Result<T, E> {
        if !self.is_success() {
            return Err(refused());
        }
        self.json().ok_or_else(unreadable)
    }

    /// A text member of a JSON body, without control characters and cut at 300 characters; empty
    /// when there is none.
    #[must_use]
    pub fn words(&self, member: &str) -> String {
        let body: Option<Value> = self.json();
        let text = body.as_ref().and_then(|body| body.get(member)).and_then(Value::as_str);
        let visible = text.unwrap_or_default().chars().filter(|character| !character.is_control());
        visible.take(WORDS_MAX).collect()
    }

    /// How long the server wants to be left alone, by `Retry-After` in seconds or as a date.
    ///
    /// Source: RFC 9110, section 10.2.3.
    #[must_use]
    pub fn retry_after(&self, now: Option<DateTime<Utc>>) -> Option<TimeDelta> {
        let value = self.header("retry-after")?.trim();
        match value.parse::<u32>() {
            Ok(seconds) => Some(TimeDelta::seconds(i64::from(seconds))),
            Err(_) => self.until(http_date(value)?, now),
        }
    }

    /// When it was given, by the server's own clock.
    pub(crate) fn given_at(&self) -> Option<DateTime<Utc>> {
        self.header("date").and_then(http_date)
    }

    /// How long until `instant` by the server's own clock, else by ours; never negative. `None`
    /// when neither is known.
    #[must_use]
    pub fn until(&self, instant: DateTime<Utc>, now: Option<DateTime<Utc>>) -> Option<TimeDelta> {
        let now = self.given_at().or(now)?;
        Some((instant - now).max(TimeDelta::zero()))
    }
}

/// Bodies hold tokens and captions: only their length is printed.
impl fmt::Debug for Answer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Answer")
            .field("status", &self.status)
            .field("body_bytes", &self.body.len())
            .finish_non_exhaustive()
    }
}

fn http_date(text: &str) -> Option<DateTime<Utc>> {
    DateTime::parse_from_rfc2822(text).ok().map(|instant| instant.to_utc())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(headers: &[(&str, &str)], body: &str) -> Answer {
        let headers = headers.iter().map(|(name, value)| ((*name).into(), (*value).into()));
        Answer { status: 200, headers: headers.collect(), body: body.into() }
    }

    #[test]
    fn an_answer_prints_no_body_and_no_header() {
        let printed = format!("{:?}", answer(&[("set-cookie", "secret")], "secret"));
        assert!(!printed.contains("secret"), "{printed}");
    }

    #[test]
    fn waits_that_servers_name() {
        let now: DateTime<Utc> = "2026-11-20T10:00:00Z".parse().unwrap();
        let date = ("date", "Fri, 20 Nov 2026 10:00:00 GMT");
        for (name, headers, now, want) in [
            ("seconds", vec![("retry-after", "120")], None, Some(120)),
            ("nothing", vec![date], Some(now), None),
            ("zero", vec![("retry-after", "0")], None, Some(0)),
            ("date", vec![("retry-after", "Fri, 20 Nov 2026 10:00:30 GMT"), date], None, Some(30)),
            (
                "the server's clock is ahead of ours",
                vec![("retry-after", "Fri, 20 Nov 2026 10:00:30 GMT"), date],
                Some(now - TimeDelta::hours(1)),
                Some(30),
            ),
            (
                "our clock",
                vec![("retry-after", "Fri, 20 Nov 2026 10:00:30 GMT")],
                Some(now),
                Some(30),
            ),
            ("no clock", vec![("retry-after", "Fri, 20 Nov 2026 10:00:30 GMT")], None, None),
            ("past", vec![("retry-after", "Fri, 20 Nov 2026 09:00:00 GMT"), date], None, Some(0)),
            ("nonsense", vec![("retry-after", "soon")], Some(now), None),
            ("negative", vec![("retry-after", "-5")], Some(now), None),
        ] {
            let wait = answer(&headers, "").retry_after(now);
            assert_eq!(wait, want.map(TimeDelta::seconds), "{name}");
        }
    }

    #[test]
    fn words_are_short_and_on_one_line() {
        for (name, body, want) in [
            ("text", r#"{"error":"No."}"#.to_owned(), "No.".to_owned()),
            ("two lines", r#"{"error":"a\r\nb"}"#.to_owned(), "ab".to_owned()),
            ("no text", r#"{"error":5}"#.to_owned(), String::new()),
            ("a page", "<html>".to_owned(), String::new()),
            ("long", format!(r#"{{"error":"{}"}}"#, "é".repeat(500)), "é".repeat(300)),
        ] {
            assert_eq!(answer(&[], &body).words("error"), want, "{name}");
        }
    }
}
