//! Posts.

use scheduler_core::error::ErrorCode as Code;
use scheduler_core::post::{DAYS_DEFAULT, DAYS_MAX, LIMIT_DEFAULT, LIMIT_MAX};
use serde_json::{Value, json};

use super::examples::{ACCOUNT, MEDIA, live_post, pending_target, scheduled_post};
use super::operation::{Answer, Content, Example, Operation, Parameter, example};
use super::schema::{instant, named, text, with};
use crate::endpoints::{
    CREATE_POST, DELETE_POST, LIST_POSTS, REFRESH_METRICS, RETRY_POST, SHOW_POST, UPDATE_POST,
};

pub(super) fn operations() -> Vec<Operation> {
    vec![list(), create(), refresh(), show(), update(), delete(), retry()]
}

/// A whole number from 1.
pub(super) fn up_to(max: impl Into<Value>, default: impl Into<Value>) -> Value {
    json!({"type": "integer", "minimum": 1, "maximum": max.into(), "default": default.into()})
}

pub(super) fn page_limit() -> Parameter {
    Parameter::optional("limit", "Posts in a page.", up_to(LIMIT_MAX, LIMIT_DEFAULT))
}

pub(super) fn page_before() -> Parameter {
    Parameter::optional("before", "The `nextCursor` of the page before.", text())
}

fn list() -> Operation {
    let together = "`from` and `to` are sent together, and `from` is the earlier.";
    Operation::new(
        &LIST_POSTS,
        "List posts",
        "Most recent first, by the moment a post went out, else is due, else was created. Posts still to come and drafts are always included, unless a range is given.\n\nWhen there are more, `nextCursor` is not null; send it as `before`. A page also ends before it holds more than 8 MiB. A post that is created meanwhile never makes another appear twice or not at all.",
    )
    .query(Parameter::optional("status", "Only posts of this status.", named("PostStatus")))
    .query(
        Parameter::optional(
            "from",
            format!("Only posts that went out or are due from here on. {together}"),
            instant(),
        )
        .for_example("2026-12-01T00:00:00Z"),
    )
    .query(
        Parameter::optional(
            "to",
            format!("Only posts that went out or are due before. {together}"),
            instant(),
        )
        .for_example("2027-01-01T00:00:00Z"),
    )
    .query(Parameter::optional(
        "days",
        "How many days back, when no range is given.",
        up_to(DAYS_MAX, DAYS_DEFAULT),
    ))
    .query(page_limit())
    .query(page_before())
    .answers(
        200,
        "A page of posts.",
        named("PostPage"),
        json!({"data": [scheduled_post()], "nextCursor": null}),
    )
}

fn create() -> Operation {
    Operation::new(
        &CREATE_POST,
        "Create a post",
        "Exactly one of `scheduledAt`, `scheduledLocal`, `queue`, `publishNow` and `saveAsDraft` says when it goes out. With none or several the answer is 400.\n\n- A draft needs posts:write, anything that goes out posts:publish.\n- The post is checked against every network first; what one would refuse is answered 422 with the issues, and nothing is created.\n- An instant of up to 60 s ago counts as now; an earlier one is answered 400.\n- A local time that a clock change skips is moved on by as much; of one that comes twice, the earlier is taken.\n- A target without `accountId` takes the only connected account of its network; with several the answer is 400, with none 409.",
    )
    .reads_any(named("PostInput"), inputs())
    .answers(201, "The new post.", named("Post"), scheduled_post())
    .answers(
        200,
        "The post that was created before with this `Idempotency-Key`, as it is now.",
        named("Post"),
        live_post(),
    )
    .refuses(&[
        Code::PostLimit,
        Code::ChannelLimit,
        Code::NotFound,
        Code::AccountNotConnected,
        Code::MediaUnusable,
        Code::ValidationFailed,
    ])
}

