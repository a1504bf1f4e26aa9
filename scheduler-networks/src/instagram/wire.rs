//! What goes over the wire, in the Graph API's own names.
//!
//! Source: <https://developers.facebook.com/documentation/instagram-platform/>.

use chrono::{DateTime, Utc};
use scheduler_core::account::Connection;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Value, json};

use crate::graph::id;
pub(super) use crate::graph::{Page, instant};

/// The way in which an account is connected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Way {
    /// By Instagram's own login.
    Direct,
    /// Through a Facebook Page.
    ViaPage,
}

impl Way {
    /// The contract's name for it.
    pub(super) const fn connection(self) -> Connection {
        match self {
            Self::Direct => Connection::Direct,
            Self::ViaPage => Connection::ViaPage,
        }
    }

    /// What is kept while a person is on the network's page, and what connecting reads.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Direct => "direct",
            Self::ViaPage => "via_page",
        }
    }

    pub(super) fn named(name: &str) -> Option<Self> {
        [Self::Direct, Self::ViaPage].into_iter().find(|way| way.name() == name)
    }
}

/// What is kept of an account.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Tokens {
    pub(super) access_token: SecretString,
    /// The account's id, below which its calls are.
    pub(super) user_id: String,
    pub(super) way: Way,
}

impl Tokens {
    /// The text to keep.
    pub(super) fn to_text(&self) -> String {
        json!({
            "accessToken": self.access_token.expose_secret(),
            "userId": self.user_id,
            "way": self.way,
        })
        .to_string()
    }
}

/// What something new is called.
#[derive(Debug, Deserialize)]
pub(super) struct Created {
    pub(super) id: String,
}

/// Whether a change was made.
#[derive(Debug, Deserialize)]
pub(super) struct Done {
    pub(super) success: bool,
}

/// How far the network is with a container.
#[derive(Debug, Deserialize)]
pub(super) struct ContainerStatus {
    pub(super) status_code: StatusCode,
    /// What it says about it, with the code of an error.
    #[serde(default)]
    pub(super) status: String,
}

/// The state of a container.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
pub(super) enum StatusCode {
    #[serde(rename = "IN_PROGRESS")]
    InProgress,
    #[serde(rename = "FINISHED")]
    Finished,
    #[serde(rename = "ERROR")]
    Error,
    #[serde(rename = "EXPIRED")]
    Expired,
    #[serde(rename = "PUBLISHED")]
    Published,
}

/// How many posts have gone out within the window, and how many may.
#[derive(Debug, Deserialize)]
pub(super) struct PublishingLimit {
    pub(super) quota_usage: u64,
    pub(super) config: Option<QuotaConfig>,
}

#[derive(Debug, Deserialize)]
pub(super) struct QuotaConfig {
    pub(super) quota_total: u64,
}

/// A post, as far as it is read.
#[derive(Clone, Debug, Deserialize)]
pub(super) struct Media {
    #[serde(default)]
    pub(super) id: String,
    pub(super) caption: Option<String>,
    pub(super) permalink: Option<String>,
    pub(super) shortcode: Option<String>,
    #[serde(default, deserialize_with = "instant")]
    pub(super) timestamp: Option<DateTime<Utc>>,
    pub(super) media_product_type: Option<String>,
}

/// A token, in either shape in which it is given.
#[derive(Debug, Deserialize)]
pub(super) struct Token {
    pub(super) access_token: SecretString,
    /// Seconds for which it is good.
    pub(super) expires_in: Option<i64>,
    #[serde(default, deserialize_with = "names")]
    pub(super) permissions: Vec<String>,
}

impl Token {
    /// The token in an answer: flat, or the first of `data`.
    pub(super) fn read(body: Value) -> Option<Self> {
        let first = body.get("data").and_then(|data| data.get(0)).cloned();
        serde_json::from_value(first.unwrap_or(body)).ok()
    }
}

/// An account, as Instagram's own login shows it.
#[derive(Debug, Deserialize)]
pub(super) struct Me {
    #[serde(deserialize_with = "id")]
    pub(super) user_id: String,
    pub(super) username: Option<String>,
    pub(super) name: Option<String>,
    pub(super) account_type: Option<String>,
    pub(super) profile_picture_url: Option<String>,
}

/// A Facebook Page, and the account that is linked to it.
#[derive(Debug, Deserialize)]
pub(super) struct FacebookPage {
    pub(super) access_token: Option<SecretString>,
    pub(super) instagram_business_account: Option<LinkedAccount>,
}

/// An account, as its Page shows it.
#[derive(Debug, Deserialize)]
pub(super) struct LinkedAccount {
    pub(super) id: String,
    pub(super) username: Option<String>,
    pub(super) name: Option<String>,
    pub(super) profile_picture_url: Option<String>,
}

/// How many follow an account.
#[derive(Debug, Deserialize)]
pub(super) struct Followers {
    pub(super) followers_count: Option<u64>,
}

/// Names as a list, or in one text with commas.
fn names<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    Ok(match Value::deserialize(deserializer)? {
        Value::String(text) => text.split(',').map(|name| name.trim().to_owned()).collect(),
        Value::Array(items) => items.iter().filter_map(Value::as_str).map(str::to_owned).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Vec::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_prints_no_token() {
        let tokens = Tokens {
            access_token: SecretString::from("secret"),
            user_id: "17841400000000001".to_owned(),
            way: Way::ViaPage,
        };
        assert!(!format!("{tokens:?}").contains("secret"));
        let read: Tokens = serde_json::from_str(&tokens.to_text()).unwrap();
        assert_eq!(read.access_token.expose_secret(), "secret");
        assert_eq!((read.user_id.as_str(), read.way), ("17841400000000001", Way::ViaPage));
    }

    #[test]
    fn times_and_tokens_in_either_shape() {
        for (text, want) in [
            ("2026-11-20T10:00:00+0000", Some("2026-11-20T10:00:00Z")),
            ("2026-11-20T12:00:00+02:00", Some("2026-11-20T10:00:00Z")),
            ("yesterday", None),
        ] {
            let media: Media = serde_json::from_value(json!({ "timestamp": text })).unwrap();
            assert_eq!(media.timestamp, want.map(|want| want.parse().unwrap()), "{text}");
        }
        let flat = json!({ "access_token": "t", "user_id": 1, "permissions": "a, b" });
        let listed = json!({ "data": [{ "access_token": "t", "permissions": ["a", "b"] }] });
        for body in [flat, listed] {
            let token = Token::read(body).unwrap();
            assert_eq!(token.access_token.expose_secret(), "t");
            assert_eq!(token.permissions, ["a", "b"]);
        }
    }
}
