//! Passkeys: adding and removing them under the settings, and signing in with one.

mod ceremony;

use chrono::TimeDelta;
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderValue, Method};
use scheduler_core::app::NewPasskey;
use scheduler_core::connecting::Pass;
use scheduler_core::error::{ErrorCode, Refusal};
use scheduler_core::ids::{PasskeyId, PersonId, SessionId, WorkspaceId};
use scheduler_core::passkey::{CHALLENGE_LIFETIME, Passkey};
use scheduler_core::session::Role;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::{Declined, Visit};
use serde_json::Value;
use warp::reply::Response;

use crate::page::{self, Said};
use crate::sign_in;
use crate::visitor::{FRAGMENT, Visitor, cookie_name, entered, message_alone, set_cookie};
use ceremony::{Answer, Asked, HANDLE, Known, Party};

pub(crate) static ASK_TO_MAKE: Endpoint =
    Endpoint::page("web_ask_for_passkey", Method::POST, "/w/{workspaceId}/passkeys/ask", |visit| {
        Box::pin(entered(visit, Role::Reader, ask_to_make))
    });

pub(crate) static ADD: Endpoint =
    Endpoint::page("web_add_passkey", Method::POST, "/w/{workspaceId}/passkeys", |visit| {
        Box::pin(entered(visit, Role::Reader, add))
    });

pub(crate) static REMOVE: Endpoint = Endpoint::page(
    "web_remove_passkey",
    Method::POST,
    "/w/{workspaceId}/passkeys/{id}/remove",
    |visit| Box::pin(entered(visit, Role::Reader, remove)),
);

pub(crate) static ASK_TO_SIGN: Endpoint =
    Endpoint::page("web_ask_to_sign_in", Method::POST, "/signin/passkey/ask", |visit| {
        Box::pin(ask_to_sign(visit))
    });

pub(crate) static SIGN_IN: Endpoint =
    Endpoint::page("web_sign_in_by_passkey", Method::POST, "/signin/passkey", |visit| {
        Box::pin(by_passkey(visit))
    });

/// The cookie of a browser whose passkey is asked something.
const ASKED: &str = "scheduler-passkey";

/// True where browsers make passkeys for this server.
pub(crate) fn are_possible(visit: &Visit) -> bool {
    Party::of(&visit.connecting().server).is_some()
}

async fn ask_to_make(mut visitor: Visitor) -> Result<Response, Declined> {
    let form = visitor.form().await?;
    let party = party(visitor.visit())?;
    let name = form.only("name").unwrap_or_default();
    let offer = visitor.scheduler().offer_passkey(&visitor.member, name).await?;
    let name = offer.person.name.as_str();
    // An authenticator may hold several of one server: which workspace it opens is shown there.
    let shown = format!("{name}, {}", visitor.workspace().name);
    let handle = handle(visitor.workspace().id, offer.person.id);
    let asked = party.ask_to_make(handle, (&shown, &shown), &offer.known);
    let asked = asked.map_err(|_| unusable())?;
    answer_asked(visitor.visit(), session_of(&visitor), asked).await
}

async fn add(mut visitor: Visitor) -> Result<Response, Declined> {
    let form = visitor.form().await?;
    let party = party(visitor.visit())?;
    let asked = asked(visitor.visit(), session_of(&visitor)).await?;
    let made = party.made(&asked, form.only("answer").unwrap_or_default());
    let made = made.map_err(|_| unusable())?;
    let role = form.only("role").and_then(|role| role.parse().ok());
    let new = NewPasskey {
        role: role.unwrap_or(visitor.member.role),
        made_in: sign_in::client(visitor.visit()),
        credential: made.credential,
        public: made.public,
        state: made.state,
    };
    let name = form.only("name").unwrap_or_default();
    visitor.scheduler().add_passkey(&visitor.member, name, new).await?;
    let said = Said::PasskeyAdded.query();
    let mut response = page::sent_to(&visitor.at(&format!("settings?{said}")));
    set_cookie(visitor.visit(), &mut response, ASKED, "", TimeDelta::zero());
    Ok(response)
}

async fn remove(visitor: Visitor) -> Result<Response, Declined> {
    let id: PasskeyId = visitor.id()?;
    visitor.scheduler().remove_passkey(&visitor.member, id).await?;
    let said = Said::PasskeyRemoved.query();
    Ok(page::sent_to(&visitor.at(&format!("settings?{said}"))))
}

