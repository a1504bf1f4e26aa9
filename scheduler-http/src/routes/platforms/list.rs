//! `GET /platforms`

use std::sync::Arc;

use http::HeaderValue;
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::api::Api;
use crate::endpoints::LIST_PLATFORMS;
use crate::error::ApiError;
use crate::extract::{Head, Parameters};
use crate::routes::{answered, get, head, with};

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("v1" / "platforms")
        .and(get())
        .and(head())
        .and(with(api))
        .then(|head, api| answered(&LIST_PLATFORMS, list(head, api)))
        .boxed()
}

async fn list(head: Head, api: Arc<Api>) -> Result<Response, ApiError> {
    Parameters::read(&head, &LIST_PLATFORMS)?;
    let sheets = &api.sheets;
    Ok(sheets.answer(&head, HeaderValue::from_static("application/json")))
}
