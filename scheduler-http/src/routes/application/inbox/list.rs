//! `GET /app/v1/inbox`

use scheduler_core::inbox::{INBOX_LIMIT_DEFAULT, INBOX_LIMIT_MAX, InboxInput, InboxPage};

use super::super::examples::received_comment;
use crate::openapi::schema::uuid;
use crate::routes::posts::page;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "list_inbox",
    method: Method::GET,
    pattern: "/app/v1/inbox",
    query: &[
        Parameter::optional(
            "unread",
            "`true`: only comments that are unread; `false`: only those that are read.",
            || json!({"type": "boolean"}),
        ),
        Parameter::optional("accountId", "Only comments on what this account has published.", uuid),
        Parameter::optional("platform", "Only comments on this network.", || named("Platform")),
        Parameter::optional("limit", "Comments in a page.", || {
            up_to(INBOX_LIMIT_MAX, INBOX_LIMIT_DEFAULT)
        }),
        page::BEFORE,
    ],
    handler: Handler::Member(Role::Reader, |call, member| Box::pin(list(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "List what others have written under live posts",
        "Newest first. Comments are found when the figures of a post are read: after 1 hour, 6 hours, and each day for 14 days, and when figures are refreshed. They stay as long as their post. Answer one under `/v1/posts/{postId}/targets/{targetId}/comments/{commentId}`.",
    )
    .answers(
        200,
        "A page of comments.",
        written::<InboxPage>,
        json!({"data": [received_comment()], "nextCursor": null, "unread": 1}),
    )
}

async fn list(mut call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let query = &mut call.query;
    let input = InboxInput {
        unread: query.take("unread"),
        account_id: query.take("accountId"),
        platform: query.take("platform"),
        limit: query.take("limit"),
        before: query.take("before"),
    };
    let caller = Caller::for_workspace(member.workspace.clone());
    let page = call.api.scheduler.inbox(&caller, &input).await?;
    Ok(answer::json(StatusCode::OK, &page))
}
