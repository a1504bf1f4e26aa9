//! The files that posts and their targets name.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use serde_json::{Map, Value};

use super::file_deleted;
use crate::app::Scheduler;
use crate::error::{AppError, Refusal, Resource};
use crate::ids::{MediaId, WorkspaceId};
use crate::media::{Media, MediaFacts, MediaStatus};
use crate::platform::{FileDetails, Platform, THREAD, ThreadPart};
use crate::post::{Post, TargetInput};
use crate::rules::{DraftFiles, DraftTarget};
use crate::target::{Target, TargetFiles, thumbnail_of};

/// Where a file is named.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FileField {
    /// In `mediaIds` of a post, at this index.
    Post(usize),
    /// In `mediaIds` of the target at the first index, at the second one.
    Target(usize, usize),
    /// As the thumbnail of the target at this index, by this option.
    Thumbnail(usize, &'static str),
    /// In the thread of the target at the first index: in which part, and which file of it.
    Part(usize, usize, usize),
}

impl FileField {
    /// The field that names it, or the list in which it is named.
    pub(crate) fn field(self) -> String {
        match self {
            Self::Post(_) => "mediaIds".to_owned(),
            Self::Target(target, _) => format!("targets[{target}].mediaIds"),
            Self::Thumbnail(target, option) => format!("targets[{target}].options.{option}"),
            Self::Part(target, part, _) => {
                format!("targets[{target}].options.{}[{part}].mediaIds", THREAD.key)
            }
        }
    }
}

impl fmt::Display for FileField {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.field())?;
        match self {
            Self::Post(file) | Self::Target(_, file) | Self::Part(_, _, file) => {
                write!(f, "[{file}]")
            }
            Self::Thumbnail(..) => Ok(()),
        }
    }
}

/// The files of a post's own list.
pub(crate) fn of_post(ids: &[MediaId]) -> impl Iterator<Item = (FileField, MediaId)> + '_ {
    ids.iter().enumerate().map(|(index, id)| (FileField::Post(index), *id))
}

fn own(index: usize, ids: Option<&Vec<MediaId>>) -> impl Iterator<Item = (FileField, MediaId)> {
    let ids = ids.into_iter().flatten().enumerate();
    ids.map(move |(file, id)| (FileField::Target(index, file), *id))
}

fn of_parts(
    index: usize,
    platform: Platform,
    options: &Map<String, Value>,
) -> impl Iterator<Item = (FileField, MediaId)> + use<> {
    ThreadPart::all(platform, options).into_iter().enumerate().flat_map(move |(part, files)| {
        let files = files.media_ids.into_iter().enumerate();
        files.map(move |(file, id)| (FileField::Part(index, part, file), id))
    })
}

fn thumbnail(
    index: usize,
    platform: Platform,
    options: &Map<String, Value>,
) -> Option<(FileField, MediaId)> {
    let (option, id) = thumbnail_of(platform, options)?;
    Some((FileField::Thumbnail(index, option), id))
}

/// The files that targets have of their own and in their threads, as a caller sends them.
pub(crate) fn of_own(targets: &[TargetInput]) -> impl Iterator<Item = (FileField, MediaId)> {
    targets.iter().enumerate().flat_map(|(index, target)| {
        let options = target.options.iter();
        let parts = options.flat_map(move |options| of_parts(index, target.platform, options));
        own(index, target.media_ids.value()).chain(parts)
    })
}

/// The same, and the thumbnails.
pub(crate) fn of_inputs(targets: &[TargetInput]) -> impl Iterator<Item = (FileField, MediaId)> {
    let thumbnails = targets
        .iter()
        .enumerate()
        .filter_map(|(index, target)| thumbnail(index, target.platform, target.options.as_ref()?));
    of_own(targets).chain(thumbnails)
}

/// The files that targets name themselves: their own, those of their threads, and their
/// thumbnails.
pub(crate) fn of_targets<'a>(
    targets: impl IntoIterator<Item = &'a Target>,
) -> impl Iterator<Item = (FileField, MediaId)> {
    targets.into_iter().enumerate().flat_map(|(index, target)| {
        let thumbnail = thumbnail(index, target.platform, &target.options);
        let parts = of_parts(index, target.platform, &target.options);
        own(index, target.files.media_ids.as_ref()).chain(parts).chain(thumbnail)
    })
}

/// The files that a post and its targets name, as the workspace has them.
#[derive(Clone, Debug, Default)]
pub(crate) struct NamedFiles(BTreeMap<MediaId, Media>);

impl NamedFiles {
    /// One of them.
    pub(super) fn get(&self, id: MediaId) -> Option<&Media> {
        self.0.get(&id)
    }

    /// The named files, in their order.
    pub(crate) fn of<'a>(&'a self, ids: &'a [MediaId]) -> impl Iterator<Item = &'a Media> {
        ids.iter().filter_map(|id| self.get(*id))
    }

    /// What the rules want to know of files, in their order.
    pub(crate) fn facts(&self, ids: &[MediaId]) -> Vec<MediaFacts> {
        self.of(ids).map(Media::facts).collect()
    }

    /// The thumbnail of a target.
    pub(crate) fn thumbnail(
        &self,
        platform: Platform,
        options: Option<&Map<String, Value>>,
    ) -> Option<&Media> {
        self.get(thumbnail_of(platform, options?)?.1)
    }

