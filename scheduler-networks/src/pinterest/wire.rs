//! What goes over the wire, in Pinterest's own names.
//!
//! Source: <https://github.com/pinterest/api-description>, `v5/openapi.json`.

use std::collections::BTreeMap;

use crate::redacted::Redacted;
use chrono::{DateTime, NaiveDateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// The user whom a token speaks for.
#[derive(Debug, Deserialize)]
pub(super) struct UserAccount {
    pub(super) id: Option<String>,
    pub(super) username: Option<String>,
    pub(super) business_name: Option<String>,
    pub(super) profile_image: Option<String>,
    pub(super) account_type: Option<String>,
    pub(super) follower_count: Option<u64>,
}

/// A page of a list.
#[derive(Debug, Deserialize)]
pub(super) struct Page<T> {
    #[serde(default = "Vec::new")]
    pub(super) items: Vec<T>,
    /// What asks for the next page; none at the end.
    pub(super) bookmark: Option<String>,
}

/// A board of a list.
#[derive(Debug, Deserialize)]
pub(super) struct BoardItem {
    pub(super) id: String,
    pub(super) name: String,
}

/// A Pin that was made.
#[derive(Debug, Deserialize)]
pub(super) struct CreatedPin {
    pub(super) id: String,
}

/// A Pin of a list.
#[derive(Debug, Deserialize)]
pub(super) struct ListedPin {
    pub(super) id: String,
    pub(super) created_at: Option<String>,
    pub(super) board_id: Option<String>,
    pub(super) title: Option<String>,
    pub(super) description: Option<String>,
    pub(super) link: Option<String>,
}

/// A place for a video.
#[derive(Debug, Deserialize)]
pub(super) struct RegisteredMedia {
    pub(super) media_id: String,
    pub(super) upload_url: Redacted<String>,
    pub(super) upload_parameters: Redacted<BTreeMap<String, String>>,
}

/// How far a video is.
#[derive(Debug, Deserialize)]
pub(super) struct MediaStatus {
    pub(super) status: String,
}

/// What is kept of a Pin beside its id.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Record {
    /// It shows a video.
    #[serde(default)]
    pub(super) is_video: bool,
}

impl Record {
    pub(super) fn read(value: &Value) -> Self {
        Self::deserialize(value).unwrap_or_default()
    }
}

/// An instant of the network; one without a zone is in UTC.
pub(super) fn instant(text: &str) -> Option<DateTime<Utc>> {
    let zoned = DateTime::parse_from_rfc3339(text).map(|instant| instant.to_utc());
    let plain = || NaiveDateTime::parse_from_str(text, "%Y-%m-%dT%H:%M:%S%.f");
    zoned.or_else(|_| plain().map(|instant| instant.and_utc())).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn instants_with_and_without_a_zone() {
        for (text, want) in [
            ("2026-11-20T10:00:00", Some("2026-11-20T10:00:00Z")),
            ("2026-11-20T10:00:00.250", Some("2026-11-20T10:00:00.250Z")),
            ("2026-11-20T10:00:00Z", Some("2026-11-20T10:00:00Z")),
            ("2026-11-20T12:00:00+02:00", Some("2026-11-20T10:00:00Z")),
            ("yesterday", None),
            ("", None),
        ] {
            let want = want.map(|want| want.parse::<DateTime<Utc>>().unwrap());
            assert_eq!(instant(text), want, "{text}");
        }
    }

    #[test]
    fn nothing_that_lets_in_is_printed() {
        let text = r#"{"media_id":"1","upload_url":"https://secret","upload_parameters":{"policy":"secret"}}"#;
        let media: RegisteredMedia = serde_json::from_str(text).unwrap();
        assert!(!format!("{media:?}").contains("secret"));
    }
}
