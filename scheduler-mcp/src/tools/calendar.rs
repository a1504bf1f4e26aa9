//! The posts of a month, which a client attaches to a conversation.

use chrono::{Months, NaiveDate, NaiveTime, SecondsFormat};
use futures_util::FutureExt as _;
use http::Method;
use scheduler_core::key::Scope;
use scheduler_core::timing::Zone;
use serde_json::{Value, json};

use super::{items, short};
use crate::api::Call;
use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::schema::{Shape, text};
use crate::tool::{Definition, Hints, Outcome};
use crate::work::Work;

/// Posts of a month that are shown at most. Source: our decision; what a model still reads.
const POSTS_MAX: usize = 1_000;

/// Posts of a page. Source: the API.
const PAGE: &str = "500";

/// What reads `scheduler://calendar/{month}`; no tool of the list.
pub(crate) static CALENDAR: Definition = Definition {
    name: "calendar",
    title: "Posts of a month",
    description: "The posts of a month, in the zone of the workspace.",
    hints: Hints::READS,
    scopes: &[Scope::PostsRead],
    is_repeatable: false,
    input: || Shape::default().needs("month", text()),
    output: || Shape::default().needs("posts", json!({"type": "array"})),
    run: |work, arguments| calendar(work, arguments).boxed(),
};

async fn calendar(work: &Work<'_>, mut arguments: Arguments) -> Result<Outcome, Failure> {
    let month = arguments.needed("month")?;
    arguments.finish()?;
    let first: Result<NaiveDate, _> = format!("{month}-01").parse();
    let ends =
        first.ok().and_then(|first| Some([first, first.checked_add_months(Months::new(1))?]));
    let ends = ends.ok_or_else(|| {
        Failure::argument(
            "month",
            "Write a year and a month, such as scheduler://calendar/2026-12.",
        )
    })?;
    let me = work.get("/app/v1/me").await?;
    let zone = me["workspace"]["timezone"].as_str().and_then(|zone| zone.parse().ok());
    let zone: Zone = zone.unwrap_or(Zone::UTC);
    let [from, to] = ends.map(|day| {
        zone.instant(day.and_time(NaiveTime::MIN)).to_rfc3339_opts(SecondsFormat::Secs, true)
    });
    let (mut posts, mut next) = (Vec::new(), None);
    loop {
        let call = Call::new(Method::GET, "/v1/posts").query("limit", Some(PAGE.to_owned()));
        let call = call.query("from", Some(from.clone())).query("to", Some(to.clone()));
        let page = work.ask(call.query("before", next)).await?;
        posts.extend(items(&page, "data").iter().map(short));
        next = page["nextCursor"].as_str().map(str::to_owned);
        if next.is_none() || posts.len() >= POSTS_MAX {
            break;
        }
    }
    let is_whole = next.is_none() && posts.len() <= POSTS_MAX;
    posts.truncate(POSTS_MAX);
    let order = |post: &Value| post["scheduledAt"].as_str().unwrap_or_default().to_owned();
    posts.sort_by_key(order);
    let shown = json!({"month": month, "zone": zone.name(), "posts": posts, "isWhole": is_whole});
    Ok(Outcome::Done(shown))
}
