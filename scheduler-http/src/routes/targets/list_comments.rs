//! `GET /posts/{id}/targets/{targetId}/comments`

use std::sync::Arc;

use http::{Method, StatusCode};
use scheduler_core::app::{Caller, Scheduler};
use scheduler_core::key::Scope;
use serde_json::json;
use warp::reply::Response;

use super::network;
use crate::access::Access;
use crate::answer;
use crate::call::Call;
use crate::endpoint::{Endpoint, Handler};
use crate::error::ApiError;
use crate::openapi::description::Description;
use crate::openapi::examples::comment;
use crate::openapi::schema::named;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "list_comments",
    method: Method::GET,
    pattern: "/v1/posts/{id}/targets/{targetId}/comments",
    query: &[],
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
        named("CommentList"),
        json!({"data": [comment()], "supported": true, "can": can}),
    )
    .refuses(network::REFUSES)
}

async fn list_comments(call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let (post, target) = (call.path("id")?, call.path("targetId")?);
    let ask = async move |scheduler: Scheduler| scheduler.comments(&caller, post, target).await;
    Ok(answer::json(StatusCode::OK, &call.api.to_its_end(ask).await?))
}