async fn ask_to_sign(mut visit: Visit) -> Response {
    let asked = async {
        sign_in::opened(&mut visit).await?;
        let asked = party(&visit)?.ask_to_sign().map_err(|_| unusable())?;
        answer_asked(&visit, None, asked).await
    };
    asked.await.unwrap_or_else(|declined: Declined| declined.into_page(message_alone))
}

async fn by_passkey(mut visit: Visit) -> Response {
    match passkey_signs_in(&mut visit).await {
        Ok(response) => response,
        Err(declined) if visit.header(&FRAGMENT).is_some() => declined.into_page(message_alone),
        Err(declined) => sign_in::problem(&visit, declined),
    }
}

async fn passkey_signs_in(visit: &mut Visit) -> Result<Response, Declined> {
    let form = sign_in::opened(visit).await?;
    let party = party(visit)?;
    let asked = asked(visit, None).await?;
    let answer = Answer::read(form.only("answer").unwrap_or_default()).map_err(|_| unusable())?;
    let found = visit.scheduler().passkey_of(answer.credential()).await?;
    let (passkey, workspace) = found.ok_or_else(unknown)?;
    let state = party.signed(&asked, &answer, &known(&passkey)).map_err(|_| unknown())?;
    let client = sign_in::client(visit);
    let signed = visit.scheduler().sign_in_by_passkey(&passkey, workspace, &state, &client);
    let session = signed.await?.ok_or_else(unknown)?;
    let mut response = sign_in::signed_in(visit, &form, &session).await?;
    set_cookie(visit, &mut response, ASKED, "", TimeDelta::zero());
    Ok(response)
}

fn known(passkey: &Passkey) -> Known<'_> {
    Known {
        handle: handle(passkey.workspace_id, passkey.person.id),
        credential: &passkey.credential,
        public: &passkey.public,
        state: &passkey.state,
    }
}

/// What an authenticator knows a person of a workspace by.
fn handle(workspace: WorkspaceId, person: PersonId) -> [u8; HANDLE] {
    let (workspace, person) = (workspace.0.as_bytes(), person.0.as_bytes());
    let mut handle = [0; HANDLE];
    for (place, byte) in handle.iter_mut().zip(workspace.iter().chain(person)) {
        *place = *byte;
    }
    handle
}

fn session_of(visitor: &Visitor) -> Option<SessionId> {
    visitor.member.session.as_ref().map(|session| session.id)
}

fn party(visit: &Visit) -> Result<Party, Declined> {
    Party::of(&visit.connecting().server).ok_or_else(|| {
        let message = "Passkeys need an address with a name: set `public_url` to the one under which people open this server, over https.";
        Refusal::new(ErrorCode::Unsupported, message).into()
    })
}

/// Gives the browser what its passkey is asked, and a pass that it shows with the answer.
async fn answer_asked(
    visit: &Visit,
    session: Option<SessionId>,
    asked: Asked,
) -> Result<Response, Declined> {
    let pass = visit.scheduler().keep_challenge(session, asked.state).await?;
    let mut response = json(&asked.options);
    set_cookie(visit, &mut response, ASKED, pass.expose(), CHALLENGE_LIFETIME);
    Ok(response)
}

/// What was asked of the passkey of this browser, once.
async fn asked(visit: &Visit, session: Option<SessionId>) -> Result<Vec<u8>, Declined> {
    let pass = visit.cookie(&cookie_name(visit, ASKED)).and_then(Pass::parse);
    let asked = match pass {
        Some(pass) => visit.scheduler().take_challenge(&pass, session).await?,
        None => None,
    };
    asked.ok_or_else(|| {
        let message = "Nothing was asked of a passkey here, or its five minutes are over, or it has answered already. Try again.";
        Refusal::new(ErrorCode::Unauthorized, message).into()
    })
}

fn unknown() -> Declined {
    let message = "This passkey is not known here, was removed, or did not answer as it was asked. Sign in in another way, or ask an owner for a link.";
    Refusal::new(ErrorCode::Unauthorized, message).into()
}

fn unusable() -> Declined {
    let message = "What the passkey has answered cannot be used. Try again, with another browser or device if it stays so.";
    Refusal::invalid("answer", message).into()
}

fn json(value: &Value) -> Response {
    let mut response = Response::new(value.to_string().into());
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}
