//! `GET /approve/<secret>`, outside the API: posts as their client sees them.

use scheduler_core::app::OpenedApproval;

use super::secret::pass;
use crate::pages;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "show_approval",
    method: Method::GET,
    pattern: "/approve/{name}",
    query: &[],
    handler: Handler::Keyless(|call| Box::pin(async move { Ok(show(call).await) })),
    description: None,
};

/// Shows the posts. Changes nothing, so that a look at the link, by whoever previews links, does no
/// harm.
async fn show(call: Call) -> Response {
    let (api, secret) = (&call.api, call.segment("name").to_owned());
    let pass = match pass(&secret) {
        Ok(pass) => pass,
        Err(page) => return *page,
    };
    match api.scheduler.open_approval(&pass).await {
        Ok(OpenedApproval::Page(page)) => {
            pages::approval(&page, &secret, StatusCode::OK, None, None)
        }
        Ok(OpenedApproval::Unknown) => pages::no_approval(),
        Ok(OpenedApproval::Expired) => pages::expired_approval(),
        Err(error) => ApiError::from(error).into_page(pages::approval_failed),
    }
}
