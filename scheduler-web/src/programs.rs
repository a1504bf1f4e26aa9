//! Programs that people connect by OAuth: the page that asks, and what is connected.

use askama::Template;
use http::{Method, StatusCode};
use scheduler_core::app::{Asking, Consent};
use scheduler_core::error::ErrorCode;
use scheduler_core::ids::GrantId;
use scheduler_core::key::{Scope, Scopes};
use scheduler_core::oauth::{AuthorizationInput, Redirect};
use scheduler_core::session::Role;
use scheduler_core::timing::Zone;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::{Declined, Form};
use warp::reply::Response;

use crate::door::{self, Forms};
use crate::filters;
use crate::page::{self, Assets, Said};
use crate::visitor::{Visitor, entered, query, short_name};
use crate::when;

/// Where programs send people. Whoever is signed in is led on to the page of a workspace.
pub(crate) static AUTHORIZE: Endpoint =
    Endpoint::page("web_authorize", Method::GET, "/mcp/authorize", |visit| {
        Box::pin(entered(visit, Role::Reader, |visitor| async move {
            let asked = visitor.visit().query();
            let pairs: Vec<(&str, &str)> = asked.iter().collect();
            Ok(page::sent_to(&visitor.at(&format!("programs?{}", query(&pairs)))))
        }))
    });

pub(crate) static SHOW: Endpoint =
    Endpoint::page("web_consent", Method::GET, "/w/{workspaceId}/programs", |visit| {
        Box::pin(entered(visit, Role::Reader, show))
    });

/// The address names the host of the program, so that the log tells what was connected.
pub(crate) static CONNECT: Endpoint = Endpoint::page(
    "web_connect_program",
    Method::POST,
    "/w/{workspaceId}/programs/{name}",
    |visit| Box::pin(entered(visit, Role::Reader, connect)),
);

pub(crate) static REMOVE: Endpoint = Endpoint::page(
    "web_remove_program",
    Method::POST,
    "/w/{workspaceId}/grants/{id}/remove",
    |visit| Box::pin(entered(visit, Role::Reader, remove)),
);

#[derive(Template)]
#[template(path = "programs/consent.html")]
struct Show {
    assets: Assets,
    /// What the program calls itself.
    name: String,
    /// Where its document is, which is who it is.
    host: String,
    workspace: String,
    action: String,
    /// What the program has sent, as it stands in the address.
    request: String,
    offered: Vec<Offered>,
    /// Where the answer goes, for a person.
    back: String,
    is_of_this_machine: bool,
    denied: String,
    others: Vec<Other>,
    problem: Option<String>,
}

/// The page to whoever was sent here with something that is not allowed.
#[derive(Template)]
#[template(path = "programs/wrong.html")]
struct Wrong {
    assets: Assets,
    /// Where the program is told of it, for a person.
    back: String,
    /// That address.
    address: String,
}

/// Something that can be granted.
struct Offered {
    scope: Scope,
    label: &'static str,
    hint: Option<&'static str>,
    is_granted: bool,
}

/// The same page of another workspace.
struct Other {
    name: String,
    address: String,
}

/// A connected program on the page of settings.
pub(crate) struct Connected {
    pub(crate) name: String,
    pub(crate) host: String,
    pub(crate) person: Option<String>,
    pub(crate) scopes: String,
    pub(crate) since: String,
    pub(crate) used: Option<String>,
    pub(crate) until: String,
    pub(crate) remove: String,
}

async fn show(visitor: Visitor) -> Result<Response, Declined> {
    visitor.visit().count_authorization(&visitor.member)?;
    let asked = visitor.visit().query();
    match visitor.scheduler().consent(&visitor.member, &input(&asked)).await? {
        Asking::Person(consent) => Ok(consent_page(&visitor, *consent, &asked, None)),
        Asking::Client(address) => Ok(wrong(&visitor, address)),
    }
}

/// The answer to a wish that is not one. Nobody is sent on by it: the address is the program's to
/// choose, and nothing was connected that the log could tell of.
fn wrong(visitor: &Visitor, address: String) -> Response {
    let back = Redirect::parse(&address).map_or_else(|| "the program".to_owned(), |to| to.host());
    let page = Wrong { assets: door::assets(visitor.visit()), back, address };
    door::guarded(page::shown_as(StatusCode::BAD_REQUEST, &page), Forms::Here, "")
}

