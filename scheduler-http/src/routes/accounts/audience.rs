//! `GET /oauth/audience`

use scheduler_core::app::{AUDIENCE_DAYS_DEFAULT, AUDIENCE_DAYS_MAX, AudienceSeries};

use crate::openapi::examples::ACCOUNT;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "show_audience",
    method: Method::GET,
    pattern: "/v1/oauth/audience",
    query: &[Parameter::optional("days", "How many days back, today included.", || {
        up_to(AUDIENCE_DAYS_MAX, AUDIENCE_DAYS_DEFAULT)
    })],
    handler: Handler::Keyed(Access::Scope(Scope::PostsRead), |call, caller| {
        Box::pin(audience(call, caller))
    }),
    description: Some(describe),
};

fn describe() -> Description {
    let series = json!({
        "accountId": ACCOUNT,
        "platform": "mastodon",
        "username": "bakery@mastodon.example",
        "displayName": "The bakery",
        "readings": [
            {"date": "2026-11-20", "followers": 812},
            {"date": "2026-11-21", "followers": 815},
        ],
    });
    Description::new(
        "Show how many follow each account",
        "One series of daily readings for every account whose network reports followers.",
    )
    .answers(
        200,
        "The series.",
        list_of::<AudienceSeries>("AudienceList"),
        json!({"data": [series]}),
    )
}

async fn audience(mut call: Call, caller: Arc<Caller>) -> Result<Response, ApiError> {
    let days = call.query.take("days");
    let series = call.api.scheduler.audience(&caller, days.as_deref()).await?;
    Ok(answer::json(StatusCode::OK, &json!({ "data": series })))
}
