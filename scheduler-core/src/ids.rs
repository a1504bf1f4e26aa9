//! Ids that cannot be mistaken for one another.
//!
//! ```
//! use scheduler_core::ids::PostId;
//! let id: PostId = "019d3608-3200-7000-8000-000000000001".parse()?;
//! assert_eq!(id.to_string(), "019d3608-3200-7000-8000-000000000001");
//! assert_eq!(serde_json::to_string(&id).ok(), Some(format!("{:?}", id.to_string())));
//! # Ok::<(), uuid::Error>(())
//! ```

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, Utc};
use serde::de::{self, Deserializer, Unexpected, Visitor};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use uuid::Uuid;

/// Reads a UUID; what is none is an error that says so as data.
struct UuidVisitor;

impl Visitor<'_> for UuidVisitor {
    type Value = Uuid;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a UUID")
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Uuid, E> {
        Uuid::parse_str(text).map_err(|_| E::invalid_value(Unexpected::Str(text), &self))
    }
}

/// A UUID v7 of this instant whose random part is a hash of `what`, `of` and `more`, for ids that
/// follow from what they are made for: it sorts by `at`, is the same of the same, and unlike any
/// other.
///
/// ```
/// use scheduler_core::ids::derived;
/// use uuid::Uuid;
/// let at = "2026-11-21T12:00:00Z".parse()?;
/// let id = derived(at, "publish", Uuid::nil(), &[1]);
/// assert_eq!(id, derived(at, "publish", Uuid::nil(), &[1]));
/// assert_ne!(id, derived(at, "publish", Uuid::nil(), &[2]));
/// assert_eq!(id.get_version_num(), 7);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[must_use]
pub fn derived(at: DateTime<Utc>, what: &str, of: Uuid, more: &[u8]) -> Uuid {
    let millis = u64::try_from(at.timestamp_millis()).unwrap_or_default();
    let digest = Sha256::new()
        .chain_update(what.as_bytes())
        .chain_update(of.as_bytes())
        .chain_update(more)
        .finalize();
    let hash: [u8; 10] = std::array::from_fn(|index| digest[index]);
    uuid::Builder::from_unix_timestamp_millis(millis, &hash).into_uuid()
}

/// The fewest characters by which a post is found.
///
/// Source: our decision; the first eight of an id stand for 65 seconds.
pub const BEGINNING_MIN: usize = 8;

/// The first and the last id that begin as a text does; `None` for a text that begins none, or has
/// fewer than [`BEGINNING_MIN`] characters.
///
/// ```
/// use scheduler_core::ids::beginning;
/// let (first, last) = beginning("019d3608-32").ok_or("it is one")?;
/// assert_eq!(first.to_string(), "019d3608-3200-0000-0000-000000000000");
/// assert_eq!(last.to_string(), "019d3608-32ff-ffff-ffff-ffffffffffff");
/// assert_eq!(beginning("019d36"), None);
/// assert_eq!(beginning("019d3608x"), None);
/// # Ok::<(), &str>(())
/// ```
#[must_use]
pub fn beginning(text: &str) -> Option<(Uuid, Uuid)> {
    let form = "00000000-0000-0000-0000-000000000000";
    let fits = |(given, of_form): (char, char)| match of_form {
        '-' => given == '-',
        _ => given.is_ascii_hexdigit(),
    };
    let is_one = (BEGINNING_MIN..=form.len()).contains(&text.len())
        && text.chars().zip(form.chars()).all(fits);
    let rest = form.get(text.len()..).filter(|_| is_one)?;
    let whole = |rest: &str| Uuid::parse_str(&format!("{text}{rest}")).ok();
    Some((whole(rest)?, whole(&rest.replace('0', "f"))?))
}

macro_rules! id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(inline))]
        #[serde(transparent)]
        pub struct $name(pub Uuid);

        impl fmt::Display for $name {
            fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(formatter)
            }
        }

        impl FromStr for $name {
            type Err = uuid::Error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                Uuid::parse_str(text).map(Self)
            }
        }

        impl<'de> Deserialize<'de> for $name {
            fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                deserializer.deserialize_str(UuidVisitor).map(Self)
            }
        }
    };
}

id!(
    /// Names a workspace: the owner of posts, accounts, keys and webhooks.
    WorkspaceId
);
id!(
    /// Names an API key; never its value.
    KeyId
);
id!(
    /// Names a session of a person, and the login that it began with.
    SessionId
);
id!(
    /// Names a person, however they have signed in.
    PersonId
);
id!(
    /// Names a passkey of a person.
    PasskeyId
);
id!(
    /// Names what a person has granted a program.
    GrantId
);
id!(
    /// Names a connected account.
    AccountId
);
id!(
    /// Names a set of accounts that are picked together.
    AccountSetId
);
id!(
    /// Names a connection that a person is making in a browser.
    ConnectionId
);
id!(
    /// Names a post.
    PostId
);
id!(
    /// Names what a post has said at some time.
    PostVersionId
);
id!(
    /// Names one target of a post.
    TargetId
);
id!(
    /// Names a recurrence: posts that come again.
    RecurrenceId
);
id!(
    /// Names one of the posts that a recurrence repeats.
    EntryId
);
id!(
    /// Names an uploaded or fetched file.
    MediaId
);
id!(
    /// Names a webhook subscription.
    WebhookId
);
id!(
    /// Names somebody who is told what happens.
    NotifierId
);
id!(
    /// Names a feed whose items become posts.
    FeedId
);
id!(
    /// Names an event; the same on every redelivery.
    EventId
);
id!(
    /// Names the delivery of one event to one webhook.
    DeliveryId
);
id!(
    /// Names a comment of somebody else on a live target.
    CommentId
);
id!(
    /// Names an entry of the audit log.
    AuditId
);
id!(
    /// Names a row of the queue of due work.
    WorkId
);
