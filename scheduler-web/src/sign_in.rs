//! Signing in by a link that works once or by a key, and signing out.

use askama::Template;
use chrono::TimeDelta;
use http::header::{REFERRER_POLICY, USER_AGENT};
use http::{HeaderValue, Method};
use scheduler_core::app::ClaimedSession;
use scheduler_core::connecting::Pass;
use scheduler_core::error::{ErrorCode, Refusal};
use scheduler_core::session::{BROWSER_SESSION_LIFETIME, Role};
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::{Declined, Form, Visit};
use warp::reply::Response;

use crate::filters;
use crate::page::{self, Assets};
use crate::visitor::{
    FRAGMENT, SESSION, cookie_name, entered, message_alone, set_cookie, short_name,
};

/// Characters of the name of a browser that its session keeps.
const CLIENT_MAX_CHARACTERS: usize = 100;

pub(crate) static HOME: Endpoint = Endpoint::page("web_home", Method::GET, "/", |visit| {
    Box::pin(entered(visit, Role::Reader, |visitor| async move {
        let is_new = crate::start::is_new(&visitor).await?;
        Ok(page::sent_to(&visitor.at(if is_new { "start" } else { "calendar" })))
    }))
});

pub(crate) static SHOW: Endpoint =
    Endpoint::page("web_signin", Method::GET, "/signin", |visit| Box::pin(show(visit)));

pub(crate) static ONCE: Endpoint =
    Endpoint::page("web_signin_once", Method::GET, "/signin/once", |visit| Box::pin(once(visit)));

pub(crate) static BY_LINK: Endpoint =
    Endpoint::page("web_sign_in_by_link", Method::POST, "/signin/once", |visit| {
        Box::pin(by_link(visit))
    });

pub(crate) static BY_KEY: Endpoint =
    Endpoint::page("web_sign_in_by_key", Method::POST, "/signin", |visit| Box::pin(by_key(visit)));

pub(crate) static OUT: Endpoint =
    Endpoint::page("web_sign_out", Method::POST, "/signout", |visit| Box::pin(out(visit)));

#[derive(Template)]
#[template(path = "sign_in/show.html")]
struct SignIn {
    assets: Assets,
    next: String,
    problem: Option<String>,
    is_private: bool,
}

#[derive(Template)]
#[template(path = "sign_in/once.html")]
struct Once {
    assets: Assets,
    next: String,
    problem: Option<String>,
    is_private: bool,
}

async fn show(visit: Visit) -> Response {
    page::shown(&sign_in(&visit, None))
}

fn sign_in(visit: &Visit, problem: Option<String>) -> SignIn {
    let next = next(&visit.query());
    SignIn { assets: Assets::new(), next, problem, is_private: visit.is_private() }
}

