//! What goes over the wire, in X's own names.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

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
