//! `GET /app/v1/rehearsal`

use scheduler_core::rehearsal::{DAYS_DEFAULT, DAYS_MAX, POSTS_MAX, Rehearsal, TARGETS_MAX};

use super::super::examples::rehearsal;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "rehearse_calendar",
    method: Method::GET,
    pattern: "/app/v1/rehearsal",
    query: &[Parameter::optional("days", "How many days from now on.", || {
        up_to(DAYS_MAX, DAYS_DEFAULT)
    })],
    handler: Handler::Member(Role::Reader, |call, member| Box::pin(show(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Rehearse the calendar",
        format!("Plays what is scheduled against imitations of the networks, which count by what is known of the networks, on a simulated clock: what goes out when, what keeps posts back, and what would mend it. Nothing is stored and nothing is sent. At most {POSTS_MAX} posts with {TARGETS_MAX} targets are rehearsed, those first that are due first; `whole` says whether that was all. Of several callers at once one is answered, others 429."),
    )
    .answers(200, "What would become of it.", written::<Rehearsal>, rehearsal())
}

async fn show(mut call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let days = call.query.take("days");
    let found = call.api.rehearse(&member, days.as_deref()).await?;
    Ok(answer::json(StatusCode::OK, &found))
}
