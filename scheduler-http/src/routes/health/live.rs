//! `GET /healthz`, outside the API: whether the process answers.

use crate::routes::prelude::*;

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
