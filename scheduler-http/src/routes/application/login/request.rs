//! `POST /app/v1/login`

use scheduler_core::session::{CLAIM_EVERY, LoginInput, LoginView};

use crate::extract::Query;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "request_login",
    method: Method::POST,
    pattern: "/app/v1/login",
    query: &[],
    handler: Handler::Keyless(|call| Box::pin(request(call))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Ask for a login",
        "Show the `code` to the person, and claim the session with the `secret`, which nobody else may see, every `interval` seconds. An address may ask for 10 logins a minute.",
    )
    .reads(read::<LoginInput>, json!({"client": "scheduler on lap-7", "api": true}))
    .answers(
        201,
        "The login, which waits to be confirmed.",
        written::<LoginView>,
        json!({
            "code": "WDJB-MJHT",
            "url": "https://posts.example.com/login?code=WDJB-MJHT",
            "secret": "example0example0example0example0example0exa",
            "expiresAt": "2026-11-28T09:10:00Z",
            "interval": 2,
        }),
    )
    .refuses(&[Code::RateLimited])
}

async fn request(mut call: Call) -> Result<Response, ApiError> {
    Query::read(&call.head, ENDPOINT.query)?;
    call.api.logins.count(call.head.peer())?;
    call.api.logins.tidy();
    let input: LoginInput = call.json_of_anyone().await?;
    let scheduler = &call.api.scheduler;
    let login = scheduler.request_login(&input.client, input.api.unwrap_or(false)).await?;
    let url = call.api.page_at(&format!("login?code={}", login.code));
    let view = LoginView {
        code: login.code.to_string(),
        url,
        secret: login.secret.expose().to_owned(),
        expires_at: login.expires_at,
        interval: CLAIM_EVERY.num_seconds(),
    };
    Ok(answer::made("/app/v1/login/claim", None, &view))
}
