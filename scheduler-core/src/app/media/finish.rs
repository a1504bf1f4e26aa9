//! Finishing an upload: the bytes are here, and the file is examined next.

use crate::app::posts::too_busy;
use serde::{Deserialize, Serialize};

use crate::app::{Caller, DECIDE_ATTEMPTS, Scheduler};
use crate::error::{AppError, Invalid, MediaRefusal, Refusal};
use crate::ids::MediaId;
use crate::key::Scope;
use crate::media::{
    Arrived, Media, MediaStatus, MediaView, PARTS_MAX, PartPlan, Transfer, UploadedPart,
};
use crate::ports::{FilesError, FinishError};

/// The body of the end of an upload in parts.
///
/// Source: interface description, POST /media/{id}/complete.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "UploadedParts"))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct CompleteInput {
    /// Every part once, in any order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(required, !default, !skip_serializing_if, length(min = 1, max = PARTS_MAX)))]
    pub parts: Option<Vec<UploadedPart>>,
}

impl Scheduler {
    /// Tells that a file sent in one piece is here. A repeat changes nothing.
    ///
    /// # Errors
    /// `forbidden` without `media:write`; `not_found`; `invalid_request` for an upload in parts;
    /// `media_unusable` when bytes are missing or of another size: the file still awaits them.
    pub async fn confirm_upload(
        &self,
        caller: &Caller,
        id: MediaId,
    ) -> Result<MediaView, AppError> {
        caller.require(Scope::MediaWrite)?;
        let media = self.file(caller, id).await?;
        if matches!(media.transfer, Transfer::Multipart { .. }) && awaits(&media) {
            return Err(Refusal::invalid("id", Invalid::UploadedInParts).into());
        }
        self.confirm(caller, media).await
    }

    /// Puts an upload in parts together. A repeat changes nothing.
    ///
    /// # Errors
    /// `forbidden` without `media:write`; `not_found`; `invalid_request` for parts that are not
    /// what was asked for, or an upload in one piece; `media_unusable` when a part is missing or
    /// was sent with other bytes: the upload stays open and can be finished later.
    pub async fn complete_upload(
        &self,
        caller: &Caller,
        id: MediaId,
        input: CompleteInput,
    ) -> Result<MediaView, AppError> {
        caller.require(Scope::MediaWrite)?;
        let mut parts = input.parts.unwrap_or_default();
        if parts.is_empty() {
            return Err(Refusal::invalid("parts", "parts is empty; list every part.").into());
        }
        parts.sort_by_key(|part| part.part_number);
        let media = self.file(caller, id).await?;
        if awaits(&media) {
            let Transfer::Multipart { upload, part_bytes } = &media.transfer else {
                return Err(Refusal::invalid("parts", Invalid::UploadedInOnePiece).into());
            };
            let size_bytes = media.size_bytes.unwrap_or_default();
            let plan = PartPlan { size_bytes, part_bytes: *part_bytes };
            check_parts(plan, &parts)?;
            let key = media.folder().original();
            match self.ports.files.finish_parts(&key, upload, plan, &parts).await {
                Ok(()) => {}
                Err(FinishError::Refused(message)) => {
                    return Err(MediaRefusal::PartsRefused(message).into());
                }
                Err(FinishError::Files(error)) => return Err(error.into()),
            }
        } else {
            check_numbers(&parts, PARTS_MAX)?;
        }
        self.confirm(caller, media).await
    }

    /// How many bytes of a file are here; `None` when there are none.
    async fn bytes_here(&self, media: &Media) -> Result<Option<u64>, FilesError> {
        let folder = media.folder();
        if media.transfer == Transfer::Single
            && let Some(bytes) = self.ports.files.size(&folder.sent()).await?
        {
            return Ok(Some(bytes));
        }
        self.ports.files.size(&folder.original()).await
    }

    pub(super) async fn confirm(
        &self,
        caller: &Caller,
        mut media: Media,
    ) -> Result<MediaView, AppError> {
        for _ in 0..DECIDE_ATTEMPTS {
            let found = match media.status {
                MediaStatus::AwaitingUpload => self.bytes_here(&media).await?,
                MediaStatus::Ingesting
                | MediaStatus::Processing
                | MediaStatus::Ready
                | MediaStatus::Failed
                | MediaStatus::Deleted => None,
            };
            let arrived = found.map_or(Arrived::Nothing, Arrived::Bytes);
            let Some(confirmed) = media.confirmed(arrived, self.ports.clock.now())? else {
                return self.media_view(&media).await;
            };
            if self.store().save_media(&confirmed).await? {
                self.ports.wake.wake();
                return self.media_view(&confirmed).await;
            }
            media = self.file(caller, media.id).await?;
        }
        Err(too_busy().into())
    }
}

fn awaits(media: &Media) -> bool {
    media.status == MediaStatus::AwaitingUpload
}

/// Refuses a list, in order, with a part that is none of so many, or stands in it twice.
fn check_numbers(parts: &[UploadedPart], count: u64) -> Result<(), Refusal> {
    let mut numbers = parts.iter().map(|part| part.part_number);
    if let Some(part) = numbers.find(|number| *number == 0 || u64::from(*number) > count) {
        return Err(Refusal::invalid("parts", Invalid::NoSuchPart { part, count }));
    }
    if let Some(pair) = parts.windows(2).find(|pair| pair[0].part_number == pair[1].part_number) {
        return Err(Refusal::invalid("parts", Invalid::PartTwice(pair[0].part_number)));
    }
    Ok(())
}

/// Refuses a list that is not every part once.
fn check_parts(plan: PartPlan, parts: &[UploadedPart]) -> Result<(), Refusal> {
    let count = plan.count();
    check_numbers(parts, count.into())?;
    let numbers: Vec<u32> = parts.iter().map(|part| part.part_number).collect();
    if let Some(part) = (1..=count).find(|number| numbers.binary_search(number).is_err()) {
        return Err(Refusal::invalid("parts", Invalid::PartMissing { part, count }));
    }
    Ok(())
}
