//! Things of the application as the document shows them.

use scheduler_core::notification::TOLD;
use serde_json::{Value, json};

use crate::openapi::examples::{
    ACCOUNT, DELIVERY, EVENT, KEY, NOTIFIER, POST, SESSION, TARGET, WEBHOOK, connected_account,
};

pub(super) const WORKSPACE: &str = "01936b00-0a1b-7c2d-8e3f-405162738495";

pub(super) fn workspace() -> Value {
    json!({
        "id": WORKSPACE,
        "name": "The bakery",
        "plan": "studio",
        "timezone": "Europe/Berlin",
        "picture": null,
        "createdAt": "2026-11-01T08:00:00Z",
    })
}

pub(super) fn session() -> Value {
    json!({
        "id": SESSION,
        "role": "editor",
        "client": "scheduler on lap-7",
        "api": true,
        "createdAt": "2026-11-28T09:00:00Z",
        "expiresAt": "2027-02-26T09:00:00Z",
    })
}

pub(super) fn account() -> Value {
    json!({
        "account": connected_account(),
        "connectedAt": "2026-11-01T08:05:00Z",
        "schedule": schedule(),
        "defaultOptions": {"visibility": "unlisted", "signature": "Ana of the bakery"},
        "health": {
            "state": "connected",
            "tokenExpiresAt": null,
            "apiVersion": null,
            "apiVersionEndsAt": null,
            "quota": [{
                "name": "requests",
                "used": 12,
                "limit": 1_500,
                "resetsAt": "2026-11-28T10:00:00Z",
            }],
            "lastPublishedAt": "2026-11-27T08:00:01Z",
            "dueTargets": 3,
        },
    })
}

pub(super) fn schedule() -> Value {
    json!({
        "zone": "Europe/Berlin",
        "slots": [
            {"weekday": "mon", "time": "09:00"},
            {"weekday": "sat", "time": "11:00"},
        ],
    })
}

pub(super) fn slots() -> Value {
    json!([
        {
            "accountId": ACCOUNT,
            "instant": "2026-11-30T08:00:00Z",
            "local": "2026-11-30T09:00",
            "targetId": TARGET,
            "postId": POST,
        },
        {"accountId": ACCOUNT, "instant": "2026-12-05T10:00:00Z", "local": "2026-12-05T11:00"},
    ])
}

pub(super) fn key() -> Value {
    json!({
        "id": KEY,
        "name": "a script",
        "scopes": ["posts:read", "posts:write"],
        "hint": "sk_0exam",
        "createdAt": "2026-11-28T09:00:00Z",
        "expiresAt": "2027-11-28T09:00:00Z",
    })
}

pub(super) fn delivery() -> Value {
    json!({
        "id": DELIVERY,
        "eventId": EVENT,
        "event": "post.published",
        "webhookId": WEBHOOK,
        "url": "https://bakery.example/hooks/scheduler",
        "status": "delivered",
        "attempts": [{"at": "2026-11-28T09:00:02Z", "status": 204, "answer": ""}],
    })
}

pub(super) fn approval() -> Value {
    json!({
        "postId": POST,
        "postStatus": "scheduled",
        "approvalState": "changes",
        "client": "Ana",
        "message": "The first week of December.",
        "timezone": "Europe/Lisbon",
        "note": "A warmer picture, please.",
        "remarks": [
            {"at": "2026-11-28T10:00:00Z", "by": "client", "text": "A warmer picture, please."},
            {"at": "2026-11-28T11:00:00Z", "by": "team", "text": "The picture is a new one now."},
        ],
        "decidedAt": "2026-11-28T10:00:00Z",
        "createdAt": "2026-11-28T09:00:00Z",
        "expiresAt": "2026-12-12T09:00:00Z",
    })
}

pub(super) fn notifier() -> Value {
    json!({
        "id": NOTIFIER,
        "channel": "email",
        "address": "ana@bakery.example",
        "events": TOLD,
        "quiet": {"from": "22:00", "to": "07:00", "timezone": "Europe/Berlin"},
        "createdAt": "2026-11-28T09:00:00Z",
        "toldAt": null,
        "error": null,
    })
}

pub(super) fn received_comment() -> Value {
    json!({
        "id": "01936b3c-5b1e-7c4a-9f0e-2d6a1b7c8d93",
        "postId": POST,
        "targetId": TARGET,
        "accountId": ACCOUNT,
        "platform": "mastodon",
        "commentId": "113456790000000000",
        "author": "@ann@social.example",
        "text": "Do you deliver?",
        "at": "2026-12-24T17:20:00Z",
        "hidden": false,
        "likeCount": 1,
        "unread": true,
    })
}
