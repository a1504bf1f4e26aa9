//! What can be done with one target.

use scheduler_core::app::READINGS_MAX;
use scheduler_core::error::ErrorCode as Code;
use scheduler_core::platform::{CapabilitySheet, Platform};
use serde_json::json;

use super::examples::{ACCOUNT, comment, figures, live_target, pending_target};
use super::operation::{Operation, Parameter, example};
use super::schema::{instant, named, with};
use crate::endpoints::{
    ACT_ON_COMMENT, EDIT_LIVE_POST, LIST_COMMENTS, LIST_READINGS, MOVE_TARGET, READ_METRICS,
    SHOW_INSIGHTS, TAKE_DOWN,
};

/// What every act on a network may be refused for, besides what the act itself is.
const OF_THE_NETWORK: &[Code] = &[
    Code::NotFound,
    Code::NotPublished,
    Code::AccountNotConnected,
    Code::Unsupported,
    Code::NetworkError,
    Code::NetworkRefused,
    Code::InDoubt,
];

pub(super) fn operations() -> Vec<Operation> {
    vec![
        read_metrics(),
        history(),
        insights(),
        comments(),
        act_on_comment(),
        edit(),
        take_down(),
        move_target(),
    ]
}

/// The networks whose sheets say so, in a sentence.
fn networks(offers: impl Fn(&CapabilitySheet) -> bool) -> String {
    let names: Vec<&str> = Platform::ALL
        .into_iter()
        .map(Platform::sheet)
        .filter(|sheet| offers(sheet))
        .map(|sheet| sheet.name)
        .collect();
    names.join(", ")
}

fn read_metrics() -> Operation {
    let offered = networks(|sheet| !sheet.metric_fields.is_empty());
    Operation::new(
        &READ_METRICS,
        "Read the figures of a target now",
        format!("Asks the network, keeps the reading and answers it. Offered by {offered}."),
    )
    .answers(200, "The latest figures.", named("Figures"), figures())
    .refuses(OF_THE_NETWORK)
}

fn history() -> Operation {
    Operation::new(
        &LIST_READINGS,
        "List the readings of a target",
        format!("Oldest first, at most the latest {READINGS_MAX}."),
    )
    .query(
        Parameter::optional("since", "Only readings from here on.", instant())
            .for_example("2026-12-24T00:00:00Z"),
    )
    .answers(200, "The readings.", named("FigureHistory"), json!({"data": [figures()]}))
    .refuses(&[Code::NotFound])
}

fn insights() -> Operation {
    let told = json!({
        "supported": true,
        "retention": [
            {"elapsedRatio": 0.01, "watchRatio": 1.0, "relativePerformance": 0.5},
            {"elapsedRatio": 1.0, "watchRatio": 0.31, "relativePerformance": 0.6},
        ],
        "trafficSources": [{"source": "YT_SEARCH", "views": 120, "watchTimeMinutes": 95.5}],
        "days": ["2026-12-24", "2026-12-31"],
    });
    Operation::new(
        &SHOW_INSIGHTS,
        "Show how a video is watched",
        "The retention curve and the sources of traffic that YouTube reports. For other networks `supported` is false.",
    )
    .answers_any(
        200,
        "What the network tells.",
        named("Insights"),
        vec![
            example("told", "A video of YouTube", told),
            example("unsupported", "Another network", json!({"supported": false})),
        ],
    )
    .refuses(OF_THE_NETWORK)
}

fn comments() -> Operation {
    let offered = networks(|sheet| sheet.can_read_comments);
    let can = json!({"reply": true, "edit": true, "hide": false, "like": true, "delete": true});
    Operation::new(
        &LIST_COMMENTS,
        "List the comments on a target",
        format!(
            "Read live from the network. Offered by {offered}; for others `supported` is false."
        ),
    )
    .answers(
        200,
        "The comments, as the network orders them.",
        named("CommentList"),
        json!({"data": [comment()], "supported": true, "can": can}),
    )
    .refuses(OF_THE_NETWORK)
}

