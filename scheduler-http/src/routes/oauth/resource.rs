//! `GET /.well-known/oauth-protected-resource/mcp`: what the tools want of programs.

use scheduler_core::oauth::{OAuth, RESOURCE_METADATA_PATH};

use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "show_resource_metadata",
    method: Method::GET,
    pattern: RESOURCE_METADATA_PATH,
    query: &[],
    handler: Handler::Keyless(|call| Box::pin(async move { show(&call) })),
    description: None,
};

fn show(call: &Call) -> Result<Response, ApiError> {
    let metadata = call.api.scheduler.oauth().map(OAuth::resource_metadata);
    Ok(answer::json(StatusCode::OK, &metadata.ok_or_else(ApiError::no_such_path)?))
}
