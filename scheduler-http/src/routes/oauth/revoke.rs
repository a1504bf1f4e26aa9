//! `POST /mcp/revoke`: a token that a client gives back.

use scheduler_core::app::TokenError;
use scheduler_core::oauth::RevocationInput;

use super::unkept;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "revoke_token",
    method: Method::POST,
    pattern: "/mcp/revoke",
    query: &[],
    handler: Handler::Keyless(|call| Box::pin(revoke(call))),
    description: None,
};

async fn revoke(mut call: Call) -> Result<Response, ApiError> {
    if call.api.scheduler.oauth().is_none() {
        return Err(ApiError::no_such_path());
    }
    call.api.exchanges.count(call.head.peer())?;
    let form = call.body.form_of_anyone(&call.head, &call.api.bodies).await?;
    let client_ids: Vec<&str> = form.all("client_id").collect();
    let input = RevocationInput { token: form.only("token"), client_ids: &client_ids };
    let revoked = call.api.scheduler.revoke_token(&input).await;
    Ok(unkept(match revoked {
        Ok(()) => Response::default(),
        Err(TokenError::Refused(refusal)) => answer::json(StatusCode::BAD_REQUEST, &refusal),
        Err(TokenError::App(error)) => return Err(error.into()),
    }))
}
