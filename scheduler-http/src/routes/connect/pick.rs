//! `GET` and `POST /connect/<network>/pick`

use std::sync::Arc;

use http::StatusCode;
use scheduler_core::app::{Browser, StageView};
use scheduler_core::platform::Platform;
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use super::{Place, cookie, form, network, own_form};
use crate::api::Api;
use crate::endpoints::{PICK_ACCOUNTS, SHOW_PICK};
use crate::error::ApiError;
use crate::extract::{Body, Head};
use crate::pages;
use crate::routes::{answered, body, get, head, with};

pub(in crate::routes) fn show_route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("connect" / String / "pick")
        .and(get())
        .and(head())
        .and(with(api))
        .then(|name: String, head, api: Arc<Api>| {
            answered(&SHOW_PICK, async move { Ok(show(&name, &head, &api).await) })
        })
        .boxed()
}

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("connect" / String / "pick")
        .and(warp::post())
        .and(head())
        .and(body())
        .and(with(api))
        .then(|name: String, head, body, api: Arc<Api>| {
            answered(&PICK_ACCOUNTS, async move { Ok(pick(&name, &head, body, &api).await) })
        })
        .boxed()
}

async fn show(name: &str, head: &Head, api: &Api) -> Response {
    match network(name) {
        Ok(platform) => {
            let shown = page(api, platform, head, None).await;
            shown.unwrap_or_else(|error| error.into_page(pages::begun_elsewhere))
        }
        Err(page) => *page,
    }
}

async fn pick(name: &str, head: &Head, body: Body, api: &Api) -> Response {
    let platform = match network(name) {
        Ok(platform) => platform,
        Err(page) => return *page,
    };
    if let Err(refusal) = own_form(api, head) {
        return ApiError::from(refusal).into_page(pages::begun_elsewhere);
    }
    match connect(api, platform, head, body).await {
        Ok(response) => response,
        Err(error) => {
            let status = error.status();
            match page(api, platform, head, Some((status, error.message()))).await {
                Ok(page) if page.status() == status => error.into_page(|_, _| page),
                Ok(_) | Err(_) => error.into_page(pages::begun_elsewhere),
            }
        }
    }
}

async fn connect(
    api: &Api,
    platform: Platform,
    head: &Head,
    body: Body,
) -> Result<Response, ApiError> {
    let visit = Browser::in_visit(cookie(api, head, platform));
    let form = form(api, head, body, platform, &visit).await?;
    let ids: Vec<String> = form.all("account").map(str::to_owned).collect();
    api.scheduler.pick_accounts(platform, visit.cookie.as_ref(), &ids).await?;
    pages::sent_on("pick")
}

/// What there is to pick from, or what has come of it.
async fn page(
    api: &Api,
    platform: Platform,
    head: &Head,
    problem: Option<(StatusCode, &str)>,
) -> Result<Response, ApiError> {
    let browser = Browser::in_visit(cookie(api, head, platform));
    let view = api.scheduler.connecting_view(platform, &browser).await?;
    match &view.stage {
        StageView::Begin { .. } => pages::sent_on(&Place::Below.first_page(platform)),
        StageView::Pick { choices } => {
            Ok(pages::pick(platform, &view.workspace, "pick", choices, problem))
        }
        StageView::Ended { outcomes } => Ok(pages::ended(platform, &view.workspace, outcomes)),
    }
}
