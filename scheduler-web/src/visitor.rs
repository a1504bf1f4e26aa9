//! Who visits a page, and what happens to whoever may not see it.

use std::collections::HashMap;
use std::sync::{Arc, OnceLock};

use chrono::{DateTime, TimeDelta, Utc};
use http::header::SET_COOKIE;
use http::{HeaderName, HeaderValue, Method, StatusCode};
use scheduler_core::account::AccountView;
use scheduler_core::app::{Caller, Member, Scheduler};
use scheduler_core::error::{AppError, ErrorCode, Refusal};
use scheduler_core::ids::{AccountId, PostId};
use scheduler_core::post::PostView;
use scheduler_core::session::{BROWSER_SESSION_LIFETIME, Role};
use scheduler_core::timing::Zone;
use scheduler_core::workspace::Workspace;
use scheduler_http::visit::{Brought, Declined, Form, Visit};
use warp::reply::Response;

use crate::page;

/// What a script asks for in place of a whole page.
pub(crate) const FRAGMENT: HeaderName = HeaderName::from_static("x-fragment");

/// A person whose session has been found, and what they ask for.
#[derive(Debug)]
pub(crate) struct Visitor {
    visit: Visit,
    pub(crate) member: Arc<Member>,
    pub(crate) caller: Caller,
    /// The other workspaces that the browser is signed in to.
    pub(crate) others: Vec<Workspace>,
    /// The connected accounts, once they were read.
    accounts: OnceLock<Vec<AccountView>>,
}

/// The cookie that holds the sessions of a browser.
const SESSION: &str = "scheduler";

/// What stands between two sessions in their cookie; no session has it.
const BETWEEN: char = '.';

/// Sessions that a browser holds at once, each of another workspace.
///
/// Source: our decision; a cookie of four of them is of some 400 bytes.
pub(crate) const SESSIONS_MAX: usize = 8;

/// The values of the sessions that the browser holds, the one that was signed in last first.
pub(crate) fn held(visit: &Visit) -> Vec<String> {
    let cookie = visit.cookie(&cookie_name(visit, SESSION)).unwrap_or_default();
    let values = cookie.split(BETWEEN).filter(|value| !value.is_empty());
    values.take(SESSIONS_MAX).map(str::to_owned).collect()
}

/// Has the browser hold these sessions, and no others.
pub(crate) fn hold(visit: &Visit, response: &mut Response, values: &[String]) {
    let lasts = if values.is_empty() { TimeDelta::zero() } else { BROWSER_SESSION_LIFETIME };
    let values = values.join(&BETWEEN.to_string());
    set_cookie(visit, response, SESSION, &values, lasts);
}

/// Whose session this is; `None` when it has ended.
pub(crate) async fn member_of(visit: &Visit, session: &str) -> Result<Option<Member>, Declined> {
    match visit.scheduler().member(Some(session)).await.map_err(Declined::from) {
        Ok(member) => Ok(Some(member)),
        Err(declined) if declined.code() == ErrorCode::Unauthorized => Ok(None),
        Err(declined) => Err(declined),
    }
}

/// The session of a browser for the page that it asks for.
#[derive(Debug, Default)]
struct Chosen {
    session: Option<String>,
    others: Vec<Workspace>,
}

/// Chooses the session of the workspace that the address names; the one that was signed in last
/// where it names none. Where no session opens it, and one has ended that may have, there is none.
async fn chosen(visit: &Visit) -> Result<Chosen, Declined> {
    let mut values = held(visit);
    if values.len() < 2 {
        return Ok(Chosen { session: values.pop(), others: Vec::new() });
    }
    let named = visit.segment("workspaceId");
    let (mut chosen, mut first, mut has_ended) = (Chosen::default(), None, false);
    for value in values {
        let Some(member) = member_of(visit, &value).await? else {
            has_ended = true;
            continue;
        };
        let is_meant = named.is_empty() || named == short_name(&member.workspace);
        if is_meant && chosen.session.is_none() {
            chosen.session = Some(value);
        } else {
            first = first.or(Some(value));
            chosen.others.push(member.workspace);
        }
    }
    if chosen.session.is_none() && !has_ended {
        chosen.session = first;
    }
    Ok(chosen)
}

