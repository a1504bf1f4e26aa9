//! Who visits a page, and what happens to whoever may not see it.

use std::collections::HashMap;
use std::sync::Arc;

use chrono::{DateTime, TimeDelta, Utc};
use http::header::SET_COOKIE;
use http::{HeaderName, HeaderValue, Method, StatusCode};
use scheduler_core::account::AccountView;
use scheduler_core::app::{Caller, Member, Scheduler};
use scheduler_core::error::{AppError, ErrorCode, Refusal};
use scheduler_core::ids::{AccountId, PostId};
use scheduler_core::post::PostView;
use scheduler_core::session::Role;
use scheduler_core::timing::Zone;
use scheduler_core::workspace::Workspace;
use scheduler_http::visit::{Declined, Form, Visit};
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
}

/// The cookie that holds a session.
pub(crate) const SESSION: &str = "scheduler";

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
    let session = visit.cookie(&cookie_name(&visit, SESSION)).map(str::to_owned);
    let member = match visit.admit(session.as_deref(), least).await {
        Ok(member) => member,
        Err(declined) if declined.code() == ErrorCode::Unauthorized && is_read && !is_fragment => {
            return page::sent_to(&format!("/signin?{}", query(&[("next", &asked)])));
        }
        Err(declined) => return refused(is_fragment, declined),
    };
    let workspace = visit.segment("workspaceId").to_owned();
    if !workspace.is_empty() && workspace != short_name(&member.workspace) {
        let missing = "Your session opens another workspace. Ask its owner for a link to this one.";
        return page::problem(StatusCode::NOT_FOUND, "No such workspace", missing);
    }
    let (by, scopes) = (member.by(), member.role.scopes());
    let caller = Caller { workspace: member.workspace.clone(), by, scopes };
    match show(Visitor { visit, member, caller }).await {
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

/// What stands for a workspace in addresses: its name in small letters and hyphens, or where that
/// leaves nothing the beginning of its id.
pub(crate) fn short_name(workspace: &Workspace) -> String {
    let mut short = String::new();
    for sign in workspace.name.chars().flat_map(char::to_lowercase) {
        if sign.is_ascii_alphanumeric() {
            short.push(sign);
        } else if !short.ends_with('-') {
            short.push('-');
        }
    }
    let short = short.trim_matches('-');
    if short.is_empty() { workspace.id.to_string()[..8].to_owned() } else { short.to_owned() }
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

    /// The post that the path names.
    pub(crate) async fn post(&self) -> Result<PostView, Declined> {
        let id: PostId = self.id()?;
        let post = self.scheduler().post(&self.caller, id).await?;
        Ok(self.scheduler().post_view(&post).await?)
    }

    /// The connected accounts, by their ids.
    pub(crate) async fn accounts(&self) -> Result<HashMap<AccountId, AccountView>, Declined> {
        let accounts = self.scheduler().account_views(&self.caller).await?;
        Ok(accounts.into_iter().map(|account| (account.id, account)).collect())
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
                created_at,
            };
            assert_eq!(short_name(&workspace), want);
        }
    }
}
