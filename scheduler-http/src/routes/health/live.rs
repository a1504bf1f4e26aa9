//! `GET /healthz`, outside the API: whether the process answers.

use http::{Method, StatusCode};
use serde_json::json;
use warp::reply::Response;

use crate::answer;
use crate::endpoint::{Endpoint, Handler};
use crate::error::ApiError;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "health",
    method: Method::GET,
    pattern: "/healthz",
    query: &[],
    handler: Handler::Keyless(|_| Box::pin(live())),
    description: None,
};

async fn live() -> Result<Response, ApiError> {
    Ok(answer::json(StatusCode::OK, &json!({ "status": "ok" })))
}
