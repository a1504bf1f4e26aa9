//! `GET /oauth/accounts/{id}/boards`

use scheduler_core::ports::Board;

use super::network;
use crate::routes::prelude::*;

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
        list_of::<Board>("BoardList"),
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
