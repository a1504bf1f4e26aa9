//! `GET /posts/{id}/targets/{targetId}/comments`

use scheduler_core::app::CommentsView;

use super::network;
use crate::openapi::examples::comment;
use crate::routes::posts::page;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "list_comments",
    method: Method::GET,
    pattern: "/v1/posts/{id}/targets/{targetId}/comments",
    query: &[page::LIMIT_OF_WHOLE, page::BEFORE],
    handler: Handler::Keyed(Access::Scope(Scope::PostsRead), |call, caller| {
        Box::pin(list_comments(call, caller))
    }),
    description: Some(describe),
};

fn describe() -> Description {
    let offered = network::whose(|sheet| sheet.can_read_comments);
    let can = json!({"reply": true, "edit": true, "hide": false, "like": true, "delete": true});
    Description::new(
        "List the comments on a target",
        format!(
            "Read live from the network. Offered by {offered}; for others `supported` is false."
        ),
    )
    .answers(
        200,
        "The comments, as the network orders them.",
        written::<CommentsView>,
        json!({"data": [comment()], "supported": true, "can": can}),
    )
    .refuses(network::REFUSES)
}

async fn list_comments(mut call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let (post, target) = (call.path("id")?, call.path("targetId")?);
    let page = page::of(&mut call);
    let ask = async move |scheduler: Scheduler| {
        scheduler.comments_page(&caller, post, target, &page).await
    };
    Ok(answer::json(StatusCode::OK, &call.api.to_its_end(ask).await?))
}
