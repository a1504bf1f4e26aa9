//! `POST /app/v1/calendar-feed`

use scheduler_core::calendar::CalendarFeedView;

use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "make_calendar_feed",
    method: Method::POST,
    pattern: "/app/v1/calendar-feed",
    query: &[],
    handler: Handler::Member(Role::Owner, |call, member| Box::pin(make(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new(
        "Make the address of the calendar feed",
        "Whoever has the address reads the posts of the workspace, and changes nothing: subscribe to it in Google Calendar, Apple Calendar or any other that reads iCalendar. The address that there was shows nothing from then on.",
    )
    .answers(
        201,
        "The address, shown this once.",
        written::<CalendarFeedView>,
        json!({
            "url": "https://posts.example.com/feeds/example0example0example0example0example0exa.ics",
            "createdAt": "2026-11-28T09:00:00Z",
        }),
    )
}

async fn make(call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    let made = call.api.scheduler.make_calendar_feed(member.workspace.id).await?;
    let url = call.api.page_at(&format!("feeds/{}.ics", made.pass.expose()));
    let view = CalendarFeedView { url: Some(url), created_at: Some(made.feed.created_at) };
    Ok(answer::made("/app/v1/calendar-feed", None, &view))
}
