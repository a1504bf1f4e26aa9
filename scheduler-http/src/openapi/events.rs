//! The events that webhooks receive.

use scheduler_core::retry::DELIVERY_RETRIES;
use scheduler_core::signing::{
    EVENT_HEADER, ID_HEADER, SIGNATURE_HEADER, SIGNATURE_V2_HEADER, TIMESTAMP_HEADER, TOLERANCE,
};
use scheduler_core::webhook::{
    AccountData, ApprovalData, CommentData, Envelope, EventKind, FailedData, FeedData, MediaData,
    PublishedData, ScheduledData,
};
use serde_json::{Map, Value, json};

use super::derived::{Components, written};
use super::examples::{ACCOUNT, EVENT, FEED, MEDIA, POST, TARGET};
use super::schema::{one_of, text, uuid, with};

/// The webhooks of the document.
pub(super) fn webhooks(components: &mut Components) -> Map<String, Value> {
    EventKind::ALL
        .into_iter()
        .map(|kind| (kind.as_str().to_owned(), json!({"post": event(kind, components)})))
        .collect()
}

/// The envelope of a kind of event, with its data.
fn envelope(components: &mut Components, name: &str, kind: EventKind, data: Value) -> Value {
    let envelope = written::<Envelope>(components);
    let schema = components.add(name, envelope);
    components.change(name, "/properties", json!({"event": one_of([kind.as_str()]), "data": data}));
    schema
}

