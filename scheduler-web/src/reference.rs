//! `GET /docs`: the description of the API as a page, made once, for whoever asks first.

use std::sync::LazyLock;

use http::Method;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::openapi;
use scheduler_http::visit::{Visit, Written};
use warp::reply::Response;

use crate::pages;

pub(crate) static SHOW: Endpoint =
    Endpoint::page("show_reference", Method::GET, "/docs", |visit| Box::pin(show(visit)));

/// Making it takes some megabytes, which a server that nobody asks for it does not hold.
static PAGE: LazyLock<Written> =
    LazyLock::new(|| Written::new(pages::reference(&openapi::document())));

async fn show(visit: Visit) -> Response {
    pages::reference_answer(visit.answer(&PAGE, pages::HTML))
}
