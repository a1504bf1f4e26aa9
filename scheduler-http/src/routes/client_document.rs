//! `GET /connect/<network>/client-metadata.json`, outside the API: what this server is, for servers
//! of networks that read it instead of having an application registered.

use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "show_client_document",
    method: Method::GET,
    pattern: "/connect/{name}/client-metadata.json",
    query: &[],
    handler: Handler::Keyless(|call| Box::pin(async move { show(&call) })),
    description: None,
};

fn show(call: &Call) -> Result<Response, ApiError> {
    let document = call.segment("name").parse().ok().and_then(|platform| {
        let redirect_uri = call.api.connecting.redirect_uri(platform).ok()?;
        call.api.scheduler.client_document(platform, &redirect_uri)
    });
    let document = document.ok_or_else(ApiError::no_such_path)?;
    Ok(answer::json(StatusCode::OK, &document))
}
