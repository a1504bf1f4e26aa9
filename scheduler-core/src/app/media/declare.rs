//! Declaring a file: the record, and where its bytes go.

use chrono::{DateTime, Utc};

use crate::app::posts::too_busy;
use crate::app::{Caller, Scheduler};
use crate::error::{AppError, MediaRefusal, Refusal};
use crate::idempotency::{IdempotencyKey, KeyScope, KeyUse, Made};
use crate::ids::MediaId;
use crate::key::Scope;
use crate::media::{FileKey, Media, MediaInput, MediaStatus, PartPlan, Transfer};
use crate::plan::Allowances;
use crate::ports::AddOutcome;
use crate::post::Month;

use super::UploadInstructions;

impl Scheduler {
    /// The file that was declared under an Idempotency-Key before, with fresh links where its bytes
    /// are missing.
    ///
    /// # Errors
    /// `forbidden` without `media:write`.
    pub async fn earlier_media(
        &self,
        caller: &Caller,
        key: Option<&IdempotencyKey>,
    ) -> Result<Option<Made<UploadInstructions>>, AppError> {
        let earlier = self.earlier_file(caller, &KeyScope::media(), key).await?;
        let Some(Made { value: media, replay }) = earlier else { return Ok(None) };
        Ok(Some(Made { value: self.instructions(&media).await?, replay }))
    }

    /// Declares a file that a caller uploads, or that the server fetches.
    ///
    /// ```
    /// # use futures_util::FutureExt as _;
    /// # use std::sync::Arc;
    /// # use scheduler_core::app::{Scheduler, Settings};
    /// # use scheduler_core::memory::{ManualClock, MemoryNetwork, test_ports};
    /// # use scheduler_core::platform::Platform;
    /// # use scheduler_core::ports::{ConnectInput, Networks};
    /// # use serde_json::json;
    /// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
    /// # let clock = Arc::new(ManualClock::at("2026-12-01T09:00:00Z".parse()?));
    /// # let mut ports = test_ports(clock.clone());
    /// # ports.networks = Networks::default().with(Platform::Bluesky, Arc::new(MemoryNetwork::new()));
    /// # let scheduler = Scheduler::new(ports, Settings::default());
    /// # let first = scheduler.first_start().await?.ok_or("the store is not new")?;
    /// # let caller = scheduler.authenticate(Some(first.key.value.expose())).await?;
    /// # scheduler.connect_account(&caller.workspace, Platform::Bluesky, &ConnectInput::default()).await?;
    /// let declared = serde_json::from_value(json!({"kind": "image", "sizeBytes": 1_000}))?;
    /// let answer = scheduler.declare_media(&caller, declared, None).await?.value;
    /// assert_eq!(answer.media.status.as_str(), "awaiting_upload");
    /// # Ok(())
    /// # }
    /// # example().now_or_never().unwrap().unwrap();
    /// ```
    ///
    /// # Errors
    /// In the order of the checks: `forbidden` without `media:write`; `invalid_request` naming
    /// the field; `file_too_large` over the server's ceiling (without a limit of the plan) or
    /// over the plan's file size; `upload_limit` when the plan's bytes of the month are used up.
    pub async fn declare_media(
        &self,
        caller: &Caller,
        input: MediaInput,
        key: Option<&IdempotencyKey>,
    ) -> Result<Made<UploadInstructions>, AppError> {
        if let Some(earlier) = self.earlier_media(caller, key).await? {
            return Ok(earlier);
        }
        let kind = input.check()?;
        if let Some(url) = &input.source_url {
            let check = self.ports.fetcher.check_address(url);
            check.map_err(|message| Refusal::invalid("sourceUrl", message))?;
        }
        let plans = &self.settings.plans;
        let allowances = plans.of(caller.plan());
        if let Some(bytes) = input.size_bytes {
            self.check_size(caller, bytes, allowances)?;
        }

        self.ports.files.check_room(input.size_bytes.unwrap_or_default()).await?;
        let now = self.ports.clock.now();
        if input.size_bytes.is_none() {
            self.refuse_used_up(caller, now).await?;
        }
        let id = MediaId(self.ports.ids.next(now));
        let original = FileKey::folder(caller.workspace.id, id).original();
        let transfer = match (input.source_url, input.size_bytes.and_then(PartPlan::of)) {
            (Some(source_url), _) => Transfer::Ingest { source_url },
            (None, None) => Transfer::Single,
            (None, Some(plan)) => Transfer::Multipart {
                upload: self.ports.files.begin_parts(&original).await?,
                part_bytes: plan.part_bytes,
            },
        };
        let media = Media {
            mime_type: input.mime_type,
            size_bytes: input.size_bytes,
            duration_seconds: input.duration_seconds,
            width: input.width,
            height: input.height,
            fps: input.fps,
            file_name: input.file_name,
            ..Media::declared(id, caller.workspace.id, kind, transfer, now)
        };
        if !self.add_file(caller, &media, KeyScope::media(), key).await? {
            let earlier = self.earlier_media(caller, key).await?;
            return Ok(earlier.ok_or_else(too_busy)?);
        }
        Ok(Made::new(self.instructions(&media).await?))
    }

