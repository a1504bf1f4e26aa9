//! The library of files: looking and adding. `one` is the page of a file, `crop` makes a new one of
//! a part of it, `replacing` puts that in its place in a draft, `bytes` gives what pages show.

mod bytes;
mod crop;
mod one;
mod replacing;

use askama::Template;
use http::header::CONTENT_TYPE;
use http::{HeaderValue, Method, StatusCode};
use scheduler_core::app::{CompleteInput, UploadInstructions};
use scheduler_core::error::Refusal;
use scheduler_core::ids::MediaId;
use scheduler_core::media::{MediaInput, MediaKind, MediaListInput, MediaStatus, MediaView};
use scheduler_core::session::Role;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::{Declined, Form, changed};
use serde_json::json;
use warp::reply::Response;

use crate::filters::{self, cleaned};
use crate::page::{self, Frame, Said};
use crate::visitor::{Visitor, entered, query};

pub(crate) use bytes::{AVATAR, FILE, THUMB};
pub(crate) use crop::{CROP, CUT, may_crop};
pub(crate) use one::{DELETE, DESCRIBE, ONE, Shown};

/// Files of a page.
const PER_PAGE: &str = "60";

/// The name under which forms hold files.
pub(crate) const FIELD: &str = "media";

pub(crate) static SHOW: Endpoint =
    Endpoint::page("web_media", Method::GET, "/w/{workspaceId}/media", |visit| {
        Box::pin(entered(visit, Role::Reader, show))
    });

pub(crate) static DECLARE: Endpoint =
    Endpoint::page("web_add_media", Method::POST, "/w/{workspaceId}/media", |visit| {
        Box::pin(entered(visit, Role::Drafter, add))
    });

pub(crate) static LINKS: Endpoint =
    Endpoint::page("web_upload_links", Method::GET, "/w/{workspaceId}/media/{id}/links", |visit| {
        Box::pin(entered(visit, Role::Drafter, links))
    });

pub(crate) static COMPLETE: Endpoint = Endpoint::page(
    "web_complete_media",
    Method::POST,
    "/w/{workspaceId}/media/{id}/complete",
    |visit| Box::pin(entered(visit, Role::Drafter, complete)),
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
    problem: Option<String>,
}

struct File {
    href: String,
    picture: String,
    name: String,
    alt: String,
    word: String,
    used: String,
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
        MediaStatus::AwaitingUpload => "not all of it has arrived".to_owned(),
        MediaStatus::Ingesting if media.original_id.is_some() => "being cut out".to_owned(),
        MediaStatus::Ingesting => "being fetched".to_owned(),
        MediaStatus::Processing => "being examined".to_owned(),
    };
    cleaned(&state)
}

/// Where the preview of a file is; `None` until there is one.
pub(crate) fn preview(visitor: &Visitor, media: &MediaView) -> Option<String> {
    (media.status == MediaStatus::Ready).then(|| visitor.at(&format!("media/{}/thumb", media.id)))
}

/// What a file is called.
pub(crate) fn name(media: &MediaView) -> String {
    let name = media.name.as_deref().or(media.file_name.as_deref());
    name.map_or_else(|| media.id.to_string(), cleaned)
}

/// True while a file becomes something else by itself.
pub(crate) fn is_busy(media: &MediaView) -> bool {
    matches!(media.status, MediaStatus::Ingesting | MediaStatus::Processing)
}

async fn show(visitor: Visitor) -> Result<Response, Declined> {
    Ok(page::shown(&library(&visitor, None).await?))
}

async fn library(visitor: &Visitor, problem: Option<String>) -> Result<Show, Declined> {
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
    let frame = Frame::of(visitor, "media", "Media").await?;
    Ok(Show {
        frame,
        files: page
            .data
            .iter()
            .map(|listed| {
                let media = &listed.media;
                File {
                    href: visitor.at(&format!("media/{}", media.id)),
                    picture: visitor.at(&format!("media/{}/thumb", media.id)),
                    name: name(media),
                    alt: media.alt_text.clone().unwrap_or_default(),
                    word: word(media),
                    used: match listed.post_count {
                        0 => "in no post".to_owned(),
                        1 => "in 1 post".to_owned(),
                        many => format!("in {many} posts"),
                    },
                    is_failed: media.status == MediaStatus::Failed,
                }
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
        problem,
    })
}

/// Adds files: takes those that a form holds, has one fetched, or tells a script where the bytes of
/// one go.
async fn add(mut visitor: Visitor) -> Result<Response, Declined> {
    let brought = visitor.form_with_files(FIELD).await?;
    let form = &brought.form;
    if visitor.fragment().is_some() {
        if let Some(refused) = brought.refused {
            return Err(refused);
        }
        if brought.taken > 0 {
            return json_answer(&json!({ "media": { "id": form.only(FIELD) } }));
        }
        let made = match form.only("address") {
            Some(address) => fetched(&visitor, address).await?,
            None => declared(&visitor, form).await?,
        };
        return json_answer(&json!(made));
    }
    if let Some(refused) = brought.refused {
        let shown = library(&visitor, None).await?;
        let answer = refused.into_page(|status, message| {
            page::shown_as(status, &Show { problem: Some(message.to_owned()), ..shown })
        });
        return Ok(if brought.taken > 0 { changed(answer) } else { answer });
    }
    if let Some(address) = form.only("address").filter(|address| !address.is_empty()) {
        fetched(&visitor, address).await?;
    }
    Ok(page::sent_to(&visitor.at(&format!("media?{}", Said::FileAdded.query()))))
}

async fn declared(visitor: &Visitor, form: &Form) -> Result<UploadInstructions, Declined> {
    let input = MediaInput {
        kind: form
            .only("kind")
            .and_then(|kind| MediaKind::ALL.into_iter().find(|one| one.name() == kind)),
        mime_type: form.only("type").filter(|kind| !kind.is_empty()).map(str::to_owned),
        size_bytes: form.only("size").and_then(|size| size.parse().ok()),
        file_name: form.only("name").map(str::to_owned),
        ..MediaInput::default()
    };
    Ok(visitor.scheduler().declare_media(&visitor.caller, input, None).await?.value)
}

/// Has a file fetched from its address.
pub(crate) async fn fetched(
    visitor: &Visitor,
    address: &str,
) -> Result<UploadInstructions, Declined> {
    let address = address.trim();
    let path = address.split(['?', '#']).next().unwrap_or_default();
    let file = path.rsplit('/').next().unwrap_or_default();
    // A picture may turn out to be a video, but a document has to be called one.
    let is_document = file.to_ascii_lowercase().ends_with(".pdf");
    let input = MediaInput {
        kind: Some(if is_document { MediaKind::Document } else { MediaKind::Image }),
        file_name: Some(file.to_owned()).filter(|file| !file.is_empty()),
        source_url: Some(address.to_owned()),
        ..MediaInput::default()
    };
    Ok(visitor.scheduler().declare_media(&visitor.caller, input, None).await?.value)
}

/// Tells a script where the bytes of a file go, once the addresses that it had have ended.
async fn links(visitor: Visitor) -> Result<Response, Declined> {
    let id: MediaId = visitor.id()?;
    let shown = visitor.scheduler().show_media(&visitor.caller, id).await?;
    Ok(json_of(&json!(shown)))
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

fn json_of(value: &serde_json::Value) -> Response {
    let mut response = Response::new(value.to_string().into());
    *response.status_mut() = StatusCode::OK;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    // It may hold signed addresses.
    headers.insert(http::header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    response
}

fn json_answer(value: &serde_json::Value) -> Result<Response, Declined> {
    Ok(changed(json_of(value)))
}
