//! The files of a post: how far each has come, and what they are in its record.

use chrono::{DateTime, Utc};
use scheduler_core::ids::MediaId;
use scheduler_core::media::MediaKind;
use scheduler_core::ports::{JobFile, NetworkError};
use scheduler_core::target::FailureCode;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::wire::{AspectRatio, Embed, EmbeddedImage, GalleryItem};
use crate::conversation::is_first_part;

/// Images beyond which they are a gallery.
///
/// Source: lexicons/app/bsky/embed/images.json, `images.maxLength`.
const IMAGES_MAX: usize = 4;

/// A file of a post.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct File {
    /// The part of the thread that shows it, counted from 0.
    #[serde(default, skip_serializing_if = "is_first_part")]
    pub(super) part: usize,
    pub(super) id: MediaId,
    pub(super) kind: MediaKind,
    alt: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    aspect_ratio: Option<AspectRatio>,
    /// It is the picture of the link's card.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub(super) is_of_card: bool,
    pub(super) state: FileState,
    /// How often its upload has begun anew.
    #[serde(default)]
    pub(super) repeats: u32,
}

/// How far a file has come.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", tag = "is")]
pub(super) enum FileState {
    /// It is still to be uploaded.
    Waiting,
    /// The video service converts it.
    #[serde(rename_all = "camelCase")]
    Converting {
        /// What the service calls the job.
        job_id: String,
        /// Since when.
        since: DateTime<Utc>,
    },
    /// It is there, and this is what records call it.
    Uploaded {
        /// The whole blob object, as the server answered it.
        blob: Value,
    },
}

impl File {
    /// A file before anything is done with it.
    pub(super) fn new((part, file): (usize, &JobFile)) -> Self {
        let shape = file.facts.width.zip(file.facts.height);
        let shape = shape.filter(|(width, height)| *width > 0 && *height > 0);
        Self {
            part,
            id: file.id,
            kind: file.facts.kind,
            alt: file.alt_text.clone().unwrap_or_default(),
            aspect_ratio: shape.map(|(width, height)| AspectRatio { width, height }),
            is_of_card: false,
            state: FileState::Waiting,
            repeats: 0,
        }
    }

    /// The picture of the link's card, which stands in the first post.
    pub(super) fn of_card(file: &JobFile) -> Self {
        Self { is_of_card: true, ..Self::new((0, file)) }
    }

    /// What records call it; `None` while it is still to be uploaded.
    pub(super) const fn blob(&self) -> Option<&Value> {
        match &self.state {
            FileState::Uploaded { blob } => Some(blob),
            FileState::Waiting | FileState::Converting { .. } => None,
        }
    }

    /// True when nothing is left to be done before it can be in a record.
    pub(super) const fn is_uploaded(&self) -> bool {
        self.blob().is_some()
    }
}

/// Checks that each post can hold its files together.
///
/// # Errors
/// [`NetworkErrorKind::Permanent`]
pub(super) fn check(files: &[File]) -> Result<(), NetworkError> {
    let is_crowded = |file: &File| {
        let others = files.iter().filter(|other| other.part == file.part);
        file.kind == MediaKind::Video && others.count() > 1
    };
    if files.iter().any(is_crowded) {
        let message = "Bluesky takes either images or one video.";
        return Err(NetworkError::permanent(message).with_code(FailureCode::ValidationFailed));
    }
    Ok(())
}

/// What files are in a record; `None` without files, or while one is still to be uploaded.
pub(super) fn embed(files: &[&File]) -> Option<Embed> {
    if let [file @ File { kind: MediaKind::Video, alt, aspect_ratio, .. }] = files {
        let (video, alt) = (file.blob()?.clone(), alt.clone());
        return Some(Embed::Video {
            video,
            alt,
            aspect_ratio: *aspect_ratio,
            captions: Vec::new(),
        });
    }
    let images = files.iter().map(|file| {
        let (image, alt) = (file.blob()?.clone(), file.alt.clone());
        Some(EmbeddedImage { image, alt, aspect_ratio: file.aspect_ratio })
    });
    let images: Vec<EmbeddedImage> = images.collect::<Option<_>>()?;
    match images.len() {
        0 => None,
        1..=IMAGES_MAX => Some(Embed::Images { images }),
        _ => Some(Embed::Gallery { items: images.into_iter().map(item).collect() }),
    }
}

/// An image of a gallery. One whose shape is not known is shown as a square.
fn item(EmbeddedImage { image, alt, aspect_ratio }: EmbeddedImage) -> GalleryItem {
    let aspect_ratio = aspect_ratio.unwrap_or(AspectRatio { width: 1, height: 1 });
    GalleryItem { image, alt, aspect_ratio }
}
