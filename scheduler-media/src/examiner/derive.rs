//! Files that are made of others for networks, once.

use std::io::Cursor;

use scheduler_core::media::{FileFolder, Recipe};
use scheduler_core::ports::{ByteStream, Derived, ExamineError};

use super::{MediaExaminer, blocking, unmeasured, unusable};
use crate::fit::{Fitted, fit};
use crate::measure;
use crate::picture::{PictureError, format};

/// Bytes that a pixel takes while it is scaled and written, beside those of decoding.
const SCALING_BYTES_A_PIXEL: u64 = 4;

impl MediaExaminer {
    pub(super) async fn derived(
        &self,
        folder: &FileFolder,
        recipe: &Recipe,
    ) -> Result<Derived, ExamineError> {
        let key = folder.derived(recipe.name);
        let _turn = self.turn().await?;
        if self.files.size(&key).await?.is_some() {
            let (measured, _) = self.measured(&key).await?;
            return Ok(Derived { key, facts: measured.facts() });
        }
        let original = folder.original();
        let (measured, bytes_a_pixel) = self.measured(&original).await?;
        let decoded = self
            .picture(&original, &measured, bytes_a_pixel + SCALING_BYTES_A_PIXEL)
            .await?
            .zip(format(measured.mime_type));
        let Some((whole, format)) = decoded else {
            return Err(unusable(&PictureError::Unsupported));
        };
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
}
