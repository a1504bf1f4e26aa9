//! The posts that are stored.

use std::sync::atomic::{AtomicU64, Ordering};

use chrono::{DateTime, Utc};
use scheduler_core::idempotency::IdempotencyKey;
use scheduler_core::ids::{AccountId, PostId, TargetId, WorkspaceId};
use scheduler_core::platform::Platform;
use scheduler_core::post::{Post, PostStatus};
use scheduler_core::target::{Remote, Target, TargetStatus};
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
        id: PostId(id()),
        workspace_id: WORKSPACE,
        status: PostStatus::Scheduled,
        content: "A sentence as long as most posts are, with a link and a word or two.".to_owned(),
        link_url: None,
        media_ids: Vec::new(),
        alt_texts: Vec::new(),
        scheduled_at: Some(due_at),
        approval_state: None,
        created_at: noon(),
        updated_at: noon(),
        idempotency_key: Some(IdempotencyKey::stored(id().to_string(), None)),
        version: 1,
        targets: vec![target],
    }
}

pub(crate) fn live(mut target: Target) -> Target {
    target.status = TargetStatus::Published;
    target.attempts = 1;
    target.due_at = None;
    target.published_at = Some(noon());
    target.remote = Some(Remote::new("at://example", None));
    target
}
