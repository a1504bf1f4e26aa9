//! `GET /posts`

use scheduler_core::post::{DAYS_DEFAULT, DAYS_MAX, ListInput, PostPage};

use super::page;
use crate::openapi::examples::scheduled_post;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "list_posts",
    method: Method::GET,
    pattern: "/v1/posts",
    query: &[
        Parameter::optional("status", "Only posts of this status.", || named("PostStatus")),
        Parameter::optional(
            "from",
            "Only posts that went out or are due from here on. `from` and `to` are sent together, and `from` is the earlier.",
            instant,
        )
        .for_example("2026-12-01T00:00:00Z"),
        Parameter::optional(
            "to",
            "Only posts that went out or are due before. `from` and `to` are sent together, and `from` is the earlier.",
            instant,
        )
        .for_example("2027-01-01T00:00:00Z"),
        Parameter::optional("days", "How many days back, when no range is given.", || {
            up_to(DAYS_MAX, DAYS_DEFAULT)
        }),
        page::LIMIT,
        page::BEFORE,
    ],
    handler: Handler::Keyed(Access::Scope(Scope::PostsRead), |call, caller| Box::pin(list(call, caller))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "List posts",
        "Most recent first, by the moment a post went out, else is due, else was created. Posts still to come and drafts are always included, unless a range is given.\n\nWhen there are more, `nextCursor` is not null; send it as `before`. A page also ends before it holds more than 8 MiB. A post that is created meanwhile never makes another appear twice or not at all.",
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
        from: query.take("from"),
        to: query.take("to"),
        days: query.take("days"),
        limit: query.take("limit"),
        before: query.take("before"),
    };
    let place = call.api.pages.place(caller.workspace.id).await?;
    Ok(place.answer(call.api.scheduler.list_posts(&caller, &input).await?))
}
