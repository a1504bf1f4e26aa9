//! `GET /app/v1/calendar-feed`

use scheduler_core::calendar::CalendarFeedView;

use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "show_calendar_feed",
    method: Method::GET,
    pattern: "/app/v1/calendar-feed",
    query: &[],
    handler: Handler::Member(Role::Owner, |call, member| Box::pin(show(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "See whether there is a calendar feed",
        "Its address is shown when it is made, and never again.",
    )
    .answers(
        200,
        "When its address was made; null where there is none.",
        written::<CalendarFeedView>,
        json!({"createdAt": "2026-11-28T09:00:00Z"}),
    )
}

async fn show(call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let feed = call.api.scheduler.calendar_feed(member.workspace.id).await?;
    let created_at = feed.map(|feed| feed.created_at);
    Ok(answer::json(StatusCode::OK, &CalendarFeedView { url: None, created_at }))
}
