//! The page of a file: what it is, what it shows, which posts need it, and which networks take it.

use askama::Template;
use http::{Method, StatusCode};
use scheduler_core::app::CheckInput;
use scheduler_core::error::ErrorCode;
use scheduler_core::ids::MediaId;
use scheduler_core::media::{MediaChange, MediaStatus, MediaView};
use scheduler_core::post::{Field, PageInput, PostInput, TargetInput};
use scheduler_core::rules::Severity;
use scheduler_core::session::Role;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::Declined;
use warp::reply::Response;

use super::{name, word};
use crate::card::{self, State};
use crate::filters::{self, cleaned};
use crate::mark::{self, Mark};
use crate::page::{self, Frame, Said};
use crate::visitor::{Visitor, entered};

/// Posts that are listed.
const POSTS: &str = "50";

pub(crate) static ONE: Endpoint =
    Endpoint::page("web_media_file", Method::GET, "/w/{workspaceId}/media/{id}", |visit| {
        Box::pin(entered(visit, Role::Reader, show))
    });

pub(crate) static DESCRIBE: Endpoint =
    Endpoint::page("web_describe_media", Method::POST, "/w/{workspaceId}/media/{id}", |visit| {
        Box::pin(entered(visit, Role::Drafter, describe))
    });

pub(crate) static DELETE: Endpoint = Endpoint::page(
    "web_delete_media",
    Method::POST,
    "/w/{workspaceId}/media/{id}/delete",
    |visit| Box::pin(entered(visit, Role::Editor, delete)),
);

#[derive(Template)]
#[template(path = "media/one.html")]
struct One {
    frame: Frame,
    href: String,
    name: String,
    alt: String,
    shown: Shown,
    word: String,
    is_gone: bool,
    is_failed: bool,
    may_crop: bool,
    facts: Vec<(&'static str, String)>,
    original: Option<String>,
    posts: Vec<Used>,
    has_more: bool,
    /// How many posts that have not gone out need it.
    needed: usize,
    networks: Vec<Taking>,
    problem: Option<String>,
}

/// How a page shows a file.
#[derive(Clone)]
pub(crate) enum Shown {
    Picture {
        address: String,
        width: u32,
        height: u32,
    },
    Video {
        address: String,
        poster: Option<String>,
        width: u32,
        height: u32,
    },
    /// It has no form that browsers show.
    Nothing,
}

/// A post that uses the file.
struct Used {
    href: String,
    words: String,
    state: &'static str,
    is_needing: bool,
}

/// What a network says of the file.
struct Taking {
    mark: Mark,
    account: String,
    issues: Vec<(bool, String)>,
}

impl Shown {
    /// As it is where browsers show its type, else by its preview.
    pub(crate) fn of(visitor: &Visitor, media: &MediaView) -> Self {
        if media.status != MediaStatus::Ready {
            return Self::Nothing;
        }
        let at = |what: &str| visitor.at(&format!("media/{}/{what}", media.id));
        let (width, height) = (media.width.unwrap_or(320), media.height.unwrap_or(320));
        match media.mime_type.as_deref().unwrap_or_default() {
            "image/jpeg" | "image/png" | "image/gif" | "image/webp" | "image/avif" => {
                Self::Picture { address: at("file"), width, height }
            }
            kind if kind.starts_with("video/") => {
                Self::Video { address: at("file"), poster: Some(at("thumb")), width, height }
            }
            kind if kind.starts_with("image/") => {
                Self::Picture { address: at("thumb"), width, height }
            }
            _ => Self::Nothing,
        }
    }
}

async fn show(visitor: Visitor) -> Result<Response, Declined> {
    let media = visitor.scheduler().show_media(&visitor.caller, visitor.id()?).await?.media;
    Ok(page::shown(&one(&visitor, &media, None).await?))
}

async fn one(
    visitor: &Visitor,
    media: &MediaView,
    problem: Option<String>,
) -> Result<One, Declined> {
    let input = PageInput { limit: Some(POSTS.to_owned()), ..PageInput::default() };
    let page = visitor.scheduler().posts_of_media(&visitor.caller, media.id, &input).await?;
    let posts: Vec<Used> = page
        .data
        .iter()
        .map(|post| Used {
            href: visitor.at(&format!("posts/{}", post.id)),
            words: card::first_words(post),
            state: State::of(post).word(),
            is_needing: post.status.is_unfinished(),
        })
        .collect();
    Ok(One {
        frame: Frame::of(visitor, "media", name(media)).await?,
        href: visitor.at(&format!("media/{}", media.id)),
        name: name(media),
        alt: media.alt_text.clone().unwrap_or_default(),
        shown: Shown::of(visitor, media),
        word: word(media),
        is_gone: media.status == MediaStatus::Deleted,
        is_failed: media.status == MediaStatus::Failed,
        may_crop: super::crop::may_crop(media),
        facts: facts(media),
        original: media.original_id.map(|id| visitor.at(&format!("media/{id}"))),
        needed: posts.iter().filter(|post| post.is_needing).count(),
        posts,
        has_more: page.next_cursor.is_some(),
        networks: networks(visitor, media).await?,
        problem,
    })
}

/// What was measured, in words.
fn facts(media: &MediaView) -> Vec<(&'static str, String)> {
    let shape = media.width.zip(media.height).map(|(width, height)| format!("{width} × {height}"));
    let facts = [
        ("Kind", Some(media.kind.one().split(' ').next_back().unwrap_or_default().to_owned())),
        ("Type", media.mime_type.clone()),
        ("Size", media.size_bytes.map(megabytes)),
        ("Pixels", shape),
        ("Length", media.duration_seconds.map(|seconds| format!("{seconds:.1} s"))),
        ("Frames a second", media.fps.map(|fps| format!("{fps:.2}"))),
    ];
    facts.into_iter().filter_map(|(name, value)| Some((name, cleaned(&value?)))).collect()
}

/// A size for people.
fn megabytes(bytes: u64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "it is shown with one digit")]
    let size = bytes as f64;
    match bytes {
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => format!("{:.1} KB", size / 1e3),
        _ => format!("{:.1} MB", size / 1e6),
    }
}

