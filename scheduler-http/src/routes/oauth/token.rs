//! `POST /mcp/token`: a code or a refresh token for the next tokens.

use scheduler_core::app::TokenError;
use scheduler_core::oauth::TokenInput;

use super::unkept;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "exchange_token",
    method: Method::POST,
    pattern: "/mcp/token",
    query: &[],
    handler: Handler::Keyless(|call| Box::pin(exchange(call))),
    description: None,
};

async fn exchange(mut call: Call) -> Result<Response, ApiError> {
    if call.api.scheduler.oauth().is_none() {
        return Err(ApiError::no_such_path());
    }
    call.api.exchanges.count(call.head.peer())?;
    let form = call.body.form_of_anyone(&call.head, &call.api.bodies).await?;
    let input = TokenInput {
        grant_type: form.only("grant_type"),
        code: form.only("code"),
        redirect_uri: form.only("redirect_uri"),
        client_id: form.only("client_id"),
        code_verifier: form.only("code_verifier"),
        refresh_token: form.only("refresh_token"),
        scope: form.only("scope"),
        resource: form.only("resource"),
    };
    Ok(unkept(match call.api.scheduler.exchange_token(&input).await {
        Ok(tokens) => answer::json(StatusCode::OK, &tokens),
        Err(TokenError::Refused(refusal)) => answer::json(StatusCode::BAD_REQUEST, &refusal),
        Err(TokenError::App(error)) => return Err(error.into()),
    }))
}
