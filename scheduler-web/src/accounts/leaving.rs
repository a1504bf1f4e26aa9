//! Disconnecting an account, with what would fail without it.

use askama::Template;
use http::Method;
use scheduler_core::account::{Account, AccountView};
use scheduler_core::app::DueChoice;
use scheduler_core::error::Refusal;
use scheduler_core::ids::AccountId;
use scheduler_core::session::Role;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::{Declined, Form};
use warp::reply::Response;

use crate::card::first_words;
use crate::filters;
use crate::mark::{self, Mark};
use crate::page::{self, Frame, Said};
use crate::visitor::{Visitor, entered};
use crate::when;

const PATH: &str = "/w/{workspaceId}/accounts/{id}/disconnect";

pub(crate) static SHOW: Endpoint =
    Endpoint::page("web_disconnect_form", Method::GET, PATH, |visit| {
        Box::pin(entered(visit, Role::Owner, show))
    });

pub(crate) static LEAVE: Endpoint = Endpoint::page("web_disconnect", Method::POST, PATH, |visit| {
    Box::pin(entered(visit, Role::Owner, leave))
});

#[derive(Template)]
#[template(path = "accounts/disconnect.html")]
struct Leaving {
    frame: Frame,
    action: String,
    mark: Mark,
    name: String,
    /// The posts to come that would fail, how many they are, and how many of them are not listed.
    due: Vec<Due>,
    count: u64,
    more: u64,
    /// The other accounts of the network.
    others: Vec<(String, String)>,
    problem: Option<String>,
}

/// A post that would fail.
struct Due {
    at: String,
    words: String,
    href: String,
}

async fn show(visitor: Visitor) -> Result<Response, Declined> {
    let account = account(&visitor).await?;
    Ok(page::shown(&leaving(&visitor, &account, None).await?))
}

async fn account(visitor: &Visitor) -> Result<Account, Declined> {
    let id: AccountId = visitor.id()?;
    Ok(visitor.scheduler().connected_account(visitor.workspace().id, id).await?)
}

async fn leaving(
    visitor: &Visitor,
    account: &Account,
    problem: Option<String>,
) -> Result<Leaving, Declined> {
    let zone = visitor.zone()?;
    let (posts, count) = visitor.scheduler().posts_to_come(account).await?;
    let due = posts.iter().map(|post| {
        let of_account = post.targets.iter().filter(|target| target.account_id == account.id);
        let target = of_account.min_by_key(|target| target.next_attempt_at);
        let at = target.and_then(|target| target.next_attempt_at).or(post.scheduled_at);
        let place = target.map_or_else(String::new, |target| format!("#t-{}", target.id));
        Due {
            at: at.map_or_else(|| "no time yet".to_owned(), |at| when::instant(at, zone)),
            words: first_words(post),
            href: visitor.at(&format!("posts/{}{place}", post.id)),
        }
    });
    let due: Vec<Due> = due.collect();
    let name = mark::name(&AccountView::new(account, false));
    let accounts = visitor.accounts().await?;
    let others = accounts.values().filter(|other| other.platform == account.platform);
    let others = others.filter(|other| other.id != account.id);
    let mut others: Vec<(String, String)> =
        others.map(|other| (other.id.to_string(), mark::name(other))).collect();
    others.sort_by(|one, other| (&one.1, &one.0).cmp(&(&other.1, &other.0)));
    Ok(Leaving {
        frame: Frame::of(visitor, "accounts", format!("Disconnect {name}")).await?,
        action: visitor.at(&format!("accounts/{}/disconnect", account.id)),
        mark: account.platform.into(),
        name,
        more: count.saturating_sub(u64::try_from(due.len()).unwrap_or(u64::MAX)),
        count,
        due,
        others,
        problem,
    })
}

async fn leave(mut visitor: Visitor) -> Result<Response, Declined> {
    let form = visitor.form().await?;
    let account = account(&visitor).await?;
    let left = match choice(&form) {
        Ok(choice) => {
            let (caller, account) = (visitor.caller.clone(), account.clone());
            let left = visitor.visit().to_its_end(|scheduler| async move {
                scheduler.disconnect(&caller, &account, choice).await
            });
            left.await.map(drop)
        }
        Err(refusal) => Err(refusal.into()),
    };
    let Err(declined) = left else {
        let said = Said::Disconnected.query();
        return Ok(page::sent_to(&visitor.at(&format!("accounts?{said}"))));
    };
    let page = leaving(&visitor, &account, Some(declined.message().to_owned())).await?;
    Ok(declined.into_page(|status, _| page::shown_as(status, &page)))
}

/// What becomes of what is due.
fn choice(form: &Form) -> Result<Option<DueChoice>, Refusal> {
    Ok(match form.only("due") {
        None => None,
        Some("keep") => Some(DueChoice::Keep),
        Some("cancel") => Some(DueChoice::Cancel),
        Some("move") => {
            let to = form.only("to").and_then(|to| to.parse().ok());
            let to = to.ok_or_else(|| Refusal::invalid("to", "Choose another account."))?;
            Some(DueChoice::Move(to))
        }
        Some(_) => return Err(Refusal::invalid("due", "Choose what becomes of these posts.")),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_becomes_of_what_is_due_is_chosen() {
        let id = "00000000-0000-0000-0000-000000000001";
        for (form, want) in [
            (String::new(), Ok(None)),
            ("due=keep".to_owned(), Ok(Some(DueChoice::Keep))),
            ("due=cancel".to_owned(), Ok(Some(DueChoice::Cancel))),
            (format!("due=move&to={id}"), Ok(Some(DueChoice::Move(id.parse().unwrap())))),
            ("due=move".to_owned(), Err(())),
            ("due=sell".to_owned(), Err(())),
        ] {
            let found = choice(&Form::parse(form.as_bytes()).unwrap()).map_err(drop);
            assert_eq!(found, want, "{form}");
        }
    }
}
