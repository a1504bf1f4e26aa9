//! `GET /oauth/accounts/{id}/boards`

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
use crate::openapi::schema::named;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "list_boards",
    method: Method::GET,
    pattern: "/v1/oauth/accounts/{id}/boards",
    query: &[],
    handler: Handler::Keyed(Access::Scope(Scope::PostsRead), |call, caller| {
        Box::pin(list_boards(call, caller))
    }),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "List the boards of a Pinterest account",
        "Pass an `id` as the option `boardId` of a target.",
    )
    .answers(
        200,
        "The boards.",
        named("BoardList"),
        json!({"data": [{"id": "549755885175", "name": "Cakes"}]}),
    )
    .refuses(network::REFUSES)
}

async fn list_boards(call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let account = call.path("id")?;
    let ask = async move |scheduler: Scheduler| scheduler.boards(&caller, account).await;
    let boards = call.api.to_its_end(ask).await?;
    Ok(answer::json(StatusCode::OK, &json!({ "data": boards })))
}
