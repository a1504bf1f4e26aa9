//! How the videos of a post are watched: how long viewers stay, and where they come from.

use askama::Template;
use http::Method;
use scheduler_core::error::Refusal;
use scheduler_core::ids::{PostId, TargetId};
use scheduler_core::ports::Insights;
use scheduler_core::post::TargetView;
use scheduler_core::session::Role;
use scheduler_core::target::TargetStatus;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::Declined;
use warp::reply::Response;

use super::chart::{self, Chart};
use super::{csv, words};
use crate::card::first_words;
use crate::filters;
use crate::mark::{self, Mark};
use crate::page::{self, Frame};
use crate::visitor::{Visitor, entered, query};

pub(crate) static WATCHED: Endpoint =
    Endpoint::page("web_watched", Method::GET, "/w/{workspaceId}/posts/{id}/watched", |visit| {
        Box::pin(entered(visit, Role::Reader, watched))
    });

/// A table that can be had as a file.
#[derive(Clone, Copy)]
enum Table {
    Retention,
    Sources,
}

impl Table {
    /// Its name in the query, and of the file.
    const fn as_str(self) -> &'static str {
        match self {
            Self::Retention => "retention",
            Self::Sources => "sources",
        }
    }

    fn parse(name: &str) -> Result<Self, Refusal> {
        let found =
            [Self::Retention, Self::Sources].into_iter().find(|table| table.as_str() == name);
        found.ok_or_else(|| {
            let message = format!("There is no table {name:?}; there are retention and sources.");
            Refusal::invalid("table", message)
        })
    }
}

#[derive(Template)]
#[template(path = "figures/watched.html")]
struct Show {
    frame: Frame,
    words: String,
    post: String,
    /// Where an account is connected.
    connect: String,
    videos: Vec<Video>,
}

/// A live video, as its network tells of it.
struct Video {
    id: String,
    mark: Mark,
    account: String,
    /// Why the network was not asked, or has not answered.
    problem: Option<String>,
    needs_permission: bool,
    /// The days that it speaks of, or that nothing is known yet.
    note: Option<String>,
    chart: Option<Chart>,
    curve_csv: String,
    sources: Vec<Source>,
    sources_csv: String,
}

/// Where viewers came from.
struct Source {
    from: String,
    views: String,
    minutes: String,
}

/// The page of a post, within its workspace.
pub(crate) fn path(post: PostId) -> String {
    format!("posts/{post}/watched")
}

async fn watched(visitor: Visitor) -> Result<Response, Declined> {
    let post = visitor.post().await?;
    let told = post.targets.iter().filter(|target| {
        target.status == TargetStatus::Published && target.platform.sheet().reports_insights()
    });
    let asked = visitor.visit().query();
    if let Some(name) = asked.only("table") {
        let table = Table::parse(name)?;
        let is_asked = |target: &&TargetView| asked.only("target") == Some(&target.id.to_string());
        let target = told.clone().find(is_asked);
        let target =
            target.ok_or_else(|| Refusal::invalid("target", "Name a live video of the post."))?;
        let told = visitor.scheduler().insights(&visitor.caller, post.id, target.id).await?;
        return Ok(csv(table.as_str(), &rows(target, table, &told.insights.unwrap_or_default())));
    }
    let mut videos = Vec::new();
    for target in told {
        videos.push(Video::of(&visitor, post.id, target).await?);
    }
    let words = first_words(&post);
    Ok(page::shown(&Show {
        frame: Frame::of(&visitor, "figures", format!("How it is watched · {words}")).await?,
        words,
        post: visitor.at(&format!("posts/{}", post.id)),
        connect: visitor.at("accounts"),
        videos,
    }))
}

impl Video {
    async fn of(visitor: &Visitor, post: PostId, target: &TargetView) -> Result<Self, Declined> {
        let accounts = visitor.account_list().await?;
        let account = accounts.iter().find(|account| account.id == target.account_id);
        let told = visitor.scheduler().insights(&visitor.caller, post, target.id).await;
        let (told, problem) = match told {
            Ok(told) => (Some(told), None),
            Err(error) => (None, Some(Declined::from(error).message().to_owned())),
        };
        let needs_permission = told.as_ref().is_some_and(|told| !told.supported);
        let known = told.and_then(|told| told.insights);
        let sheet = target.platform.sheet();
        let title = account.map_or_else(|| sheet.name.to_owned(), mark::name);
        let insights = known.clone().unwrap_or_default();
        let address = |table| address(visitor, post, target.id, table);
        let sources = insights.traffic_sources.iter().map(|source| Source {
            from: sheet.traffic_source(&source.source).to_owned(),
            views: words::count(source.views),
            minutes: words::number(source.watch_time_minutes),
        });
        let id = target.id.to_string();
        Ok(Self {
            chart: (!insights.retention.is_empty())
                .then(|| chart::retention(&id, &title, sheet.name, &insights.retention)),
            id,
            mark: target.platform.into(),
            account: title,
            problem,
            needs_permission,
            note: known.as_ref().map(note),
            curve_csv: address(Table::Retention),
            sources: sources.collect(),
            sources_csv: address(Table::Sources),
        })
    }
}

/// The days that a network speaks of.
fn note(insights: &Insights) -> String {
    let is_known = !insights.retention.is_empty() || !insights.traffic_sources.is_empty();
    match insights.days.filter(|_| is_known) {
        Some((first, last)) => format!("{}.", words::days(first, last)),
        None => "Nothing is known yet. The network tells it one to three days after the video was watched.".to_owned(),
    }
}

/// The address of a table as a file.
fn address(visitor: &Visitor, post: PostId, target: TargetId, table: Table) -> String {
    let target = target.to_string();
    let query = query(&[("target", target.as_str()), ("table", table.as_str())]);
    format!("{}?{query}", visitor.at(&path(post)))
}

/// The rows of a table.
fn rows(target: &TargetView, table: Table, insights: &Insights) -> Vec<Vec<String>> {
    let head = |heads: [&str; 3]| heads.map(str::to_owned).to_vec();
    match table {
        Table::Retention => {
            let points = insights.retention.iter().map(|point| {
                let better = point.relative_performance.map(|share| share.to_string());
                let ratios =
                    [point.elapsed_ratio, point.watch_ratio].map(|ratio| ratio.to_string());
                ratios.into_iter().chain([better.unwrap_or_default()]).collect()
            });
            let head = head(["elapsed ratio", "watch ratio", "relative performance"]);
            std::iter::once(head).chain(points).collect()
        }
        Table::Sources => {
            let sheet = target.platform.sheet();
            let sources = insights.traffic_sources.iter().map(|source| {
                let from = sheet.traffic_source(&source.source).to_owned();
                vec![from, source.views.to_string(), source.watch_time_minutes.to_string()]
            });
            let head = head(["source", "views", "minutes watched"]);
            std::iter::once(head).chain(sources).collect()
        }
    }
}
