//! `DELETE /app/v1/calendar-feed`

use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "remove_calendar_feed",
    method: Method::DELETE,
    pattern: "/app/v1/calendar-feed",
    query: &[],
    handler: Handler::Member(Role::Owner, |call, member| Box::pin(remove(call, member))),
    description: Some(describe),
};

fn describe() -> Description {
    Description::new("Switch the calendar feed off", "Its address shows nothing from then on.")
        .answers_nothing(204, "Done.")
        .refuses(&[Code::NotFound])
}

async fn remove(call: Call, member: Arc<Member>) -> Result<Response, ApiError> {
    call.api.scheduler.remove_calendar_feed(member.workspace.id).await?;
    Ok(answer::empty(StatusCode::NO_CONTENT))
}