/// What the networks of the connected accounts say of the file, by the rules of a post with it.
async fn networks(visitor: &Visitor, media: &MediaView) -> Result<Vec<Taking>, Declined> {
    if media.status != MediaStatus::Ready {
        return Ok(Vec::new());
    }
    let accounts = visitor.scheduler().account_views(&visitor.caller).await?;
    if accounts.is_empty() {
        return Ok(Vec::new());
    }
    let target = |account: &scheduler_core::account::AccountView| {
        TargetInput::from(account.platform).by(account.id)
    };
    let input = PostInput {
        media_ids: vec![media.id].into(),
        alt_texts: vec![media.alt_text.clone()].into(),
        targets: accounts.iter().map(target).collect::<Vec<_>>().into(),
        ..PostInput::default()
    };
    let report = visitor.scheduler().check_post(&visitor.caller, CheckInput::from(input)).await?;
    let taking = accounts.iter().enumerate().map(|(index, account)| {
        let issues = report.issues.iter().filter(|issue| {
            // Of the rules of a network the second word says what they speak of.
            let is_of_file = issue.rule.split('.').nth(1) == Some("media");
            issue.target == Some(index) && is_of_file
        });
        Taking {
            mark: account.platform.into(),
            account: mark::name(account),
            issues: issues
                .map(|issue| (issue.severity == Severity::Error, cleaned(&issue.message)))
                .collect(),
        }
    });
    Ok(taking.collect())
}

async fn describe(mut visitor: Visitor) -> Result<Response, Declined> {
    let form = visitor.form().await?;
    let id: MediaId = visitor.id()?;
    let alt = form.only("alt").map(str::trim).unwrap_or_default();
    let alt_text = if alt.is_empty() { Field::Null } else { Field::Value(alt.to_owned()) };
    let change = MediaChange { alt_text, ..MediaChange::default() };
    visitor.scheduler().update_media(&visitor.caller, id, &change).await?;
    let address = visitor.at(&format!("media/{id}?{}", Said::Described.query()));
    Ok(page::sent_to(&address))
}

/// Deletes a file; one that a post needs stays, and its page says which.
async fn delete(visitor: Visitor) -> Result<Response, Declined> {
    let id: MediaId = visitor.id()?;
    match visitor.scheduler().delete_media(&visitor.caller, id).await.map_err(Declined::from) {
        Ok(_) => Ok(page::sent_to(&visitor.at(&format!("media?{}", Said::FileDeleted.query())))),
        Err(refused) if refused.code() == ErrorCode::InUse => {
            let media = visitor.scheduler().show_media(&visitor.caller, id).await?.media;
            let problem = Some(refused.message().to_owned());
            Ok(page::shown_as(StatusCode::CONFLICT, &one(&visitor, &media, problem).await?))
        }
        Err(refused) => Err(refused),
    }
}
