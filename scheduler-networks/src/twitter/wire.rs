//! What goes over the wire, in X's own names.

use chrono::{DateTime, Utc};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// What is kept of an account.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Kept {
    pub(super) access_token: SecretString,
    /// Given with the permission `offline.access`; good for one use.
    pub(super) refresh_token: Option<SecretString>,
    /// What the person has allowed; `None` where it is not known.
    pub(super) scopes: Option<Vec<String>>,
}

impl Kept {
    pub(super) fn read(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// The text to keep.
    pub(super) fn to_text(&self) -> String {
        let refresh_token = self.refresh_token.as_ref().map(SecretString::expose_secret);
        json!({
            "accessToken": self.access_token.expose_secret(),
            "refreshToken": refresh_token,
            "scopes": self.scopes,
        })
        .to_string()
    }
}

/// The permissions of a list with spaces between them.
pub(super) fn scopes(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// What is stored of a thread, to take it down.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(super) struct Record {
    /// The ids of its parts, from the first on.
    #[serde(default)]
    pub(super) parts: Vec<String>,
}

/// An answer about one thing.
#[derive(Debug, Deserialize)]
pub(super) struct Data<T> {
    pub(super) data: T,
}

/// A post that was just made.
#[derive(Debug, Deserialize)]
pub(super) struct Made {
    pub(super) id: String,
}

/// What became of a post that was to be deleted.
#[derive(Debug, Deserialize)]
pub(super) struct Deleted {
    pub(super) deleted: bool,
}

/// An answer about several things. What X does not have is not among them.
#[derive(Debug, Deserialize)]
pub(super) struct Page<T> {
    #[serde(default = "Vec::new")]
    pub(super) data: Vec<T>,
    #[serde(default)]
    pub(super) meta: Meta,
}

/// Where a list goes on.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Meta {
    pub(super) next_token: Option<String>,
}

/// A post among those of its author.
#[derive(Debug, Deserialize)]
pub(super) struct ListedPost {
    pub(super) id: String,
    #[serde(default)]
    pub(super) text: String,
    pub(super) created_at: Option<DateTime<Utc>>,
    #[serde(default)]
    pub(super) entities: Entities,
    /// Its ids, one more for each time that it was edited.
    #[serde(default, rename = "edit_history_tweet_ids", alias = "edit_history_post_ids")]
    pub(super) versions: Vec<String>,
    #[serde(default, alias = "referenced_posts")]
    referenced_tweets: Vec<Reference>,
}

impl ListedPost {
    /// The post that it answers.
    pub(super) fn parent(&self) -> Option<&str> {
        let answered =
            self.referenced_tweets.iter().find(|reference| reference.kind == "replied_to");
        answered.map(|reference| reference.id.as_str())
    }
}

#[derive(Debug, Deserialize)]
struct Reference {
    #[serde(rename = "type")]
    kind: String,
    id: String,
}

/// What stands in a text.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Entities {
    #[serde(default)]
    pub(super) urls: Vec<Link>,
}

/// A link, short and whole.
#[derive(Debug, Deserialize)]
pub(super) struct Link {
    pub(super) url: String,
    pub(super) expanded_url: Option<String>,
}

/// A post with its figures.
#[derive(Debug, Deserialize)]
pub(super) struct Measured {
    pub(super) id: String,
    pub(super) public_metrics: Option<Map<String, Value>>,
}

/// An account.
#[derive(Debug, Deserialize)]
pub(super) struct User {
    pub(super) id: String,
    pub(super) username: Option<String>,
    pub(super) name: Option<String>,
    pub(super) profile_image_url: Option<String>,
    pub(super) public_metrics: Option<UserMetrics>,
}

/// The figures of an account.
#[derive(Debug, Deserialize)]
pub(super) struct UserMetrics {
    pub(super) followers_count: Option<u64>,
}

/// Tokens that were given.
#[derive(Debug, Deserialize)]
pub(super) struct Token {
    pub(super) access_token: SecretString,
    pub(super) expires_in: Option<i64>,
    pub(super) refresh_token: Option<SecretString>,
    pub(super) scope: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_prints_no_token() {
        let kept = Kept {
            access_token: SecretString::from("secret-a"),
            refresh_token: Some(SecretString::from("secret-b")),
            scopes: Some(scopes("tweet.read  tweet.write")),
        };
        assert!(!format!("{kept:?}").contains("secret-"));
        let read = Kept::read(&kept.to_text()).unwrap();
        assert_eq!(read.access_token.expose_secret(), "secret-a");
        assert_eq!(read.refresh_token.unwrap().expose_secret(), "secret-b");
        assert_eq!(read.scopes.unwrap(), ["tweet.read", "tweet.write"]);
        let bare = Kept::read(r#"{"accessToken":"a"}"#).unwrap();
        assert!(bare.refresh_token.is_none() && bare.scopes.is_none());
    }
}
