//! Things of the application as the document shows them.

use scheduler_core::notification::TOLD;
use serde_json::{Value, json};

use crate::openapi::examples::{
    ACCOUNT, ACCOUNT_SET, DELIVERY, EVENT, FEED, GRANT, KEY, NOTIFIER, POST, SESSION, TARGET,
    WEBHOOK, connected_account,
};

pub(super) const WORKSPACE: &str = "01936b00-0a1b-7c2d-8e3f-405162738495";

const RECURRENCE: &str = "01936b3c-5b1e-7c4a-9f0e-2d6a1b7c8da1";
const ENTRY: &str = "01936b3c-5b1e-7c4a-9f0e-2d6a1b7c8da2";

pub(super) fn workspace() -> Value {
    json!({
        "id": WORKSPACE,
        "name": "The bakery",
        "plan": "studio",
        "timezone": "Europe/Berlin",
        "picture": null,
        "secondPair": false,
        "createdAt": "2026-11-01T08:00:00Z",
    })
}

pub(super) fn rehearsal() -> Value {
    json!({
        "from": "2026-12-01T08:00:00Z",
        "until": "2026-12-31T08:00:00Z",
        "whole": true,
        "posts": 1,
        "onTime": 0,
        "delayed": 0,
        "stopped": 1,
        "findings": [{
            "kind": "token_expires",
            "platform": "bluesky",
            "accountId": ACCOUNT,
            "delayed": 0,
            "stopped": 1,
            "firstAt": "2026-12-20T09:00:00Z",
            "lastAt": "2026-12-20T09:00:00Z",
            "longestDelaySeconds": 0,
            "limit": null,
            "endsAt": "2026-12-19T12:00:00Z",
            "message": "The access of bluesky @bakery.example ends at 2026-12-19T12:00:00Z and cannot be renewed. 1 post does not go out.",
            "remedy": {
                "by": "2026-12-19T12:00:00Z",
                "message": "Connect bluesky @bakery.example again before 2026-12-19T12:00:00Z.",
            },
        }],
        "accounts": [
            {"id": ACCOUNT, "platform": "bluesky", "label": "bluesky @bakery.example"},
        ],
        "targets": [{
            "targetId": TARGET,
            "postId": POST,
            "accountId": ACCOUNT,
            "dueAt": "2026-12-20T09:00:00Z",
            "at": null,
            "outcome": "stopped",
            "finding": 0,
        }],
    })
}

pub(super) fn session() -> Value {
    json!({
        "id": SESSION,
        "role": "editor",
        "person": {"id": "01936b00-0a1b-7c2d-8e3f-405162738496", "name": "Ana"},
        "client": "scheduler on lap-7",
        "api": true,
        "createdAt": "2026-11-28T09:00:00Z",
        "expiresAt": "2027-02-26T09:00:00Z",
    })
}

pub(super) fn grant() -> Value {
    json!({
        "id": GRANT,
        "clientName": "Claude",
        "clientId": "https://claude.ai/oauth/mcp-oauth-client-metadata",
        "scopes": ["posts:read", "posts:write", "media:read", "media:write"],
        "person": {"id": "01936b00-0a1b-7c2d-8e3f-405162738496", "name": "Ana"},
        "createdAt": "2026-11-28T09:00:00Z",
        "lastUsedAt": "2026-11-29T09:00:00Z",
        "expiresAt": "2026-12-29T09:00:00Z",
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

pub(super) fn account_set() -> Value {
    json!({
        "id": ACCOUNT_SET,
        "name": "Clients\u{2019} Instagram",
        "accountIds": [ACCOUNT],
        "leftOut": [
            {"id": ACCOUNT, "label": "mastodon @bakery@mastodon.example", "reason": "disconnected"},
        ],
        "createdAt": "2026-11-21T09:00:00Z",
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
        "confirm": "live",
        "livePerHour": 20,
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

pub(super) fn feed_input() -> Value {
    json!({
        "name": "Blog",
        "url": "https://bakery.example/feed.xml",
        "targets": [{"platform": "mastodon"}, {"platform": "bluesky"}],
        "template": "{title}\n\n{summary:200}",
        "templates": {"bluesky": "{title}"},
        "mode": "drafts",
        "everyMinutes": 30,
        "labels": ["blog"],
        "existing": false,
        "paused": false,
    })
}

pub(super) fn feed() -> Value {
    json!({
        "id": FEED,
        "feed": feed_input(),
        "createdAt": "2026-11-28T09:00:00Z",
        "nextAt": "2026-11-28T10:00:00Z",
        "readAt": "2026-11-28T09:30:00Z",
        "postedAt": null,
        "failures": 0,
        "error": null,
    })
}

pub(super) fn link_rules() -> Value {
    json!({
        "tag": true,
        "shorten": true,
        "utm": {"source": "{network}", "medium": "social", "campaign": "{label}"},
        "networks": {"linkedin": {"medium": "professional"}},
        "labels": {"spring": {"campaign": "spring-26"}},
        "except": ["bakery.example"],
    })
}

pub(super) fn short_link() -> Value {
    json!({
        "code": "4fK2pQ9xZa1B",
        "url": "https://go.bakery.example/l/4fK2pQ9xZa1B",
        "destination": "https://example.com/rye?utm_source=mastodon&utm_medium=social",
        "createdAt": "2026-11-28T09:00:00Z",
        "clicks": 12,
        "days": [{"day": "2026-11-29", "clicks": 4}, {"day": "2026-11-28", "clicks": 8}],
    })
}

pub(super) fn recurrence_input() -> Value {
    json!({
        "name": "Bread of the week",
        "rule": {"rrule": "FREQ=WEEKLY;BYDAY=MO", "start": "2026-12-07T09:00"},
        "entries": [{
            "post": {"targets": [{"platform": "mastodon"}]},
            "texts": ["Rye is the bread of the week.", "This week: rye."],
        }],
    })
}

pub(super) fn recurrence() -> Value {
    json!({
        "id": RECURRENCE,
        "name": "Bread of the week",
        "state": "active",
        "rule": {"rrule": "FREQ=WEEKLY;BYDAY=MO", "start": "2026-12-07T09:00"},
        "evergreen": false,
        "coolDownDays": 0,
        "entries": [{
            "id": ENTRY,
            "post": {"targets": [{"platform": "mastodon"}]},
            "texts": ["Rye is the bread of the week.", "This week: rye."],
            "lastUsedAt": null,
        }],
        "upcoming": [occurrence()],
        "warnings": [],
        "createdAt": "2026-11-28T09:00:00Z",
        "updatedAt": "2026-11-28T09:00:00Z",
        "revision": 1,
    })
}

pub(super) fn occurrence() -> Value {
    json!({
        "at": "2026-12-07T08:00:00Z",
        "local": "2026-12-07T09:00",
        "entryId": ENTRY,
        "entry": 0,
        "postId": POST,
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
