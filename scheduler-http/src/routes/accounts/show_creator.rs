//! `GET /oauth/accounts/{id}/tiktok/creator`

use std::sync::Arc;

use http::StatusCode;
use scheduler_core::ids::AccountId;
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::answer;
use crate::api::Api;
use crate::endpoints::SHOW_CREATOR;
use crate::error::ApiError;
use crate::extract::Head;
use crate::routes::{answered, get, head, with};

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("v1" / "oauth" / "accounts" / AccountId / "tiktok" / "creator")
        .and(get())
        .and(head())
        .and(with(api))
        .then(|id, head, api| answered(&SHOW_CREATOR, show_creator(id, head, api)))
        .boxed()
}

async fn show_creator(id: AccountId, head: Head, api: Arc<Api>) -> Result<Response, ApiError> {
    let caller = api.gate.admit(&head, &SHOW_CREATOR).await?;
    let creator =
        api.to_its_end(|scheduler| async move { scheduler.creator(&caller, id).await }).await?;
    Ok(answer::json(StatusCode::OK, &creator))
}