fn act_on_comment() -> Operation {
    let reply = with(
        comment(),
        json!({"id": "113456791111111111", "author": "@bakery@mastodon.example", "text": "We do!", "own": true, "likeCount": 0}),
    );
    Operation::new(
        &ACT_ON_COMMENT,
        "Answer, change or judge a comment",
        "Done publicly, as the connected account. What a network offers, `can` of the list of comments says; the rest is answered 409 `unsupported`.\n\nAfter 409 `in_doubt` it may have been done all the same: look before you try it again.\n\nOnly a reply makes something, and so keeps its `Idempotency-Key`, as long as the post is kept. A repeat under it waits while the first request is under way, and is answered 409 `in_flight` when that takes long, 409 `in_doubt` when the network's answer was lost: then look at the comments, and use another key if it is not there.",
    )
    .reads_any(
        named("CommentAction"),
        vec![
            example("reply", "A reply", json!({"action": "reply", "text": "We do!"})),
            example("like", "A like", json!({"action": "like"})),
        ],
    )
    .answers_any(
        200,
        "For a reply, the new comment.",
        json!({"anyOf": [named("Comment"), named("CommentDone")]}),
        vec![
            example("reply", "A reply", reply),
            example("done", "Anything else", json!({"id": "113456790000000000", "action": "like"})),
        ],
    )
    .refuses(&[
        Code::NotFound,
        Code::NotPublished,
        Code::AccountNotConnected,
        Code::Unsupported,
        Code::NetworkError,
        Code::NetworkRefused,
        Code::InDoubt,
        Code::InFlight,
    ])
}

fn edit() -> Operation {
    let offered = networks(|sheet| sheet.can_edit_remote);
    Operation::new(
        &EDIT_LIVE_POST,
        "Edit a live post",
        format!(
            "Where `canEditRemote` is true: {offered}. The new text is checked by the network's rules; what it would refuse is answered 422."
        ),
    )
    .reads(named("RemoteEdit"), json!({"content": "Fresh cakes, now with icing."}))
    .answers(200, "The target.", named("Target"), live_target())
    .refuses(&[
        Code::NotFound,
        Code::NotPublished,
        Code::InFlight,
        Code::AccountNotConnected,
        Code::Unsupported,
        Code::NetworkError,
        Code::NetworkRefused,
        Code::InDoubt,
        Code::MediaUnusable,
        Code::ValidationFailed,
    ])
}

fn take_down() -> Operation {
    let offered = networks(|sheet| sheet.can_delete_remote);
    let target = with(
        live_target(),
        json!({"status": "skipped", "canEditRemote": false, "canDeleteRemote": false}),
    );
    Operation::new(
        &TAKE_DOWN,
        "Take a live post down",
        format!(
            "Where `canDeleteRemote` is true: {offered}. The live post goes, the record stays, and the target is `skipped`."
        ),
    )
    .answers(200, "The target, now skipped.", named("Target"), target)
    .refuses(&[
        Code::NotFound,
        Code::NotPublished,
        Code::InFlight,
        Code::AccountNotConnected,
        Code::Unsupported,
        Code::NetworkError,
        Code::NetworkRefused,
        Code::InDoubt,
    ])
}

fn move_target() -> Operation {
    Operation::new(
        &MOVE_TARGET,
        "Point a target at another account",
        "Another account of the same network, while the target is pending or has failed. Needs posts:publish as well while the post is scheduled.",
    )
    .reads(named("AccountChoice"), json!({"accountId": ACCOUNT}))
    .answers(200, "The target.", named("Target"), pending_target())
    .refuses(&[
        Code::NotFound,
        Code::ChannelLimit,
        Code::AccountNotConnected,
        Code::AlreadyStarted,
        Code::InFlight,
        Code::VideoOnYoutube,
    ])
}
