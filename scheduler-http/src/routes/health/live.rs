//! `GET /healthz`

use std::sync::Arc;

use http::StatusCode;
use serde_json::json;
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::answer;
use crate::api::Api;
use crate::endpoints::HEALTH;
use crate::routes::{answered, get};

pub(in crate::routes) fn route(_: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("healthz")
        .and(get())
        .then(|| {
            answered(&HEALTH, async { Ok(answer::json(StatusCode::OK, &json!({"status": "ok"}))) })
        })
        .boxed()
}
