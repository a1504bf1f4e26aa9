//! `GET /oauth/audience`

use std::sync::Arc;

use http::StatusCode;
use serde_json::json;
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::answer;
use crate::api::Api;
use crate::endpoints::SHOW_AUDIENCE;
use crate::error::ApiError;
use crate::extract::{Head, Parameters};
use crate::routes::{answered, get, head, with};

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("v1" / "oauth" / "audience")
        .and(get())
        .and(head())
        .and(with(api))
        .then(|head, api| answered(&SHOW_AUDIENCE, audience(head, api)))
        .boxed()
}

async fn audience(head: Head, api: Arc<Api>) -> Result<Response, ApiError> {
    let caller = api.gate.admit(&head, &SHOW_AUDIENCE).await?;
    let days = Parameters::read(&head, &SHOW_AUDIENCE)?.take("days");
    let series = api.scheduler.audience(&caller, days.as_deref()).await?;
    Ok(answer::json(StatusCode::OK, &json!({ "data": series })))
}
