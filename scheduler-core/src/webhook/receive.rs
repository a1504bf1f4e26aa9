//! The receiver's side: from the bytes of a delivery to what it tells of.

use std::fmt;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    AccountData, ApprovalData, CommentData, Envelope, EventKind, FailedData, FeedData, MediaData,
    PublishedData, ScheduledData,
};
use crate::ids::EventId;
use crate::platform::Platform;
use crate::signing::{VerifyError, verify_v2};

/// A name in an event: one that this version knows, or one that a newer sender uses.
///
/// ```
/// use scheduler_core::platform::Platform;
/// use scheduler_core::webhook::Name;
///
/// let known: Name<Platform> = serde_json::from_str(r#""bluesky""#)?;
/// let newer: Name<Platform> = serde_json::from_str(r#""agora""#)?;
/// assert_eq!(known, Platform::Bluesky);
/// assert_eq!((newer.known(), newer.as_str()), (None, "agora"));
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Name<T> {
    /// This version knows it.
    Known(T),
    /// It does not.
    Other(String),
}

impl<T: Copy> Name<T> {
    /// What it stands for, if this version knows it.
    #[must_use]
    pub const fn known(&self) -> Option<T> {
        match self {
            Self::Known(known) => Some(*known),
            Self::Other(_) => None,
        }
    }
}

impl Name<EventKind> {
    /// The name as it is sent.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Known(kind) => kind.as_str(),
            Self::Other(name) => name,
        }
    }
}

impl Name<Platform> {
    /// The name as it is sent.
    #[must_use]
    pub fn as_str(&self) -> &str {
        match self {
            Self::Known(platform) => platform.as_str(),
            Self::Other(name) => name,
        }
    }
}

impl<T> From<T> for Name<T> {
    fn from(known: T) -> Self {
        Self::Known(known)
    }
}

impl<T: PartialEq> PartialEq<T> for Name<T> {
    fn eq(&self, other: &T) -> bool {
        matches!(self, Self::Known(known) if known == other)
    }
}

/// An event that was verified and read.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Received {
    /// The event's id, the same on every redelivery: handle each once.
    pub id: EventId,
    /// When it happened.
    pub created_at: DateTime<Utc>,
    /// What it tells of.
    pub payload: Payload,
}

/// What an event tells of.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Payload {
    /// A target is live.
    Published(PublishedData),
    /// A target failed and trying has stopped.
    Failed(FailedData),
    /// A post was given a time, or another one.
    Scheduled(ScheduledData),
    /// A client has approved a post, or asked for changes.
    ApprovalDecided(ApprovalData),
    /// An account has to be connected again.
    NeedsReconnect(AccountData),
    /// The credentials of an account end soon, and only a person can renew them.
    TokenExpiring(AccountData),
    /// A file can be used in a post.
    MediaReady(MediaData),
    /// A file can never be used.
    MediaFailed(MediaData),
    /// Somebody has written a comment under a live post.
    CommentReceived(CommentData),
    /// A feed whose items become posts keeps failing.
    FeedFailing(FeedData),
    /// Something that this version does not know.
    Other {
        /// The kind, as it was sent.
        event: String,
        /// Its data.
        data: Value,
    },
}

