//! Versions of a picture that a person asks for.

use crate::app::posts::too_busy;
use crate::app::{Caller, Scheduler};
use crate::error::{AppError, MediaRefusal, Refusal};
use crate::idempotency::{IdempotencyKey, KeyScope, KeyUse, Made};
use crate::ids::MediaId;
use crate::key::Scope;
use crate::media::{Media, MediaStatus, MediaView, Transfer, VersionInput, outside};
use crate::ports::AddOutcome;
use crate::post::Month;
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
        caller.require(Scope::MediaWrite)?;
        let Some(key) = key else { return Ok(None) };
        let scope = KeyScope::versions(original);
        let Some(first) = self.earlier_use(caller, &scope, key).await? else { return Ok(None) };
        let media = self.file(caller, MediaId(first.id)).await?;
        Ok(Some(Made::before(self.media_view(&media).await?, &first.key, key)))
    }

    /// Makes a version of a picture: a file of its own, which is `ingesting` until it is made.
    ///
    /// The original stays. The version counts against the bytes of the month as an upload does.
    ///
    /// # Errors
    /// In the order of the checks: `forbidden` without `media:write`; `not_found`;
    /// `invalid_request` naming the field; `media_unusable` for a file that is not ready, or no picture that is
    /// read here; `upload_limit` when the plan's bytes of the month are used up.
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
        self.refuse_unreadable(&of)?;
        let size = of.width.zip(of.height);
        if let Some((crop, size)) = edit.crop.zip(size)
            && crop.of(size.0, size.1).is_none()
        {
            return Err(outside(size).into());
        }
        self.ports.files.check_room(0).await?;
        let (plans, now) = (&self.settings.plans, self.ports.clock.now());
        let bytes = plans.of(caller.plan()).upload_bytes_a_month;
        if self.store().bytes_in_month(caller.workspace.id, Month::of(now)).await? >= bytes {
            return Err(plans.upload_limit(caller.plan()).into());
        }
        let media = Media {
            id: MediaId(self.ports.ids.next(now)),
            workspace_id: of.workspace_id,
            kind: of.kind,
            status: MediaStatus::Ingesting,
            mime_type: edit.format.map(|format| format.media_type().to_owned()),
            size_bytes: None,
            duration_seconds: None,
            width: None,
            height: None,
            fps: None,
            video_codec: None,
            frame_count: None,
            file_name: of.file_name,
            error: None,
            created_at: now,
            transfer: Transfer::Version { original, edit },
            has_preview: false,
            due_at: Some(now),
            tries: 0,
            version: 0,
        };
        let key_use = key.map(|key| {
            let scope = KeyScope::versions(original);
            KeyUse::kept(caller.workspace.id, scope, key.clone(), media.id.0)
        });
        match self.store().create_media(&media, bytes, key_use.as_ref()).await? {
            AddOutcome::Stored => {}
            AddOutcome::Existing(_) => {
                let earlier = self.earlier_version(caller, original, key).await?;
                return Ok(earlier.ok_or_else(too_busy)?);
            }
            AddOutcome::LimitReached => return Err(plans.upload_limit(caller.plan()).into()),
        }
        self.ports.wake.wake();
        Ok(Made::new(self.media_view(&media).await?))
    }

    /// # Errors
    /// `media_unusable`.
    fn refuse_unreadable(&self, media: &Media) -> Result<(), Refusal> {
        match media.status {
            MediaStatus::Ready => {}
            MediaStatus::Deleted => return Err(MediaRefusal::Deleted.into()),
            MediaStatus::Failed => {
                let reason = media.error.clone().unwrap_or_else(|| "It was given up.".to_owned());
                return Err(MediaRefusal::Failed(reason).into());
            }
            MediaStatus::AwaitingUpload | MediaStatus::Ingesting | MediaStatus::Processing => {
                return Err(MediaRefusal::NotReady.into());
            }
        }
        if !media.kind.is_image() || !is_read(media.mime_type.as_deref(), self.decoding()) {
            return Err(MediaRefusal::NoPicture.into());
        }
        Ok(())
    }
}
