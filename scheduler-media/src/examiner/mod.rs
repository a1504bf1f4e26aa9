//! Examining stored files: measured, previewed, and made to fit networks.
//!
//! Headers are read by ranges. A picture is read whole, which is bounded, and decoded on a thread
//! of its own within a budget of memory that all examinations share. A video is looked at by
//! `ffprobe` and `ffmpeg` where they are installed, each within bounds of time and memory; another
//! that is made of it is made in the background.

mod derive;
mod film;
mod ranged;
mod shared;
mod still;
mod video;

use std::io::{Read, Seek, SeekFrom};
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use scheduler_core::media::{Decoding, Edit, FileFolder, FileKey, MediaKind, Recipe};
use scheduler_core::ports::{Derived, ExamineError, Examined, Examiner, Files, FilesError};
use tokio::runtime::Handle;

use crate::image::jpeg::coefficient_bytes_a_pixel;
use crate::picture::{self, PictureError};
use crate::source::Source;
use crate::tools::{Tools, is_heif};
use crate::{MeasureError, Measured, measure};
use film::Films;
use ranged::RangedReader;
use shared::{Part, Shared};

/// How much examining may take.
#[derive(Clone, Debug)]
pub struct ExaminerSettings {
    /// Pictures that are made to fit networks at the same time, of which one workspace has at most
    /// half; at least 1. How many files are examined at once is for the caller to say.
    pub fitted_at_once: u64,
    /// Memory that all pictures share, in bytes.
    pub memory: u64,
    /// How much of it the pictures of one workspace take at most, in bytes; a picture that needs
    /// more is refused.
    pub memory_of_workspace: u64,
    /// Largest picture that is read into memory, in bytes; larger ones are measured only.
    pub picture_bytes_max: u64,
    /// Largest video that is copied to this machine for `ffmpeg`, in bytes, where the file store
    /// is elsewhere; larger ones are measured only.
    pub copied_bytes_max: u64,
    /// How long reading the headers of one file may take.
    pub measure_time_limit: Duration,
}

impl Default for ExaminerSettings {
    /// Four fitted at once, 768 MiB for pixels and 512 of them for one workspace, pictures to 64
    /// MiB, copies to 1 GiB, a minute for headers.
    fn default() -> Self {
        Self {
            fitted_at_once: 4,
            memory: 768 * MIB,
            memory_of_workspace: 512 * MIB,
            picture_bytes_max: 64 * MIB,
            copied_bytes_max: 1024 * MIB,
            measure_time_limit: Duration::from_secs(60),
        }
    }
}

/// A picture in memory, and the right to decode it.
struct Whole {
    file: Bytes,
    /// What decoding may take, in bytes.
    pixel_bytes: u64,
    /// Held for as long as the pixels are.
    _memory: Part,
}

/// Examines the files of a file store.
#[derive(Clone)]
pub struct MediaExaminer {
    files: Arc<dyn Files>,
    tools: Tools,
    settings: ExaminerSettings,
    /// Of those whose pictures are made to fit.
    turns: Shared,
    /// In bytes.
    memory: Shared,
    films: Films,
}

const MIB: u64 = 1024 * 1024;

/// Memory of a decoder beside its pixels.
const DECODER_BYTES: u64 = 16 * MIB;

impl MediaExaminer {
    /// An examiner of the files in `files`.
    #[must_use]
    pub fn new(files: Arc<dyn Files>, mut tools: Tools, settings: ExaminerSettings) -> Self {
        // A picture of a video is of use only where it becomes a preview.
        tools.ffmpeg = tools.ffmpeg.filter(|_| picture::format("image/png").is_some());
        let at_once = settings.fitted_at_once.max(1);
        let turns = Shared::new(at_once, at_once.div_ceil(2));
        let memory = Shared::new(settings.memory, settings.memory_of_workspace);
        Self { files, tools, settings, turns, memory, films: Films::new() }
    }

    /// Waits until so much memory is free for a file.
    ///
    /// # Errors
    /// [`ExamineError::Unusable`] when there is never so much.
    async fn memory(&self, key: &FileKey, bytes: u64) -> Result<Part, ExamineError> {
        let allowed = self.memory.share();
        if bytes > allowed {
            return Err(unusable(&PictureError::TooLarge { needed: bytes, allowed }));
        }
        self.memory.part(key.workspace(), bytes).await.ok_or_else(stopped)
    }

    async fn size(&self, key: &FileKey) -> Result<u64, ExamineError> {
        Ok(self.files.size(key).await?.ok_or(FilesError::Missing)?)
    }

    /// Measures a file, and tells how many bytes a pixel of it takes when it is decoded.
    async fn measured(&self, key: &FileKey) -> Result<(Measured, u64), ExamineError> {
        let length = self.size(key).await?;
        let mut reader = RangedReader::new(
            Arc::clone(&self.files),
            key.clone(),
            length,
            Handle::current(),
            self.settings.measure_time_limit,
        );
        blocking(move || {
            let measured = measure(&mut reader, length).map_err(unmeasured)?;
            let bytes_a_pixel = bytes_a_pixel(&measured, &mut reader).map_err(unmeasured)?;
            Ok((measured, bytes_a_pixel))
        })
        .await
    }

