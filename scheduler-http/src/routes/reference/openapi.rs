//! `GET /v1/openapi.json`

use std::sync::Arc;

use http::HeaderValue;
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::api::Api;
use crate::endpoints::SHOW_OPENAPI;
use crate::error::ApiError;
use crate::extract::{Head, Parameters};
use crate::routes::{answered, get, head, with};

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("v1" / "openapi.json")
        .and(get())
        .and(head())
        .and(with(api))
        .then(|head, api| answered(&SHOW_OPENAPI, show(head, api)))
        .boxed()
}

async fn show(head: Head, api: Arc<Api>) -> Result<Response, ApiError> {
    Parameters::read(&head, &SHOW_OPENAPI)?;
    Ok(api.reference.document.answer(&head, HeaderValue::from_static("application/json")))
}