/// The whole name of a cookie. One that begins with `__Host-` is taken only over https and from
/// this very host, so that no neighbour of it can put a cookie in a browser.
///
/// Source: RFC 6265bis, section 4.1.3.2.
pub(crate) fn cookie_name(visit: &Visit, name: &str) -> String {
    let prefix = if visit.connecting().is_https() { "__Host-" } else { "" };
    format!("{prefix}{name}")
}

/// Gives the browser a cookie for so long. It comes along when another site leads the browser
/// here, and with nothing else that one asks for.
pub(crate) fn set_cookie(
    visit: &Visit,
    response: &mut Response,
    name: &str,
    value: &str,
    lasts: TimeDelta,
) {
    let (name, seconds) = (cookie_name(visit, name), lasts.num_seconds());
    let secure = if visit.connecting().is_https() { "; Secure" } else { "" };
    let cookie =
        format!("{name}={value}; Path=/; Max-Age={seconds}; HttpOnly; SameSite=Lax{secure}");
    if let Ok(mut cookie) = HeaderValue::from_str(&cookie) {
        cookie.set_sensitive(true);
        response.headers_mut().append(SET_COOKIE, cookie);
    }
}

/// Lets a visitor with a session of this role in, and answers with what `show` makes; whoever has
/// none is led to the page for signing in, and comes back from there.
pub(crate) async fn entered<F>(
    mut visit: Visit,
    least: Role,
    show: impl FnOnce(Visitor) -> F,
) -> Response
where
    F: Future<Output = Result<Response, Declined>> + Send,
{
    let is_read = matches!(*visit.method(), Method::GET | Method::HEAD);
    let asked = visit.address();
    let is_fragment = visit.header(&FRAGMENT).is_some() || visit.wants_stream();
    let Chosen { session, others } = match chosen(&visit).await {
        Ok(chosen) => chosen,
        Err(declined) => return refused(is_fragment, declined),
    };
    let member = match visit.admit(session.as_deref(), least).await {
        Ok(member) => member,
        Err(declined) if declined.code() == ErrorCode::Unauthorized && is_read && !is_fragment => {
            return page::sent_to(&format!("/signin?{}", query(&[("next", &asked)])));
        }
        Err(declined) => return refused(is_fragment, declined),
    };
    let workspace = visit.segment("workspaceId").to_owned();
    if !workspace.is_empty() && workspace != short_name(&member.workspace) {
        let missing = "You are not signed in to this workspace. Ask its owner for a link to it.";
        return page::problem(StatusCode::NOT_FOUND, "No such workspace", missing);
    }
    let caller = member.caller();
    let accounts = OnceLock::new();
    match show(Visitor { visit, member, caller, others, accounts }).await {
        Ok(response) => response,
        Err(declined) => refused(is_fragment, declined),
    }
}

/// Why something was refused: a page for a person, the message alone for a script of a page.
fn refused(is_fragment: bool, declined: Declined) -> Response {
    if is_fragment { declined.into_page(message_alone) } else { page::declined(declined) }
}

/// The answer to a script that says no more than this.
pub(crate) fn message_alone(status: StatusCode, message: &str) -> Response {
    let mut response = Response::new(message.to_owned().into());
    *response.status_mut() = status;
    response
}

/// Names and values as a query.
pub(crate) fn query(pairs: &[(&str, &str)]) -> String {
    // Texts can always be written so.
    serde_urlencoded::to_string(pairs).unwrap_or_default()
}

/// What stands for a workspace in addresses.
pub(crate) fn short_name(workspace: &Workspace) -> String {
    workspace.short_name()
}

impl Visitor {
    pub(crate) fn scheduler(&self) -> &Scheduler {
        self.visit.scheduler()
    }

    pub(crate) fn visit(&self) -> &Visit {
        &self.visit
    }

    pub(crate) fn workspace(&self) -> &Workspace {
        &self.member.workspace
    }

