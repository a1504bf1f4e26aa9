//! What the server does: what is due, webhooks and their deliveries, keys, and who changed what.

mod keys;
mod webhooks;

use askama::Template;
use chrono::TimeDelta;
use http::Method;
use scheduler_core::error::Refusal;
use scheduler_core::post::{ListInput, PageInput};
use scheduler_core::session::Role;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::Declined;
use warp::reply::Response;

use crate::filters;
use crate::page::{self, Frame};
use crate::visitor::{Visitor, entered, query};
use crate::when;

pub(crate) use self::keys::{CREATE as CREATE_KEY, REVOKE as REVOKE_KEY};
pub(crate) use self::webhooks::{
    CREATE as CREATE_WEBHOOK, REDELIVER, REMOVE as REMOVE_WEBHOOK, TEST as TEST_WEBHOOK,
};

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
    table: Table,
}

struct Part {
    word: &'static str,
    href: String,
    is_shown: bool,
}

/// A cell of a table: a text, which may lead somewhere, and buttons.
#[derive(Default)]
struct Cell {
    text: String,
    href: Option<String>,
    buttons: Vec<Button>,
}

/// A button that sends a form of its own.
struct Button {
    word: &'static str,
    action: String,
    /// What is to be ticked first, where it cannot be undone.
    sure: Option<&'static str>,
}

impl From<String> for Cell {
    fn from(text: String) -> Self {
        Self { text, ..Self::default() }
    }
}

impl From<Vec<Button>> for Cell {
    fn from(buttons: Vec<Button>) -> Self {
        Self { buttons, ..Self::default() }
    }
}

/// What a part shows: a sentence, the heads of a table, and its rows.
#[derive(Default)]
struct Table {
    sentence: String,
    heads: Vec<&'static str>,
    rows: Vec<Vec<Cell>>,
    next: Option<String>,
    /// True of what changes with posts.
    is_live: bool,
    /// Milliseconds until the next post is late.
    again_in: Option<i64>,
    /// A form by which another row is made.
    new: Option<New>,
    /// What was made and is shown this once, and what it is.
    made: Option<(&'static str, String)>,
    /// What came of something, or why it was refused.
    said: Option<String>,
    is_refused: bool,
}

impl Table {
    /// The same with why something was refused.
    fn refused(self, declined: &Declined) -> Self {
        Self { said: Some(declined.message().to_owned()), is_refused: true, ..self }
    }
}

/// What another row is made of.
enum New {
    Key { action: String, name: String },
    Webhook { action: String, url: String },
}

async fn show(visitor: Visitor) -> Result<Response, Declined> {
    let part = visitor.visit().segment("name").to_owned();
    let table = match part.as_str() {
        "now" => now(&visitor).await?,
        "webhooks" => webhooks::list(&visitor).await?,
        "deliveries" => webhooks::deliveries(&visitor).await?,
        "keys" => keys::list(&visitor).await?,
        "log" => log(&visitor).await?,
        _ => {
            let message = "The parts are now, webhooks, deliveries, keys and log.";
            return Err(Refusal::invalid("part", message).into());
        }
    };
    Ok(page::shown(&page_of(&visitor, &part, table).await?))
}

async fn page_of(visitor: &Visitor, part: &str, table: Table) -> Result<Show, Declined> {
    let parts = [
        ("Now", "now"),
        ("Deliveries", "deliveries"),
        ("Webhooks", "webhooks"),
        ("Keys", "keys"),
        ("Log", "log"),
    ];
    let part_of = |(word, name): (&'static str, &str)| Part {
        word,
        href: visitor.at(&format!("activity/{name}")),
        is_shown: name == part,
    };
    let frame = Frame::of(visitor, "activity", "Activity").await?;
    Ok(Show { frame, parts: parts.into_iter().map(part_of).collect(), table })
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
        (1, Some(at)) => format!("1 post has been due since {}.", when::instant(*at, zone)),
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
        vec![at.into(), Cell { text: words, href, ..Cell::default() }, networks.join(", ").into()]
    });
    let rows = rows.collect();
    let heads = vec!["Due", "Post", "Networks"];
    let to_come = posts.iter().filter_map(due).filter(|at| *at >= visitor.now()).min();
    let again_in = to_come.map(|at| (at + LATE - visitor.now()).num_milliseconds());
    Ok(Table { sentence, heads, rows, is_live: true, again_in, ..Table::default() })
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
        ..Table::default()
    })
}
