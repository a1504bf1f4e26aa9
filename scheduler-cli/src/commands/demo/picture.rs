//! The picture of the demo: drawn, uploaded, and looked for at the sandbox.

use std::path::Path;
use std::time::Duration;

use anyhow::Context as _;
use image::{ImageFormat, Rgb, RgbImage};
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

/// What the picture shows.
pub(super) const ALT_TEXT: &str = "A low sun over a calm sea, drawn in bands of colour.";

const WIDTH: u32 = 1200;
const HEIGHT: u32 = 675;
/// Where the sea begins, in pixels from the top.
const HORIZON: u32 = 430;
/// The middle of the sun and its radius, in pixels.
const SUN: (u32, u32, u32) = (820, 360, 110);
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

/// Draws the picture into a folder, uploads it, and waits until it is ready.
///
/// # Errors
/// When the folder cannot be written; those of an upload.
pub(super) async fn upload(
    printer: Printer,
    client: &Client,
    folder: &Path,
) -> Result<MediaId, Failure> {
    let path = folder.join("demo.png");
    draw().save_with_format(&path, ImageFormat::Png).context("cannot draw the picture")?;
    let file = LocalFile::measure(&path, "")?;
    let uploader = Uploader::within(printer, client, Some(folder.join("state")), 1)?;
    let uploaded = uploader.upload(&file).await?;
    let media = settled(client, uploaded.shown.media.id, &file.name()).await?.media;
    uploaded.forget();
    if media.status != MediaStatus::Ready {
        let reason = media.error.unwrap_or_else(|| media.status.as_str().to_owned());
        return Err(anyhow::anyhow!("the picture cannot be used: {reason}").into());
    }
    let sides = format!("{}×{}", media.width.unwrap_or(0), media.height.unwrap_or(0));
    let bytes = size(file.measured.size_bytes);
    printer.message(&format!("picture {} ({sides}, {bytes})", media.id));
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

/// The file that a target's network has got with its post.
pub(super) fn file_of<'a>(posts: &'a [SandboxPost], target: &TargetView) -> Option<&'a Got> {
    let id = target.remote_id.as_deref()?;
    let is_its =
        |post: &&SandboxPost| post.platform == target.platform.as_str() && post.remote_id == id;
    posts.iter().find(is_its)?.media.first()
}

impl Got {
    /// The file, for a person.
    pub(super) fn line(&self) -> String {
        format!("{}, {}", self.media_type, size(self.bytes))
    }
}

/// A low sun over a calm sea.
fn draw() -> RgbImage {
    let (sun_x, sun_y, radius) = SUN;
    RgbImage::from_fn(WIDTH, HEIGHT, |x, y| {
        let distance = x.abs_diff(sun_x).pow(2) + y.abs_diff(sun_y).pow(2);
        let colour = if y < HORIZON && distance < radius.pow(2) {
            [255, 236, 170]
        } else if y < HORIZON {
            between([38, 44, 92], [250, 150, 90], y, HORIZON)
        } else if x.abs_diff(sun_x) < radius.saturating_sub((y - HORIZON) / 4) && y % 14 < 6 {
            [250, 190, 120]
        } else {
            between([96, 78, 120], [14, 22, 48], y - HORIZON, HEIGHT - HORIZON)
        };
        Rgb(colour)
    })
}

/// The colour `part` of `whole` on the way from one to another.
fn between(from: [u8; 3], to: [u8; 3], part: u32, whole: u32) -> [u8; 3] {
    let mix = |from: u8, to: u8| {
        let sum = u32::from(from) * (whole - part) + u32::from(to) * part;
        u8::try_from(sum / whole).unwrap_or(u8::MAX)
    };
    [mix(from[0], to[0]), mix(from[1], to[1]), mix(from[2], to[2])]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_lie_between_their_ends() {
        for (part, want) in [(0, [0, 200, 7]), (5, [50, 150, 7]), (10, [100, 100, 7])] {
            assert_eq!(between([0, 200, 7], [100, 100, 7], part, 10), want);
        }
        let picture = draw();
        assert_eq!(picture.get_pixel(SUN.0, SUN.1), &Rgb([255, 236, 170]));
        assert_eq!(picture.get_pixel(0, 0), &Rgb([38, 44, 92]));
    }
}