fn consent_page(
    visitor: &Visitor,
    consent: Consent,
    asked: &Form,
    problem: Option<String>,
) -> Response {
    let pairs: Vec<(&str, &str)> = asked.iter().collect();
    let request = query(&pairs);
    let host = consent.client.id.host();
    let other = |short: String, name: &str| Other {
        name: name.to_owned(),
        address: format!("/w/{short}/programs?{request}"),
    };
    let others =
        visitor.others.iter().map(|workspace| other(short_name(workspace), &workspace.name));
    let redirect = &consent.request.redirect;
    let (back, is_of_this_machine) = (redirect.host(), redirect.is_of_this_machine());
    let offered = consent.offered.into_iter().map(|(scope, is_granted)| {
        let (label, hint) = words(scope);
        Offered { scope, label, hint, is_granted }
    });
    let status = if problem.is_some() { StatusCode::BAD_REQUEST } else { StatusCode::OK };
    let page = Show {
        assets: door::assets(visitor.visit()),
        name: consent.client.name,
        workspace: visitor.workspace().name.clone(),
        action: visitor.at(&format!("programs/{host}")),
        offered: offered.collect(),
        back,
        is_of_this_machine,
        denied: consent.denied,
        others: others.collect(),
        host,
        request,
        problem,
    };
    door::guarded(page::shown_as(status, &page), Forms::Onward, "")
}

/// What a scope lets a program do, and what a person has to know of it.
const fn words(scope: Scope) -> (&'static str, Option<&'static str>) {
    match scope {
        Scope::PostsRead => ("See posts, accounts, figures and comments", None),
        Scope::PostsWrite => ("Write and change drafts, and ask clients for approval", None),
        Scope::PostsPublish => (
            "Schedule, publish, reply and take down",
            Some("It asks you first; some programs cannot, and answer in your place."),
        ),
        Scope::MediaRead => ("See files", None),
        Scope::MediaWrite => ("Add files", None),
        Scope::WebhooksRead | Scope::WebhooksWrite | Scope::All => (scope.as_str(), None),
    }
}

/// What a program has sent.
fn input(asked: &Form) -> AuthorizationInput<'_> {
    AuthorizationInput {
        response_type: asked.only("response_type"),
        client_id: asked.only("client_id"),
        redirect_uri: asked.only("redirect_uri"),
        state: asked.only("state"),
        code_challenge: asked.only("code_challenge"),
        code_challenge_method: asked.only("code_challenge_method"),
        scope: asked.only("scope"),
        resource: asked.only("resource"),
    }
}

async fn connect(mut visitor: Visitor) -> Result<Response, Declined> {
    visitor.visit().count_authorization(&visitor.member)?;
    let form = visitor.form().await?;
    let asked = Form::parse(form.only("request").unwrap_or_default().as_bytes())?;
    let input = input(&asked);
    let (scheduler, member) = (visitor.scheduler(), &visitor.member);
    let consent = match scheduler.consent(member, &input).await? {
        Asking::Person(consent) => *consent,
        Asking::Client(address) => return Ok(wrong(&visitor, address)),
    };
    if visitor.visit().segment("name") != consent.client.id.host() {
        return Err(Visitor::nothing_here());
    }
    let scopes: Vec<Scope> = form.all("scope").filter_map(|name| name.parse().ok()).collect();
    match scheduler.grant(member, &input, Scopes::of(&scopes)).await.map_err(Declined::from) {
        Ok(address) => Ok(door::sent_on(&address)),
        Err(declined) if declined.code() == ErrorCode::InvalidRequest => {
            let problem = declined.message().to_owned();
            Ok(consent_page(&visitor, consent, &asked, Some(problem)))
        }
        Err(declined) => Err(declined),
    }
}

/// The programs that the visitor may remove: their own, and as an owner all of them.
pub(crate) async fn connected(visitor: &Visitor, zone: Zone) -> Result<Vec<Connected>, Declined> {
    let grants = visitor.scheduler().grants(&visitor.member).await?;
    let rows = grants.into_iter().map(|grant| Connected {
        host: grant.client_id.host(),
        name: grant.client_name,
        person: grant.person.map(|person| person.name.to_string()),
        scopes: grant.scopes.to_string(),
        since: when::instant(grant.created_at, zone),
        used: grant.used_at.map(|at| when::instant(at, zone)),
        until: when::instant(grant.expires_at, zone),
        remove: visitor.at(&format!("grants/{}/remove", grant.id)),
    });
    Ok(rows.collect())
}

async fn remove(visitor: Visitor) -> Result<Response, Declined> {
    let id: GrantId = visitor.id()?;
    visitor.scheduler().remove_grant(&visitor.member, id).await?;
    let said = Said::ProgramRemoved.query();
    Ok(page::sent_to(&visitor.at(&format!("settings?{said}"))))
}
