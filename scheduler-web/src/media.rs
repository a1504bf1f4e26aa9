//! The library of files: looking, describing, adding, deleting.

use askama::Template;
use http::header::{CACHE_CONTROL, CONTENT_TYPE, X_CONTENT_TYPE_OPTIONS};
use http::{HeaderValue, Method, StatusCode};
use scheduler_core::app::CompleteInput;
use scheduler_core::error::Refusal;
use scheduler_core::ids::MediaId;
use scheduler_core::media::{
    MediaChange, MediaInput, MediaKind, MediaListInput, MediaStatus, MediaView,
};
use scheduler_core::post::Field;
use scheduler_core::session::Role;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::{Declined, changed};
use serde_json::json;
use warp::reply::Response;

use crate::filters::{self, cleaned};
use crate::page::{self, Frame, Said};
use crate::visitor::{Visitor, entered, query};

/// Files of a page.
const PER_PAGE: &str = "60";

pub(crate) static SHOW: Endpoint =
    Endpoint::page("web_media", Method::GET, "/w/{workspaceId}/media", |visit| {
        Box::pin(entered(visit, Role::Reader, show))
    });

pub(crate) static THUMB: Endpoint =
    Endpoint::page("web_thumb", Method::GET, "/w/{workspaceId}/media/{id}/thumb", |visit| {
        Box::pin(entered(visit, Role::Reader, thumb))
    });

pub(crate) static DECLARE: Endpoint =
    Endpoint::page("web_add_media", Method::POST, "/w/{workspaceId}/media", |visit| {
        Box::pin(entered(visit, Role::Drafter, declare))
    });

pub(crate) static COMPLETE: Endpoint = Endpoint::page(
    "web_complete_media",
    Method::POST,
    "/w/{workspaceId}/media/{id}/complete",
    |visit| Box::pin(entered(visit, Role::Drafter, complete)),
);

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
#[template(path = "media/show.html")]
struct Show {
    frame: Frame,
    files: Vec<File>,
    q: String,
    kind: String,
    is_unused: bool,
    next: Option<String>,
}

struct File {
    href: String,
    picture: String,
    name: String,
    alt: String,
    word: String,
    is_failed: bool,
}

/// What a file is and how it stands, in words.
pub(crate) fn word(media: &MediaView) -> String {
    let state = match media.status {
        MediaStatus::Ready => {
            let shape = media.width.zip(media.height);
            let shape =
                shape.map_or_else(String::new, |(width, height)| format!(", {width}×{height}"));
            let seconds = media.duration_seconds;
            let length = seconds.map_or_else(String::new, |seconds| format!(", {seconds:.0} s"));
            format!("{}{shape}{length}", media.mime_type.as_deref().unwrap_or("ready"))
        }
        MediaStatus::Failed => {
            let why = media.error.as_deref().unwrap_or("no reason is known");
            format!("The server could not use it: {why}")
        }
        MediaStatus::Deleted => "deleted".to_owned(),
        _ => "being sent or examined".to_owned(),
    };
    cleaned(&state)
}

async fn show(visitor: Visitor) -> Result<Response, Declined> {
    let asked = visitor.visit().query();
    let text = |name| asked.only(name).filter(|text| !text.is_empty()).map(str::to_owned);
    let input = MediaListInput {
        kind: text("kind"),
        used: text("used"),
        q: text("q"),
        limit: Some(PER_PAGE.to_owned()),
        before: text("before"),
        ..MediaListInput::default()
    };
    let page = visitor.scheduler().list_media(&visitor.caller, &input).await?;
    let frame = Frame::of(&visitor, "media", "Media").await?;
    Ok(page::shown(&Show {
        frame,
        files: page
            .data
            .iter()
            .map(|listed| &listed.media)
            .map(|media| File {
                href: visitor.at(&format!("media/{}", media.id)),
                picture: visitor.at(&format!("media/{}/thumb", media.id)),
                name: cleaned(
                    media.name.as_deref().or(media.file_name.as_deref()).unwrap_or("a file"),
                ),
                alt: media.alt_text.clone().unwrap_or_default(),
                word: word(media),
                is_failed: media.status == MediaStatus::Failed,
            })
            .collect(),
        q: text("q").unwrap_or_default(),
        kind: text("kind").unwrap_or_default(),
        is_unused: asked.only("used") == Some("false"),
        next: page.next_cursor.map(|cursor| {
            let kept = ["kind", "used", "q"].into_iter();
            let mut pairs: Vec<(&str, &str)> =
                kept.filter_map(|name| Some((name, asked.only(name)?))).collect();
            pairs.push(("before", &cursor));
            format!("{}?{}", visitor.at("media"), query(&pairs))
        }),
    }))
}

