//! `GET /connect/<network>/callback`, outside the API: comes back from the network.

use scheduler_core::app::{Browser, Returned};
use scheduler_core::ports::ConnectInput;

use super::visit::{Place, again, cookie, network};
use crate::extract::Form;
use crate::pages;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "return_connection",
    method: Method::GET,
    pattern: "/connect/{name}/callback",
    query: &[],
    handler: Handler::Keyless(|call| Box::pin(async move { Ok(come_back(call).await) })),
    description: None,
};

async fn come_back(call: Call) -> Response {
    let (api, head) = (&call.api, &call.head);
    let platform = match network(&call) {
        Ok(platform) => platform,
        Err(page) => return *page,
    };
    if call.method == Method::HEAD {
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
/// Source: RFC 6749, section 4.1.2, and RFC 9207, section 2.
fn returned(query: &Form) -> Returned {
    match (query.only("error"), query.only("code")) {
        (None, Some(code)) => {
            Returned::Code { code: code.to_owned(), issuer: query.only("iss").map(str::to_owned) }
        }
        (error, _) => Returned::Refused {
            error: error.unwrap_or("no code").to_owned(),
            description: query.only("error_description").map(str::to_owned),
        },
    }
}
