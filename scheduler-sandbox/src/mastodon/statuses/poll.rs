//! Polls: what is taken, and how a status shows one. Nobody votes here.
//!
//! Source: `app/models/poll.rb`, `app/validators/poll_options_validator.rb` and
//! `app/validators/poll_expiration_validator.rb` of the server.

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::{Map, Value, json};
use unicode_segmentation::UnicodeSegmentation;

use crate::mastodon::error::ApiError;
use crate::outside::timestamp;
use crate::params::{flag, text, texts};

/// Most options, and the longest, in grapheme clusters.
pub(in crate::mastodon) const MAX_OPTIONS: usize = 4;
pub(in crate::mastodon) const MAX_CHARACTERS: usize = 50;
/// Shortest and longest life, in seconds.
pub(in crate::mastodon) const MIN_EXPIRATION: i64 = 300;
pub(in crate::mastodon) const MAX_EXPIRATION: i64 = 2_629_746;

/// A poll.
#[derive(Clone, Debug)]
pub(super) struct Poll {
    options: Vec<String>,
    is_multiple: bool,
    hides_totals: bool,
    expires_at: DateTime<Utc>,
}

impl Poll {
    /// Reads the poll of a new status; `None` without one.
    ///
    /// # Errors
    /// 422 for what breaks a rule.
    pub(super) fn read(
        params: &Map<String, Value>,
        now: DateTime<Utc>,
    ) -> Result<Option<Self>, ApiError> {
        let Some(poll) = params.get("poll").and_then(Value::as_object) else { return Ok(None) };
        let options = texts(poll, "options").unwrap_or_default();
        let options: Vec<String> = options
            .into_iter()
            .map(|option| option.trim().to_owned())
            .filter(|option| !option.is_empty())
            .collect();
        let seconds = text(poll, "expires_in").and_then(|text| text.parse::<i64>().ok());
        let has_repeats =
            options.iter().enumerate().any(|(at, option)| options[..at].contains(option));
        let is_long = |option: &String| option.graphemes(true).count() > MAX_CHARACTERS;
        let problem = match seconds {
            _ if options.len() < 2 => Some("options must have more than one item".to_owned()),
            _ if options.len() > MAX_OPTIONS => {
                Some(format!("options can't contain more than {MAX_OPTIONS} items"))
            }
            _ if options.iter().any(is_long) => {
                Some(format!("options cannot be longer than {MAX_CHARACTERS} characters each"))
            }
            _ if has_repeats => Some("options contain duplicate items".to_owned()),
            None => Some("expires at can't be blank".to_owned()),
            Some(seconds) if seconds < MIN_EXPIRATION => Some("expires at is too soon".to_owned()),
            Some(seconds) if seconds > MAX_EXPIRATION => {
                Some("expires at is too far into the future".to_owned())
            }
            Some(_) => None,
        };
        match (problem, seconds) {
            (None, Some(seconds)) => Ok(Some(Self {
                options,
                is_multiple: flag(poll, "multiple").unwrap_or(false),
                hides_totals: flag(poll, "hide_totals").unwrap_or(false),
                expires_at: now + TimeDelta::seconds(seconds),
            })),
            (problem, _) => {
                let problem = problem.unwrap_or_default();
                Err(ApiError::validation(&format!("Owned poll {problem}")))
            }
        }
    }

    /// Returns it as the API shows it in a status.
    pub(super) fn view(&self, status: u64, now: DateTime<Utc>) -> Value {
        let is_expired = self.expires_at <= now;
        let votes = (is_expired || !self.hides_totals).then_some(0);
        let options =
            self.options.iter().map(|option| json!({"title": option, "votes_count": votes}));
        json!({
            "id": status.to_string(),
            "expires_at": timestamp(self.expires_at),
            "expired": is_expired,
            "multiple": self.is_multiple,
            "votes_count": 0,
            "voters_count": 0,
            "options": options.collect::<Vec<_>>(),
            "emojis": [],
        })
    }
}
