//! Analytics: what posts and accounts have gained, the posts of a period, and when posts do well.

mod chart;
mod posts;
mod times;
mod watched;
mod words;

use askama::Template;
use http::header::{CONTENT_DISPOSITION, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderValue, Method};
use scheduler_core::account::AccountView;
use scheduler_core::analytics::{AnalyticsInput, Line, LineOf, Measure, PERIOD_DAYS, Period};
use scheduler_core::app::{Asked, Gains};
use scheduler_core::platform::{MetricChange, Platform};
use scheduler_core::session::Role;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::{Declined, Form};
use warp::reply::Response;

use crate::filters;
use crate::mark::{self, Mark};
use crate::page::{self, Frame};
use crate::visitor::{Visitor, entered, query};
use crate::when;
use chart::Chart;

pub(crate) use posts::POSTS;
pub(crate) use times::TIMES;
pub(crate) use watched::{WATCHED, path as watched_path};
pub(crate) use words::number;

pub(crate) static SHOW: Endpoint =
    Endpoint::page("web_figures", Method::GET, "/w/{workspaceId}/figures", |visit| {
        Box::pin(entered(visit, Role::Reader, show))
    });

/// The page that is about one account.
const TIMES_PATH: &str = "figures/times";

/// The parameters that stay from page to page.
const KEPT: [&str; 3] = ["days", "account", "measure"];

/// A link that shows something else of the page.
struct Choice {
    mark: Option<Mark>,
    word: String,
    href: String,
    is_chosen: bool,
}

/// What stands above each of the pages.
struct Head {
    parts: Vec<Choice>,
    ranges: Vec<Choice>,
    accounts: Vec<Choice>,
    measures: Vec<Choice>,
    csv: String,
}

#[derive(Template)]
#[template(path = "figures/show.html")]
struct Show {
    frame: Frame,
    head: Head,
    note: String,
    is_empty: bool,
    tiles: Vec<Tile>,
    charts: Vec<Chart>,
}

struct Tile {
    mark: Mark,
    title: String,
    number: String,
    change: words::ChangeWords,
    definition: String,
    read: String,
}

async fn show(visitor: Visitor) -> Result<Response, Declined> {
    let asked = visitor.visit().query();
    let gains = visitor.scheduler().analytics(&visitor.caller, &input(&asked)).await?;
    let names: Vec<String> = gains.lines.iter().map(|line| name(line, &gains.asked)).collect();
    if asked.only("format") == Some("csv") {
        return Ok(csv("analytics", &rows(&gains, &names)));
    }
    let frame = Frame::of(&visitor, "figures", "Analytics").await?;
    let head = head(&visitor, &asked, &gains.asked, "figures");
    let period = gains.asked.period;
    let tiles =
        gains.lines.iter().zip(&names).map(|(line, name)| tile(&visitor, &gains, line, name));
    Ok(page::shown(&Show {
        frame,
        head,
        note: note(&period),
        is_empty: gains.is_empty,
        tiles: tiles.collect(),
        charts: chart::charts(&gains, &names),
    }))
}

/// Which days are shown, and what they are compared with.
fn note(period: &Period) -> String {
    let zone = when::zone(period.zone, period.now);
    let before = period.first().pred_opt().unwrap_or_default();
    format!(
        "{}, compared with {} ({}). Today is not over: both end at the same time of the day. Days \
         in {zone}. A post counts in its first 15 days, and what it gained when that was read.",
        words::days(period.first(), period.last()),
        words::before(period.days),
        words::days(period.first_before(), before),
    )
}

fn tile(visitor: &Visitor, gains: &Gains, line: &Line, name: &str) -> Tile {
    let measure = gains.asked.measure;
    let platform = line.of.platform();
    let of = match (measure, line.counted) {
        (Some(Measure::Followers), _) => String::new(),
        (_, 1) => "Of 1 post.".to_owned(),
        (_, count) => format!("Of {count} posts."),
    };
    let meaning = measure.map_or("", Measure::meaning);
    let title = measure.map_or_else(String::new, |measure| measure.name().to_lowercase());
    Tile {
        mark: platform.into(),
        title: format!("{name} {title}"),
        number: words::number(line.total),
        change: words::change(line.change, gains.asked.period.days),
        definition: format!("{meaning} {of}").trim_end().to_owned(),
        read: line.read_at.map_or_else(
            || "Not read yet.".to_owned(),
            |at| format!("Read {}.", when::distance(at, visitor.now())),
        ),
    }
}

/// The network of a line, or its account.
fn name(line: &Line, asked: &Asked) -> String {
    match line.of {
        LineOf::Network(platform) => platform.sheet().name.to_owned(),
        LineOf::Account(platform, id) => asked
            .accounts
            .iter()
            .find(|account| account.id == id)
            .map_or_else(|| platform.sheet().name.to_owned(), mark::name),
    }
}