    /// The file that the first request of a key has made, and how that was repeated.
    ///
    /// # Errors
    /// `forbidden` without `media:write`.
    pub(super) async fn earlier_file(
        &self,
        caller: &Caller,
        scope: &KeyScope,
        key: Option<&IdempotencyKey>,
    ) -> Result<Option<Made<Media>>, AppError> {
        caller.require(Scope::MediaWrite)?;
        let Some(key) = key else { return Ok(None) };
        let Some(first) = self.earlier_use(caller, scope, key).await? else { return Ok(None) };
        let media = self.file(caller, MediaId(first.id)).await?;
        Ok(Some(Made::before(media, &first.key, key)))
    }

    /// Refuses a file of unknown size where the plan has no byte left in the month.
    ///
    /// # Errors
    /// `upload_limit`
    pub(super) async fn refuse_used_up(
        &self,
        caller: &Caller,
        now: DateTime<Utc>,
    ) -> Result<(), AppError> {
        let plans = &self.settings.plans;
        let used = self.store().bytes_in_month(caller.workspace.id, Month::of(now)).await?;
        if used >= plans.of(caller.plan()).upload_bytes_a_month {
            return Err(plans.upload_limit(caller.plan()).into());
        }
        Ok(())
    }

    /// Stores a declared file; false where the first request of the key has stored another.
    ///
    /// # Errors
    /// `upload_limit` when it would be beyond the plan's bytes of the month.
    pub(super) async fn add_file(
        &self,
        caller: &Caller,
        media: &Media,
        scope: KeyScope,
        key: Option<&IdempotencyKey>,
    ) -> Result<bool, AppError> {
        let plans = &self.settings.plans;
        let bytes = plans.of(caller.plan()).upload_bytes_a_month;
        let key_use =
            key.map(|key| KeyUse::kept(caller.workspace.id, scope, key.clone(), media.id.0));
        match self.store().create_media(media, bytes, key_use.as_ref()).await? {
            AddOutcome::Stored => {
                if media.status == MediaStatus::Ingesting {
                    self.ports.wake.wake();
                }
                Ok(true)
            }
            AddOutcome::Existing(_) => {
                self.abandon(media).await?;
                Ok(false)
            }
            AddOutcome::LimitReached => {
                self.abandon(media).await?;
                Err(plans.upload_limit(caller.plan()).into())
            }
        }
    }

    async fn instructions(&self, media: &Media) -> Result<UploadInstructions, AppError> {
        let upload = self.upload_view(media).await?;
        Ok(UploadInstructions { media: self.media_view(media).await?, upload })
    }

    fn check_size(
        &self,
        caller: &Caller,
        bytes: u64,
        allowances: &Allowances,
    ) -> Result<(), Refusal> {
        let ceiling = self.settings.file_bytes_max;
        if bytes > ceiling {
            return Err(MediaRefusal::TooLarge { found: bytes, most: ceiling }.into());
        }
        if bytes > allowances.file_bytes {
            return Err(self.settings.plans.file_too_large(caller.plan(), bytes).into());
        }
        Ok(())
    }

    /// Gives up an upload in parts that nobody will finish.
    pub(crate) async fn abandon(&self, media: &Media) -> Result<(), crate::ports::FilesError> {
        match &media.transfer {
            Transfer::Multipart { upload, .. } => {
                self.ports.files.abandon_parts(&media.folder().original(), upload).await
            }
            Transfer::Single | Transfer::Ingest { .. } | Transfer::Version { .. } => Ok(()),
        }
    }
}
