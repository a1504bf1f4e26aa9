//! Pictures that are read to make others of them; HEIC, HEIF and AVIF by `ffmpeg`.

use std::io::Cursor;

use scheduler_core::media::FileKey;
use scheduler_core::ports::{ExamineError, Examined};

use super::{DECODER_BYTES, MediaExaminer, Whole, blocking, unusable};
use crate::picture::{self, Format, PictureError, UNDECODED, format};
use crate::tools::{RunError, is_heif};
use crate::{Measured, measure};

/// Bytes a pixel of a PNG without transparency, and of decoding it.
const PNG_BYTES_A_PIXEL: u64 = 3;
const PNG_DECODED_BYTES_A_PIXEL: u64 = 4;

/// Bytes that a PNG has beside its pixels, at most: a sign a row, and what its parts begin with.
const PNG_BYTES_MORE: u64 = 1024 * 1024;

impl MediaExaminer {
    /// Whether HEIC, HEIF and AVIF can be read.
    pub(super) fn reads_heif(&self) -> bool {
        self.tools.ffmpeg.is_some()
    }

    /// Reads a picture whole, with the memory that decoding it takes and `more` bytes a pixel.
    ///
    /// # Errors
    /// [`ExamineError::Unusable`] for one that is not decoded here.
    pub(super) async fn read(
        &self,
        key: &FileKey,
        measured: &Measured,
        bytes_a_pixel: u64,
        more: u64,
    ) -> Result<(Whole, Format), ExamineError> {
        let read = if is_heif(measured.mime_type) {
            self.still(key, measured, more).await?.zip(format("image/png"))
        } else {
            let whole = self.picture(key, measured, bytes_a_pixel + more).await?;
            whole.zip(format(measured.mime_type))
        };
        read.ok_or_else(|| unusable(&UNDECODED))
    }

    /// What was measured of a HEIC, HEIF or AVIF, with a preview where it can be read.
    pub(super) async fn heif(
        &self,
        key: &FileKey,
        measured: &Measured,
    ) -> Result<Examined, ExamineError> {
        let facts = measured.facts();
        let whole = match self.still(key, measured, 0).await {
            Ok(whole) => whole,
            // The file is as good as it was; what is made of it later says why it cannot be.
            Err(ExamineError::Unusable(_)) => None,
            Err(error) => return Err(error),
        };
        let Some(whole) = whole else { return Ok(Examined { facts, preview: None }) };
        let preview =
            blocking(
                move || Ok(picture::preview(&whole.file, "image/png", whole.pixel_bytes).ok()),
            );
        Ok(Examined { facts, preview: preview.await?.map(Into::into) })
    }