fn inputs() -> Vec<Example> {
    vec![
        example(
            "scheduled",
            "At an instant, with a picture",
            json!({
                "content": "Fresh cakes for Christmas. 🎄",
                "linkUrl": "https://bakery.example/cakes",
                "mediaIds": [MEDIA],
                "altTexts": ["A cake with a fir of icing"],
                "scheduledAt": "2026-12-24T17:00:00Z",
                "targets": [{
                    "platform": "mastodon",
                    "accountId": ACCOUNT,
                    "options": {"visibility": "public"},
                }],
            }),
        ),
        example(
            "now",
            "At once, to several networks",
            json!({
                "content": "We have opened.",
                "publishNow": true,
                "targets": [
                    {"platform": "bluesky"},
                    {"platform": "telegram", "options": {"caption": "We have opened. Come in!"}},
                ],
            }),
        ),
        example(
            "local",
            "At a wall-clock time, each in its zone",
            json!({
                "content": "Good morning!",
                "scheduledLocal": "2026-12-25T08:00",
                "targets": [{"platform": "bluesky"}, {"platform": "mastodon"}],
            }),
        ),
        example(
            "queue",
            "Into the next free slot, as a thread",
            json!({
                "content": "How to bake a cake.",
                "queue": true,
                "targets": [{
                    "platform": "bluesky",
                    "options": {"thread": ["First, beat the butter.", "Then add the eggs."]},
                }],
            }),
        ),
        example(
            "draft",
            "Parked",
            json!({
                "content": "An idea",
                "saveAsDraft": true,
                "targets": [{"platform": "linkedin", "options": {"firstComment": "More on our page."}}],
            }),
        ),
    ]
}

fn refresh() -> Operation {
    Operation::new(
        &REFRESH_METRICS,
        "Read the figures of recent posts anew",
        "Has the figures of every live target of the last fortnight read in the background. Once in 10 minutes a workspace, unless the operator has set another time.",
    )
    .answers(200, "How many targets will be read.", named("RefreshQueued"), json!({"queued": 12}))
}

fn show() -> Operation {
    Operation::new(&SHOW_POST, "Show a post", "A post with all its targets.")
        .answers(200, "The post.", named("Post"), scheduled_post())
        .refuses(&[Code::NotFound])
}

fn update() -> Operation {
    Operation::new(
        &UPDATE_POST,
        "Change a post",
        "Changes a post that has not gone out. Only the fields that are sent change; the whole resulting post is checked as on create.\n\n- A draft needs posts:write. A post that is scheduled, or a draft that is given a time, needs posts:publish.\n- `saveAsDraft: true` parks a scheduled post again.\n- Once a target has begun to go out, changed targets are answered 409 `targets_locked`, anything else 409 `already_started`.",
    )
    .reads_any(
        named("PostChange"),
        vec![
            example("text", "Another text", json!({"content": "Fresh cakes, every day."})),
            example("time", "Another time", json!({"scheduledAt": "2026-12-26T09:00:00+01:00"})),
            example("park", "Back to a draft", json!({"saveAsDraft": true})),
            example("clear", "Without its link", json!({"linkUrl": null})),
        ],
    )
    .answers(200, "The post as it is now.", named("Post"), scheduled_post())
    .refuses(&[
        Code::PostLimit,
        Code::ChannelLimit,
        Code::NotFound,
        Code::AccountNotConnected,
        Code::MediaUnusable,
        Code::AlreadyStarted,
        Code::TargetsLocked,
        Code::InFlight,
        Code::ValidationFailed,
    ])
}

fn delete() -> Operation {
    Operation::new(
        &DELETE_POST,
        "Delete or cancel a post",
        "- A draft: its record is removed.\n- A scheduled post: it becomes `canceled` and stays readable; its slots are free again.\n- A post that is partly out: the rest is skipped, and it becomes `canceled`.\n- A post that is done or canceled: its record is removed.\n\nNothing is taken down from a network; that is `DELETE /posts/{id}/targets/{targetId}/remote`, target by target, before.",
    )
    .answers_with(Answer {
        status: 204,
        description: "Done.",
        content: Content::Nothing,
        headers: Vec::new(),
    })
    .refuses(&[Code::NotFound, Code::InFlight, Code::AlreadyStarted])
}

fn retry() -> Operation {
    let failed = with(
        pending_target(),
        json!({"error": "The network did not answer.", "errorCode": "network_error", "attempts": 6}),
    );
    let post = with(scheduled_post(), json!({"status": "publishing", "targets": [failed]}));
    Operation::new(
        &RETRY_POST,
        "Retry the failed targets of a post",
        "Failed targets become pending and due now, with a fresh budget of retries; `attempts` keeps counting. Targets that are live are left alone.\n\nLook at `errorPermanent` first: such a failure fails again until something has changed. After `in_doubt`, look on the network whether the post is there.",
    )
    .answers(200, "The post, with its failed targets pending again.", named("Post"), post)
    .refuses(&[
        Code::NotFound,
        Code::InFlight,
        Code::NothingToRetry,
        Code::AlreadyStarted,
        Code::AccountNotConnected,
        Code::MediaUnusable,
    ])
}