async fn once(visit: Visit) -> Response {
    let mut response = page::shown(&once_page(&visit, None));
    // The address holds the link.
    response.headers_mut().insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

fn once_page(visit: &Visit, problem: Option<String>) -> Once {
    let (assets, next) = (Assets::new(), next(&visit.query()));
    Once { assets, next, problem, is_private: visit.is_private() }
}

async fn by_link(mut visit: Visit) -> Response {
    match link_signs_in(&mut visit).await {
        Ok(response) => response,
        Err(declined) => declined.into_page(|status, message| {
            page::shown_as(status, &once_page(&visit, Some(message.to_owned())))
        }),
    }
}

async fn link_signs_in(visit: &mut Visit) -> Result<Response, Declined> {
    let form = opened(visit).await?;
    let link = form.only("link").map(str::trim).unwrap_or_default();
    // Whoever copies the address copies what stands before the code too.
    let link = link.rsplit('#').next().unwrap_or_default();
    let client = client(visit);
    let session = match Pass::parse(link) {
        Some(link) => visit.scheduler().sign_in_by_link(&link, &client).await?,
        None => None,
    };
    let unknown = || {
        let message = "This link was used, has expired, or is not whole. Run `scheduler web open` for a new one.";
        Declined::from(Refusal::new(ErrorCode::Unauthorized, message))
    };
    Ok(signed_in(visit, &form, &session.ok_or_else(unknown)?))
}

async fn by_key(mut visit: Visit) -> Response {
    match key_signs_in(&mut visit).await {
        Ok(response) => response,
        Err(declined) => {
            let is_unknown = declined.code() == ErrorCode::Unauthorized;
            let is_script = visit.header(&FRAGMENT).is_some();
            declined.into_page(|status, message| {
                let unknown = "This key is not known, or has expired. Keys begin with sk_.";
                let message = if is_unknown { unknown } else { message };
                if is_script {
                    return message_alone(status, message);
                }
                page::shown_as(status, &sign_in(&visit, Some(message.to_owned())))
            })
        }
    }
}

async fn key_signs_in(visit: &mut Visit) -> Result<Response, Declined> {
    let form = opened(visit).await?;
    let key = form.only("key").map(str::trim).unwrap_or_default();
    let session = visit.scheduler().sign_in_by_key(key, &client(visit)).await?;
    // Whoever signs in again over a page goes on in its workspace.
    let is_other = |short: &str| !short.is_empty() && short != short_name(&session.workspace);
    if form.only("workspace").is_some_and(is_other) {
        visit.scheduler().end_session(session.workspace.id, session.session.id).await?;
        let message = "This key opens another workspace.";
        return Err(Refusal::new(ErrorCode::Forbidden, message).into());
    }
    Ok(signed_in(visit, &form, &session))
}

/// The form of whoever may try to sign in.
async fn opened(visit: &mut Visit) -> Result<Form, Declined> {
    visit.refuse_other_sites()?;
    if !visit.is_private() {
        let message = "This connection is not encrypted, so signing in is switched off. Put the server behind TLS, or open it on 127.0.0.1.";
        return Err(Refusal::new(ErrorCode::Forbidden, message).into());
    }
    visit.count_sign_in()?;
    visit.form_of_anyone().await
}

/// Gives the browser its session, and sends it where it wanted to go.
fn signed_in(visit: &Visit, form: &Form, session: &ClaimedSession) -> Response {
    let calendar = format!("/w/{}/calendar", short_name(&session.workspace));
    let next = next(form);
    let mut response = page::sent_to(if next.is_empty() { &calendar } else { &next });
    let value = session.value.expose();
    set_cookie(visit, &mut response, SESSION, value, BROWSER_SESSION_LIFETIME);
    response
}

async fn out(visit: Visit) -> Response {
    let session = visit.cookie(&cookie_name(&visit, SESSION)).map(str::to_owned);
    let refused = visit.refuse_other_sites();
    if let Err(declined) = refused {
        return page::declined(declined);
    }
    if let Ok(member) = visit.scheduler().member(session.as_deref()).await
        && let Some(session) = &member.session
    {
        let ended = visit.scheduler().end_session(member.workspace.id, session.id).await;
        // One that is gone already is ended.
        if let Err(scheduler_core::error::AppError::Store(error)) = ended {
            return page::declined(scheduler_core::error::AppError::Store(error).into());
        }
    }
    let mut response = page::sent_to("/signin");
    set_cookie(&visit, &mut response, SESSION, "", TimeDelta::zero());
    response
}

/// What the list of sessions calls a browser.
fn client(visit: &Visit) -> String {
    let agent = visit.header(&USER_AGENT).unwrap_or("a browser");
    agent.chars().filter(|sign| !sign.is_control()).take(CLIENT_MAX_CHARACTERS).collect()
}

/// Where a browser goes once its person is signed in: a page of this server, or nowhere.
fn next(form: &Form) -> String {
    let next = form.only("next").unwrap_or_default();
    let is_own = next.starts_with('/') && !next.starts_with("//") && !next.contains('\\');
    if is_own && next.is_ascii() { next.to_owned() } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::visitor::query;

    #[test]
    fn nobody_is_sent_to_another_site() {
        for (next_address, want) in [
            ("/w/bread/calendar?state=failed", "/w/bread/calendar?state=failed"),
            ("//evil.example", ""),
            ("/\\evil.example", ""),
            ("https://evil.example", ""),
            ("", ""),
        ] {
            let form = Form::parse(query(&[("next", next_address)]).as_bytes()).unwrap();
            assert_eq!(next(&form), want, "{next_address}");
        }
    }
}
