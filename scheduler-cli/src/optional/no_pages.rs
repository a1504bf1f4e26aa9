//! A build without pages: where links of the server lead, it says so.

use futures_util::FutureExt as _;
use http::header::CONTENT_TYPE;
use http::{HeaderValue, Method, StatusCode};
use scheduler_http::endpoints::Endpoint;
use warp::reply::Response;

const ABSENT: &str = "This server was built without its pages. Whoever runs it can build it with the feature `web`.\n";

/// One in the place of each page that people are given the address of.
pub(crate) const fn pages() -> &'static [&'static Endpoint] {
    static PAGES: [Endpoint; 7] = [
        absent("web_home", "/"),
        absent("web_signin", "/signin"),
        absent("web_signin_once", "/signin/once"),
        absent("show_login", "/login"),
        absent("show_reference", "/docs"),
        absent("show_connection", "/connect/{name}"),
        absent("show_approval", "/approve/{name}"),
    ];
    static ALL: [&Endpoint; 7] = {
        let [home, signin, once, login, reference, connection, approval] = &PAGES;
        [home, signin, once, login, reference, connection, approval]
    };
    &ALL
}

const fn absent(name: &'static str, pattern: &'static str) -> Endpoint {
    Endpoint::page(name, Method::GET, pattern, |_| async { answer() }.boxed())
}

fn answer() -> Response {
    let mut response = Response::new(ABSENT.into());
    *response.status_mut() = StatusCode::NOT_FOUND;
    let text = HeaderValue::from_static("text/plain; charset=utf-8");
    response.headers_mut().insert(CONTENT_TYPE, text);
    response
}
