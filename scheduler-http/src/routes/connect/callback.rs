//! `GET /connect/<network>/callback`

use std::sync::Arc;

use http::Method;
use scheduler_core::app::{Browser, Returned};
use scheduler_core::ports::ConnectInput;
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use super::{Place, again, cookie, network};
use crate::api::Api;
use crate::endpoints::RETURN_CONNECTION;
use crate::error::ApiError;
use crate::extract::{Form, Head};
use crate::pages;
use crate::routes::{answered, get, head, with};

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("connect" / String / "callback")
        .and(get())
        .and(warp::method())
        .and(head())
        .and(with(api))
        .then(|name: String, method, head, api: Arc<Api>| {
            answered(
                &RETURN_CONNECTION,
                async move { Ok(come_back(&name, &method, &head, &api).await) },
            )
        })
        .boxed()
}

async fn come_back(name: &str, method: &Method, head: &Head, api: &Api) -> Response {
    let platform = match network(name) {
        Ok(platform) => platform,
        Err(page) => return *page,
    };
    if method == Method::HEAD {
        return pages::nothing();
    }
    let query = match Form::parse(head.query().unwrap_or_default().as_bytes()) {
        Ok(query) => query,
        Err(refusal) => return ApiError::from(refusal).into_page(pages::begun_elsewhere),
    };
    let cookie = cookie(api, head, platform);
    let state = query.only("state").unwrap_or_default();
    let result = api.scheduler.come_back(platform, cookie.as_ref(), state, returned(&query)).await;
    match result.map_err(ApiError::from).and_then(|()| pages::sent_on("pick")) {
        Ok(response) => response,
        Err(error) => {
            let browser = Browser::in_visit(cookie);
            let typed = ConnectInput::default();
            again(api, platform, Place::Below, &browser, typed, error).await
        }
    }
}

/// What the network has sent the browser back with.
///
/// Source: RFC 6749, section 4.1.2.
fn returned(query: &Form) -> Returned {
    match (query.only("error"), query.only("code")) {
        (None, Some(code)) => Returned::Code(code.to_owned()),
        (error, _) => Returned::Refused {
            error: error.unwrap_or("no code").to_owned(),
            description: query.only("error_description").map(str::to_owned),
        },
    }
}
