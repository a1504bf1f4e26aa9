//! `GET /posts`

use scheduler_core::post::{
    DAYS_DEFAULT, DAYS_MAX, LABEL_MAX_CHARACTERS, ListInput, ListOrder, ListedState, PostPage,
    SEARCH_MAX_CHARACTERS,
};

use super::page;
use crate::openapi::examples::{ACCOUNT, scheduled_post};
use crate::openapi::schema::uuid;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "list_posts",
    method: Method::GET,
    pattern: "/v1/posts",
    query: &[
        Parameter::optional("status", "Only posts of this status.", || named("PostStatus")),
        Parameter::optional(
            "state",
            "Only posts in this state: `failed`, a target has failed; `in_doubt`, nobody can tell whether a target is live; `needs_attention`, either of the two, or a client has asked for changes, or something is due for an account that has to be connected again; `awaiting_approval`, a client has yet to decide; `unfinished`, a draft that a network would refuse.",
            state,
        ),
        Parameter::optional("platform", "Only posts that go to this network. Up to 20, for any of them.", || {
            named("Platform")
        })
        .repeatable(),
        Parameter::optional("accountId", "Only posts that go to this account. Up to 20, for any of them.", uuid)
            .repeatable()
            .for_example(ACCOUNT),
        Parameter::optional(
            "label",
            "Only posts with this label, whatever its case. Up to 20, for any of them.",
            label,
        )
        .repeatable()
        .for_example("spring"),
        Parameter::optional(
            "q",
            "Only posts with words that begin like each of these, in the text, the targets' own texts, the labels or the note; without case and accents.",
            search,
        )
        .for_example("fresh cake"),
        Parameter::optional(
            "from",
            "Only posts that went out or are due from here on; no drafts. `from` is earlier than `to`.",
            instant,
        )
        .for_example("2026-12-01T00:00:00Z"),
        Parameter::optional(
            "to",
            "Only posts that went out or are due before; no drafts.",
            instant,
        )
        .for_example("2027-01-01T00:00:00Z"),
        Parameter::optional("days", "How many days back, when no range is given.", || {
            up_to(DAYS_MAX, DAYS_DEFAULT)
        }),
        Parameter::optional(
            "order",
            "`recent`, the default: most recent first. `due`: only what is still to come, soonest first, by the earliest instant at which something of a post is due.",
            order,
        ),
        page::LIMIT,
        page::BEFORE,
    ],
    handler: Handler::Keyed(Access::Scope(Scope::PostsRead), |call, caller| Box::pin(list(call, caller))),
    description: Some(describe),
};

fn state() -> Value {
    json!({"type": "string", "enum": ListedState::ALL})
}

fn order() -> Value {
    json!({"type": "string", "enum": [ListOrder::Recent, ListOrder::Due]})
}

fn label() -> Value {
    with(text(), json!({"minLength": 1, "maxLength": LABEL_MAX_CHARACTERS}))
}

fn search() -> Value {
    with(text(), json!({"minLength": 1, "maxLength": SEARCH_MAX_CHARACTERS}))
}

fn describe() -> Description {
    Description::new(
        "List posts",
        "Most recent first, by the moment a post went out, else is due, else was created. Posts still to come and drafts are always included, unless a range is given. What is asked for by several parameters has all of them.\n\nWhen there are more, `nextCursor` is not null; send it as `before`. A page also ends before it holds more than 8 MiB. A post that is created meanwhile never makes another appear twice or not at all.",
    )
    .answers(
        200,
        "A page of posts.",
        written::<PostPage>,
        json!({"data": [scheduled_post()], "nextCursor": null}),
    )
}

async fn list(mut call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let query = &mut call.query;
    let input = ListInput {
        status: query.take("status"),
        state: query.take("state"),
        platform: query.take_all("platform"),
        account_id: query.take_all("accountId"),
        label: query.take_all("label"),
        q: query.take("q"),
        from: query.take("from"),
        to: query.take("to"),
        days: query.take("days"),
        order: query.take("order"),
        limit: query.take("limit"),
        before: query.take("before"),
    };
    let place = call.api.pages.place(caller.workspace.id).await?;
    Ok(place.answer(call.api.scheduler.list_posts(&caller, &input).await?))
}
