//! Files of the demo on their way: uploaded, and looked for at the sandbox.

use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;
use scheduler_core::ids::MediaId;
use scheduler_core::media::MediaStatus;
use scheduler_core::post::TargetView;
use serde::{Deserialize, Serialize};
use url::Url;

use crate::client::{Client, Route, build, unreachable};
use crate::failure::Failure;
use crate::posting::{LocalFile, size};
use crate::printer::Printer;
use crate::uploading::{Uploader, settled};

const TIMEOUT: Duration = Duration::from_secs(10);

/// A file that a network of the sandbox has got.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(super) struct Got {
    #[serde(rename = "type")]
    media_type: String,
    bytes: u64,
}

/// A post as the sandbox tells it.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct SandboxPost {
    platform: String,
    remote_id: String,
    media: Vec<Got>,
}

/// Puts a file into a folder, uploads it, and waits until it is ready.
///
/// # Errors
/// When the folder cannot be written; those of an upload.
pub(super) async fn upload(
    printer: Printer,
    client: &Client,
    folder: &Path,
    name: &str,
    bytes: &[u8],
) -> Result<MediaId, Failure> {
    let path = folder.join(name);
    std::fs::write(&path, bytes).with_context(|| format!("cannot write {name}"))?;
    let file = LocalFile::measure(&path, "")?;
    let uploader = Uploader::within(printer, client, Some(folder.join("state")), 1)?;
    let uploaded = uploader.upload(&file).await?;
    let media = settled(client, uploaded.file.media.id, &file.name()).await?.media;
    uploaded.forget();
    if media.status != MediaStatus::Ready {
        let reason = media.error.unwrap_or_else(|| media.status.as_str().to_owned());
        return Err(anyhow::anyhow!("{name} cannot be used: {reason}").into());
    }
    let sides = format!("{}×{}", media.width.unwrap_or(0), media.height.unwrap_or(0));
    let bytes = size(file.measured.size_bytes);
    printer.message(&format!("{name} {} ({sides}, {bytes})", media.id));
    Ok(media.id)
}

/// What the sandbox holds.
///
/// # Errors
/// [`Failure::Unreachable`] when it does not answer.
pub(super) async fn sandbox_posts(sandbox: &Url) -> Result<Vec<SandboxPost>, Failure> {
    #[derive(Deserialize)]
    struct Posts {
        data: Vec<SandboxPost>,
    }
    let base = sandbox.as_str().trim_end_matches('/');
    let answer = build(TIMEOUT, Route::Direct)?.get(format!("{base}/_sandbox/posts")).send().await;
    let answer = answer.map_err(|error| unreachable(base, &error))?;
    let posts: Posts = answer.json().await.map_err(|error| unreachable(base, &error))?;
    Ok(posts.data)
}

/// What a target's network has got of its post: nothing when it has no such post.
pub(super) fn got_of<'a>(posts: &'a [SandboxPost], target: &TargetView) -> Option<&'a [Got]> {
    let id = target.remote_id.as_deref()?;
    let is_its =
        |post: &&SandboxPost| post.platform == target.platform.as_str() && post.remote_id == id;
    posts.iter().find(is_its).map(|post| post.media.as_slice())
}

impl Got {
    /// The file, for a person.
    pub(super) fn line(&self) -> String {
        format!("{}, {}", self.media_type, size(self.bytes))
    }
}
