//! Files.

use futures_util::FutureExt as _;
use http::Method;
use scheduler_core::app::MediaPage;
use scheduler_core::key::Scope;
use scheduler_core::media::{MediaInput, MediaView, UploadLinkInput, UploadLinkView};
use serde_json::{Value, json};

use super::{items, picked};
use crate::api::Call;
use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::schema::{Shape, number, text};
use crate::tool::{Definition, Hints, Outcome};
use crate::work::{Work, path};

/// Files in a page, at most. Source: our decision; a model reads them all.
const PAGE: i64 = 50;

pub(crate) static LIST_MEDIA: Definition = Definition {
    name: "list_media",
    title: "List files",
    description: "Files, newest first, with alternative texts and how many posts use each.",
    hints: Hints::READS,
    scopes: &[Scope::MediaRead],
    is_repeatable: false,
    input: || {
        Shape::default()
            .with("q", text())
            .with("kind", text())
            .with("limit", number())
            .with("cursor", text())
    },
    output: || {
        let file = Shape::default().written::<MediaView>(&["id", "kind", "status"]);
        Shape::default().needs("files", file.list()).written::<MediaPage>(&["nextCursor"])
    },
    run: |work, arguments| list_media(work, arguments).boxed(),
};

async fn list_media(work: &Work<'_>, mut arguments: Arguments) -> Result<Outcome, Failure> {
    let limit = arguments.number("limit")?.unwrap_or(20).clamp(1, PAGE);
    let call = Call::new(Method::GET, "/v1/media")
        .query("limit", Some(limit.to_string()))
        .query("q", arguments.text("q")?)
        .query("kind", arguments.text("kind")?)
        .query("before", arguments.text("cursor")?);
    arguments.finish()?;
    let page = work.ask(call).await?;
    let files: Vec<Value> = items(&page, "data").iter().map(file).collect();
    Ok(Outcome::Done(json!({"files": files, "nextCursor": page["nextCursor"]})))
}

/// A file without its links, which are secret and short-lived.
fn file(media: &Value) -> Value {
    let names = [
        "id",
        "kind",
        "status",
        "mimeType",
        "name",
        "fileName",
        "altText",
        "labels",
        "width",
        "height",
        "durationSeconds",
        "postCount",
        "error",
    ];
    Value::Object(picked(media, &names))
}

pub(crate) static ADD_MEDIA_FROM_URL: Definition = Definition {
    name: "add_media_from_url",
    title: "Add a file from an address",
    description: "Has the server fetch a picture, video or document from a public https address. It can be used once its status in list_media is ready.",
    hints: Hints::FETCHES,
    scopes: &[Scope::MediaRead, Scope::MediaWrite],
    is_repeatable: true,
    input: || {
        Shape::default().needs("url", text()).read::<MediaInput>(&["kind"]).with("altText", text())
    },
    output: || Shape::default().written::<MediaView>(&["id", "kind", "status"]),
    run: |work, arguments| add_media(work, arguments).boxed(),
};

async fn add_media(work: &Work<'_>, mut arguments: Arguments) -> Result<Outcome, Failure> {
    let url = arguments.needed("url")?;
    let kind = arguments.text("kind")?.unwrap_or_else(|| "image".to_owned());
    let alt_text = arguments.text("altText")?;
    arguments.finish()?;
    let body = json!({"kind": kind, "sourceUrl": url});
    let call = Call::new(Method::POST, "/v1/media").with_body(body).under_key(&work.key);
    let mut media = work.ask(call).await?["media"].take();
    if let Some(alt_text) = alt_text {
        let id = media["id"].as_str().unwrap_or_default();
        let call = Call::new(Method::PATCH, path(&["v1", "media", id])?);
        media = work.ask(call.with_body(json!({ "altText": alt_text }))).await?;
    }
    Ok(Outcome::Done(file(&media)))
}

pub(crate) static MAKE_UPLOAD_LINK: Definition = Definition {
    name: "make_upload_link",
    title: "Ask for files",
    description: "A link, for half an hour and one use, under which the person gives files you cannot read. They are the newest in list_media then.",
    hints: Hints { repeats: false, ..Hints::ADDS },
    scopes: &[Scope::MediaRead, Scope::MediaWrite],
    is_repeatable: true,
    input: || Shape::default().read::<UploadLinkInput>(&["note", "files"]),
    output: || Shape::default().written::<UploadLinkView>(&["url"]),
    run: |work, arguments| make_link(work, arguments).boxed(),
};

async fn make_link(work: &Work<'_>, mut arguments: Arguments) -> Result<Outcome, Failure> {
    let note = arguments.text("note")?;
    let files = arguments.number("files")?;
    arguments.finish()?;
    let mut body = json!({});
    if let Some(note) = note {
        body["note"] = json!(note);
    }
    if let Some(files) = files {
        body["files"] = json!(files);
    }
    let call = Call::new(Method::POST, "/app/v1/media/links").with_body(body);
    Ok(Outcome::Done(work.ask(call).await?))
}
