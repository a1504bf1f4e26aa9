//! What the server checks of a record before it stores it.
//!
//! Source: <https://github.com/bluesky-social/atproto/tree/main/lexicons>. Not checked, as at the
//! real server: whether replied-to records exist, facet ranges and overlap, a time in the future,
//! embeds of unknown types.

mod embed;
mod post;
mod value;

use serde_json::Value;

pub(super) use value::{BlobRef, Fault};
use value::{Place, array, at_uri, datetime, object, optional, required, string, strong_ref};

pub(super) const POST: &str = "app.bsky.feed.post";
pub(super) const LIKE: &str = "app.bsky.feed.like";
pub(super) const REPOST: &str = "app.bsky.feed.repost";
pub(super) const THREADGATE: &str = "app.bsky.feed.threadgate";
pub(super) const POSTGATE: &str = "app.bsky.feed.postgate";

/// Source: lexicons/app/bsky/feed/threadgate.json, `hiddenReplies.maxLength`.
const MAX_HIDDEN_REPLIES: usize = 300;
/// Source: lexicons/app/bsky/feed/postgate.json, `embeddingRules.maxLength`.
const MAX_EMBEDDING_RULES: usize = 5;
/// Source: lexicons/app/bsky/feed/threadgate.json, `allow.maxLength`.
const MAX_ALLOW_RULES: usize = 5;

/// What the check of a record found out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Validation {
    /// The collection is known and the record fits it.
    Valid,
    /// The collection is not known here.
    Unknown,
}

impl Validation {
    /// Returns the word of the answer.
    pub(super) const fn name(self) -> &'static str {
        match self {
            Self::Valid => "valid",
            Self::Unknown => "unknown",
        }
    }
}

/// Checks a record and collects the blobs that it refers to.
///
/// # Errors
/// The first rule that the record breaks.
pub(super) fn check(
    collection: &str,
    record: &Value,
    blobs: &mut Vec<BlobRef>,
) -> Result<Validation, Fault> {
    let place = Place::root();
    let record = object(record, &place)?;
    let declared = required(record, "$type", &place, string)?;
    if declared != collection {
        let message = format!("Invalid $type: expected {collection}, got {declared}");
        return Err(Fault { message });
    }
    match collection {
        POST => post::check(record, &place, blobs)?,
        LIKE | REPOST => {
            required(record, "subject", &place, strong_ref)?;
            required(record, "createdAt", &place, datetime)?;
        }
        THREADGATE => {
            required(record, "post", &place, at_uri)?;
            required(record, "createdAt", &place, datetime)?;
            optional(record, "hiddenReplies", &place, |value, place| {
                array(value, place, MAX_HIDDEN_REPLIES, at_uri)
            })?;
            optional(record, "allow", &place, |value, place| {
                array(value, place, MAX_ALLOW_RULES, rule)
            })?;
        }
        POSTGATE => {
            required(record, "post", &place, at_uri)?;
            required(record, "createdAt", &place, datetime)?;
            optional(record, "embeddingRules", &place, |value, place| {
                array(value, place, MAX_EMBEDDING_RULES, rule)
            })?;
        }
        _ => return Ok(Validation::Unknown),
    }
    Ok(Validation::Valid)
}

/// Checks a rule, which names its type; an unknown one is accepted, as in any open union.
fn rule(value: &Value, place: &Place) -> Result<(), Fault> {
    required(object(value, place)?, "$type", place, string).map(|_| ())
}
