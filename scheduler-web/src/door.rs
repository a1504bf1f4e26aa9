//! What the pages have that stand outside of a workspace, at addresses that people were given: no
//! script, nothing from elsewhere, and links that hold behind any proxy.

use askama::Template;
use http::header::{CONTENT_SECURITY_POLICY, REFERRER_POLICY, X_FRAME_OPTIONS};
use http::{HeaderValue, StatusCode};
use scheduler_http::visit::Visit;
use warp::reply::Response;

use crate::filters;
use crate::page::{self, Assets};

/// Whereto the forms of a page may lead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Forms {
    /// To this server.
    Here,
    /// To this server, which sends the browser on to a network: browsers count that as a part of
    /// the form's way, and no list of addresses can hold the networks' servers.
    Onward,
}

/// The addresses of what such a page loads.
pub(crate) fn assets(visit: &Visit) -> Assets {
    Assets::under(&"../".repeat(visit.path().matches('/').count() - 1))
}

/// The answer under the policy of such a page. Pictures and films come from this server and from
/// these `origins`, with spaces between.
pub(crate) fn guarded(mut response: Response, forms: Forms, origins: &str) -> Response {
    let forms = match forms {
        Forms::Here => "; form-action 'self'",
        Forms::Onward => "",
    };
    let policy = format!(
        "default-src 'none'; style-src 'self'; img-src 'self' {origins}; \
         media-src 'self' {origins}; base-uri 'none'; frame-ancestors 'none'{forms}"
    );
    let headers = response.headers_mut();
    // Origins are letters that headers take.
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        headers.insert(CONTENT_SECURITY_POLICY, policy);
    }
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    headers.insert(X_FRAME_OPTIONS, HeaderValue::from_static("DENY"));
    response
}

/// Sends the browser on.
pub(crate) fn sent_on(address: &str) -> Response {
    guarded(page::sent_to(address), Forms::Onward, "")
}

/// A page that says what is not so, and what to do about it.
#[derive(Template)]
#[template(path = "told.html")]
struct Told<'a> {
    assets: Assets,
    title: &'a str,
    message: &'a str,
    advice: &'a str,
    command: Option<&'a str>,
}

pub(crate) fn told(
    assets: Assets,
    status: StatusCode,
    title: &str,
    message: &str,
    advice: &str,
    command: Option<&str>,
) -> Response {
    let told = Told { assets, title, message, advice, command };
    guarded(page::shown_as(status, &told), Forms::Here, "")
}