    pub(crate) fn now(&self) -> DateTime<Utc> {
        self.scheduler().ports().clock.now()
    }

    /// The zone in which times are shown: that of the query, else of the workspace, else UTC.
    pub(crate) fn zone(&self) -> Result<Zone, Declined> {
        let asked = self.visit.query();
        let Some(name) = asked.only("zone") else {
            return Ok(self.workspace().timezone.unwrap_or(Zone::UTC));
        };
        name.parse().map_err(|unknown: scheduler_core::timing::UnknownZone| {
            AppError::from(Refusal::invalid("zone", unknown.to_string())).into()
        })
    }

    /// True when they may do what this role may.
    pub(crate) fn may(&self, least: Role) -> bool {
        self.member.role >= least
    }

    /// The address of a page of the workspace.
    pub(crate) fn at(&self, path: &str) -> String {
        format!("/w/{}/{path}", short_name(self.workspace()))
    }

    /// The part of the page that a script asks for.
    pub(crate) fn fragment(&self) -> Option<&str> {
        self.visit.header(&FRAGMENT)
    }

    /// What the form of the page holds.
    pub(crate) async fn form(&mut self) -> Result<Form, Declined> {
        let member = Arc::clone(&self.member);
        self.visit.form(&member).await
    }

    /// The same of a form that may carry files: each that is taken stands in it by its id.
    pub(crate) async fn form_with_files(&mut self, name: &str) -> Result<Brought, Declined> {
        let (member, caller) = (Arc::clone(&self.member), self.caller.clone());
        self.visit.form_with_files(&member, &caller, name).await
    }

    /// The post that the path names.
    pub(crate) async fn post(&self) -> Result<PostView, Declined> {
        self.post_of(self.id()?).await
    }

    /// A post.
    pub(crate) async fn post_of(&self, id: PostId) -> Result<PostView, Declined> {
        let post = self.scheduler().post(&self.caller, id).await?;
        Ok(self.scheduler().post_view(&post).await?)
    }

    /// The connected accounts, in the order of connection: read once for a page.
    pub(crate) async fn account_list(&self) -> Result<&[AccountView], AppError> {
        if let Some(accounts) = self.accounts.get() {
            return Ok(accounts);
        }
        let accounts = self.scheduler().account_views(&self.caller).await?;
        Ok(self.accounts.get_or_init(|| accounts))
    }

    /// The connected accounts, by their ids.
    pub(crate) async fn accounts(&self) -> Result<HashMap<AccountId, AccountView>, Declined> {
        let accounts = self.account_list().await?;
        Ok(accounts.iter().map(|account| (account.id, account.clone())).collect())
    }

    /// The id of the path.
    pub(crate) fn id<T: std::str::FromStr>(&self) -> Result<T, Declined> {
        self.segment("id")
    }

    /// A parameter of the path, as an id.
    pub(crate) fn segment<T: std::str::FromStr>(&self, name: &str) -> Result<T, Declined> {
        self.visit.segment(name).parse().map_err(|_| Self::nothing_here())
    }

    pub(crate) fn nothing_here() -> Declined {
        Refusal::new(ErrorCode::NotFound, "There is nothing at this address.").into()
    }
}

#[cfg(test)]
mod tests {
    use scheduler_core::ids::WorkspaceId;
    use scheduler_core::plan::Plan;
    use scheduler_core::uuid::Uuid;

    use super::*;

    #[test]
    fn short_names() {
        for (name, want) in [
            ("Kiln & Field", "kiln-field"),
            ("  Bread  ", "bread"),
            ("Überzug 2", "berzug-2"),
            ("花", "00000000"),
        ] {
            let id = WorkspaceId(Uuid::nil());
            let (name, created_at) = (name.to_owned(), DateTime::UNIX_EPOCH);
            let workspace = Workspace {
                id,
                name,
                plan: Plan::Studio,
                timezone: None,
                picture: None,
                second_pair: false,
                links: Default::default(),
                created_at,
            };
            assert_eq!(short_name(&workspace), want);
        }
    }
}
