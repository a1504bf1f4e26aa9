//! `GET /.well-known/oauth-authorization-server/mcp`: how people are asked, and how tokens are got.

use scheduler_core::oauth::{OAuth, SERVER_METADATA_PATH};

use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "show_authorization_server_metadata",
    method: Method::GET,
    pattern: SERVER_METADATA_PATH,
    query: &[],
    handler: Handler::Keyless(|call| Box::pin(async move { show(&call) })),
    description: None,
};

fn show(call: &Call) -> Result<Response, ApiError> {
    let metadata = call.api.scheduler.oauth().map(OAuth::server_metadata);
    Ok(answer::json(StatusCode::OK, &metadata.ok_or_else(ApiError::no_such_path)?))
}
