//! `GET` and `POST /connect/<network>/pick`, outside the API.

use scheduler_core::app::{Browser, StageView};
use scheduler_core::platform::Platform;

use super::visit::{Place, cookie, form, network, own_form};
use crate::api::Api;
use crate::extract::{Body, Head};
use crate::pages;
use crate::routes::prelude::*;

/// What the network has opened.
pub(super) static SHOW: Endpoint = Endpoint {
    name: "show_pick",
    method: Method::GET,
    pattern: "/connect/{name}/pick",
    query: &[],
    handler: Handler::Keyless(|call| Box::pin(async move { Ok(show(call).await) })),
    description: None,
};

/// Connects what is picked.
pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "pick_accounts",
    method: Method::POST,
    pattern: "/connect/{name}/pick",
    query: &[],
    handler: Handler::Keyless(|call| Box::pin(async move { Ok(pick(call).await) })),
    description: None,
};

async fn show(call: Call) -> Response {
    match network(&call) {
        Ok(platform) => {
            let shown = page(&call.api, platform, &call.head, None).await;
            shown.unwrap_or_else(|error| error.into_page(pages::begun_elsewhere))
        }
        Err(page) => *page,
    }
}

async fn pick(call: Call) -> Response {
    let platform = match network(&call) {
        Ok(platform) => platform,
        Err(page) => return *page,
    };
    let Call { api, head, body, .. } = call;
    let (api, head) = (&*api, &head);
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
