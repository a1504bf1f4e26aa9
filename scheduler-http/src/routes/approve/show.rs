//! `GET /approve/<secret>`

use std::sync::Arc;

use http::StatusCode;
use scheduler_core::app::OpenedApproval;
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use super::pass;
use crate::api::Api;
use crate::endpoints::SHOW_APPROVAL;
use crate::error::ApiError;
use crate::pages;
use crate::routes::{answered, get, with};

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("approve" / String)
        .and(get())
        .and(with(api))
        .then(|secret: String, api: Arc<Api>| {
            answered(&SHOW_APPROVAL, async move { Ok(show(&secret, &api).await) })
        })
        .boxed()
}

/// Shows the post. Changes nothing, so that a look at the link, by whoever previews links, does no
/// harm.
async fn show(secret: &str, api: &Api) -> Response {
    let pass = match pass(secret) {
        Ok(pass) => pass,
        Err(page) => return *page,
    };
    match api.scheduler.open_approval(&pass).await {
        Ok(OpenedApproval::Page(page)) => pages::approval(&page, secret, StatusCode::OK, None, ""),
        Ok(OpenedApproval::Unknown) => pages::no_approval(),
        Ok(OpenedApproval::Expired) => pages::expired_approval(),
        Err(error) => ApiError::from(error).into_page(pages::approval_failed),
    }
}
