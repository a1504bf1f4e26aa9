//! What the server does: what is due, webhooks and their deliveries, keys, and who changed what.

mod keys;
mod webhooks;

use askama::Template;
use chrono::{DateTime, TimeDelta, Utc};
use http::Method;
use scheduler_core::audit::AuditFilter;
use scheduler_core::error::Refusal;
use scheduler_core::post::{ListInput, PageInput, PostView, TargetView};
use scheduler_core::session::Role;
use scheduler_core::target::TargetStatus;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::Declined;
use warp::reply::Response;

use crate::filters::{self, cleaned};
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
        "log" => log(&visitor, false).await?,
        "calls" => log(&visitor, true).await?,
        _ => {
            let message = "The parts are now, webhooks, deliveries, keys, log and calls.";
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
        ("Agents", "calls"),
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
    let due = |post: &PostView| next(post).map(|(at, _)| at);
    let is_late = |post: &&PostView| due(post).is_some_and(|at| at + LATE <= visitor.now());
    let late: Vec<&PostView> = posts.iter().filter(is_late).collect();
    let oldest = late.iter().copied().min_by_key(|post| due(post));
    let sentence = match oldest.and_then(|post| Some((post, next(post)?))) {
        None => "Nothing is late.".to_owned(),
        Some((post, (at, target))) => {
            let words = crate::card::first_words(post);
            let since = format!(
                "“{words}” since {} ({})",
                when::instant(at, zone),
                when::distance(at, visitor.now())
            );
            let why = why(target);
            match late.len() {
                1 => format!("1 post is late: {since}. {why}"),
                many => format!("{many} posts are late, the oldest {since}. {why}"),
            }
        }
    };
    let rows = posts.iter().map(|post| {
        let at = due(post).map_or_else(|| "now".to_owned(), |at| when::instant(at, zone));
        let networks: Vec<&str> =
            post.targets.iter().map(|target| target.platform.sheet().name).collect();
        let words = crate::card::first_words(post);
        let place = next(post).map_or_else(String::new, |(_, target)| format!("#t-{}", target.id));
        let href = Some(visitor.at(&format!("posts/{}{place}", post.id)));
        vec![at.into(), Cell { text: words, href, ..Cell::default() }, networks.join(", ").into()]
    });
    let rows = rows.collect();
    let heads = vec!["Due", "Post", "Networks"];
    let to_come = posts.iter().filter_map(due).filter(|at| *at + LATE > visitor.now()).min();
    let again_in = to_come.map(|at| (at + LATE - visitor.now()).num_milliseconds());
    Ok(Table { sentence, heads, rows, is_live: true, again_in, ..Table::default() })
}

/// The target of a post that is due first, or goes out since then, and when that is.
fn next(post: &PostView) -> Option<(DateTime<Utc>, &TargetView)> {
    let due = post.targets.iter().filter_map(|target| match target.status {
        TargetStatus::Publishing => Some((post.scheduled_at?, target)),
        _ => Some((target.next_attempt_at?, target)),
    });
    due.min_by_key(|(at, _)| *at)
}

/// Why a target is late, in a sentence.
fn why(target: &TargetView) -> String {
    let network = target.platform.sheet().name;
    match (&target.error, target.status) {
        (Some(error), _) => format!("{network}: {}", cleaned(error)),
        (None, TargetStatus::Publishing) => format!("{network} has not answered yet."),
        (None, _) => format!("Nobody has begun to send it to {network}: is a worker running?"),
    }
}

/// The audit log, or the part of it that tells of calls of tools.
async fn log(visitor: &Visitor, calls: bool) -> Result<Table, Declined> {
    visitor.member.require(Role::Owner)?;
    let zone = visitor.zone()?;
    let asked = visitor.visit().query();
    let filter = AuditFilter { calls, ..AuditFilter::parse(None, asked.only("by"))? };
    let page = PageInput { limit: None, before: asked.only("before").map(str::to_owned) };
    visitor.visit().store_log().await;
    let page = visitor.scheduler().audit(visitor.workspace().id, &page, filter).await?;
    let rows = page.data.iter().map(|entry| {
        let by = entry.by.called().unwrap_or_else(|| entry.by.kind.as_str()).to_owned();
        let place = match &entry.call {
            None => entry.path.clone(),
            Some(call) => format!("{}: {}", call.client, call.outcome.replace('_', " ")),
        };
        let operation = entry.operation.replace('_', " ");
        vec![when::instant(entry.at, zone).into(), by.into(), operation.into(), place.into()]
    });
    let (part, sentence) = match calls {
        false => ("log", "Who changed what, the latest first."),
        true => (
            "calls",
            "What programs that act for people have called, and what came of it, the latest first.",
        ),
    };
    let by = filter.by.map(|by| by.to_string());
    Ok(Table {
        sentence: sentence.to_owned(),
        heads: vec!["When", "Who", "What", if calls { "Program" } else { "Where" }],
        rows: rows.collect(),
        next: page.next_cursor.map(|cursor| {
            let mut pairs = vec![("before", cursor.as_str())];
            pairs.extend(by.as_deref().map(|by| ("by", by)));
            visitor.at(&format!("activity/{part}?{}", query(&pairs)))
        }),
        ..Table::default()
    })
}
