//! `GET /feeds/<secret>.ics`, outside the API: the posts of a workspace as a calendar.

use scheduler_core::connecting::Pass;
use tokio::task::spawn_blocking;

use super::ics;
use crate::routes::prelude::*;
use crate::written::Written;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "read_calendar",
    method: Method::GET,
    pattern: "/feeds/{name}",
    query: &[],
    handler: Handler::Keyless(|call| Box::pin(read(call))),
    description: None,
};

const CALENDAR: HeaderValue = HeaderValue::from_static("text/calendar; charset=utf-8");

/// Nobody between keeps it; who has it asks whether it is still so.
const CACHE: HeaderValue = HeaderValue::from_static("private, no-cache");

async fn read(call: Call) -> Result<Response, ApiError> {
    call.api.calendars.count(call.head.peer())?;
    call.api.calendars.tidy();
    let scheduler = &call.api.scheduler;
    let pass = call.segment("name").strip_suffix(".ics").and_then(Pass::parse);
    let pass = pass.ok_or_else(ApiError::no_such_path)?;
    let workspace = scheduler.workspace_of_calendar(&pass).await?;
    let workspace = workspace.ok_or_else(ApiError::no_such_path)?;
    call.head.is_of_somebody_known();
    // As large as a page of posts may be.
    let _place = call.api.pages.place(workspace.id).await?;
    let page = scheduler.calendar_page(&workspace).await?;
    let calendar = spawn_blocking(move || ics::written(&page)).await;
    let written = Written::new(calendar.map_err(ApiError::internal)?);
    Ok(written.answer_kept(&call.head, CALENDAR, CACHE))
}
