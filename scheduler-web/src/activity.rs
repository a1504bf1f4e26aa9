//! What the server does: what is due, deliveries of webhooks, keys, and who changed what.

use askama::Template;
use chrono::TimeDelta;
use http::Method;
use scheduler_core::error::Refusal;
use scheduler_core::key::KeyView;
use scheduler_core::post::{ListInput, PageInput};
use scheduler_core::session::Role;
use scheduler_core::webhook::DeliveryView;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::Declined;
use warp::reply::Response;

use crate::filters;
use crate::page::{self, Frame};
use crate::visitor::{Visitor, entered, query};
use crate::when;

/// Rows of a list.
const ROWS: u32 = 100;

/// How long after its time a post is looked at again that may be late.
const LATE: TimeDelta = TimeDelta::seconds(1);

/// Posts that are due next.
const NEXT: &str = "20";

pub(crate) static SHOW: Endpoint =
    Endpoint::page("web_activity", Method::GET, "/w/{workspaceId}/activity/{name}", |visit| {
        Box::pin(entered(visit, Role::Reader, show))
    });

#[derive(Template)]
#[template(path = "activity/show.html")]
struct Show {
    frame: Frame,
    parts: Vec<Part>,
    sentence: String,
    heads: Vec<&'static str>,
    rows: Vec<Vec<Cell>>,
    next: Option<String>,
    /// True for what changes with posts.
    is_live: bool,
    /// Milliseconds until the next post is late.
    again_in: Option<i64>,
}

struct Part {
    word: &'static str,
    href: String,
    is_shown: bool,
}

struct Cell {
    text: String,
    href: Option<String>,
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self { text, href: None }
    }
}

/// What a part shows: a sentence, the heads of a table, and its rows.
struct Table {
    sentence: String,
    heads: Vec<&'static str>,
    rows: Vec<Vec<Cell>>,
    next: Option<String>,
    again_in: Option<i64>,
}

async fn show(visitor: Visitor) -> Result<Response, Declined> {
    let name = visitor.visit().segment("name").to_owned();
    let table = match name.as_str() {
        "now" => now(&visitor).await?,
        "deliveries" => deliveries(&visitor).await?,
        "keys" => keys(&visitor).await?,
        "log" => log(&visitor).await?,
        _ => {
            let message = "The parts are now, deliveries, keys and log.";
            return Err(Refusal::invalid("part", message).into());
        }
    };
    let parts = [("Now", "now"), ("Deliveries", "deliveries"), ("Keys", "keys"), ("Log", "log")];
    let frame = Frame::of(&visitor, "activity", "Activity").await?;
    let Table { sentence, heads, rows, next, again_in } = table;
    Ok(page::shown(&Show {
        frame,
        parts: parts
            .into_iter()
            .map(|(word, part)| Part {
                word,
                href: visitor.at(&format!("activity/{part}")),
                is_shown: part == name,
            })
            .collect(),
        sentence,
        heads,
        rows,
        next,
        is_live: name == "now",
        again_in,
    }))
}

async fn now(visitor: &Visitor) -> Result<Table, Declined> {
    let input = ListInput {
        order: Some("due".to_owned()),
        limit: Some(NEXT.to_owned()),
        ..ListInput::default()
    };
    let zone = visitor.zone()?;
    let posts = visitor.scheduler().list_posts(&visitor.caller, &input).await?.data;
    let due = |post: &scheduler_core::post::PostView| {
        post.targets.iter().filter_map(|target| target.next_attempt_at).min()
    };
    let late = posts.iter().filter_map(due).filter(|at| *at < visitor.now());
    let late: Vec<_> = late.collect();
    let sentence = match (late.len(), late.iter().min()) {
        (0, _) | (_, None) => "Nothing is late.".to_owned(),
        (1, Some(at)) => format!("1 post is due since {}.", when::instant(*at, zone)),
        (many, Some(at)) => {
            format!("{many} posts are due, the oldest since {}.", when::instant(*at, zone))
        }
    };
    let rows = posts.iter().map(|post| {
        let at = due(post).map_or_else(|| "now".to_owned(), |at| when::instant(at, zone));
        let networks: Vec<&str> =
            post.targets.iter().map(|target| target.platform.sheet().name).collect();
        let words = crate::card::first_words(post);
        let href = Some(visitor.at(&format!("posts/{}", post.id)));
        vec![at.into(), Cell { text: words, href }, networks.join(", ").into()]
    });
    let rows = rows.collect();
    let heads = vec!["Due", "Post", "Networks"];
    let to_come = posts.iter().filter_map(due).filter(|at| *at >= visitor.now()).min();
    let again_in = to_come.map(|at| (at + LATE - visitor.now()).num_milliseconds());
    Ok(Table { sentence, heads, rows, next: None, again_in })
}

async fn deliveries(visitor: &Visitor) -> Result<Table, Declined> {
    visitor.member.require(Role::Editor)?;
    let zone = visitor.zone()?;
    let records = visitor.scheduler().deliveries(visitor.workspace().id, None, ROWS).await?;
    let rows = records.iter().map(|record| {
        let view = DeliveryView::from(record);
        let last = view.attempts.last().map(|attempt| when::instant(attempt.at, zone));
        let when_last = last.unwrap_or_else(|| "not tried yet".to_owned());
        vec![
            when_last.into(),
            view.event.as_str().to_owned().into(),
            view.url.clone().into(),
            view.status.as_str().to_owned().into(),
            view.attempts.len().to_string().into(),
        ]
    });
    Ok(Table {
        sentence: "What webhooks were told, the latest first.".to_owned(),
        heads: vec!["Last tried", "Event", "Webhook", "State", "Tries"],
        rows: rows.collect(),
        next: None,
        again_in: None,
    })
}

async fn keys(visitor: &Visitor) -> Result<Table, Declined> {
    visitor.member.require(Role::Owner)?;
    let zone = visitor.zone()?;
    let keys = visitor.scheduler().keys(visitor.workspace().id).await?;
    let rows = keys.iter().map(KeyView::from).map(|key| {
        vec![
            key.name.into(),
            key.hint.into(),
            key.scopes.to_string().into(),
            when::instant(key.created_at, zone).into(),
            when::instant(key.expires_at, zone).into(),
        ]
    });
    Ok(Table {
        sentence: "Keys are made and revoked by `scheduler keys`.".to_owned(),
        heads: vec!["Name", "Begins", "Scopes", "Made", "Until"],
        rows: rows.collect(),
        next: None,
        again_in: None,
    })
}

async fn log(visitor: &Visitor) -> Result<Table, Declined> {
    visitor.member.require(Role::Owner)?;
    let zone = visitor.zone()?;
    let before = visitor.visit().query().only("before").map(str::to_owned);
    let page = PageInput { limit: None, before };
    let page = visitor.scheduler().audit(visitor.workspace().id, &page).await?;
    let rows = page.data.iter().map(|entry| {
        let by = entry.by.name.clone().unwrap_or_else(|| entry.by.kind.as_str().to_owned());
        vec![
            when::instant(entry.at, zone).into(),
            by.into(),
            entry.operation.replace('_', " ").into(),
            entry.path.clone().into(),
        ]
    });
    Ok(Table {
        sentence: "Who changed what, the latest first.".to_owned(),
        heads: vec!["When", "Who", "What", "Where"],
        rows: rows.collect(),
        next: page
            .next_cursor
            .map(|cursor| visitor.at(&format!("activity/log?{}", query(&[("before", &cursor)])))),
        again_in: None,
    })
}
