//! `POST /connect/<network>`, outside the API: goes on to the network, or takes what it has given.

use std::collections::BTreeMap;

use scheduler_core::app::Browser;
use scheduler_core::error::Refusal;
use scheduler_core::platform::{Platform, Way};
use scheduler_core::ports::ConnectInput;

use super::visit::{Place, again, browser, form, network, own_form, redirect_uri, with_cookie};
use crate::api::Api;
use crate::extract::Form;
use crate::pages;
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "start_connection",
    method: Method::POST,
    pattern: "/connect/{name}",
    query: &[],
    handler: Handler::Keyless(|call| Box::pin(async move { Ok(start(call).await) })),
    description: None,
};

async fn start(call: Call) -> Response {
    let platform = match network(&call) {
        Ok(platform) => platform,
        Err(page) => return *page,
    };
    let Call { api, head, body, .. } = call;
    let (api, head) = (&*api, &head);
    if let Err(refusal) = own_form(api, head) {
        return ApiError::from(refusal).into_page(pages::begun_elsewhere);
    }
    let browser = browser(api, head, platform);
    let form = match form(api, head, body, platform, &browser).await {
        Ok(form) => form,
        Err(error) => return error.into_page(pages::begun_elsewhere),
    };
    let facts = platform.sheet().connecting;
    let Some(way) = form.only("way").and_then(|name| facts.way(name)) else {
        let refusal = Refusal::invalid("way", "Choose one of the ways on this page.");
        let typed = ConnectInput::default();
        return again(api, platform, Place::First, &browser, typed, refusal.into()).await;
    };
    let values = values(&form, way);
    let result = if way.opens_page {
        to_page(api, platform, &browser, values.clone()).await
    } else {
        give(api, platform, &browser, values.clone()).await
    };
    match result {
        Ok(response) => response,
        Err(error) => again(api, platform, Place::First, &browser, values, error).await,
    }
}

/// What the person has typed, and what goes with the way.
fn values(form: &Form, way: &Way) -> ConnectInput {
    let typed = way.fields.iter().filter_map(|field| {
        let value = form.only(field.name).map(str::trim).filter(|value| !value.is_empty())?;
        Some((field.name.to_owned(), value.to_owned()))
    });
    let fixed = way.fixed.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    ConnectInput(typed.chain(fixed).collect::<BTreeMap<_, _>>())
}

/// Sends the browser to the network's own page.
async fn to_page(
    api: &Api,
    platform: Platform,
    browser: &Browser,
    values: ConnectInput,
) -> Result<Response, ApiError> {
    let redirect_uri = redirect_uri(api, platform)?;
    let page = api.scheduler.authorize_connection(platform, browser, values, &redirect_uri).await?;
    with_cookie(pages::sent_on(&page.url)?, api, platform, &page.cookie)
}

/// Opens accounts with what was typed.
async fn give(
    api: &Api,
    platform: Platform,
    browser: &Browser,
    values: ConnectInput,
) -> Result<Response, ApiError> {
    let pass = api.scheduler.give_values(platform, browser, values).await?;
    let pick = format!("{}/pick", Place::First.first_page(platform));
    with_cookie(pages::sent_on(&pick)?, api, platform, &pass)
}
