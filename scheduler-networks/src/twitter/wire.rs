//! What goes over the wire, in X's own names.

use chrono::{DateTime, TimeDelta, Utc};
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

/// A file that was announced, sent or asked for.
#[derive(Debug, Deserialize)]
pub(super) struct Media {
    pub(super) id: String,
    pub(super) media_key: Option<String>,
    /// How far X is with it; `None` once a post can show it.
    pub(super) processing_info: Option<ProcessingInfo>,
}

/// How far X is with a file that it works on.
///
/// Source: openapi.json, `ProcessingInfo`; the error is seen in answers.
#[derive(Debug, Deserialize)]
pub(super) struct ProcessingInfo {
    state: String,
    check_after_secs: Option<u32>,
    error: Option<ProcessingError>,
}

#[derive(Debug, Deserialize)]
struct ProcessingError {
    message: Option<String>,
}

impl ProcessingInfo {
    /// True once a post can show the file.
    pub(super) fn is_done(&self) -> bool {
        self.state == "succeeded"
    }

    /// True when X cannot process the file.
    pub(super) fn has_failed(&self) -> bool {
        self.state == "failed"
    }

    /// When X wants to be asked again.
    pub(super) fn wait(&self) -> Option<TimeDelta> {
        self.check_after_secs.map(|seconds| TimeDelta::seconds(i64::from(seconds)))
    }

    /// Why X cannot process the file, in its own words.
    pub(super) fn said(&self) -> &str {
        self.error.as_ref().and_then(|error| error.message.as_deref()).unwrap_or_default()
    }
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
    #[serde(default)]
    pub(super) attachments: Attachments,
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

/// What stands beside a text.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Attachments {
    /// The keys of its files.
    #[serde(default)]
    pub(super) media_keys: Vec<String>,
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
    /// The key of the file that X has put the link there for; `None` for a link of the text.
    pub(super) media_key: Option<String>,
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
    /// What the account pays for.
    pub(super) subscription_type: Option<String>,
}

impl User {
    /// Longest post, in characters, where it differs from everybody's.
    ///
    /// Source: <https://help.x.com/en/using-x/x-premium>, "Longer posts"; of the names,
    /// <https://api.x.com/2/openapi.json>, `User.subscription_type`.
    pub(super) fn text_limit(&self) -> Option<u32> {
        let is_long = matches!(self.subscription_type.as_deref(), Some("Premium" | "PremiumPlus"));
        is_long.then_some(25_000)
    }
}

/// The figures of an account.
#[derive(Debug, Deserialize)]
pub(super) struct UserMetrics {
    pub(super) followers_count: Option<u64>,
}
