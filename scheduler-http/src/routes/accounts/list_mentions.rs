//! `GET /oauth/accounts/{id}/mentions`

use std::sync::Arc;

use http::StatusCode;
use scheduler_core::ids::AccountId;
use serde_json::json;
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::answer;
use crate::api::Api;
use crate::endpoints::LIST_MENTIONS;
use crate::error::ApiError;
use crate::extract::{Head, Parameters};
use crate::routes::{answered, get, head, with};

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("v1" / "oauth" / "accounts" / AccountId / "mentions")
        .and(get())
        .and(head())
        .and(with(api))
        .then(|id, head, api| answered(&LIST_MENTIONS, list_mentions(id, head, api)))
        .boxed()
}

async fn list_mentions(id: AccountId, head: Head, api: Arc<Api>) -> Result<Response, ApiError> {
    let caller = api.gate.admit(&head, &LIST_MENTIONS).await?;
    let query = Parameters::read(&head, &LIST_MENTIONS)?.take("q");
    let data = api
        .to_its_end(
            |scheduler| async move { scheduler.mentions(&caller, id, query.as_deref()).await },
        )
        .await?;
    Ok(answer::json(StatusCode::OK, &json!({ "data": data })))
}
