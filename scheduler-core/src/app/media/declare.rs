//! Declaring a file: the record, and where its bytes go.

use crate::app::posts::too_busy;
use crate::app::{Caller, Scheduler};
use crate::error::{AppError, MediaRefusal, Refusal};
use crate::idempotency::{IdempotencyKey, KeyScope, KeyUse, Made};
use crate::ids::MediaId;
use crate::key::Scope;
use crate::media::{FileKey, Media, MediaInput, MediaStatus, PartPlan, Transfer, UPLOAD_TIMEOUT};
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
        caller.require(Scope::MediaWrite)?;
        let Some(key) = key else { return Ok(None) };
        let Some(first) = self.earlier_use(caller, &KeyScope::media(), key).await? else {
            return Ok(None);
        };
        let media = self.file(caller, MediaId(first.id)).await?;
        Ok(Some(Made::before(self.instructions(&media).await?, &first.key, key)))
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
            // A file of unknown size has one byte at least.
            let month = Month::of(now);
            let used = self.store().bytes_in_month(caller.workspace.id, month).await?;
            if used >= allowances.upload_bytes_a_month {
                return Err(plans.upload_limit(caller.plan()).into());
            }
        }
        let id = MediaId(self.ports.ids.next(now));
        let original = FileKey::folder(caller.workspace.id, id).original();
        let (status, due_at) = match input.source_url {
            Some(_) => (MediaStatus::Ingesting, now),
            None => (MediaStatus::AwaitingUpload, now + UPLOAD_TIMEOUT),
        };
        let transfer = match (input.source_url, input.size_bytes.and_then(PartPlan::of)) {
            (Some(source_url), _) => Transfer::Ingest { source_url },
            (None, None) => Transfer::Single,
            (None, Some(plan)) => Transfer::Multipart {
                upload: self.ports.files.begin_parts(&original).await?,
                part_bytes: plan.part_bytes,
            },
        };
        let media = Media {
            id,
            workspace_id: caller.workspace.id,
            kind,
            status,
            mime_type: input.mime_type,
            size_bytes: input.size_bytes,
            duration_seconds: input.duration_seconds,
            width: input.width,
            height: input.height,
            fps: input.fps,
            video_codec: None,
            frame_count: None,
            file_name: input.file_name,
            error: None,
            created_at: now,
            transfer,
            has_preview: false,
            due_at: Some(due_at),
            tries: 0,
            version: 0,
        };
        let key_use =
            key.map(|key| KeyUse::kept(caller.workspace.id, KeyScope::media(), key.clone(), id.0));
        let bytes = allowances.upload_bytes_a_month;
        match self.store().create_media(&media, bytes, key_use.as_ref()).await? {
            AddOutcome::Stored => {}
            AddOutcome::Existing(_) => {
                self.abandon(&media).await?;
                let earlier = self.earlier_media(caller, key).await?;
                return Ok(earlier.ok_or_else(too_busy)?);
            }
            AddOutcome::LimitReached => {
                self.abandon(&media).await?;
                return Err(plans.upload_limit(caller.plan()).into());
            }
        }
        if status == MediaStatus::Ingesting {
            self.ports.wake.wake();
        }
        Ok(Made::new(self.instructions(&media).await?))
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
