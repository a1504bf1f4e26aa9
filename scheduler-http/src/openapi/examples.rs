//! Things as they may look, used in many examples.

use serde_json::{Value, json};

use super::schema::with;

pub(crate) const POST: &str = "01936b3c-5b1e-7c4a-9f0e-2d6a1b7c8d90";
pub(crate) const TARGET: &str = "01936b3c-5b1e-7c4a-9f0e-2d6a1b7c8d91";
pub(crate) const ACCOUNT: &str = "01936b2a-0c3d-7e5f-8a1b-4c2d3e4f5a60";
pub(crate) const MEDIA: &str = "01936b3a-77aa-7b0c-8d1e-9f2a3b4c5d6e";
pub(crate) const WEBHOOK: &str = "01936b10-1f2e-7d3c-8b4a-5c6d7e8f9a0b";
pub(crate) const SESSION: &str = "01936b0a-2c4d-7e6f-8a9b-0c1d2e3f4a5b";
pub(crate) const GRANT: &str = "01936b0b-3d5e-7f70-9bac-1d2e3f4a5b6c";
pub(crate) const KEY: &str = "01936b0b-3d5e-7f70-9bac-1d2e3f4a5b6c";
pub(crate) const NOTIFIER: &str = "01936b77-1c2d-7e3f-8a4b-5c6d7e8f9a0b";
pub(crate) const ACCOUNT_SET: &str = "01936b79-3e4f-7041-8c6d-0b1c2d3e4f50";
pub(crate) const FEED: &str = "01936b78-2d3e-7f40-9b5c-6d7e8f9a0b1c";
pub(crate) const DELIVERY: &str = "01936b3d-4e6f-7081-acbd-2e3f4a5b6c7d";
pub(crate) const EVENT: &str = "01936b3c-6f70-7a1b-9c2d-3e4f5a6b7c8d";

pub(crate) fn issue() -> Value {
    json!({
        "platform": "bluesky",
        "severity": "error",
        "message": "Text is 312 characters for Bluesky, the limit is 300.",
        "rule": "bluesky.text.too_long",
        "target": 0,
        "detail": {
            "kind": "too_long",
            "unit": "graphemes",
            "found": 312,
            "most": 300,
            "part": "text",
        },
    })
}

/// A target that waits.
pub(crate) fn pending_target() -> Value {
    json!({
        "id": TARGET,
        "platform": "mastodon",
        "accountId": ACCOUNT,
        "status": "pending",
        "remoteId": null,
        "remoteUrl": null,
        "publishedAt": null,
        "error": null,
        "errorCode": null,
        "errorPermanent": false,
        "attempts": 0,
        "nextAttemptAt": "2026-12-24T17:00:00Z",
        "canEditRemote": false,
        "canDeleteRemote": false,
        "options": {"visibility": "public"},
        "metrics": null,
    })
}

/// A target that is live.
pub(crate) fn live_target() -> Value {
    with(
        pending_target(),
        json!({
            "status": "published",
            "remoteId": "113456789012345678",
            "remoteUrl": "https://mastodon.example/@bakery/113456789012345678",
            "publishedAt": "2026-12-24T17:00:01Z",
            "attempts": 1,
            "nextAttemptAt": null,
            "canEditRemote": true,
            "canDeleteRemote": true,
            "metrics": figures(),
        }),
    )
}

/// A post that waits for its time.
pub(crate) fn scheduled_post() -> Value {
    json!({
        "id": POST,
        "status": "scheduled",
        "content": "Fresh cakes for Christmas. 🎄",
        "linkUrl": "https://bakery.example/cakes",
        "mediaIds": [MEDIA],
        "altTexts": ["A cake with a fir of icing"],
        "labels": ["Christmas"],
        "note": null,
        "metadata": {"campaign": "7"},
        "timing": {"kind": "instant"},
        "scheduledAt": "2026-12-24T17:00:00Z",
        "approvalState": null,
        "createdAt": "2026-11-21T09:30:00Z",
        "updatedAt": "2026-11-21T09:30:00Z",
        "revision": 1,
        "targets": [pending_target()],
    })
}

/// A post that has gone out.
pub(crate) fn live_post() -> Value {
    with(scheduled_post(), json!({"status": "done", "targets": [live_target()]}))
}

pub(crate) fn figures() -> Value {
    json!({"likes": 42, "comments": 3, "shares": 7, "fetchedAt": "2026-12-24T23:00:00Z"})
}

pub(crate) fn comment() -> Value {
    json!({
        "id": "113456790000000000",
        "author": "@ann@social.example",
        "text": "Do you deliver?",
        "createdAt": "2026-12-24T17:20:00Z",
        "own": false,
        "hidden": false,
        "likeCount": 1,
    })
}

/// A file that awaits its bytes.
pub(crate) fn awaited_media() -> Value {
    json!({
        "id": MEDIA,
        "kind": "image",
        "status": "awaiting_upload",
        "mimeType": "image/jpeg",
        "sizeBytes": 245_760,
        "durationSeconds": null,
        "width": null,
        "height": null,
        "fps": null,
        "fileName": "cake.jpg",
        "name": null,
        "labels": [],
        "altText": null,
        "previewUrl": null,
        "error": null,
        "createdAt": "2026-11-21T09:29:00Z",
    })
}

/// A file that is being examined.
pub(crate) fn processing_media() -> Value {
    with(awaited_media(), json!({"status": "processing"}))
}

/// A file that can be used.
pub(crate) fn ready_media() -> Value {
    with(
        awaited_media(),
        json!({
            "status": "ready",
            "width": 1_600,
            "height": 1_200,
            "previewUrl": "https://scheduler.example/files/a/b/original?signature=abc",
        }),
    )
}

pub(crate) fn review() -> Value {
    json!({
        "targetId": TARGET,
        "summary": "A clear text with one thing to do.",
        "strengths": ["It is short."],
        "suggestions": ["Ask a question to begin with."],
        "score": 7,
        "createdAt": "2026-12-25T09:00:00Z",
    })
}

pub(crate) fn connected_account() -> Value {
    json!({
        "id": ACCOUNT,
        "platform": "mastodon",
        "username": "bakery@mastodon.example",
        "displayName": "The bakery",
        "avatarUrl": "https://mastodon.example/avatars/bakery.png",
        "connection": null,
        "canDeleteRemote": true,
        "needsReconnect": false,
        "paused": false,
        "timezone": "Europe/Berlin",
    })
}

pub(crate) fn snippet() -> Value {
    json!({
        "name": "hashtags",
        "text": "#bread #bakery #berlin",
        "updatedAt": "2026-11-21T09:00:00Z",
    })
}

pub(crate) fn webhook() -> Value {
    json!({
        "id": WEBHOOK,
        "url": "https://bakery.example/hooks/scheduler",
        "events": ["post.published", "post.failed"],
        "createdAt": "2026-11-21T09:00:00Z",
    })
}
