//! What goes over the wire, in the names of Threads.
//!
//! Source: <https://developers.facebook.com/documentation/threads/reference/>.

use chrono::{DateTime, Utc};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::graph::{id, instant};

/// The answer to making a container and to publishing one.
#[derive(Debug, Deserialize)]
pub(super) struct Made {
    #[serde(deserialize_with = "id")]
    pub(super) id: String,
}

/// The answer to deleting and to hiding.
#[derive(Debug, Deserialize)]
pub(super) struct Success {
    pub(super) success: bool,
}

/// How far a container is.
///
/// Source: <https://developers.facebook.com/documentation/threads/troubleshooting>.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
pub(super) enum ContainerStatus {
    /// It is being processed.
    InProgress,
    /// It can be published.
    Finished,
    /// It cannot be published.
    Error,
    /// It was not published within 24 hours.
    Expired,
    /// It was published, which can be done once.
    Published,
}

/// A container.
#[derive(Debug, Deserialize)]
pub(super) struct Container {
    pub(super) status: ContainerStatus,
    pub(super) error_message: Option<String>,
}

/// The page of a post.
#[derive(Debug, Deserialize)]
pub(super) struct Page {
    pub(super) permalink: Option<String>,
}

/// A list, and where it goes on.
#[derive(Debug, Deserialize)]
pub(super) struct List<T> {
    pub(super) data: Vec<T>,
    #[serde(default = "Option::default")]
    paging: Option<Paging>,
}

#[derive(Debug, Deserialize)]
struct Paging {
    cursors: Option<Cursors>,
    /// The address of the next page; without one, this is the last.
    next: Option<String>,
}

#[derive(Debug, Deserialize)]
struct Cursors {
    after: Option<String>,
}

impl<T> List<T> {
    /// Where the next page begins; `None` on the last.
    pub(super) fn after(&self) -> Option<&str> {
        let paging = self.paging.as_ref().filter(|paging| paging.next.is_some())?;
        paging.cursors.as_ref()?.after.as_deref()
    }
}

/// A post that another one names.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Reference {
    #[serde(deserialize_with = "id")]
    pub(super) id: String,
}

/// A post or reply of the account, or a reply to one of its posts.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Post {
    #[serde(deserialize_with = "id")]
    pub(super) id: String,
    #[serde(default)]
    pub(super) text: String,
    pub(super) permalink: Option<String>,
    #[serde(default, deserialize_with = "instant")]
    pub(super) timestamp: Option<DateTime<Utc>>,
    pub(super) media_type: Option<String>,
    pub(super) username: Option<String>,
    #[serde(default)]
    pub(super) is_reply: bool,
    #[serde(default)]
    pub(super) is_reply_owned_by_me: bool,
    pub(super) hide_status: Option<String>,
    pub(super) root_post: Option<Reference>,
    pub(super) replied_to: Option<Reference>,
}

/// What is used up of the account's quotas.
///
/// Source: <https://developers.facebook.com/documentation/threads/overview#rate-limits>.
#[derive(Debug, Deserialize)]
pub(super) struct PublishingLimit {
    #[serde(default)]
    pub(super) quota_usage: u64,
    pub(super) config: Option<QuotaConfig>,
    #[serde(default)]
    pub(super) reply_quota_usage: u64,
    pub(super) reply_config: Option<QuotaConfig>,
}

/// How large a quota is.
#[derive(Debug, Deserialize)]
pub(super) struct QuotaConfig {
    pub(super) quota_total: u64,
}

/// A figure of a post or of an account.
#[derive(Debug, Deserialize)]
pub(super) struct Insight {
    pub(super) name: String,
    #[serde(default)]
    values: Vec<Figure>,
    total_value: Option<Figure>,
}

#[derive(Debug, Deserialize)]
struct Figure {
    value: Value,
}

impl Insight {
    /// The figure; `None` when there is no number.
    pub(super) fn value(&self) -> Option<&Value> {
        let figure = self.total_value.as_ref().or_else(|| self.values.last());
        figure.map(|figure| &figure.value).filter(|value| value.is_number())
    }
}

/// The account that a token opens.
#[derive(Debug, Deserialize)]
pub(super) struct Profile {
    #[serde(deserialize_with = "id")]
    pub(super) id: String,
    pub(super) username: Option<String>,
    pub(super) name: Option<String>,
    pub(super) threads_profile_picture_url: Option<String>,
}

/// A profile that was looked up by its name.
#[derive(Debug, Deserialize)]
pub(super) struct FoundProfile {
    pub(super) username: String,
    pub(super) name: Option<String>,
}

/// A token that was given out.
#[derive(Debug, Deserialize)]
pub(super) struct GivenToken {
    pub(super) access_token: SecretString,
    /// Seconds that it lives.
    pub(super) expires_in: Option<i64>,
}

/// What is known of a token.
#[derive(Debug, Deserialize)]
pub(super) struct TokenFacts {
    pub(super) data: TokenData,
}

/// What is known of a token: its scopes, and when it ends in Unix seconds.
#[derive(Debug, Deserialize)]
pub(super) struct TokenData {
    pub(super) scopes: Option<Vec<String>>,
    pub(super) expires_at: Option<i64>,
}

/// What is kept of an account.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Tokens {
    pub(super) access_token: SecretString,
    /// The account's id.
    pub(super) user_id: String,
}

impl Tokens {
    /// The text to keep.
    pub(super) fn to_text(&self) -> String {
        json!({ "accessToken": self.access_token.expose_secret(), "userId": self.user_id })
            .to_string()
    }
}

/// What is kept with a live post: all its parts, to be taken down later.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Record {
    /// The ids of the parts, from the first on.
    #[serde(default)]
    pub(super) parts: Vec<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_and_instants_of_every_form() {
        for (name, body, want) in [
            (
                "as documented",
                json!({ "id": "178", "timestamp": "2026-11-20T10:00:00+0000" }),
                Some(1_795_168_800),
            ),
            (
                "a number above 2^53",
                json!({ "id": 178, "timestamp": "2026-11-20T10:00:00+00:00" }),
                Some(1_795_168_800),
            ),
            ("another zone", json!({ "id": 178, "timestamp": "2026-11-20T11:00:00+0100" }), {
                Some(1_795_168_800)
            }),
            ("nonsense", json!({ "id": 178, "timestamp": "soon" }), None),
            ("none", json!({ "id": 178 }), None),
        ] {
            let post: Post = serde_json::from_value(body).unwrap();
            assert_eq!(post.id, "178", "{name}");
            assert_eq!(post.timestamp.map(|at| at.timestamp()), want, "{name}");
        }
        let large: Made = serde_json::from_str(r#"{"id":17841400000000001}"#).unwrap();
        assert_eq!(large.id, "17841400000000001");
    }

    #[test]
    fn what_is_kept_prints_no_token() {
        let tokens = Tokens { access_token: SecretString::from("secret"), user_id: "1".to_owned() };
        assert!(!format!("{tokens:?}").contains("secret"));
        let read: Tokens = serde_json::from_str(&tokens.to_text()).unwrap();
        assert_eq!(read.access_token.expose_secret(), "secret");
    }
}
