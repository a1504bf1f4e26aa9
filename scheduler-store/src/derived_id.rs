//! Ids of what a store makes by itself: pieces of work and deliveries.
//!
//! They follow from what they are made for, so that a store needs no source of randomness and a
//! simulation repeats itself exactly.

use chrono::{DateTime, Utc};
use scheduler_core::ids::{AccountId, DeliveryId, EventId, MediaId, TargetId, WebhookId, WorkId};
use sha2::{Digest, Sha256};
use uuid::Uuid;

/// The work that publishes a target, as a post of this version asks for it. The work of a later
/// version is other work, so that a claim on the earlier is lost.
pub(crate) fn publish_work(target: TargetId, version: i64, at: DateTime<Utc>) -> WorkId {
    WorkId(derive(at, b"publish", target.0, &version.to_be_bytes()))
}

/// The work that sends a delivery.
pub(crate) fn deliver_work(delivery: DeliveryId, at: DateTime<Utc>) -> WorkId {
    WorkId(derive(at, b"deliver", delivery.0, &[]))
}

/// The work that sends a delivery again after so many attempts.
pub(crate) fn redeliver_work(delivery: DeliveryId, attempts: i64, at: DateTime<Utc>) -> WorkId {
    WorkId(derive(at, b"redeliver", delivery.0, &attempts.to_be_bytes()))
}

/// The work on a file of this version. The work of a later version is other work, so that a claim
/// on the earlier is lost.
pub(crate) fn media_work(media: MediaId, version: i64, at: DateTime<Utc>) -> WorkId {
    WorkId(derive(at, b"media", media.0, &version.to_be_bytes()))
}

/// The work that takes the readings of an account whose credentials have this version.
/// Disconnecting the account and connecting it again makes other work, so that a claim on the
/// earlier is lost.
///
/// Sorts after all other work: operations lock work in the order of its ids, and a publish that is
/// recorded hastens the readings of its account.
pub(crate) fn read_work(account: AccountId, version: i64) -> WorkId {
    WorkId(derive_at(LAST_MILLIS, b"read", account.0, &version.to_be_bytes()))
}

/// The one delivery of an event to a webhook.
pub(crate) fn delivery(event: EventId, webhook: WebhookId, at: DateTime<Utc>) -> DeliveryId {
    DeliveryId(derive(at, b"delivery", event.0, webhook.0.as_bytes()))
}

/// A UUID v7 whose random part is a hash, so that it sorts by `at` and is unlike any other.
fn derive(at: DateTime<Utc>, what: &[u8], of: Uuid, more: &[u8]) -> Uuid {
    let millis = u64::try_from(at.timestamp_millis()).unwrap_or_default();
    derive_at(millis, what, of, more)
}

/// The last instant that a UUID v7 can hold.
const LAST_MILLIS: u64 = (1 << 48) - 1;

fn derive_at(millis: u64, what: &[u8], of: Uuid, more: &[u8]) -> Uuid {
    let digest =
        Sha256::new().chain_update(what).chain_update(of.as_bytes()).chain_update(more).finalize();
    let hash: [u8; 10] = std::array::from_fn(|index| digest[index]);
    uuid::Builder::from_unix_timestamp_millis(millis, &hash).into_uuid()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_of_the_same_and_another_of_anything_else() {
        let at = DateTime::from_timestamp_millis(1_800_000_000_000).unwrap();
        let (one, two) = (TargetId(Uuid::from_u128(1)), TargetId(Uuid::from_u128(2)));
        let id = publish_work(one, 1, at);
        assert_eq!(id, publish_work(one, 1, at));
        assert_ne!(id, publish_work(one, 2, at));
        assert_ne!(id, publish_work(two, 1, at));
        assert_eq!(id.0.get_version_num(), 7);
        assert!(id < publish_work(one, 1, at + chrono::TimeDelta::milliseconds(1)));
        let account = AccountId(Uuid::from_u128(1));
        assert_ne!(read_work(account, 1), read_work(account, 2));
        assert!(read_work(account, 1) > publish_work(one, 1, at + chrono::TimeDelta::days(99_999)));
        let (event, hook) = (EventId(Uuid::from_u128(1)), WebhookId(Uuid::from_u128(2)));
        assert_ne!(
            delivery(event, hook, at),
            delivery(EventId(hook.0), WebhookId(event.0), at),
            "the parts do not change places"
        );
    }
}
