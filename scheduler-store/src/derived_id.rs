//! Ids of what a store makes by itself: pieces of work and deliveries.
//!
//! They follow from what they are made for, so that a store needs no source of randomness and a
//! simulation repeats itself exactly.

use chrono::{DateTime, Utc};
use scheduler_core::ids::{
    AccountId, DeliveryId, EventId, MediaId, TargetId, WebhookId, WorkId, derived,
};

/// The work that publishes a target, as a post of this version asks for it. The work of a later
/// version is other work, so that a claim on the earlier is lost.
pub(crate) fn publish_work(target: TargetId, version: i64, at: DateTime<Utc>) -> WorkId {
    WorkId(derived(at, "publish", target.0, &version.to_be_bytes()))
}

/// The work that sends a delivery.
pub(crate) fn deliver_work(delivery: DeliveryId, at: DateTime<Utc>) -> WorkId {
    WorkId(derived(at, "deliver", delivery.0, &[]))
}

/// The work that sends a delivery again after so many attempts.
pub(crate) fn redeliver_work(delivery: DeliveryId, attempts: i64, at: DateTime<Utc>) -> WorkId {
    WorkId(derived(at, "redeliver", delivery.0, &attempts.to_be_bytes()))
}

/// The work on a file of this version. The work of a later version is other work, so that a claim
/// on the earlier is lost.
pub(crate) fn media_work(media: MediaId, version: i64, at: DateTime<Utc>) -> WorkId {
    WorkId(derived(at, "media", media.0, &version.to_be_bytes()))
}

/// The work that takes the readings of an account whose credentials have this version.
/// Disconnecting the account and connecting it again makes other work, so that a claim on the
/// earlier is lost.
///
/// Sorts after all other work: operations lock work in the order of its ids, and a publish that is
/// recorded hastens the readings of its account.
pub(crate) fn read_work(account: AccountId, version: i64) -> WorkId {
    WorkId(derived(LAST, "read", account.0, &version.to_be_bytes()))
}

/// The one delivery of an event to a webhook.
pub(crate) fn delivery(event: EventId, webhook: WebhookId, at: DateTime<Utc>) -> DeliveryId {
    DeliveryId(derived(at, "delivery", event.0, webhook.0.as_bytes()))
}

/// The last instant that a UUID v7 can hold.
const LAST: DateTime<Utc> = match DateTime::from_timestamp_millis((1 << 48) - 1) {
    Some(at) => at,
    None => DateTime::<Utc>::MAX_UTC,
};

#[cfg(test)]
mod tests {
    use uuid::Uuid;

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
