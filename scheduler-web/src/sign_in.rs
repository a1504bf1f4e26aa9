//! Signing in by a link that works once or by a key, and signing out. `openid` is the third way.

use askama::Template;
use http::header::{CONTENT_TYPE, REFERRER_POLICY, USER_AGENT};
use http::{HeaderValue, Method};
use scheduler_core::app::{ClaimedSession, Member};
use scheduler_core::connecting::Pass;
use scheduler_core::error::{ErrorCode, Refusal};
use scheduler_core::session::Role;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::{Declined, Form, Visit};
use warp::reply::Response;

use crate::filters;
use crate::page::{self, Assets};
use crate::passkeys;
use crate::visitor::{
    FRAGMENT, SESSIONS_MAX, entered, held, hold, member_of, message_alone, short_name,
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
pub(crate) struct SignIn {
    assets: Assets,
    next: String,
    problem: Option<String>,
    /// The field that the problem is about.
    is_of_key: bool,
    is_private: bool,
    /// True where browsers make passkeys for this server.
    has_passkeys: bool,
    /// What people call the OpenID provider.
    provider: Option<String>,
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
    SignIn {
        assets: Assets::new(),
        next: next(&visit.query()),
        problem,
        is_of_key: false,
        is_private: visit.is_private(),
        has_passkeys: passkeys::are_possible(visit),
        provider: visit.scheduler().openid_name().map(str::to_owned),
    }
}

/// The page with what is wrong.
pub(crate) fn problem(visit: &Visit, declined: Declined) -> Response {
    declined.into_page(|status, message| {
        page::shown_as(status, &sign_in(visit, Some(message.to_owned())))
    })
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
        let message = "This link was used, has expired, or is incomplete. Run `scheduler web open` for a new one.";
        Declined::from(Refusal::new(ErrorCode::Unauthorized, message))
    };
    signed_in(visit, &form, &session.ok_or_else(unknown)?).await
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
                let page = sign_in(&visit, Some(message.to_owned()));
                page::shown_as(status, &SignIn { is_of_key: true, ..page })
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
    signed_in(visit, &form, &session).await
}

/// The form of whoever may try to sign in.
pub(crate) async fn opened(visit: &mut Visit) -> Result<Form, Declined> {
    visit.refuse_other_sites()?;
    refuse_unencrypted(visit)?;
    visit.count_sign_in()?;
    visit.form_of_anyone().await
}

/// Refuses whoever signs in where others may read it.
pub(crate) fn refuse_unencrypted(visit: &Visit) -> Result<(), Declined> {
    if !visit.is_private() {
        let message = "This connection is not encrypted, so signing in is switched off. Put the server behind TLS, or open it on 127.0.0.1.";
        return Err(Refusal::new(ErrorCode::Forbidden, message).into());
    }
    Ok(())
}

/// Gives the browser its session, beside those of other workspaces, and sends it where it wanted to
/// go. The session that it had of the same workspace ends.
pub(crate) async fn signed_in(
    visit: &Visit,
    form: &Form,
    session: &ClaimedSession,
) -> Result<Response, Declined> {
    signed_in_to(visit, form, session, &[]).await
}

/// The same with sessions of further workspaces.
pub(crate) async fn signed_in_to(
    visit: &Visit,
    form: &Form,
    session: &ClaimedSession,
    others: &[ClaimedSession],
) -> Result<Response, Declined> {
    let new: Vec<&ClaimedSession> = std::iter::once(session).chain(others).collect();
    let mut values: Vec<String> =
        new.iter().map(|session| session.value.expose().to_owned()).collect();
    for value in held(visit) {
        let Some(member) = member_of(visit, &value).await? else { continue };
        if new.iter().any(|session| member.workspace.id == session.workspace.id) {
            end(visit, &member).await?;
        } else {
            values.push(value);
        }
    }
    for value in values.split_off(values.len().min(SESSIONS_MAX)) {
        if let Some(member) = member_of(visit, &value).await? {
            end(visit, &member).await?;
        }
    }
    let calendar = format!("/w/{}/calendar", short_name(&session.workspace));
    let next = next(form);
    let mut response = page::sent_to(if next.is_empty() { &calendar } else { &next });
    hold(visit, &mut response, &values);
    Ok(response)
}

/// Ends the session of a member; one that is gone already is ended.
async fn end(visit: &Visit, member: &Member) -> Result<(), Declined> {
    let Some(session) = &member.session else { return Ok(()) };
    let ended = visit.scheduler().end_session(member.workspace.id, session.id).await;
    match ended.map_err(Declined::from) {
        Err(declined) if declined.code() != ErrorCode::NotFound => Err(declined),
        Ok(()) | Err(_) => Ok(()),
    }
}

async fn out(mut visit: Visit) -> Response {
    match signs_out(&mut visit).await {
        Ok(response) => response,
        Err(declined) => page::declined(declined),
    }
}

/// Ends the session of the workspace that the form names, or every one of the browser.
async fn signs_out(visit: &mut Visit) -> Result<Response, Declined> {
    visit.refuse_other_sites()?;
    let form = match visit.header(&CONTENT_TYPE) {
        Some(_) => visit.form_of_anyone().await?,
        None => Form::default(),
    };
    let (is_all, named) = (form.only("all").is_some(), form.only("workspace"));
    let (mut left, mut has_ended) = (Vec::new(), false);
    for value in held(visit) {
        let Some(member) = member_of(visit, &value).await? else { continue };
        let is_named = named.map_or(!has_ended, |id| id == member.workspace.id.to_string());
        if is_all || is_named {
            end(visit, &member).await?;
            has_ended = true;
        } else {
            left.push(value);
        }
    }
    let mut response = page::sent_to(if left.is_empty() { "/signin" } else { "/" });
    hold(visit, &mut response, &left);
    Ok(response)
}

/// What the list of sessions calls a browser.
pub(crate) fn client(visit: &Visit) -> String {
    let agent = visit.header(&USER_AGENT).unwrap_or("a browser");
    agent.chars().filter(|sign| !sign.is_control()).take(CLIENT_MAX_CHARACTERS).collect()
}

/// Where a browser goes once its person is signed in: a page of this server, or nowhere.
pub(crate) fn next(form: &Form) -> String {
    let next = form.only("next").unwrap_or_default();
    let is_own = next.starts_with('/') && !next.starts_with("//") && !next.contains('\\');
    // Browsers remove tabs and line ends from addresses.
    let is_plain = next.bytes().all(|byte| byte.is_ascii_graphic());
    if is_own && is_plain { next.to_owned() } else { String::new() }
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
            ("/\t/evil.example", ""),
            ("/\n/evil.example", ""),
            ("/é", ""),
            ("https://evil.example", ""),
            ("", ""),
        ] {
            let form = Form::parse(query(&[("next", next_address)]).as_bytes()).unwrap();
            assert_eq!(next(&form), want, "{next_address}");
        }
    }
}