    /// Reads a picture whole, with the memory that decoding it takes; `None` for one that is not
    /// decoded here.
    async fn picture(
        &self,
        key: &FileKey,
        measured: &Measured,
        bytes_a_pixel: u64,
    ) -> Result<Option<Whole>, ExamineError> {
        let size_bytes = measured.size_bytes;
        let is_decoded = picture::format(measured.mime_type).is_some();
        let (Some(width), Some(height)) = (measured.width, measured.height) else {
            return Ok(None);
        };
        let pixels = u64::from(width).saturating_mul(height.into());
        // A decoder of JPEGs works on a copy of the file, and takes the profile out of it.
        let copied = if measured.mime_type == "image/jpeg" { 2 * size_bytes } else { 0 };
        let pixel_bytes = pixels.saturating_mul(bytes_a_pixel).saturating_add(DECODER_BYTES);
        if !is_decoded || size_bytes > self.settings.picture_bytes_max {
            return Ok(None);
        }
        let needed = (size_bytes + copied).saturating_add(pixel_bytes);
        let memory = self.memory(key, needed).await?;
        let capacity = usize::try_from(size_bytes).unwrap_or(usize::MAX);
        let mut file = Vec::with_capacity(capacity);
        let mut stream = self.files.read(key, None).await?;
        while let Some(piece) = stream.next().await {
            let piece = piece?;
            if file.len() + piece.len() > capacity {
                let reason = "it holds more bytes than it said".to_owned();
                return Err(ExamineError::Files(FilesError::Unavailable(reason)));
            }
            file.extend_from_slice(&piece);
        }
        Ok(Some(Whole { file: file.into(), pixel_bytes, _memory: memory }))
    }
}

#[async_trait]
impl Examiner for MediaExaminer {
    async fn examine(&self, key: &FileKey) -> Result<Examined, ExamineError> {
        let (measured, bytes_a_pixel) = self.measured(key).await?;
        let facts = measured.facts();
        match measured.kind {
            MediaKind::Image => {}
            MediaKind::Video => return self.video(key, measured).await,
            MediaKind::Document => return Ok(Examined { facts, preview: None }),
        }
        if is_heif(measured.mime_type) {
            return self.heif(key, &measured).await;
        }
        let Some(whole) = self.picture(key, &measured, bytes_a_pixel).await? else {
            return Ok(Examined { facts, preview: None });
        };
        let preview = blocking(move || {
            match picture::preview(&whole.file, measured.mime_type, whole.pixel_bytes) {
                Ok(preview) => Ok(Some(preview.into())),
                // Some of what the type allows, such as colours that are rare.
                Err(PictureError::Unsupported | PictureError::NotBuilt) => Ok(None),
                Err(error) => Err(unusable(&error)),
            }
        })
        .await?;
        Ok(Examined { facts, preview })
    }

    async fn derive(&self, folder: &FileFolder, recipe: &Recipe) -> Result<Derived, ExamineError> {
        match recipe.is_of_videos() {
            true => self.derived_film(folder, recipe).await,
            false => self.derived(folder, recipe).await,
        }
    }

    async fn edit(&self, from: &FileKey, to: &FileKey, edit: &Edit) -> Result<u64, ExamineError> {
        self.edited(from, to, edit).await
    }

    fn decoding(&self) -> Decoding {
        Decoding {
            pictures: picture::format("image/png").is_some(),
            heif: self.reads_heif(),
            films: self.tools.ffmpeg.is_some(),
        }
    }
}

/// Runs what computes or blocks where that keeps nobody waiting.
async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, ExamineError> + Send + 'static,
) -> Result<T, ExamineError> {
    match tokio::task::spawn_blocking(work).await {
        Ok(result) => result,
        // A decoder that panics has met a file that it was not written for.
        Err(error) if error.is_panic() => Err(ExamineError::Unusable(
            "The file is damaged: the program that reads it gave up.".to_owned(),
        )),
        Err(_) => Err(stopped()),
    }
}

fn stopped() -> ExamineError {
    ExamineError::Temporary("The server is stopping.".to_owned())
}

fn unusable(error: &PictureError) -> ExamineError {
    ExamineError::Unusable(format!("The file {error}."))
}

fn unmeasured(error: MeasureError) -> ExamineError {
    match error {
        MeasureError::Unreadable(error) => match error.downcast::<FilesError>() {
            Ok(error) => ExamineError::Files(error),
            Err(error) => ExamineError::Temporary(format!("The file cannot be read: {error}.")),
        },
        MeasureError::Empty
        | MeasureError::NotMedia(_)
        | MeasureError::CutOff
        | MeasureError::Damaged(_)
        | MeasureError::Endless => ExamineError::Unusable(format!("The file {error}.")),
    }
}

/// Bytes that a pixel takes at most when it is decoded and copied once.
fn bytes_a_pixel(measured: &Measured, reader: &mut RangedReader) -> Result<u64, MeasureError> {
    // Place of the depth in the first chunk. Source: https://www.w3.org/TR/png/#11IHDR.
    const PNG_DEPTH_AT: u64 = 24;
    match measured.mime_type {
        "image/png" => {
            let mut depth = [0];
            reader.seek(SeekFrom::Start(PNG_DEPTH_AT)).map_err(MeasureError::Unreadable)?;
            reader.read_exact(&mut depth).map_err(MeasureError::Unreadable)?;
            Ok(if depth == [16] { 8 } else { 4 })
        }
        "image/jpeg" => {
            let mut source = Source::new(reader, measured.size_bytes);
            Ok(4 + coefficient_bytes_a_pixel(&mut source)?)
        }
        // A picture that does not fill its place is decoded beside it.
        "image/tiff" | "image/gif" | "image/webp" => Ok(8),
        _ => Ok(4),
    }
}
