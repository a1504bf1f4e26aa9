//! Videos: what their headers leave open, and a preview.

use std::path::{Path, PathBuf};

use scheduler_core::media::FileKey;
use scheduler_core::ports::{ExamineError, Examined, FilesError};
use tempfile::NamedTempFile;
use tokio::io::AsyncWriteExt;

use super::{MIB, MediaExaminer, blocking};
use crate::Measured;
use crate::picture;
use crate::tools::{Probed, RunError};

/// Memory that a picture of a video takes while it becomes a preview.
const FRAME_MEMORY: u64 = 8 * MIB;

/// A file on this machine; a copy vanishes with this.
pub(super) enum Local {
    Own(PathBuf),
    Copy(NamedTempFile),
}

impl Local {
    pub(super) fn path(&self) -> &Path {
        match self {
            Self::Own(path) => path,
            Self::Copy(file) => file.path(),
        }
    }
}

impl MediaExaminer {
    pub(super) async fn video(
        &self,
        key: &FileKey,
        mut measured: Measured,
    ) -> Result<Examined, ExamineError> {
        let is_known = is_known(&measured);
        let is_probed = !is_known && self.tools.ffprobe.is_some();
        let local = match is_probed || self.tools.ffmpeg.is_some() {
            true => self.local(key, measured.size_bytes).await?,
            false => None,
        };
        let Some(local) = local else {
            return Ok(Examined { facts: measured.facts(), preview: None });
        };
        if is_probed {
            match self.tools.probe(local.path(), measured.mime_type).await {
                Ok(probed) => fill(&mut measured, probed.unwrap_or_default()),
                // Headers that could be read here speak for themselves; else nothing does.
                Err(RunError::Failed | RunError::TooSlow | RunError::TooMuch)
                    if measured.width.is_none() =>
                {
                    let reason = "The file is damaged: no video can be read from it.";
                    return Err(ExamineError::Unusable(reason.to_owned()));
                }
                Err(
                    RunError::Failed
                    | RunError::TooSlow
                    | RunError::TooMuch
                    | RunError::Crashed
                    | RunError::NotRun(_),
                ) => {}
            }
        }
        let facts = measured.facts();
        let frame = self.tools.frame(local.path(), measured.mime_type, measured.duration_seconds);
        // Not every codec is built in everywhere; a video without a preview is as good.
        let Ok(Some(frame)) = frame.await else { return Ok(Examined { facts, preview: None }) };
        let memory = self.memory(key, FRAME_MEMORY).await?;
        let preview = blocking(move || {
            let _memory = memory;
            Ok(picture::preview(&frame, "image/png", FRAME_MEMORY).ok())
        })
        .await?;
        Ok(Examined { facts, preview: preview.map(Into::into) })
    }

    /// The file on this machine, copied where it is not here; `None` for one too large to copy.
    pub(super) async fn local(
        &self,
        key: &FileKey,
        size_bytes: u64,
    ) -> Result<Option<Local>, ExamineError> {
        if let Some(path) = self.files.local_path(key) {
            return Ok(Some(Local::Own(path)));
        }
        if size_bytes > self.settings.copied_bytes_max {
            return Ok(None);
        }
        let full = |error: std::io::Error| {
            ExamineError::Temporary(format!("No copy of the file can be made: {error}."))
        };
        let copy = blocking(move || NamedTempFile::new().map_err(full)).await?;
        let mut file = tokio::fs::File::from_std(copy.reopen().map_err(full)?);
        let mut stream = self.files.read(key, None).await?;
        let mut left = size_bytes;
        while let Some(piece) = stream.next().await {
            let piece = piece?;
            left = left.checked_sub(piece.len() as u64).ok_or_else(|| {
                FilesError::Unavailable("it holds more bytes than it said".to_owned())
            })?;
            file.write_all(&piece).await.map_err(full)?;
        }
        file.flush().await.map_err(full)?;
        Ok(Some(Local::Copy(copy)))
    }
}

/// Whether nothing is left to ask.
const fn is_known(measured: &Measured) -> bool {
    measured.width.is_some()
        && measured.height.is_some()
        && measured.duration_seconds.is_some()
        && measured.fps.is_some()
        && measured.video_codec.is_some()
}

pub(super) fn fill(measured: &mut Measured, probed: Probed) {
    measured.duration_seconds = measured.duration_seconds.or(probed.duration_seconds);
    measured.fps = measured.fps.or(probed.fps);
    measured.video_codec = measured.video_codec.or(probed.codec);
    if measured.width.is_none() || measured.height.is_none() {
        (measured.width, measured.height) = (probed.width, probed.height);
    }
}
