//! The pages on which a person connects accounts.
//!
//! Everything that they say is about the browser that asks: it shows the ticket of its link first,
//! and from then on a cookie that this server has given it.

mod show;

use std::collections::BTreeMap;

use http::{Method, StatusCode};
use scheduler_core::app::{Browser, ConnectingView, Returned, StageView};
use scheduler_core::connecting::{LIFETIME, Pass};
use scheduler_core::error::{Refusal, Resource};
use scheduler_core::platform::{Platform, Way};
use scheduler_core::ports::ConnectInput;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::{Declined, Form, Visit};
use warp::reply::Response;

use self::show::{Problem, Start, begun_elsewhere, ended};
use crate::door::{self, Forms};
use crate::visitor::{cookie_name, query, set_cookie};

/// What will happen. A look at it uses nothing up, so that whoever previews links does no harm.
pub(crate) static SHOW: Endpoint =
    Endpoint::page("show_connection", Method::GET, "/connect/{name}", |visit| {
        Box::pin(of_network(visit, begin))
    });

/// Goes on to the network, or takes what it has given.
pub(crate) static START: Endpoint =
    Endpoint::page("start_connection", Method::POST, "/connect/{name}", |visit| {
        Box::pin(of_network(visit, start))
    });

/// Comes back from the network.
pub(crate) static COME_BACK: Endpoint =
    Endpoint::page("return_connection", Method::GET, "/connect/{name}/callback", |visit| {
        Box::pin(of_network(visit, come_back))
    });

/// What the network has opened, or what has come of it.
pub(crate) static SHOW_PICK: Endpoint =
    Endpoint::page("show_pick", Method::GET, "/connect/{name}/pick", |visit| {
        Box::pin(of_network(visit, show_pick))
    });

/// Connects what is picked.
pub(crate) static PICK: Endpoint =
    Endpoint::page("pick_accounts", Method::POST, "/connect/{name}/pick", |visit| {
        Box::pin(of_network(visit, pick))
    });

/// Answers for the network of the path.
async fn of_network<F>(visit: Visit, answer: impl FnOnce(Visit, Platform) -> F) -> Response
where
    F: Future<Output = Result<Response, Declined>> + Send,
{
    let assets = door::assets(&visit);
    let Ok(platform) = visit.segment("name").parse() else {
        return begun_elsewhere(assets, StatusCode::NOT_FOUND, "There is no such network.");
    };
    answer(visit, platform).await.unwrap_or_else(|declined| {
        declined.into_page(|status, problem| begun_elsewhere(assets, status, problem))
    })
}

async fn begin(visit: Visit, platform: Platform) -> Result<Response, Declined> {
    let browser = browser(&visit, platform);
    let view = visit.scheduler().connecting_view(platform, &browser).await?;
    Ok(shown(&visit, platform, &browser, &view, None))
}