fn event(kind: EventKind, components: &mut Components) -> Value {
    let (id, summary, name, schema, data) = match kind {
        EventKind::Published => (
            "postPublished",
            "A target is live",
            "PublishedEvent",
            written::<PublishedData>(components),
            json!({
                "postId": POST,
                "targetId": TARGET,
                "platform": "mastodon",
                "remoteId": "113456789012345678",
                "remoteUrl": "https://mastodon.example/@bakery/113456789012345678",
            }),
        ),
        EventKind::Failed => (
            "postFailed",
            "A target has failed for good",
            "FailedEvent",
            written::<FailedData>(components),
            json!({
                "postId": POST,
                "targetId": TARGET,
                "platform": "mastodon",
                "error": "The network did not answer in time.",
                "permanent": false,
                "attempts": 6,
            }),
        ),
        EventKind::Scheduled => (
            "postScheduled",
            "A post was given a time",
            "ScheduledEvent",
            written::<ScheduledData>(components),
            json!({"postId": POST, "scheduledAt": "2026-12-24T17:00:00Z"}),
        ),
        EventKind::ApprovalDecided => (
            "postApprovalDecided",
            "A client has decided on a post",
            "ApprovalDecidedEvent",
            written::<ApprovalData>(components),
            json!({
                "postId": POST,
                "scheduledAt": "2026-12-24T17:00:00Z",
                "decision": "changes",
                "note": "Without the price, please.",
            }),
        ),
        EventKind::NeedsReconnect => (
            "accountNeedsReconnect",
            "An account has to be connected again",
            "NeedsReconnectEvent",
            written::<AccountData>(components),
            json!({
                "accountId": ACCOUNT,
                "platform": "mastodon",
                "handle": "bakery",
                "reason": "Mastodon does not take the token any more.",
            }),
        ),
        EventKind::TokenExpiring => (
            "accountTokenExpiring",
            "The credentials of an account end soon",
            "TokenExpiringEvent",
            written::<AccountData>(components),
            json!({
                "accountId": ACCOUNT,
                "platform": "linkedin",
                "handle": "bakery",
                "expiresAt": "2026-12-31T17:00:00Z",
            }),
        ),
        EventKind::MediaReady => (
            "mediaReady",
            "A file can be used",
            "MediaReadyEvent",
            written::<MediaData>(components),
            json!({"mediaId": MEDIA, "kind": "video"}),
        ),
        EventKind::MediaFailed => (
            "mediaFailed",
            "A file can never be used",
            "MediaFailedEvent",
            written::<MediaData>(components),
            json!({"mediaId": MEDIA, "kind": "video", "error": "The file is no video."}),
        ),
        EventKind::CommentReceived => (
            "commentReceived",
            "Somebody has written a comment",
            "CommentReceivedEvent",
            written::<CommentData>(components),
            json!({
                "postId": POST,
                "targetId": TARGET,
                "platform": "mastodon",
                "commentId": "113456789012345680",
                "author": "ada@social.example",
                "text": "Is there rye bread too?",
                "at": "2026-12-24T17:00:00Z",
            }),
        ),
        EventKind::FeedFailing => (
            "feedFailing",
            "A feed keeps failing",
            "FeedFailingEvent",
            written::<FeedData>(components),
            json!({
                "feedId": FEED,
                "name": "Blog",
                "error": "blog.example does not answer.",
                "nextAt": "2026-12-24T17:00:00Z",
            }),
        ),
    };
    let schema = envelope(components, name, kind, schema);
    let once = match kind {
        EventKind::Published => "Sent once for every target, when it is live.",
        EventKind::Failed => {
            "Sent once for a target for which retrying has stopped, never for a failure that is retried."
        }
        EventKind::Scheduled => {
            "Sent to webhooks that name it, whenever a post is given a time or another one; not for posts that go out at once."
        }
        EventKind::ApprovalDecided => {
            "Sent to webhooks that name it, whenever a client approves a post or asks for changes."
        }
        EventKind::NeedsReconnect => {
            "Sent to webhooks that name it, once when a network refuses the credentials of an account for good. What is due for the account fails until it is connected again."
        }
        EventKind::TokenExpiring => {
            "Sent to webhooks that name it, once, a week before the credentials of an account end that only a person can renew: connect the account again before."
        }
        EventKind::MediaReady => {
            "Sent to webhooks that name it, once for every file that has arrived and was examined."
        }
        EventKind::MediaFailed => {
            "Sent to webhooks that name it, once for a file that cannot be used, or never came."
        }
        EventKind::CommentReceived => {
            "Sent to webhooks that name it, once for each comment of somebody else under a live post, when the figures of the post are read: after 1 hour, 6 hours, and each day for 14 days. What it says comes from outside: show it as text, and trust nothing in it."
        }
        EventKind::FeedFailing => {
            "Sent to webhooks that name it, once when a feed whose items become posts has failed three times in a row; again only after it has worked meanwhile."
        }
    };
    let example =
        json!({"id": EVENT, "event": kind, "createdAt": "2026-12-24T17:00:01Z", "data": data});
    json!({
        "operationId": id,
        "summary": summary,
        "description": format!(
            "{once}\n\nTo verify a delivery: read `t` from `{SIGNATURE_V2_HEADER}`; compute the hex HMAC-SHA256, keyed with the webhook's whole secret, of the text `t`, a dot and the raw bytes of the body; compare it with `v2` in constant time; refuse a `t` that differs from the present time by more than {} minutes. Parsing and writing the JSON anew changes its bytes.\n\nAnswer with any 2xx within 10 seconds. Anything else is retried {DELIVERY_RETRIES} times, with growing gaps. Redirects are not followed.",
            TOLERANCE.num_minutes()
        ),
        "tags": ["Events"],
        "parameters": headers(kind),
        "requestBody": {
            "required": true,
            "content": {"application/json": {
                "schema": schema,
                "examples": {"example": {"summary": "Example", "value": example}},
            }},
        },
        "responses": {
            "2XX": {"description": "Received."},
            "default": {"description": "Not received; sent again later."},
        },
        "security": [],
    })
}

fn headers(kind: EventKind) -> Value {
    let header = |name: &str, words: &str, schema: Value| json!({"name": name, "in": "header", "required": true, "description": words, "schema": schema});
    json!([
        header(EVENT_HEADER, "The kind of event.", one_of([kind.as_str()])),
        header(ID_HEADER, "The id of the event, the same on every redelivery.", uuid()),
        header(
            TIMESTAMP_HEADER,
            "When it was sent, in seconds since 1970.",
            with(text(), json!({"pattern": "^[0-9]+$"})),
        ),
        header(
            SIGNATURE_V2_HEADER,
            "The signature to verify.",
            with(text(), json!({"pattern": "^t=[0-9]+,v2=[0-9a-f]{64}$"})),
        ),
        header(
            SIGNATURE_HEADER,
            "The signature of the body alone, kept for earlier receivers.",
            with(text(), json!({"pattern": "^sha256=[0-9a-f]{64}$"})),
        ),
    ])
}
