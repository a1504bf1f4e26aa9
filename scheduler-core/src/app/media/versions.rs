//! Versions of a picture that a person asks for.

use crate::app::posts::too_busy;
use crate::app::{Caller, Scheduler};
use crate::error::{AppError, MediaRefusal};
use crate::idempotency::{IdempotencyKey, KeyScope, Made};
use crate::ids::MediaId;
use crate::media::{Media, MediaView, Transfer, VersionInput, outside};
use crate::rules::is_read;

impl Scheduler {
    /// The version that was made under an Idempotency-Key before, as it is now.
    ///
    /// # Errors
    /// `forbidden` without `media:write`.
    pub async fn earlier_version(
        &self,
        caller: &Caller,
        original: MediaId,
        key: Option<&IdempotencyKey>,
    ) -> Result<Option<Made<MediaView>>, AppError> {
        let earlier = self.earlier_file(caller, &KeyScope::versions(original), key).await?;
        let Some(Made { value: media, replay }) = earlier else { return Ok(None) };
        Ok(Some(Made { value: self.media_view(&media).await?, replay }))
    }

    /// Makes a version of a picture: a file of its own, which is `ingesting` until it is made.
    ///
    /// The original stays. The version counts against the bytes of the month as an upload does.
    ///
    /// # Errors
    /// In the order of the checks: `forbidden` without `media:write`; `not_found`;
    /// `invalid_request` naming the field; `media_unusable` for a file that is not ready, or no
    /// picture that is read here; `upload_limit` when the plan's bytes of the month are used up.
    pub async fn create_version(
        &self,
        caller: &Caller,
        original: MediaId,
        input: VersionInput,
        key: Option<&IdempotencyKey>,
    ) -> Result<Made<MediaView>, AppError> {
        if let Some(earlier) = self.earlier_version(caller, original, key).await? {
            return Ok(earlier);
        }
        let of = self.file(caller, original).await?;
        let edit = input.check()?;
        of.refuse_unready()?;
        if !of.kind.is_image() || !is_read(of.mime_type.as_deref(), self.decoding()) {
            return Err(MediaRefusal::NoPicture.into());
        }
        let size = of.width.zip(of.height);
        if let Some((crop, size)) = edit.crop.zip(size)
            && crop.of(size.0, size.1).is_none()
        {
            return Err(outside(size).into());
        }
        self.ports.files.check_room(0).await?;
        let now = self.ports.clock.now();
        self.refuse_used_up(caller, now).await?;
        let (id, transfer) =
            (MediaId(self.ports.ids.next(now)), Transfer::Version { original, edit });
        let media = Media {
            mime_type: edit.format.map(|format| format.media_type().to_owned()),
            file_name: of.file_name,
            description: of.description,
            ..Media::declared(id, of.workspace_id, of.kind, transfer, now)
        };
        if !self.add_file(caller, &media, KeyScope::versions(original), key).await? {
            let earlier = self.earlier_version(caller, original, key).await?;
            return Ok(earlier.ok_or_else(too_busy)?);
        }
        Ok(Made::new(self.media_view(&media).await?))
    }
}