/// The numbers of the chart: a row for each span.
fn rows(gains: &Gains, names: &[String]) -> Vec<Vec<String>> {
    let heads = ["first day".to_owned(), "last day".to_owned()];
    let mut rows: Vec<Vec<String>> = vec![heads.into_iter().chain(names.iter().cloned()).collect()];
    for (index, span) in gains.asked.period.spans().into_iter().enumerate() {
        let days = [span.first.to_string(), span.last.to_string()];
        let values = gains.lines.iter().map(|line| line.values[index].to_string());
        rows.push(days.into_iter().chain(values).collect());
    }
    rows
}

fn input(asked: &Form) -> AnalyticsInput {
    let only = |name| asked.only(name).map(str::to_owned);
    AnalyticsInput {
        days: only("days"),
        account_id: asked.all("account").map(str::to_owned).collect(),
        measure: only("measure"),
        sort: only("sort"),
        order: only("order"),
    }
}

/// The address of a page of analytics: with what is kept of the query, but for what is given.
fn address(visitor: &Visitor, asked: &Form, path: &str, given: &[(&str, &str)]) -> String {
    let is_given = |name: &str| given.iter().any(|(other, _)| *other == name);
    let kept = KEPT.into_iter().filter(|name| !is_given(name));
    let kept = kept.flat_map(|name| asked.all(name).map(move |value| (name, value)));
    // What is given without a value is left out.
    let given = given.iter().copied().filter(|(_, value)| !value.is_empty());
    let pairs: Vec<(&str, &str)> = kept.chain(given).collect();
    let address = visitor.at(path);
    if pairs.is_empty() { address } else { format!("{address}?{}", query(&pairs)) }
}

fn head(visitor: &Visitor, asked: &Form, found: &Asked, path: &str) -> Head {
    let link = |path: &str, given: &[(&str, &str)]| address(visitor, asked, path, given);
    let plain = |word: &str, href: String, is_chosen: bool| Choice {
        mark: None,
        word: word.to_owned(),
        href,
        is_chosen,
    };
    let parts = [("Gains", "figures"), ("Posts", "figures/posts"), ("Best times", TIMES_PATH)];
    // Good times are those of a year.
    let ranges = if path == TIMES_PATH { &[][..] } else { &PERIOD_DAYS };
    let mut accounts = Vec::new();
    let is_one = path == TIMES_PATH;
    if !is_one && found.accounts.len() > 1 {
        accounts.push(plain("All", link(path, &[("account", "")]), found.chosen.is_empty()));
    }
    for account in &found.accounts {
        let is_chosen = found.chosen.contains(&account.id);
        let href = toggled(&link, found, path, account, is_one);
        let (mark, word) = (Some(account.platform.into()), mark::name(account));
        accounts.push(Choice { mark, word, href, is_chosen });
    }
    Head {
        parts: parts
            .map(|(word, part)| plain(word, link(part, &[]), part == path))
            .into_iter()
            .collect(),
        ranges: ranges
            .iter()
            .map(|days| {
                let word = if *days == 365 { "A year".to_owned() } else { format!("{days} days") };
                let href = link(path, &[("days", &days.to_string())]);
                plain(&word, href, *days == found.period.days)
            })
            .collect(),
        accounts,
        measures: found
            .measures
            .iter()
            .map(|measure| {
                let href = link(path, &[("measure", measure.as_str())]);
                plain(measure.name(), href, found.measure == Some(*measure))
            })
            .collect(),
        csv: link(path, &[("format", "csv")]),
    }
}

/// The address with an account among those that are chosen, or without it where it is.
fn toggled(
    link: &impl Fn(&str, &[(&str, &str)]) -> String,
    found: &Asked,
    path: &str,
    account: &AccountView,
    is_one: bool,
) -> String {
    let mut chosen: Vec<String> =
        if is_one { Vec::new() } else { found.chosen.iter().map(ToString::to_string).collect() };
    let id = account.id.to_string();
    match chosen.iter().position(|other| *other == id) {
        Some(place) => drop(chosen.remove(place)),
        None => chosen.push(id),
    }
    let mut pairs: Vec<(&str, &str)> = chosen.iter().map(|id| ("account", id.as_str())).collect();
    if pairs.is_empty() {
        pairs.push(("account", ""));
    }
    link(path, &pairs)
}

/// What networks count in another way since days that lie within what is shown.
fn changes(changes: &[(Platform, MetricChange)]) -> Vec<String> {
    let sentence = |(_, change): &(Platform, MetricChange)| {
        format!(
            "Since {}, {}. What was counted before cannot be compared with it.",
            change.on.format("%-d %B %Y"),
            change.since
        )
    };
    changes.iter().map(sentence).collect()
}

/// The answer with a table for other programs.
fn csv(name: &str, rows: &[Vec<String>]) -> Response {
    let line = |row: &Vec<String>| {
        let cells: Vec<String> = row.iter().map(|cell| words::cell(cell)).collect();
        format!("{}\r\n", cells.join(","))
    };
    let text: String = rows.iter().map(line).collect();
    let mut response = Response::new(text.into());
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/csv; charset=utf-8"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(http::header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    if let Ok(value) = HeaderValue::from_str(&format!("attachment; filename=\"{name}.csv\"")) {
        headers.insert(CONTENT_DISPOSITION, value);
    }
    response
}
