//! Signing in with the OpenID provider.

use askama::Template;
use chrono::TimeDelta;
use http::header::REFERRER_POLICY;
use http::{HeaderValue, Method};
use scheduler_core::app::{ProviderAnswer, SignedIn};
use scheduler_core::openid::ATTEMPT_LIFETIME;
use scheduler_core::workspace::Workspace;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::{Declined, Form, Visit};
use warp::reply::Response;

use crate::filters;
use crate::page::{self, Assets};
use crate::sign_in::{client, next, problem, refuse_unencrypted, signed_in_to};
use crate::visitor::{SESSIONS_MAX, cookie_name, query, set_cookie, short_name};

/// Where the provider sends browsers back to.
const CALLBACK: &str = "/signin/openid/callback";

/// The cookie that a browser keeps while its person is at the provider.
const ATTEMPT: &str = "scheduler-openid";

/// Bytes of the address that it keeps beside; a longer one is forgotten. Source: our decision; a
/// browser keeps 4096 bytes of a cookie.
const NEXT_MAX_BYTES: usize = 1_000;

pub(crate) static BEGIN: Endpoint =
    Endpoint::page("web_begin_openid", Method::POST, "/signin/openid", |visit| {
        Box::pin(begin(visit))
    });

pub(crate) static COME_BACK: Endpoint =
    Endpoint::page("web_openid_callback", Method::GET, CALLBACK, |visit| {
        Box::pin(come_back(visit))
    });

/// Sends the browser on. A form that is redirected may lead only where the page that holds it says,
/// and no list of addresses can hold all that a provider passes people on to; from this page, which
/// holds no form, a browser goes where it is sent, and that page needs no wider policy.
#[derive(Template)]
#[template(path = "sign_in/onward.html")]
struct Onward<'a> {
    assets: Assets,
    provider: &'a str,
    address: &'a str,
}

async fn begin(mut visit: Visit) -> Response {
    match begun(&mut visit).await {
        Ok(response) => response,
        Err(declined) => problem(&visit, declined),
    }
}

async fn begun(visit: &mut Visit) -> Result<Response, Declined> {
    // Nobody is counted before they come back, which is what a sign-in is.
    visit.refuse_other_sites()?;
    refuse_unencrypted(visit)?;
    let form = visit.form_of_anyone().await?;
    let begun = visit.scheduler().begin_openid(&redirect_uri(visit)).await?;
    let provider = visit.scheduler().openid_name().unwrap_or_default();
    let onward = Onward { assets: Assets::new(), provider, address: &begun.address };
    let mut response = without_referrer(page::shown(&onward));
    let next = next(&form);
    let next = if next.len() > NEXT_MAX_BYTES { String::new() } else { next };
    let kept = query(&[("attempt", &begun.attempt.cookie()), ("next", &next)]);
    set_cookie(visit, &mut response, ATTEMPT, &kept, ATTEMPT_LIFETIME);
    Ok(response)
}

async fn come_back(visit: Visit) -> Response {
    let kept = visit.cookie(&cookie_name(&visit, ATTEMPT)).unwrap_or_default();
    let kept = Form::parse(kept.as_bytes()).unwrap_or_default();
    let response = match let_in(&visit, &kept).await {
        Ok(response) => response,
        Err(declined) => problem(&visit, declined),
    };
    // The address holds the code.
    let mut response = without_referrer(response);
    set_cookie(&visit, &mut response, ATTEMPT, "", TimeDelta::zero());
    response
}

async fn let_in(visit: &Visit, kept: &Form) -> Result<Response, Declined> {
    refuse_unencrypted(visit)?;
    visit.count_sign_in()?;
    let query = visit.query();
    let answer = ProviderAnswer {
        state: query.only("state"),
        code: query.only("code"),
        error: query.only("error"),
        issuer: query.only("iss"),
    };
    let (next, client, redirect_uri) = (next(kept), client(visit), redirect_uri(visit));
    let signing_in = visit.scheduler().sign_in_by_openid(
        kept.only("attempt"),
        answer,
        &redirect_uri,
        &client,
        SESSIONS_MAX,
        |workspace| is_in(&next, workspace),
    );
    let SignedIn { first, others, .. } = signing_in.await?;
    // Another workspace than theirs would only tell them so.
    let is_elsewhere = next.starts_with("/w/") && !is_in(&next, &first.workspace);
    let nowhere = Form::default();
    signed_in_to(visit, if is_elsewhere { &nowhere } else { kept }, &first, &others).await
}

/// True for an address of a page of the workspace.
fn is_in(address: &str, workspace: &Workspace) -> bool {
    let rest = address.strip_prefix("/w/").and_then(|it| it.strip_prefix(&short_name(workspace)));
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?']))
}

/// What has to be registered at the provider.
fn redirect_uri(visit: &Visit) -> String {
    format!("{}{CALLBACK}", visit.connecting().server.as_str().trim_end_matches('/'))
}

fn without_referrer(mut response: Response) -> Response {
    response.headers_mut().insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}