/// The small picture of a file; an empty answer where it has none.
async fn thumb(visitor: Visitor) -> Result<Response, Declined> {
    let id: MediaId = visitor.id()?;
    let bytes = visitor.scheduler().media_preview(&visitor.caller, id).await?;
    let mut response = Response::new(bytes.into());
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("image/jpeg"));
    // The bytes of a file never change.
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, max-age=86400, immutable"));
    headers.insert(X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    Ok(response)
}

/// Begins an upload, for the script of the composer: tells where the bytes go.
async fn declare(mut visitor: Visitor) -> Result<Response, Declined> {
    let form = visitor.form().await?;
    let input = MediaInput {
        kind: form
            .only("kind")
            .and_then(|kind| MediaKind::ALL.into_iter().find(|one| one.name() == kind)),
        mime_type: form.only("type").filter(|kind| !kind.is_empty()).map(str::to_owned),
        size_bytes: form.only("size").and_then(|size| size.parse().ok()),
        file_name: form.only("name").map(str::to_owned),
        ..MediaInput::default()
    };
    let made = visitor.scheduler().declare_media(&visitor.caller, input, None).await?;
    json_answer(&json!(made.value))
}

/// Ends an upload, with the tags of its parts where it had several.
async fn complete(mut visitor: Visitor) -> Result<Response, Declined> {
    let form = visitor.form().await?;
    let id: MediaId = visitor.id()?;
    let parts = form.only("parts").map(serde_json::from_str).transpose();
    let parts =
        parts.map_err(|_| Refusal::invalid("parts", "The list of parts is not readable."))?;
    let view = match parts {
        Some(parts) => {
            let input = CompleteInput { parts };
            visitor.scheduler().complete_upload(&visitor.caller, id, input).await?
        }
        None => visitor.scheduler().confirm_upload(&visitor.caller, id).await?,
    };
    json_answer(&json!({ "id": view.id, "word": word(&view) }))
}

fn json_answer(value: &serde_json::Value) -> Result<Response, Declined> {
    let mut response = Response::new(value.to_string().into());
    *response.status_mut() = StatusCode::OK;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    Ok(changed(response))
}

async fn describe(mut visitor: Visitor) -> Result<Response, Declined> {
    let form = visitor.form().await?;
    let id: MediaId = visitor.id()?;
    let alt = form.only("alt").map(str::trim).unwrap_or_default();
    let alt_text = if alt.is_empty() { Field::Null } else { Field::Value(alt.to_owned()) };
    let change = MediaChange { alt_text, ..MediaChange::default() };
    visitor.scheduler().update_media(&visitor.caller, id, &change).await?;
    Ok(back(&visitor, Said::Described))
}

async fn delete(visitor: Visitor) -> Result<Response, Declined> {
    let id: MediaId = visitor.id()?;
    visitor.scheduler().delete_media(&visitor.caller, id).await?;
    Ok(back(&visitor, Said::FileDeleted))
}

fn back(visitor: &Visitor, said: Said) -> Response {
    page::sent_to(&visitor.at(&format!("media?{}", said.query())))
}
