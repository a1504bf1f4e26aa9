//! The assistant.

use scheduler_core::error::ErrorCode as Code;
use serde_json::{Value, json};

use super::examples::{TARGET, review};
use super::operation::{Operation, example};
use super::schema::named;
use crate::endpoints::{REVIEW_TARGET, SHOW_REVIEW, WRITE_CAPTIONS};

pub(super) fn operations() -> Vec<Operation> {
    vec![captions(), review_target(), show_review()]
}

fn captions() -> Operation {
    Operation::new(
        &WRITE_CAPTIONS,
        "Write a caption for each network",
        "Each caption keeps the rules of its network. One call counts once against the plan's allowance of the month, whatever the number of networks; a call that fails counts nothing.",
    )
    .reads(
        named("CaptionsInput"),
        json!({"content": "We bake cakes. 🍰", "platforms": ["bluesky", "mastodon"]}),
    )
    .answers(
        200,
        "The captions, by network.",
        named("Captions"),
        json!({"captions": {"bluesky": "Cakes! 🍰", "mastodon": "We bake cakes."}}),
    )
    .refuses(&[Code::AiLimit, Code::AiNotInPlan, Code::AiDeclined, Code::AiUnavailable])
}

fn review_target() -> Operation {
    Operation::new(
        &REVIEW_TARGET,
        "Review a live post",
        "By its text, its age and its latest figures. The stored review is answered, free of charge, unless `refresh` is true.",
    )
    .reads_any(
        named("ReviewInput"),
        vec![
            example("stored", "The stored review, if there is one", json!({"targetId": TARGET})),
            example("anew", "A new review", json!({"targetId": TARGET, "refresh": true})),
        ],
    )
    .answers(200, "The review.", named("Review"), review())
    .refuses(&[
        Code::AiLimit,
        Code::AiNotInPlan,
        Code::NotFound,
        Code::NotPublished,
        Code::AiUnavailable,
    ])
}

fn show_review() -> Operation {
    Operation::new(
        &SHOW_REVIEW,
        "Show the last review of a target",
        "Free to read; null when there is none.",
    )
    .answers_any(
        200,
        "The last review, or null.",
        json!({"anyOf": [named("Review"), {"type": "null"}]}),
        vec![example("review", "A review", review()), example("none", "None yet", Value::Null)],
    )
    .refuses(&[Code::NotFound])
}
