//! What a post has said before: a list, a look at one, and going back to it.

use askama::Template;
use http::Method;
use scheduler_core::app::VersionView;
use scheduler_core::audit::{Actor, ActorKind};
use scheduler_core::ids::PostVersionId;
use scheduler_core::post::{PostPart, PostStatus, PostView, VersionKind};
use scheduler_core::session::Role;
use scheduler_core::timing::Zone;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::Declined;
use warp::reply::Response;

use super::check::Check;
use super::written::Written;
use super::{accounts, own_files};
use crate::filters;
use crate::mark::{self, Mark};
use crate::media::Shown;
use crate::page::{self, Frame, Said};
use crate::visitor::{Visitor, entered};
use crate::when;

pub(crate) static LIST: Endpoint = Endpoint::page(
    "web_post_versions",
    Method::GET,
    "/w/{workspaceId}/compose/{id}/versions",
    |visit| Box::pin(entered(visit, Role::Reader, list)),
);

pub(crate) static SHOW: Endpoint = Endpoint::page(
    "web_post_version",
    Method::GET,
    "/w/{workspaceId}/compose/{id}/versions/{version}",
    |visit| Box::pin(entered(visit, Role::Reader, show)),
);

pub(crate) static RESTORE: Endpoint = Endpoint::page(
    "web_restore_post_version",
    Method::POST,
    "/w/{workspaceId}/compose/{id}/versions/{version}",
    |visit| Box::pin(entered(visit, Role::Drafter, restore)),
);

#[derive(Template)]
#[template(path = "compose/versions.html")]
struct List {
    frame: Frame,
    back: String,
    rows: Vec<Row>,
}

/// A version, in words.
struct Row {
    href: String,
    at: String,
    ago: String,
    who: String,
    what: String,
    /// How the text begins.
    words: String,
    is_current: bool,
    is_beside: bool,
}

#[derive(Template)]
#[template(path = "compose/version.html")]
struct Show {
    frame: Frame,
    row: Row,
    back: String,
    all: String,
    revision: i64,
    may_restore: bool,
    content: String,
    thread: Vec<String>,
    own_texts: Vec<(Mark, String, String)>,
    files: Vec<(String, String)>,
    link: String,
    labels: String,
    note: String,
    check: Check,
    problem: Option<String>,
}

async fn list(visitor: Visitor) -> Result<Response, Declined> {
    let post = visitor.post().await?;
    let zone = visitor.zone()?;
    let versions = visitor.scheduler().versions(&visitor.caller, post.id).await?;
    Ok(page::shown(&List {
        frame: Frame::of(&visitor, "compose", "Earlier versions").await?,
        back: visitor.at(&format!("compose/{}", post.id)),
        rows: versions.iter().map(|version| Row::of(&visitor, version, zone)).collect(),
    }))
}

async fn show(visitor: Visitor) -> Result<Response, Declined> {
    let post = visitor.post().await?;
    Ok(page::shown(&page_of(&visitor, &post).await?))
}

async fn page_of(visitor: &Visitor, post: &PostView) -> Result<Show, Declined> {
    let (id, zone): (PostVersionId, _) = (visitor.segment("version")?, visitor.zone()?);
    let versions = visitor.scheduler().versions(&visitor.caller, post.id).await?;
    let found = versions.into_iter().find(|version| version.version.id == id);
    let found = found.ok_or_else(Visitor::nothing_here)?;
    let said = visitor.scheduler().post_view(&found.post).await?;
    let written = Written::from_post(&said, zone);
    let accounts = accounts(visitor).await?;
    let own_files = own_files::views(visitor, &written).await?;
    let own_texts = accounts.iter().filter_map(|account| {
        let text = Some(written.own_text(account.id)).filter(|text| !text.is_empty())?;
        Some((account.platform.into(), mark::name(account), text.to_owned()))
    });
    let is_open = matches!(post.status, PostStatus::Draft | PostStatus::Scheduled);
    Ok(Show {
        frame: Frame::of(visitor, "compose", "An earlier version").await?,
        back: visitor.at(&format!("compose/{}", post.id)),
        all: visitor.at(&format!("compose/{}/versions", post.id)),
        revision: post.revision,
        may_restore: is_open && !found.is_current && visitor.may(Role::Drafter),
        own_texts: own_texts.collect(),
        files: written
            .files
            .iter()
            .map(|(id, alt)| (visitor.at(&format!("media/{id}/thumb")), alt.clone()))
            .collect(),
        check: Check::of(visitor, &written, &accounts, &own_files, None).await?,
        row: Row::of(visitor, &found, zone),
        content: written.content,
        thread: written.thread,
        link: written.link,
        labels: written.labels,
        note: written.note,
        problem: None,
    })
}

async fn restore(mut visitor: Visitor) -> Result<Response, Declined> {
    let form = visitor.form().await?;
    let post = visitor.post().await?;
    let version: PostVersionId = visitor.segment("version")?;
    let revision = form.only("revision").and_then(|revision| revision.parse().ok());
    let expected: Option<Vec<i64>> = revision.map(|revision: i64| vec![revision]);
    let scheduler = visitor.scheduler();
    let restored =
        scheduler.restore_version(&visitor.caller, post.id, version, expected.as_deref()).await;
    match restored {
        Ok(post) => {
            let said = Said::Restored.query();
            Ok(page::sent_to(&visitor.at(&format!("compose/{}?{said}", post.id))))
        }
        Err(error) => {
            let page = page_of(&visitor, &post).await?;
            Ok(Declined::from(error).into_page(|status, message| {
                page::shown_as(status, &Show { problem: Some(message.to_owned()), ..page })
            }))
        }
    }
}

impl Row {
    fn of(visitor: &Visitor, view: &VersionView, zone: Zone) -> Self {
        let version = &view.version;
        let changed: Vec<&str> = view.changed.iter().copied().map(word).collect();
        Self {
            href: visitor.at(&format!("compose/{}/versions/{}", version.post_id, version.id)),
            at: zone.local(version.at).format("%a %-d %b %Y, %H:%M:%S").to_string(),
            ago: when::distance(version.at, visitor.now()),
            who: version.by.as_ref().map_or_else(|| "not known".to_owned(), who),
            what: if changed.is_empty() { "its beginning".to_owned() } else { changed.join(", ") },
            words: beginning(&view.post.content),
            is_current: view.is_current,
            is_beside: version.kind == VersionKind::Beside,
        }
    }
}

/// What a part of a post is called.
fn word(part: PostPart) -> &'static str {
    match part {
        PostPart::Text => "text",
        PostPart::OwnTexts => "own texts",
        PostPart::Thread => "thread",
        PostPart::Accounts => "accounts",
        PostPart::Files => "files",
        PostPart::AltTexts => "descriptions",
        PostPart::Options => "options",
        PostPart::Link => "link",
        PostPart::Labels => "labels",
        PostPart::Note => "note",
        PostPart::Disclosure => "disclosure",
        _ => "other settings",
    }
}

fn who(by: &Actor) -> String {
    match (by.called(), by.kind) {
        (Some(name), ActorKind::Key) => format!("the key “{name}”"),
        (Some(name), _) => name.to_owned(),
        (None, ActorKind::Server) => "the server".to_owned(),
        (None, _) => "somebody who is gone".to_owned(),
    }
}

/// How a text begins.
///
/// Source of the length: our decision, a line of a list.
fn beginning(text: &str) -> String {
    let line = text.lines().find(|line| !line.trim().is_empty()).unwrap_or("No text");
    let mut beginning: String = line.chars().take(80).collect();
    if beginning.len() < line.len() {
        beginning.push('…');
    }
    beginning
}