async fn start(mut visit: Visit, platform: Platform) -> Result<Response, Declined> {
    visit.refuse_other_sites()?;
    let browser = browser(&visit, platform);
    let form = form(&mut visit, platform, &browser).await?;
    let facts = platform.sheet().connecting;
    let Some(way) = form.only("way").and_then(|name| facts.way(name)) else {
        let refusal = Refusal::invalid("way", "Choose one of the ways on this page.");
        return again(&visit, platform, &browser, ConnectInput::default(), refusal.into()).await;
    };
    let values = values(&form, way);
    let result = if way.opens_page {
        to_page(&visit, platform, &browser, values.clone()).await
    } else {
        give(&visit, platform, &browser, values.clone()).await
    };
    match result {
        Ok(response) => Ok(response),
        Err(declined) => again(&visit, platform, &browser, values, declined).await,
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
    visit: &Visit,
    platform: Platform,
    browser: &Browser,
    values: ConnectInput,
) -> Result<Response, Declined> {
    let redirect_uri = visit.connecting().redirect_uri(platform)?;
    let scheduler = visit.scheduler();
    let page = scheduler.authorize_connection(platform, browser, values, &redirect_uri).await?;
    Ok(with_cookie(door::sent_on(&page.url), visit, platform, &page.cookie))
}

/// Opens accounts with what was typed.
async fn give(
    visit: &Visit,
    platform: Platform,
    browser: &Browser,
    values: ConnectInput,
) -> Result<Response, Declined> {
    let pass = visit.scheduler().give_values(platform, browser, values).await?;
    let pick = format!("{}/pick", first_page(visit, platform));
    Ok(with_cookie(door::sent_on(&pick), visit, platform, &pass))
}

async fn come_back(visit: Visit, platform: Platform) -> Result<Response, Declined> {
    if *visit.method() == Method::HEAD {
        return Ok(door::guarded(Response::default(), Forms::Here, ""));
    }
    let (browser, query) = (in_visit(&visit, platform), visit.query());
    let state = query.only("state").unwrap_or_default();
    let came =
        visit.scheduler().come_back(platform, browser.cookie.as_ref(), state, returned(&query));
    match came.await {
        Ok(()) => Ok(door::sent_on("pick")),
        Err(error) => {
            again(&visit, platform, &browser, ConnectInput::default(), error.into()).await
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

async fn show_pick(visit: Visit, platform: Platform) -> Result<Response, Declined> {
    let browser = in_visit(&visit, platform);
    let view = visit.scheduler().connecting_view(platform, &browser).await?;
    let assets = door::assets(&visit);
    Ok(match &view.stage {
        StageView::Begin { .. } => door::sent_on(&first_page(&visit, platform)),
        StageView::Pick { choices } => show::pick(assets, platform, &view.workspace, choices, None),
        StageView::Ended { outcomes } => ended(assets, platform, &view.workspace, outcomes),
    })
}

async fn pick(mut visit: Visit, platform: Platform) -> Result<Response, Declined> {
    visit.refuse_other_sites()?;
    let browser = in_visit(&visit, platform);
    let Err(declined) = picked(&mut visit, platform, &browser).await else {
        return Ok(door::sent_on("pick"));
    };
    match visit.scheduler().connecting_view(platform, &browser).await {
        Ok(ConnectingView { workspace, stage: StageView::Pick { choices } }) => Ok(declined
            .into_page(|status, problem| {
                let assets = door::assets(&visit);
                show::pick(assets, platform, &workspace, &choices, Some((status, problem)))
            })),
        Ok(_) | Err(_) => Err(declined),
    }
}

async fn picked(visit: &mut Visit, platform: Platform, browser: &Browser) -> Result<(), Declined> {
    let form = form(visit, platform, browser).await?;
    let ids: Vec<String> = form.all("account").map(str::to_owned).collect();
    visit.scheduler().pick_accounts(platform, browser.cookie.as_ref(), &ids).await?;
    Ok(())
}

/// The way to the first page, which holds behind any proxy.
fn first_page(visit: &Visit, platform: Platform) -> String {
    let is_first = visit.path().matches('/').count() == 2;
    if is_first { platform.to_string() } else { format!("../{platform}") }
}

/// What the browser shows: the ticket of its link, which stands in the address, and its cookie.
fn browser(visit: &Visit, platform: Platform) -> Browser {
    let ticket = visit.query().only("ticket").and_then(Pass::parse);
    Browser { ticket, ..in_visit(visit, platform) }
}

/// The browser by its cookie alone.
fn in_visit(visit: &Visit, platform: Platform) -> Browser {
    let cookie = visit.cookie(&cookie_name(visit, &cookie_of(platform))).and_then(Pass::parse);
    Browser::in_visit(cookie)
}

/// The cookie of a visit.
fn cookie_of(platform: Platform) -> String {
    format!("connect-{platform}")
}

/// Reads the form of a browser, once its visit is found.
///
/// # Errors
/// `not_found` when it is in none; those of [`Visit::form_of`].
async fn form(visit: &mut Visit, platform: Platform, browser: &Browser) -> Result<Form, Declined> {
    visit.scheduler().connecting_view(platform, browser).await?;
    let pass = browser.cookie.as_ref().or(browser.ticket.as_ref());
    let pass = pass.ok_or_else(|| Refusal::not_found(Resource::ConnectLink))?;
    visit.form_of(pass).await
}

/// Gives the browser the pass of its visit.
fn with_cookie(mut response: Response, visit: &Visit, platform: Platform, pass: &Pass) -> Response {
    set_cookie(visit, &mut response, &cookie_of(platform), pass.expose(), LIFETIME);
    response
}

/// The page of a browser's visit as it stands, with what has just gone wrong.
fn shown(
    visit: &Visit,
    platform: Platform,
    browser: &Browser,
    view: &ConnectingView,
    problem: Problem<'_>,
) -> Response {
    let first = first_page(visit, platform);
    let StageView::Begin { given } = &view.stage else {
        return door::sent_on(&format!("{first}/pick"));
    };
    // In the address, so that nothing of a form is read before it is known whose it is.
    let action = match &browser.ticket {
        Some(ticket) => format!("{first}?{}", query(&[("ticket", ticket.expose())])),
        None => first,
    };
    let unregistered = visit.connecting().unregistered.get(&platform).map(String::as_str);
    let (assets, workspace) = (door::assets(visit), view.workspace.as_str());
    Start::of(platform, assets, workspace, action, given, unregistered).answer(problem)
}

/// The page that says what has gone wrong, with the form again where there still is one.
async fn again(
    visit: &Visit,
    platform: Platform,
    browser: &Browser,
    typed: ConnectInput,
    declined: Declined,
) -> Result<Response, Declined> {
    let Ok(mut view) = visit.scheduler().connecting_view(platform, browser).await else {
        return Err(declined);
    };
    if let StageView::Begin { given } = &mut view.stage {
        given.0.extend(typed.0.into_iter().filter(|(name, _)| !is_secret(platform, name)));
    }
    Ok(declined.into_page(|status, problem| {
        shown(visit, platform, browser, &view, Some((status, problem)))
    }))
}

/// True for a value that is not shown again.
fn is_secret(platform: Platform, name: &str) -> bool {
    let mut fields = platform.sheet().connecting.ways.iter().flat_map(|way| way.fields);
    fields.any(|field| field.name == name && field.is_secret)
}
