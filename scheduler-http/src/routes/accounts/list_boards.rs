//! `GET /oauth/accounts/{id}/boards`

use std::sync::Arc;

use http::StatusCode;
use scheduler_core::ids::AccountId;
use serde_json::json;
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::answer;
use crate::api::Api;
use crate::endpoints::LIST_BOARDS;
use crate::error::ApiError;
use crate::extract::Head;
use crate::routes::{answered, get, head, with};

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("v1" / "oauth" / "accounts" / AccountId / "boards")
        .and(get())
        .and(head())
        .and(with(api))
        .then(|id, head, api| answered(&LIST_BOARDS, list_boards(id, head, api)))
        .boxed()
}

async fn list_boards(id: AccountId, head: Head, api: Arc<Api>) -> Result<Response, ApiError> {
    let caller = api.gate.admit(&head, &LIST_BOARDS).await?;
    let data =
        api.to_its_end(|scheduler| async move { scheduler.boards(&caller, id).await }).await?;
    Ok(answer::json(StatusCode::OK, &json!({ "data": data })))
}
