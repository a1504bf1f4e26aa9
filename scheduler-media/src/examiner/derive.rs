//! Files that are made of others for networks, once.

use std::io::Cursor;

use scheduler_core::media::{Edit, FileFolder, FileKey, Recipe};
use scheduler_core::ports::{ByteStream, Derived, ExamineError};

use super::{MediaExaminer, blocking, stopped, unmeasured, unusable};
use crate::measure;
use crate::picture::{Fitted, edit, fit};

/// Bytes that a pixel takes while it is scaled and written, beside those of decoding.
const SCALING_BYTES_A_PIXEL: u64 = 4;

/// Bytes that a pixel takes while it is turned, cropped and written, beside those of decoding.
const EDITING_BYTES_A_PIXEL: u64 = 8;

impl MediaExaminer {
    pub(super) async fn derived(
        &self,
        folder: &FileFolder,
        recipe: &Recipe,
    ) -> Result<Derived, ExamineError> {
        let key = folder.derived(&recipe.key_name());
        let turn = self.turns.part(folder.workspace(), 1).await;
        let _turn = turn.ok_or_else(stopped)?;
        if self.files.size(&key).await?.is_some() {
            let (measured, _) = self.measured(&key).await?;
            return Ok(Derived { key, facts: measured.facts() });
        }
        let original = folder.original();
        let (measured, bytes_a_pixel) = self.measured(&original).await?;
        let (whole, format) =
            self.read(&original, &measured, bytes_a_pixel, SCALING_BYTES_A_PIXEL).await?;
        let recipe = *recipe;
        let (fitted, facts) = blocking(move || {
            let fitted = fit(&whole.file, measured.mime_type, format, &recipe, whole.pixel_bytes);
            let Fitted { bytes, media_type } = fitted.map_err(|error| unusable(&error))?;
            let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
            let facts = measure(Cursor::new(&bytes), length).map_err(unmeasured)?.facts();
            Ok((Fitted { bytes, media_type }, facts))
        })
        .await?;
        let bytes = ByteStream::once(fitted.bytes.into());
        self.files.write(&key, fitted.media_type, bytes).await?;
        Ok(Derived { key, facts })
    }

    pub(super) async fn edited(
        &self,
        from: &FileKey,
        to: &FileKey,
        how: &Edit,
    ) -> Result<u64, ExamineError> {
        let turn = self.turns.part(to.workspace(), 1).await;
        let _turn = turn.ok_or_else(stopped)?;
        let (measured, bytes_a_pixel) = self.measured(from).await?;
        let (whole, format) =
            self.read(from, &measured, bytes_a_pixel, EDITING_BYTES_A_PIXEL).await?;
        let how = *how;
        let made = blocking(move || {
            let made = edit(&whole.file, measured.mime_type, format, &how, whole.pixel_bytes);
            made.map_err(|error| unusable(&error))
        })
        .await?;
        let bytes = ByteStream::once(made.bytes.into());
        Ok(self.files.write(to, made.media_type, bytes).await?)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use scheduler_core::ids::{MediaId, WorkspaceId};
    use scheduler_core::memory::MemoryFiles;
    use scheduler_core::platform::bluesky::IMAGE_RECIPE;
    use scheduler_core::ports::Files;
    use tokio::sync::oneshot;
    use uuid::Uuid;

    use super::*;
    use crate::tests::real::{halves, written};
    use crate::{ExaminerSettings, Tools};

    #[tokio::test]
    async fn what_was_made_is_found_again_under_the_figures_of_its_recipe() {
        let files = Arc::new(MemoryFiles::new());
        let folder = FileKey::folder(WorkspaceId(Uuid::nil()), MediaId(Uuid::nil()));
        files.put(folder.original(), written(&halves(100, 100), image::ImageFormat::Png).into());
        let stored: Arc<dyn Files> = files.clone();
        let examiner = MediaExaminer::new(stored, Tools::default(), ExaminerSettings::default());
        let recipe = Recipe::jpeg("test", 50, 100_000);
        let made = examiner.derived(&folder, &recipe).await.unwrap();
        assert_eq!(
            (made.facts.mime_type.as_deref(), made.facts.width),
            (Some("image/jpeg"), Some(50))
        );
        // Whoever comes later finds it, even where it could not be made any more.
        files.put(folder.original(), bytes::Bytes::from_static(b"GIF89a, torn"));
        assert_eq!(examiner.derived(&folder, &recipe).await.unwrap(), made);
        let other = Recipe { longest_side: 40, ..recipe };
        assert!(examiner.derived(&folder, &other).await.is_err(), "another makes its own");
    }

    #[tokio::test]
    async fn pictures_of_one_workspace_hold_up_those_of_no_other() {
        let files = Arc::new(MemoryFiles::new());
        let folder = |workspace| {
            FileKey::folder(WorkspaceId(Uuid::from_u128(workspace)), MediaId(Uuid::from_u128(9)))
        };
        let picture = written(&halves(100, 100), image::ImageFormat::Png);
        for workspace in [1, 2] {
            files.put(folder(workspace).original(), picture.clone().into());
        }
        let files: Arc<dyn Files> = files;
        let settings = ExaminerSettings { fitted_at_once: 4, ..ExaminerSettings::default() };
        let examiner = Arc::new(MediaExaminer::new(files, Tools::default(), settings));
        // Two that never end, and a third.
        let mut held = Vec::new();
        for _ in 0..2 {
            held.push(examiner.turns.part(folder(1).workspace(), 1).await.unwrap());
        }
        let (third, folder_of_one) = (Arc::clone(&examiner), folder(1));
        let (done, mut is_done) = oneshot::channel();
        let third = tokio::spawn(async move {
            let made = third.derived(&folder_of_one, &IMAGE_RECIPE).await;
            let _ = done.send(());
            made
        });
        examiner.derived(&folder(2), &IMAGE_RECIPE).await.unwrap();
        assert!(is_done.try_recv().is_err(), "it waits for a share of its workspace");
        drop(held);
        third.await.unwrap().unwrap();
    }
}
