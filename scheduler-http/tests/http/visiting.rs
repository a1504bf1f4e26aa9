//! Pages that another crate makes, and how long the sessions of their visitors last.

use std::sync::{Arc, LazyLock};

use chrono::TimeDelta;
use http::{Method, StatusCode};
use scheduler_core::memory::ManualClock;
use scheduler_core::session::{BROWSER_IDLE, Role};
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::{Declined, Visit};
use warp::reply::Response;

use crate::support::World;

/// The pages that servers of these tests have: those of people, and one of events.
pub(crate) fn pages() -> &'static [&'static Endpoint] {
    static PAGES: LazyLock<Vec<&'static Endpoint>> =
        LazyLock::new(|| scheduler_web::pages().iter().copied().chain([&EVENTS]).collect());
    &PAGES
}

static EVENTS: Endpoint = Endpoint::page("test_events", Method::GET, "/events", |visit| {
    Box::pin(async move {
        show(visit).await.unwrap_or_else(|declined| {
            declined.into_page(|status, message| {
                let mut response = Response::new(message.to_owned().into());
                *response.status_mut() = status;
                response
            })
        })
    })
});

async fn show(mut visit: Visit) -> Result<Response, Declined> {
    let session = visit.cookie("session").map(str::to_owned);
    let member = visit.admit(session.as_deref(), Role::Reader).await?;
    visit.events(&member).await
}

#[tokio::test]
async fn a_page_that_is_left_open_is_no_visit() {
    for (name, header, lasts) in
        [("a visit", "x-other", true), ("a page by itself", "x-unattended", false)]
    {
        let clock = Arc::new(ManualClock::at("2026-12-01T09:00:00Z".parse().unwrap()));
        let world = World::with_clock(clock.clone()).await;
        let session = world.scheduler.sign_in_by_key(&world.key, "a test").await.unwrap();
        let client = world.serve().await.without("authorization");
        let client = client.with("cookie", &format!("session={}", session.value.expose()));
        let client = client.with(header, "1");
        clock.advance(BROWSER_IDLE - TimeDelta::hours(1));
        assert_eq!(client.get_elsewhere("/events").await.status, StatusCode::OK, "{name}");
        clock.advance(TimeDelta::hours(2));
        let is_in = client.get_elsewhere("/events").await.status == StatusCode::OK;
        assert_eq!(is_in, lasts, "{name}");
    }
}
