//! Comments under a live post.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

/// A comment of the contract, read live from a network.
///
/// Source: interface description, Comment.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Comment {
    /// The network's own id, made safe for one path segment.
    pub id: String,
    /// The handle of its author.
    pub author: Option<String>,
    /// What it says.
    pub text: String,
    /// When it was written.
    pub created_at: Option<DateTime<Utc>>,
    /// True when the connected account wrote it.
    pub own: bool,
    /// True when it is hidden from others.
    pub hidden: bool,
    /// How many like it.
    pub like_count: Option<u64>,
}
