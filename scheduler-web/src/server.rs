//! What the server needs, and whether it has it.

use askama::Template;
use http::Method;
use scheduler_core::session::Role;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::Declined;
use serde::Deserialize;
use warp::reply::Response;

use crate::filters;
use crate::page::{self, Frame};
use crate::visitor::{Visitor, entered};

pub(crate) static SHOW: Endpoint =
    Endpoint::page("web_server", Method::GET, "/w/{workspaceId}/settings/server", |visit| {
        Box::pin(entered(visit, Role::Owner, show))
    });

#[derive(Template)]
#[template(path = "settings/server.html")]
struct Show {
    frame: Frame,
    checks: Vec<Check>,
    /// Why nothing could be found.
    problem: Option<String>,
}

/// What was found of one thing.
#[derive(Deserialize)]
struct Check {
    check: String,
    verdict: String,
    found: String,
    advice: Option<String>,
}

impl Check {
    /// The state whose icon and colour it has.
    fn state(&self) -> &'static str {
        match self.verdict.as_str() {
            "ok" => "published",
            "problem" => "failed",
            "warning" => "wait",
            _ => "draft",
        }
    }
}

#[derive(Default, Deserialize)]
struct Report {
    checks: Vec<Check>,
}

async fn show(visitor: Visitor) -> Result<Response, Declined> {
    let (report, problem) = match visitor.visit().examine(&visitor.member).await {
        // Its shape is that of `GET /app/v1/doctor`.
        Ok(found) => (serde_json::from_value(found).unwrap_or_default(), None),
        Err(declined) => (Report::default(), Some(declined.message().to_owned())),
    };
    let frame = Frame::of(&visitor, "settings", "Server").await?;
    Ok(page::shown(&Show { frame, checks: report.checks, problem }))
}
