//! Whom a text can mention, while somebody writes `@` and a name.

use askama::Template;
use http::Method;
use scheduler_core::session::Role;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::Declined;
use warp::reply::Response;

use super::accounts;
use crate::filters;
use crate::page;
use crate::visitor::{Visitor, entered};

/// Names that are offered at most.
///
/// Source: our decision, what fits beside a text.
const OFFERED: usize = 8;

pub(crate) static SHOW: Endpoint =
    Endpoint::page("web_mentions", Method::GET, "/w/{workspaceId}/mentions", |visit| {
        Box::pin(entered(visit, Role::Reader, show))
    });

#[derive(Template)]
#[template(path = "compose/mentions.html")]
struct Mentions {
    found: Vec<Found>,
}

/// A name, and where it is one.
struct Found {
    handle: String,
    name: String,
    network: &'static str,
}

/// What the accounts that are picked find by the beginning of a name. A network that does not answer
/// offers nothing.
async fn show(visitor: Visitor) -> Result<Response, Declined> {
    let asked = visitor.visit().query();
    let query = asked.only("q").unwrap_or_default().to_owned();
    let picked: Vec<&str> = asked.all("account").collect();
    let mut found: Vec<Found> = Vec::new();
    for account in accounts(&visitor).await? {
        if !picked.contains(&account.id.to_string().as_str()) || found.len() >= OFFERED {
            continue;
        }
        let (caller, id, query) = (visitor.caller.clone(), account.id, query.clone());
        let told = visitor.visit().to_its_end(move |scheduler| async move {
            scheduler.mentions(&caller, id, Some(&query)).await
        });
        let network = account.platform.sheet().name;
        for mention in told.await.unwrap_or_default() {
            if found.len() < OFFERED {
                found.push(Found { handle: mention.handle, name: mention.name, network });
            }
        }
    }
    Ok(page::shown(&Mentions { found }))
}