/// A delivery was not taken.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReceiveError {
    /// It is not to be trusted.
    #[error(transparent)]
    Signature(#[from] VerifyError),
    /// It was signed, but is no event.
    #[error("the body is no event: {0}")]
    Body(#[from] serde_json::Error),
}

/// Verifies a delivery and reads it.
///
/// `signature` is the header [`SIGNATURE_V2_HEADER`](crate::signing::SIGNATURE_V2_HEADER), `body`
/// the bytes as they came. Several secrets are those of several webhooks, or an old and a new one
/// while they are changed.
///
/// ```
/// use scheduler_core::signing::sign_v2;
/// use scheduler_core::webhook::{Payload, receive};
///
/// let now = "2026-11-21T12:00:00Z".parse()?;
/// let body = br#"{
///     "id": "019d3608-3200-7000-8000-000000000001",
///     "event": "post.archived",
///     "createdAt": "2026-11-21T12:00:00Z",
///     "data": {"postId": "019d3608-3200-7000-8000-000000000002"}
/// }"#;
/// let signature = sign_v2("whsec_old", now, body);
/// let received = receive(["whsec_new", "whsec_old"], &signature, body, now)?;
/// match received.payload {
///     Payload::Published(data) => println!("{} is live", data.post_id),
///     Payload::Failed(data) => println!("{}: {}", data.post_id, data.error),
///     other => println!("not for this program: {other:?}"),
/// }
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// [`ReceiveError::Signature`] when none of the secrets made the signature, or too long ago;
/// [`ReceiveError::Body`] when the body is no event, or lacks what its kind must have.
pub fn receive<S: AsRef<str>>(
    secrets: impl IntoIterator<Item = S>,
    signature: &str,
    body: &[u8],
    now: DateTime<Utc>,
) -> Result<Received, ReceiveError> {
    let verdicts =
        secrets.into_iter().map(|secret| verify_v2(secret.as_ref(), signature, body, now));
    // A right signature out of its time says more than that another secret did not make it.
    let mut verdicts = verdicts.filter(|verdict| *verdict != Err(VerifyError::Mismatch));
    verdicts.next().unwrap_or(Err(VerifyError::Mismatch))?;
    let Envelope { id, event, created_at, data } = serde_json::from_slice(body)?;
    let payload = match event {
        Name::Known(EventKind::Published) => Payload::Published(serde_json::from_value(data)?),
        Name::Known(EventKind::Failed) => Payload::Failed(serde_json::from_value(data)?),
        Name::Known(EventKind::Scheduled) => Payload::Scheduled(serde_json::from_value(data)?),
        Name::Known(EventKind::ApprovalDecided) => {
            Payload::ApprovalDecided(serde_json::from_value(data)?)
        }
        Name::Known(EventKind::NeedsReconnect) => {
            Payload::NeedsReconnect(serde_json::from_value(data)?)
        }
        Name::Known(EventKind::TokenExpiring) => {
            Payload::TokenExpiring(serde_json::from_value(data)?)
        }
        Name::Known(EventKind::MediaReady) => Payload::MediaReady(serde_json::from_value(data)?),
        Name::Known(EventKind::MediaFailed) => Payload::MediaFailed(serde_json::from_value(data)?),
        Name::Known(EventKind::CommentReceived) => {
            Payload::CommentReceived(serde_json::from_value(data)?)
        }
        Name::Known(EventKind::FeedFailing) => Payload::FeedFailing(serde_json::from_value(data)?),
        Name::Other(event) => Payload::Other { event, data },
    };
    Ok(Received { id, created_at, payload })
}

impl fmt::Display for Name<EventKind> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

impl fmt::Display for Name<Platform> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use serde_json::json;

    use super::*;
    use crate::signing::{TOLERANCE, sign_v2};

    fn now() -> DateTime<Utc> {
        "2026-11-21T12:00:00Z".parse().unwrap()
    }

    fn body(event: &str, data: &Value) -> Vec<u8> {
        let id = "019d3608-3200-7000-8000-000000000001";
        let body = json!({"id": id, "event": event, "createdAt": now(), "data": data});
        serde_json::to_vec(&body).unwrap()
    }

    fn published(platform: &str) -> Value {
        let id = "019d3608-3200-7000-8000-000000000002";
        json!({"postId": id, "targetId": id, "platform": platform, "remoteId": "1",
            "remoteUrl": null, "addedLater": true})
    }

    fn taken(event: &str, data: &Value) -> Result<Payload, ReceiveError> {
        let body = body(event, data);
        let signature = sign_v2("whsec_a", now(), &body);
        receive(["whsec_a"], &signature, &body, now()).map(|received| received.payload)
    }

    #[test]
    fn what_is_newer_than_the_receiver_is_kept() {
        let data = json!({"anything": [1]});
        let other = taken("post.edited", &data).unwrap();
        assert_eq!(other, Payload::Other { event: "post.edited".to_owned(), data });
        let Payload::Published(data) = taken("post.published", &published("agora")).unwrap() else {
            panic!("it was published");
        };
        assert_eq!(data.platform, Name::Other("agora".to_owned()));
        assert_eq!(data.platform.to_string(), "agora");
        assert_eq!(serde_json::to_value(&data).unwrap()["platform"], "agora");
        let Payload::Published(data) = taken("post.published", &published("tumblr")).unwrap()
        else {
            panic!("it was published");
        };
        assert_eq!(data.platform, Platform::Tumblr);
    }

    #[test]
    fn what_is_signed_and_no_event_is_told_apart() {
        let failed = taken("post.failed", &published("bluesky"));
        assert!(matches!(failed, Err(ReceiveError::Body(_))), "{failed:?}");
    }

    #[test]
    fn any_of_the_secrets_will_do() {
        let body = body("post.edited", &json!({}));
        let header = sign_v2("whsec_old", now(), &body);
        let late = now() + TOLERANCE + TimeDelta::seconds(1);
        let (mismatch, late_error) = (VerifyError::Mismatch, VerifyError::OutOfTime);
        for (name, secrets, header, now, want) in [
            ("the first", vec!["whsec_old", "whsec_new"], &*header, now(), None),
            ("the last", vec!["whsec_new", "whsec_old"], &*header, now(), None),
            ("none of them", vec!["whsec_new", "whsec_b"], &*header, now(), Some(mismatch)),
            ("no secret", vec![], &*header, now(), Some(mismatch)),
            (
                "too late",
                vec!["whsec_new", "whsec_old", "whsec_b"],
                &*header,
                late,
                Some(late_error),
            ),
            ("no header", vec!["whsec_old"], "", now(), Some(VerifyError::Malformed)),
        ] {
            let found = match receive(secrets, header, &body, now) {
                Ok(_) => None,
                Err(ReceiveError::Signature(error)) => Some(error),
                Err(error) => panic!("{name}: {error}"),
            };
            assert_eq!(found, want, "{name}");
        }
    }
}