    /// All of them.
    pub(crate) fn all(&self) -> impl Iterator<Item = &Media> {
        self.0.values()
    }

    /// The same as if all were ready to be sent, as a network has them that got them.
    pub(crate) fn taken_as_ready(mut self) -> Self {
        for file in self.0.values_mut() {
            file.status = MediaStatus::Ready;
        }
        self
    }
}

/// Refuses to send a post whose file was deleted.
///
/// # Errors
/// `media_unusable`.
pub(crate) fn refuse_deleted<'a>(
    media: impl IntoIterator<Item = &'a Media>,
) -> Result<(), Refusal> {
    if media.into_iter().any(|file| file.status == MediaStatus::Deleted) {
        return Err(file_deleted());
    }
    Ok(())
}

/// The files that a target names itself, as the rules read them.
#[derive(Debug)]
pub(crate) struct TargetFacts {
    thumbnail: Option<MediaFacts>,
    own: Option<OwnFiles>,
    parts: Vec<OwnFiles>,
}

impl TargetFacts {
    /// Those of a target with these options, of a post with these files and alternative texts.
    pub(crate) fn new(
        platform: Platform,
        options: Option<&Map<String, Value>>,
        files: &TargetFiles,
        of_post: (&[MediaId], &[Option<String>]),
        known: &NamedFiles,
    ) -> Self {
        let parts = options.map(|options| ThreadPart::all(platform, options)).unwrap_or_default();
        let words =
            |text: &Option<String>| FileDetails { alt_text: text.clone(), ..Default::default() };
        let parts = parts.into_iter().map(|part| OwnFiles {
            media: Some(known.facts(&part.media_ids)),
            details: part.alt_texts.iter().map(words).collect(),
            alt_texts: part.alt_texts,
        });
        Self {
            thumbnail: known.thumbnail(platform, options).map(Media::facts),
            own: OwnFiles::new(files, of_post, known),
            parts: parts.collect(),
        }
    }

    /// The files of the later parts of its thread.
    pub(crate) fn parts(&self) -> Vec<DraftFiles<'_>> {
        self.parts.iter().map(OwnFiles::draft).collect()
    }

    /// A target with them; `parts` are those of [`Self::parts`].
    pub(crate) fn add_to<'a>(
        &'a self,
        target: DraftTarget<'a>,
        parts: &'a [DraftFiles<'a>],
    ) -> DraftTarget<'a> {
        target
            .with_thumbnail(self.thumbnail.as_ref())
            .with_files(self.own.as_ref().map(OwnFiles::draft))
            .with_parts(parts)
    }
}

/// Files as the rules read them, where they are not as the post has them.
#[derive(Debug)]
struct OwnFiles {
    media: Option<Vec<MediaFacts>>,
    alt_texts: Vec<Option<String>>,
    details: Vec<FileDetails>,
}

impl OwnFiles {
    /// Those of a target of a post with these files and alternative texts; `None` where they are as
    /// the post has them.
    fn new(
        files: &TargetFiles,
        of_post: (&[MediaId], &[Option<String>]),
        known: &NamedFiles,
    ) -> Option<Self> {
        if files.are_those_of_the_post() {
            return None;
        }
        let ids = files.media_ids.as_deref().unwrap_or(of_post.0);
        let alt_texts = ids.iter().map(|id| files.alt_text_of(*id, of_post).map(str::to_owned));
        // Files of a dry run that are not uploaded come after those that are, without ids.
        let without_ids = files.media_ids.is_none().then(|| of_post.1.iter().skip(ids.len()));
        let alt_texts = alt_texts.chain(without_ids.into_iter().flatten().cloned());
        Some(Self {
            media: files.media_ids.as_ref().map(|ids| known.facts(ids)),
            alt_texts: alt_texts.collect(),
            details: ids.iter().map(|id| files.details_of(*id)).collect(),
        })
    }

    /// As the rules take them.
    fn draft(&self) -> DraftFiles<'_> {
        DraftFiles {
            media: self.media.as_deref(),
            alt_texts: &self.alt_texts,
            details: &self.details,
        }
    }
}

impl Scheduler {
    /// The named files.
    ///
    /// # Errors
    /// `not_found` naming the first that the workspace does not have.
    pub(crate) async fn named_files(
        &self,
        workspace: WorkspaceId,
        named: impl Iterator<Item = (FileField, MediaId)>,
    ) -> Result<NamedFiles, AppError> {
        let named: Vec<(FileField, MediaId)> = named.collect();
        let ids: BTreeSet<MediaId> = named.iter().map(|(_, id)| *id).collect();
        if ids.is_empty() {
            return Ok(NamedFiles::default());
        }
        let ids: Vec<MediaId> = ids.into_iter().collect();
        let found = self.store().media(workspace, &ids).await?;
        let found: BTreeMap<_, _> = found.into_iter().map(|file| (file.id, file)).collect();
        match named.iter().find(|(_, id)| !found.contains_key(id)) {
            Some((field, _)) => {
                Err(Refusal::not_found(Resource::File).at(field.to_string()).into())
            }
            None => Ok(NamedFiles(found)),
        }
    }

    /// The files that a post and its targets name.
    ///
    /// # Errors
    /// Those of [`Self::named_files`].
    pub(crate) async fn files_of(&self, post: &Post) -> Result<NamedFiles, AppError> {
        let named = of_post(&post.media_ids).chain(of_targets(&post.targets));
        self.named_files(post.workspace_id, named).await
    }
}
