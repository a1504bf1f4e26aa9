//! `GET /connect/<network>`, outside the API: what connecting an account means.

use super::visit::{Place, browser, network, shown};
use crate::pages;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "show_connection",
    method: Method::GET,
    pattern: "/connect/{name}",
    query: &[],
    handler: Handler::Keyless(|call| Box::pin(async move { Ok(show(call).await) })),
    description: None,
};

/// Shows what will happen. Uses nothing up, so that a look at the link, by whoever previews links,
/// does no harm.
async fn show(call: Call) -> Response {
    let (api, head) = (&call.api, &call.head);
    let platform = match network(&call) {
        Ok(platform) => platform,
        Err(page) => return *page,
    };
    let browser = browser(api, head, platform);
    let view = api.scheduler.connecting_view(platform, &browser).await.map_err(ApiError::from);
    view.and_then(|view| shown(api, platform, Place::First, &browser, &view, None))
        .unwrap_or_else(|error| error.into_page(pages::begun_elsewhere))
}
