//! `GET /login`: how a login is confirmed.

use http::Method;
use scheduler_core::session::LoginCode;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::Visit;
use warp::reply::Response;

use crate::pages;

pub(crate) static SHOW: Endpoint =
    Endpoint::page("show_login", Method::GET, "/login", |visit| Box::pin(show(visit)));

/// Shows the code and the command. Confirms nothing: whoever was led here by somebody else's link
/// lets nobody in.
async fn show(visit: Visit) -> Response {
    let query = visit.query();
    pages::login(query.only("code").and_then(|code| code.parse::<LoginCode>().ok()).as_ref())
}
