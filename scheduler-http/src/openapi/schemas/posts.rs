//! Posts, their targets, figures and comments.

use scheduler_core::platform::Metric;
use scheduler_core::post::{ApprovalState, PostStatus};
use scheduler_core::target::{FailureCode, TargetStatus};
use serde_json::{Map, Value, json};

use crate::openapi::content::content;
use crate::openapi::schema::{
    address, count, flag, instant, list, named, named_all, object, one_of_all, or_null, said, text,
    uuid, with,
};

pub(super) fn schemas() -> Vec<(String, Value)> {
    named_all([
        ("PostInput", with(post_input(), json!({"required": ["targets"]}))),
        ("PostChange", post_change()),
        ("Post", post()),
        ("PostPage", page()),
        ("PostStatus", status_of_post()),
        ("Target", target()),
        ("TargetStatus", status_of_target()),
        ("FailureCode", failure()),
        ("Figures", figures()),
        ("Comment", comment()),
    ])
}

fn post_input() -> Value {
    let [content, link, media, alt] = content();
    let targets = with(list(named("TargetInput")), json!({"minItems": 1}));
    let not_sent = "`null` and `false` count as not sent.";
    object([
        content,
        link,
        media,
        alt,
        (
            "scheduledAt?",
            said(
                or_null(instant()),
                &format!("That instant, for every target. With an offset or `Z`. {not_sent}"),
            ),
        ),
        (
            "scheduledLocal?",
            said(
                with(or_null(text()), json!({"pattern": r"^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}$"})),
                &format!(
                    "That wall-clock time (`YYYY-MM-DDTHH:MM`, no zone), read in the zone of each target's account. {not_sent}"
                ),
            ),
        ),
        (
            "queue?",
            said(
                with(or_null(flag()), json!({"default": false})),
                "Each target takes the next free slot of its account's posting schedule.",
            ),
        ),
        ("publishNow?", said(with(or_null(flag()), json!({"default": false})), "Due at once.")),
        (
            "saveAsDraft?",
            said(with(or_null(flag()), json!({"default": false})), "Parked without a time."),
        ),
        ("targets?", said(targets, "Where it goes; each account once.")),
    ])
}

fn post_change() -> Value {
    said(
        post_input(),
        "Only what is sent changes. `null` clears `content`, `linkUrl`, `mediaIds` and `altTexts`. Sent targets replace the list; a target of the same account keeps its id.",
    )
}

fn post() -> Value {
    object([
        ("id", uuid()),
        ("status", named("PostStatus")),
        ("content", text()),
        ("linkUrl", or_null(address())),
        ("mediaIds", list(uuid())),
        ("altTexts", list(or_null(text()))),
        (
            "scheduledAt",
            said(
                or_null(instant()),
                "The earliest instant among the targets' own; null for a draft.",
            ),
        ),
        (
            "approvalState",
            said(
                or_null(one_of_all(&ApprovalState::ALL)),
                "What a client has said of it; null when there is no approval link.",
            ),
        ),
        ("createdAt", instant()),
        ("updatedAt", instant()),
        ("targets", list(named("Target"))),
    ])
}

fn page() -> Value {
    object([
        ("data", list(named("Post"))),
        (
            "nextCursor",
            said(or_null(text()), "Send it as `before` for the next page; null on the last."),
        ),
    ])
}

fn status_of_post() -> Value {
    said(
        one_of_all(&PostStatus::ALL),
        "- `draft`: no time given\n- `scheduled`: every target waits, none has started\n- `publishing`: from the first target's start until every target has ended\n- `done`: every target is published, has failed for good or is skipped\n- `canceled`: cancelled before it finished",
    )
}

fn status_of_target() -> Value {
    said(
        one_of_all(&TargetStatus::ALL),
        "- `pending`: waits for its time or its next attempt\n- `publishing`: is going out\n- `published`: is live\n- `failed`: trying has stopped\n- `skipped`: was cancelled or taken down",
    )
}

fn failure() -> Value {
    said(
        one_of_all(&FailureCode::ALL),
        "Why an attempt failed, for a program. `in_doubt`: the network's answer was lost and nothing can tell whether the post is live; look there before you retry.",
    )
}

fn target() -> Value {
    object([
        ("id", uuid()),
        ("platform", named("Platform")),
        ("accountId", uuid()),
        ("status", named("TargetStatus")),
        ("remoteId", said(or_null(text()), "The network's id of the post.")),
        (
            "remoteUrl",
            said(or_null(address()), "A link to it; null where the network reports none."),
        ),
        ("publishedAt", or_null(instant())),
        (
            "error",
            said(
                or_null(text()),
                "Why the last attempt failed, or what it waits for, for a person.",
            ),
        ),
        ("errorCode", or_null(named("FailureCode"))),
        (
            "errorPermanent",
            said(flag(), "True when trying again cannot succeed without changing something."),
        ),
        ("attempts", said(count(), "How often it was attempted.")),
        ("nextAttemptAt", said(or_null(instant()), "When it is due, while it is pending.")),
        ("canEditRemote", said(flag(), "True when the live post can be edited now.")),
        ("canDeleteRemote", said(flag(), "True when the live post can be taken down now.")),
        ("options", said(json!({"type": "object"}), "As they were sent.")),
        ("metrics", said(or_null(named("Figures")), "The latest figures.")),
    ])
}

fn figures() -> Value {
    let mut properties: Map<String, Value> = Metric::ALL
        .iter()
        .map(|metric| (metric.as_str().to_owned(), json!({"type": "number"})))
        .collect();
    properties.insert("fetchedAt".to_owned(), said(instant(), "When they were read."));
    json!({
        "type": "object",
        "description": "Figures of a live post. Which of them a network reports, its sheet says (`metricFields`).",
        "properties": properties,
        "required": ["fetchedAt"],
        "additionalProperties": {"type": "number"},
    })
}

fn comment() -> Value {
    object([
        ("id", said(text(), "The network's own, made safe for one segment of a path.")),
        ("author", or_null(text())),
        ("text", text()),
        ("createdAt", or_null(instant())),
        ("own", said(flag(), "Written by the connected account.")),
        ("hidden", flag()),
        ("likeCount", or_null(count())),
    ])
}
