//! `GET /v1/openapi.json`, beside the API: its description.

use crate::extract::Query;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "show_openapi",
    method: Method::GET,
    pattern: "/v1/openapi.json",
    query: &[],
    handler: Handler::Keyless(|call| Box::pin(show(call))),
    description: None,
};

async fn show(call: Call) -> Result<Response, ApiError> {
    Query::read(&call.head, ENDPOINT.query)?;
    let document = &call.api.reference.document;
    Ok(document.answer(&call.head, HeaderValue::from_static("application/json")))
}
