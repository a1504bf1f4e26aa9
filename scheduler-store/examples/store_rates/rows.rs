//! The posts that are stored.

use std::sync::atomic::{AtomicU64, Ordering};

use chrono::{DateTime, Utc};
use scheduler_core::idempotency::IdempotencyKey;
use scheduler_core::ids::{AccountId, PostId, TargetId, WorkspaceId};
use scheduler_core::platform::Platform;
use scheduler_core::post::{Post, PostStatus};
use scheduler_core::target::{Published, Remote, Stage, Target};
use uuid::Uuid;

pub(crate) const WORKSPACE: WorkspaceId = WorkspaceId(Uuid::from_u128(1));

pub(crate) fn noon() -> DateTime<Utc> {
    "2026-11-21T12:00:00Z".parse().unwrap()
}

/// A new id that sorts after those before it, as the ids of the server do.
pub(crate) fn id() -> Uuid {
    static LAST: AtomicU64 = AtomicU64::new(0);
    let number = LAST.fetch_add(1, Ordering::Relaxed);
    let mut rest = [0; 10];
    rest[2..].copy_from_slice(&number.wrapping_mul(0x9e37_79b9_7f4a_7c15).to_be_bytes());
    let millis = u64::try_from(noon().timestamp_millis()).unwrap() + number / 4;
    uuid::Builder::from_unix_timestamp_millis(millis, &rest).into_uuid()
}

pub(crate) fn post(account: Uuid, due_at: DateTime<Utc>) -> Post {
    let target = Target::new(
        TargetId(id()),
        Platform::Bluesky,
        AccountId(account),
        serde_json::Map::new(),
        Some(due_at),
        None,
    );
    Post {
        status: PostStatus::Scheduled,
        content: "A sentence as long as most posts are, with a link and a word or two.".to_owned(),
        scheduled_at: Some(due_at),
        idempotency_key: Some(IdempotencyKey::stored(id().to_string(), None)),
        version: 1,
        targets: vec![target],
        ..Post::new(PostId(id()), WORKSPACE, noon())
    }
}

pub(crate) fn live(target: Target) -> Target {
    let remote = Remote::new("at://example", None);
    let live =
        Published { published_at: noon(), remote: Some(remote), failure: None, follow_up: None };
    Target { attempts: 1, stage: Stage::Published(live), ..target }
}
