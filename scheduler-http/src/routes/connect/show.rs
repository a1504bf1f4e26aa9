//! `GET /connect/<network>`

use std::sync::Arc;

use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use super::{Place, browser, network, shown};
use crate::api::Api;
use crate::endpoints::SHOW_CONNECTION;
use crate::error::ApiError;
use crate::extract::Head;
use crate::pages;
use crate::routes::{answered, get, head, with};

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("connect" / String)
        .and(get())
        .and(head())
        .and(with(api))
        .then(|name: String, head, api: Arc<Api>| {
            answered(&SHOW_CONNECTION, async move { Ok(show(&name, &head, &api).await) })
        })
        .boxed()
}

/// Shows what will happen. Uses nothing up, so that a look at the link, by whoever previews links,
/// does no harm.
async fn show(name: &str, head: &Head, api: &Api) -> Response {
    let platform = match network(name) {
        Ok(platform) => platform,
        Err(page) => return *page,
    };
    let browser = browser(api, head, platform);
    let view = api.scheduler.connecting_view(platform, &browser).await.map_err(ApiError::from);
    view.and_then(|view| shown(api, platform, Place::First, &browser, &view, None))
        .unwrap_or_else(|error| error.into_page(pages::begun_elsewhere))
}
