//! `scheduler media upload`

use std::path::PathBuf;

use clap::Args;
use scheduler_core::app::UploadInstructions;
use scheduler_core::media::{MediaKind, MediaStatus};
use serde_json::json;
use url::Url;

use crate::client::{Call, Client};
use crate::commands::Context;
use crate::config::ClientOptions;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::posting::LocalFile;
use crate::printer::harmless;
use crate::uploading::{Shown, UploadOptions, Uploader, declare, settled, unless_stopped};

/// What the help shows last.
pub(super) const EXAMPLES: &str = "\
Examples:
  scheduler media upload clip.mp4 cover.png
  scheduler media upload clip.mp4 --json | jq -r .id
  scheduler media upload --source-url https://example.com/clip.mp4";

/// Files to upload.
#[derive(Args, Debug)]
pub(crate) struct UploadArguments {
    /// Pictures and videos of this machine
    #[arg(value_name = "FILE", required_unless_present = "source_url")]
    files: Vec<PathBuf>,
    /// A public https address from which the server fetches a file itself
    #[arg(long, value_name = "URL", conflicts_with_all = ["files", "parallel", "state"])]
    source_url: Option<Url>,
    /// What is at that address [default: told from the end of its path]
    #[arg(long, requires = "source_url", value_parser = ["image", "video"])]
    kind: Option<String>,
    /// Do not wait until the files can be used
    #[arg(long)]
    no_wait: bool,
    #[command(flatten)]
    upload: UploadOptions,
    #[command(flatten)]
    client: ClientOptions,
}

/// Uploads files, or has one fetched.
///
/// # Errors
/// [`Failure`] by variant.
pub(super) async fn run(context: &Context, arguments: UploadArguments) -> Result<Exit, Failure> {
    let UploadArguments { files, source_url, kind, no_wait, upload, client } = arguments;
    if let Some(url) = source_url {
        let kind = match kind.as_deref() {
            Some("video") => MediaKind::Video,
            Some(_) => MediaKind::Image,
            None => kind_of(&url)?,
        };
        let client = context.client(client)?;
        return fetch(context, &client, &url, kind, no_wait).await;
    }
    let files: Vec<LocalFile> =
        files.iter().map(|path| LocalFile::measure(path, "")).collect::<Result<_, _>>()?;
    let client = context.client(client)?;
    let uploader = Uploader::new(context, &client, upload)?;
    unless_stopped(async {
        let mut exit = Exit::Done;
        for file in files {
            let uploaded = uploader.upload(&file).await?;
            let mut shown = uploaded.shown.clone();
            if !no_wait {
                shown = settled(&client, shown.media.id, &file.name()).await?;
            }
            uploaded.forget();
            if !report(context, &shown, &file.name())? {
                exit = Exit::Failed;
            }
        }
        Ok(exit)
    })
    .await
}

async fn fetch(
    context: &Context,
    client: &Client,
    url: &Url,
    kind: MediaKind,
    no_wait: bool,
) -> Result<Exit, Failure> {
    let mut body = json!({"kind": kind, "sourceUrl": url});
    let name = url.path_segments().and_then(|mut segments| segments.next_back());
    if let Some(name) = name.filter(|name| !name.is_empty()) {
        body["fileName"] = json!(name.chars().take(255).collect::<String>());
    }
    let answer = declare(client, &body, context.printer).await?;
    let declared: UploadInstructions = answer.read()?;
    let id = declared.media.id;
    let name = declared.media.file_name.clone().unwrap_or_else(|| id.to_string());
    let shown = if no_wait {
        let path = format!("/media/{id}");
        let answer = client.send(Call::get(&path)).await?;
        Shown { media: answer.read()?, document: answer.body }
    } else {
        settled(client, id, &name).await?
    };
    Ok(if report(context, &shown, &name)? { Exit::Done } else { Exit::Failed })
}

/// Prints what became of a file; false when it cannot be used.
fn report(context: &Context, shown: &Shown, name: &str) -> Result<bool, Failure> {
    let media = &shown.media;
    let line = format!("{}  {}  {}", media.id, media.status.as_str(), harmless(name));
    context.print(&shown.document, &line)?;
    let is_lost = matches!(media.status, MediaStatus::Failed | MediaStatus::Deleted);
    if is_lost {
        let reason = media.error.as_deref().unwrap_or("it was deleted meanwhile");
        context.printer.error(&format!("{name}: {reason}"));
    }
    Ok(!is_lost)
}

/// What the end of a path speaks of. The server finds out for itself what it is.
///
/// # Errors
/// [`Failure::Usage`] when it speaks of neither.
pub(crate) fn kind_of(url: &Url) -> Result<MediaKind, Failure> {
    let ending = url.path().rsplit_once('.').map(|(_, ending)| ending.to_ascii_lowercase());
    match ending.as_deref() {
        Some(
            "jpg" | "jpeg" | "png" | "gif" | "webp" | "bmp" | "tif" | "tiff" | "heic" | "avif",
        ) => Ok(MediaKind::Image),
        Some("mp4" | "m4v" | "mov" | "webm" | "mkv" | "avi" | "mpg" | "mpeg" | "3gp") => {
            Ok(MediaKind::Video)
        }
        Some(_) | None => {
            Err(Failure::Usage("say what is at the address: --kind image or --kind video".into()))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_of_addresses() {
        for (text, want) in [
            ("https://a.example/a/clip.mp4", Some(MediaKind::Video)),
            ("https://a.example/PHOTO.JPG?size=large", Some(MediaKind::Image)),
            ("https://a.example/photo", None),
            ("https://a.example/?name=a.png", None),
        ] {
            assert_eq!(kind_of(&Url::parse(text).unwrap()).ok(), want, "{text}");
        }
    }
}
