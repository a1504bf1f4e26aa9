//! `GET /app/v1/links`

use scheduler_core::app::{SHORT_LINKS_DEFAULT, SHORT_LINKS_MAX};
use scheduler_core::error::Refusal;
use scheduler_core::ids::PostId;
use scheduler_core::links::ShortLinkPage;

use super::super::examples::short_link;
use crate::routes::posts::page;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "list_short_links",
    method: Method::GET,
    pattern: "/app/v1/links",
    query: &[
        Parameter::optional("limit", "Links in a page.", || {
            up_to(SHORT_LINKS_MAX, SHORT_LINKS_DEFAULT)
        }),
        page::BEFORE,
        Parameter::optional(
            "post",
            "Those of this post alone, all at once.",
            || json!({"type": "string", "format": "uuid"}),
        ),
    ],
    handler: Handler::Member(Role::Reader, |call, member| Box::pin(list(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "List short links",
        "Those that were made last first, with how often each was followed: in all, and by the latest 90 days of UTC. Whoever follows one leaves nothing behind but a number.",
    )
    .answers(
        200,
        "A page of short links.",
        written::<ShortLinkPage>,
        json!({"data": [short_link()], "nextCursor": null}),
    )
    .refuses(&[Code::NotFound])
}

async fn list(mut call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let page = page::of(&mut call);
    let post = call.query.take("post").map(|id| id.parse::<PostId>()).transpose();
    let post = post.map_err(|_| Refusal::invalid("post", "This is the id of no post."))?;
    let page = call.api.scheduler.list_short_links(&member.caller(), &page, post).await?;
    Ok(answer::json(StatusCode::OK, &page))
}
