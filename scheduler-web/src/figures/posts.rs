//! The posts of a period with their figures, in a table for each network.

use super::*;
use scheduler_core::analytics::{PostFigures, PostTable};
use scheduler_core::app::PostGains;
use scheduler_core::platform::Metric;

/// Rows of a table; the file has all of them.
const ROWS: usize = 50;

pub(crate) static POSTS: Endpoint =
    Endpoint::page("web_figures_posts", Method::GET, "/w/{workspaceId}/figures/posts", |visit| {
        Box::pin(entered(visit, Role::Reader, show))
    });

#[derive(Template)]
#[template(path = "figures/posts.html")]
struct Show {
    frame: Frame,
    head: Head,
    note: String,
    changes: Vec<String>,
    tables: Vec<Table>,
    is_cut: bool,
}

struct Table {
    mark: Mark,
    heads: Vec<Column>,
    rows: Vec<Row>,
    left_out: usize,
    csv: String,
}

/// A column that its head sorts by.
struct Column {
    word: &'static str,
    meaning: &'static str,
    href: String,
    /// As `aria-sort` says it; empty where it is not sorted by.
    sorted: &'static str,
    is_number: bool,
}

struct Row {
    words: String,
    href: String,
    account: String,
    at: String,
    figures: Vec<String>,
    read: String,
}

async fn show(visitor: Visitor) -> Result<Response, Declined> {
    let asked = visitor.visit().query();
    let found = visitor.scheduler().analytics_of_posts(&visitor.caller, &input(&asked)).await?;
    if asked.only("format") == Some("csv") {
        let wanted = asked.only("network");
        let is_wanted =
            |table: &&PostTable| wanted.is_none_or(|name| table.platform.as_str() == name);
        let rows: Vec<Vec<String>> = found
            .tables
            .iter()
            .filter(is_wanted)
            .flat_map(|table| lines(table, &found.asked))
            .collect();
        return Ok(csv("posts", &rows));
    }
    let frame = Frame::of(&visitor, "figures", "Posts · Analytics").await?;
    let head = head(&visitor, &asked, &found.asked, "figures/posts");
    let period = found.asked.period;
    Ok(page::shown(&Show {
        note: format!(
            "Posts that went out from {}, with what was read of each last. Days in {}.",
            words::days(period.first(), period.last()),
            when::zone(period.zone, period.now),
        ),
        changes: changes(&found.changes),
        tables: found.tables.iter().map(|table| shown(&visitor, &asked, &found, table)).collect(),
        is_cut: found.is_cut,
        frame,
        head,
    }))
}

fn shown(visitor: &Visitor, asked: &Form, found: &PostGains, table: &PostTable) -> Table {
    let zone = found.asked.period.zone;
    let row = |post: &PostFigures| Row {
        words: crate::card::words_of(&post.text).unwrap_or_else(|| "Without a text".to_owned()),
        href: visitor.at(&format!("posts/{}#t-{}", post.post_id, post.target_id)),
        account: account(post, &found.asked),
        at: when::instant(post.published_at, zone),
        figures: table.metrics.iter().map(|metric| shown_figure(post, *metric)).collect(),
        read: post.reading.as_ref().map_or_else(
            || "not yet".to_owned(),
            |reading| when::distance(reading.at, visitor.now()),
        ),
    };
    let network = table.platform.as_str();
    let sorted = |name| asked.only(name).unwrap_or_default();
    let csv = [
        ("format", "csv"),
        ("network", network),
        ("sort", sorted("sort")),
        ("order", sorted("order")),
    ];
    Table {
        mark: table.platform.into(),
        heads: heads(visitor, asked, found, table),
        rows: table.posts.iter().take(ROWS).map(row).collect(),
        left_out: table.posts.len().saturating_sub(ROWS),
        csv: address(visitor, asked, "figures/posts", &csv),
    }
}

fn heads(visitor: &Visitor, asked: &Form, found: &PostGains, table: &PostTable) -> Vec<Column> {
    let columns = [None].into_iter().chain(table.metrics.iter().copied().map(Some));
    columns
        .map(|by| {
            let is_sorted = found.order.by == by;
            let sorted = match (is_sorted, found.order.is_ascending) {
                (false, _) => "",
                (true, true) => "ascending",
                (true, false) => "descending",
            };
            // A second press turns the order around.
            let order = if sorted == "descending" { "asc" } else { "" };
            let name = by.map_or("date", Metric::as_str);
            let given = [("sort", name), ("order", order)];
            Column {
                word: by.map_or("Went out", Metric::name),
                meaning: by.map_or("When the post went live.", Metric::meaning),
                href: address(visitor, asked, "figures/posts", &given),
                sorted,
                is_number: by.is_some(),
            }
        })
        .collect()
}

fn account(post: &PostFigures, asked: &Asked) -> String {
    let found = asked.accounts.iter().find(|account| account.id == post.account_id);
    found.map_or_else(String::new, mark::name)
}

fn shown_figure(post: &PostFigures, metric: Metric) -> String {
    post.figure(metric).map_or_else(|| "–".to_owned(), words::number)
}

/// The table for other programs.
fn lines(table: &PostTable, asked: &Asked) -> Vec<Vec<String>> {
    let heads = ["network", "account", "post", "text", "went out", "read at"];
    let metrics = table.metrics.iter().map(|metric| metric.as_str());
    let heads: Vec<String> = heads.into_iter().chain(metrics).map(str::to_owned).collect();
    let row = |post: &PostFigures| {
        let read_at = post.reading.as_ref().map(|reading| reading.at.to_rfc3339());
        let facts = [
            table.platform.as_str().to_owned(),
            account(post, asked),
            post.post_id.to_string(),
            filters::cleaned(&post.text),
            post.published_at.to_rfc3339(),
            read_at.unwrap_or_default(),
        ];
        let figure = |metric: &Metric| post.figure(*metric).map(|value| value.to_string());
        let figures = table.metrics.iter().map(|metric| figure(metric).unwrap_or_default());
        facts.into_iter().chain(figures).collect()
    };
    [heads].into_iter().chain(table.posts.iter().map(row)).collect()
}
