//! What open pages are told of what changes.

use http::Method;
use scheduler_core::session::Role;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::Declined;
use warp::reply::Response;

use crate::visitor::{Visitor, entered};

pub(crate) static SHOW: Endpoint =
    Endpoint::page("web_events", Method::GET, "/w/{workspaceId}/events", |visit| {
        Box::pin(entered(visit, Role::Reader, show))
    });

async fn show(visitor: Visitor) -> Result<Response, Declined> {
    visitor.visit().events(&visitor.member).await
}