    /// The picture as a PNG; `None` without `ffmpeg`.
    async fn still(
        &self,
        key: &FileKey,
        measured: &Measured,
        more: u64,
    ) -> Result<Option<Whole>, ExamineError> {
        let size = measured.width.zip(measured.height);
        let Some((width, height)) = size.filter(|_| self.reads_heif()) else { return Ok(None) };
        if measured.size_bytes > self.settings.picture_bytes_max {
            return Ok(None);
        }
        let pixels = u64::from(width).saturating_mul(height.into());
        let output_max = pixels.saturating_mul(PNG_BYTES_A_PIXEL).saturating_add(PNG_BYTES_MORE);
        let pixel_bytes =
            pixels.saturating_mul(PNG_DECODED_BYTES_A_PIXEL + more).saturating_add(DECODER_BYTES);
        let memory = self.memory(key, output_max.saturating_add(pixel_bytes)).await?;
        let Some(local) = self.local(key, measured.size_bytes).await? else { return Ok(None) };
        let output_max = usize::try_from(output_max).unwrap_or(usize::MAX);
        let still = self.tools.still(local.path(), measured.mime_type, output_max).await;
        let file = match still {
            Ok(Some(file)) => file,
            Ok(None) => return Ok(None),
            Err(RunError::NotRun(error)) => {
                let reason = format!("ffmpeg, which reads the file, does not run: {error}.");
                return Err(ExamineError::Temporary(reason));
            }
            Err(RunError::Failed | RunError::Crashed | RunError::TooSlow | RunError::TooMuch) => {
                return Err(unusable(&PictureError::UnreadByFfmpeg));
            }
        };
        let length = u64::try_from(file.len()).unwrap_or(u64::MAX);
        let read = measure(Cursor::new(&file), length).ok();
        if read.is_none_or(|read| (read.width, read.height) != (Some(width), Some(height))) {
            return Err(unusable(&PictureError::ReadInPart));
        }
        Ok(Some(Whole { file: file.into(), pixel_bytes, _memory: memory }))
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use std::os::unix::fs::PermissionsExt as _;
    use std::sync::Arc;

    use image::ImageFormat;
    use scheduler_core::ids::{MediaId, WorkspaceId};
    use scheduler_core::media::{Crop, Edit, Recipe};
    use scheduler_core::memory::MemoryFiles;
    use scheduler_core::ports::{Examiner, Files};
    use uuid::Uuid;

    use crate::tests::build::heif;
    use crate::tests::real::{halves, written};
    use crate::{ExaminerSettings, MediaExaminer, Tools};
    use scheduler_core::media::FileKey;

    /// An examiner whose `ffmpeg` is this script, and a HEIC of 60 x 40 pixels.
    fn world(
        script: &str,
    ) -> (tempfile::TempDir, MediaExaminer, scheduler_core::media::FileFolder) {
        let folder = tempfile::tempdir().unwrap();
        for (name, width) in [("whole.png", 60), ("tile.png", 30)] {
            let file = written(&halves(width, 40), ImageFormat::Png);
            std::fs::write(folder.path().join(name), file).unwrap();
        }
        let ffmpeg = folder.path().join("ffmpeg");
        let here = folder.path().display();
        std::fs::write(&ffmpeg, format!("#!/bin/sh\ncd {here}\n{script}\n")).unwrap();
        std::fs::set_permissions(&ffmpeg, std::fs::Permissions::from_mode(0o755)).unwrap();
        let tools = Tools { ffmpeg: Some(ffmpeg), ..Tools::default() };
        let files = Arc::new(MemoryFiles::new());
        let media = FileKey::folder(WorkspaceId(Uuid::nil()), MediaId(Uuid::nil()));
        files.put(media.original(), heif(b"heic", 60, 40, 0).into());
        let files: Arc<dyn Files> = files;
        let examiner = MediaExaminer::new(files, tools, ExaminerSettings::default());
        (folder, examiner, media)
    }

    const RECIPE: Recipe =
        Recipe::jpeg("test", 30, 100_000).with_types(&["image/jpeg", "image/png"]);

    #[tokio::test]
    async fn what_ffmpeg_reads_is_previewed_converted_and_cropped() {
        let arguments = "echo \"$@\" > arguments; cat whole.png";
        let (folder, examiner, media) = world(arguments);
        assert!(examiner.decoding().heif);
        let examined = examiner.examine(&media.original()).await.unwrap();
        assert_eq!(examined.facts.mime_type.as_deref(), Some("image/heic"));
        assert!(examined.preview.is_some());
        let said = std::fs::read_to_string(folder.path().join("arguments")).unwrap();
        assert!(said.contains("-protocol_whitelist file -f mov -i file:/"), "{said}");
        let made = examiner.derive(&media, &RECIPE).await.unwrap().facts;
        let found = (made.mime_type.as_deref(), made.width, made.height);
        assert_eq!(found, (Some("image/jpeg"), Some(30), Some(20)), "a photo stays one");
        let version = FileKey::folder(WorkspaceId(Uuid::nil()), MediaId(Uuid::from_u128(1)));
        let how = Edit { crop: Some(Crop::Ratio(1, 1)), max_side: None, format: None };
        examiner.edit(&media.original(), &version.original(), &how).await.unwrap();
        let made = examiner.examine(&version.original()).await.unwrap().facts;
        let found = (made.mime_type.as_deref(), made.width, made.height);
        assert_eq!(found, (Some("image/jpeg"), Some(40), Some(40)));
    }

    #[tokio::test]
    async fn what_ffmpeg_does_not_read_says_why() {
        for (script, want) in [
            ("exit 1", "The file cannot be read by the ffmpeg of this server."),
            ("cat tile.png", "The file is read in part by the ffmpeg of this server"),
            ("head -c 5000000 /dev/zero", "The file cannot be read by the ffmpeg"),
        ] {
            let (_folder, examiner, media) = world(script);
            let examined = examiner.examine(&media.original()).await.unwrap();
            assert_eq!(examined.preview, None, "{script}");
            let told = examiner.derive(&media, &RECIPE).await.unwrap_err().to_string();
            assert!(told.starts_with(want), "{script}: {told}");
        }
    }

    #[tokio::test]
    async fn without_ffmpeg_nothing_is_read() {
        let (_folder, mut examiner, media) = world("exit 1");
        examiner.tools = Tools::default();
        assert!(!examiner.decoding().heif);
        assert_eq!(examiner.examine(&media.original()).await.unwrap().preview, None);
        let told = examiner.derive(&media, &RECIPE).await.unwrap_err().to_string();
        assert_eq!(told, "The file is of a type that is not decoded here.");
    }
}
