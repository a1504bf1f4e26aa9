//! How the login of a program is confirmed.

use askama::Template;
use http::{Method, StatusCode};
use scheduler_core::session::LoginCode;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::Visit;
use warp::reply::Response;

use crate::door::{self, Forms};
use crate::page::{self, Assets};

pub(crate) static SHOW: Endpoint =
    Endpoint::page("show_login", Method::GET, "/login", |visit| Box::pin(show(visit)));

#[derive(Template)]
#[template(path = "login/show.html")]
struct Show {
    assets: Assets,
    code: LoginCode,
}

/// Shows the code and the command. Confirms nothing: whoever was led here by somebody else's link
/// lets nobody in.
async fn show(visit: Visit) -> Response {
    let assets = door::assets(&visit);
    let Some(Ok(code)) = visit.query().only("code").map(str::parse) else {
        let message = "This address holds no code.";
        let (advice, command) = ("Run this again:", Some("scheduler login"));
        return door::told(assets, StatusCode::NOT_FOUND, "Log in", message, advice, command);
    };
    door::guarded(page::shown(&Show { assets, code }), Forms::Here, "")
}
