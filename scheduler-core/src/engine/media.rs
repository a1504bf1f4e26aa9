//! What happens to a file without a request: it is fetched, examined, given up, erased.

use chrono::{DateTime, TimeDelta, Utc};

use super::RunOutcome;
use crate::app::Scheduler;
use crate::ids::{EventId, MediaId};
use crate::media::{Edit, FileKey, Media, MediaKind, MediaStatus, Transfer};
use crate::ports::{
    ByteStream, Claim, ExamineError, Examined, FetchError, FilesError, MediaContext, Recorded,
    StoreError,
};
use crate::post::Month;
use crate::webhook::Event;

/// How long to wait after the first, second, … failure before trying again.
///
/// Source: our decision; somebody waits for the file.
const WAITS: [TimeDelta; 4] =
    [TimeDelta::seconds(5), TimeDelta::seconds(30), TimeDelta::minutes(2), TimeDelta::minutes(10)];

/// How long to wait after bytes could not be removed; trying never stops.
const ERASE_WAIT: TimeDelta = TimeDelta::minutes(1);

/// How often a file is taken up before it is believed to end whoever does. Far more often than
/// failures and crashes of another cause can add up to.
///
/// Source: our decision.
const CLAIMS_MAX: i64 = 30;

/// Why a file is given up for which the month has no bytes left.
const USED_UP: &str = "The bytes that the plan allows in this month are used up.";

/// True when the address that a file is fetched from cannot be opened with the server's key.
fn has_lost_address(media: &Media) -> bool {
    matches!(&media.transfer, Transfer::Ingest { source_url } if source_url.is_empty())
}

/// What came of working on a file.
#[expect(clippy::large_enum_variant, reason = "one at a time, and never kept")]
enum End {
    /// It has changed.
    Changed(Media),
    /// It did not work, and may later; a sentence for a person.
    Failed(String),
}

impl Scheduler {
    pub(super) async fn work_on_media(&self, claim: &Claim) -> Result<RunOutcome, StoreError> {
        let Some(context) = self.ports().store.media_context(claim).await? else {
            return Ok(RunOutcome::Lost);
        };
        let media = &context.media;
        if media.status == MediaStatus::Ingesting && has_lost_address(media) {
            // The store has said so in the log; an operator may still find the key that sealed it.
            return Ok(match self.leave_unreadable(claim).await? {
                Recorded::Stored => RunOutcome::FileDeferred,
                Recorded::Lost => RunOutcome::Lost,
            });
        }
        let (end, ran) = match media.status {
            MediaStatus::AwaitingUpload => {
                let reason = "The upload was not finished within 24 hours.";
                (End::Changed(media.given_up(reason, self.now())), RunOutcome::FileGivenUp)
            }
            MediaStatus::Ingesting | MediaStatus::Processing if claim.number > CLAIMS_MAX => {
                let reason = "The server's work on this file never came to its end.";
                (End::Changed(media.given_up(reason, self.now())), RunOutcome::FileGivenUp)
            }
            MediaStatus::Ingesting => (self.ingest(&context).await?, RunOutcome::FileFetched),
            MediaStatus::Processing => (self.examine(media).await, RunOutcome::FileExamined),
            MediaStatus::Failed | MediaStatus::Deleted => {
                (self.erase(media).await, RunOutcome::FileErased)
            }
            MediaStatus::Ready => (self.sweep(media).await, RunOutcome::FileErased),
        };
        let (changed, ran) = match end {
            End::Changed(changed) if changed.status == MediaStatus::Failed => {
                let is_new = media.status != MediaStatus::Failed;
                (changed, if is_new { RunOutcome::FileGivenUp } else { ran })
            }
            End::Changed(changed) => (changed, ran),
            End::Failed(reason) => self.try_later(media, &reason),
        };
        let event = (changed.status != media.status)
            .then(|| {
                let now = self.now();
                Event::of_media(EventId(self.ports().ids.next(now)), &changed, now)
            })
            .flatten();
        match self.ports().store.record_media(claim, &changed, event.as_ref()).await? {
            Recorded::Stored => Ok(ran),
            Recorded::Lost => {
                self.leave_nothing(media).await?;
                Ok(RunOutcome::Lost)
            }
        }
    }

    /// Removes what was kept of a file for which somebody else has removed everything meanwhile.
    async fn leave_nothing(&self, media: &Media) -> Result<(), StoreError> {
        let found = self.ports().store.media(media.workspace_id, &[media.id]).await?;
        let is_gone =
            |media: &Media| matches!(media.status, MediaStatus::Failed | MediaStatus::Deleted);
        if found.iter().any(is_gone) {
            // The work is not ours any more, so that nobody is left to try again.
            let _ = self.ports().files.erase(&media.folder()).await;
        }
        Ok(())
    }

    fn now(&self) -> DateTime<Utc> {
        self.ports().clock.now()
    }

    async fn ingest(&self, context: &MediaContext) -> Result<End, StoreError> {
        let media = &context.media;
        let source_url = match &media.transfer {
            Transfer::Ingest { source_url } => source_url,
            Transfer::Version { original, edit } => {
                return self.make_version(context, *original, edit).await;
            }
            Transfer::Single | Transfer::Multipart { .. } => {
                let reason = "Nothing is known of where this file is to be fetched.";
                return Ok(End::Changed(media.given_up(reason, self.now())));
            }
        };
        let month_left = self.month_left(context).await?;
        if month_left == 0 {
            return Ok(End::Changed(media.given_up(USED_UP, self.now())));
        }
        let allowances = self.settings().plans.of(context.plan);
        let most = self.settings().file_bytes_max.min(allowances.file_bytes).min(month_left);
        let fetched = match self.ports().fetcher.fetch(source_url, most).await {
            Ok(fetched) => fetched,
            Err(FetchError::Refused(reason)) => {
                return Ok(End::Changed(media.given_up(reason, self.now())));
            }
            Err(FetchError::Temporary(reason)) => return Ok(End::Failed(reason)),
        };
        let key = media.folder().original();
        let media_type = media.mime_type.as_deref().unwrap_or("application/octet-stream");
        Ok(match self.ports().files.write(&key, media_type, fetched.bytes).await {
            // Others may have come since it was begun.
            Ok(bytes) if bytes > self.month_left(context).await? => {
                End::Changed(media.given_up(USED_UP, self.now()))
            }
            Ok(bytes) => End::Changed(media.arrived(bytes, self.now())),
            Err(FilesError::Refused(reason)) => End::Changed(media.given_up(reason, self.now())),
            Err(
                error @ (FilesError::Missing
                | FilesError::Unavailable(_)
                | FilesError::Full
                | FilesError::Interrupted(_)),
            ) => End::Failed(error.to_string()),
        })
    }

    /// Makes a version of another file of the workspace, in place of its bytes.
    async fn make_version(
        &self,
        context: &MediaContext,
        original: MediaId,
        edit: &Edit,
    ) -> Result<End, StoreError> {
        let media = &context.media;
        let from = FileKey::folder(media.workspace_id, original).original();
        let made = self.ports().examiner.edit(&from, &media.folder().original(), edit).await;
        Ok(match made {
            // Others may have come since it was begun.
            Ok(bytes) if bytes > self.month_left(context).await? => {
                End::Changed(media.given_up(USED_UP, self.now()))
            }
            Ok(bytes) => End::Changed(media.arrived(bytes, self.now())),
            Err(ExamineError::Unusable(reason)) => End::Changed(media.given_up(reason, self.now())),
            Err(ExamineError::Files(FilesError::Missing)) => {
                let reason = "The bytes of the file that this is a version of are gone.";
                End::Changed(media.given_up(reason, self.now()))
            }
            Err(
                error @ (ExamineError::Files(_)
                | ExamineError::Temporary(_)
                | ExamineError::InProgress { .. }),
            ) => End::Failed(error.to_string()),
        })
    }

    /// How many bytes the plan leaves for this file in its month.
    async fn month_left(&self, context: &MediaContext) -> Result<u64, StoreError> {
        let media = &context.media;
        let month = Month::of(media.created_at);
        let used = self.ports().store.bytes_in_month(media.workspace_id, month).await?;
        let others = used.saturating_sub(media.size_bytes.unwrap_or_default());
        let allowances = self.settings().plans.of(context.plan);
        Ok(allowances.upload_bytes_a_month.saturating_sub(others))
    }

    /// A file whose bytes have arrived, once it is ready; `None` where it does not become so at once.
    pub(crate) async fn examined(&self, arrived: &Media) -> Option<Media> {
        match self.examine(arrived).await {
            End::Changed(media) if media.status == MediaStatus::Ready => Some(media),
            End::Changed(_) | End::Failed(_) => None,
        }
    }

    async fn examine(&self, media: &Media) -> End {
        let folder = media.folder();
        if media.transfer == Transfer::Single {
            match self.settle(media).await {
                Ok(found) if found.is_none() || found == media.size_bytes => {}
                Ok(_) => {
                    let reason = "Other bytes were sent after the upload was finished.";
                    return End::Changed(media.given_up(reason, self.now()));
                }
                Err(error) => return End::Failed(error.to_string()),
            }
        }
        let examined = match self.ports().examiner.examine(&folder.original()).await {
            Ok(examined) => examined,
            Err(ExamineError::Unusable(reason)) => {
                return End::Changed(media.given_up(reason, self.now()));
            }
            Err(ExamineError::Files(FilesError::Missing)) => {
                let reason = "The bytes of this file are gone.";
                return End::Changed(media.given_up(reason, self.now()));
            }
            Err(
                error @ (ExamineError::Files(_)
                | ExamineError::Temporary(_)
                | ExamineError::InProgress { .. }),
            ) => {
                return End::Failed(error.to_string());
            }
        };
        let Examined { facts, preview } = examined;
        if facts.kind == MediaKind::Document && media.kind != MediaKind::Document {
            let reason = "The file is a document; declare it with kind document.";
            return End::Changed(media.given_up(reason, self.now()));
        }
        let has_preview = preview.is_some();
        if let Some(preview) = preview {
            let bytes = ByteStream::once(preview);
            let kept = self.ports().files.write(&folder.preview(), "image/webp", bytes).await;
            if let Err(error) = kept {
                return End::Failed(error.to_string());
            }
        }
        End::Changed(media.examined(&facts, has_preview))
    }

    /// Puts what was sent in one piece where it stays, out of reach of the link, and returns how
    /// many bytes lie there.
    async fn settle(&self, media: &Media) -> Result<Option<u64>, FilesError> {
        let folder = media.folder();
        self.ports().files.settle(&folder.sent(), &folder.original()).await?;
        self.ports().files.size(&folder.original()).await
    }

    /// Removes what a link has brought after the file was examined.
    async fn sweep(&self, media: &Media) -> End {
        match self.settle(media).await {
            Ok(_) => End::Changed(Media { due_at: None, tries: 0, ..media.clone() }),
            Err(error) => End::Failed(error.to_string()),
        }
    }

    async fn erase(&self, media: &Media) -> End {
        let erased = match self.abandon(media).await {
            Ok(()) => self.ports().files.erase(&media.folder()).await,
            Err(error) => Err(error),
        };
        match erased {
            Ok(()) => End::Changed(media.erased(self.now())),
            Err(error) => End::Failed(error.to_string()),
        }
    }

    /// The file when it is tried again later, or given up where trying has stopped.
    fn try_later(&self, media: &Media, reason: &str) -> (Media, RunOutcome) {
        let now = self.now();
        let wait = match media.status {
            // Bytes that have to go are tried for until they are gone; `tries` says how often they
            // were removed.
            MediaStatus::Ready | MediaStatus::Failed | MediaStatus::Deleted => {
                let due_at = Some(now + self.jitter().apply(ERASE_WAIT));
                return (Media { due_at, ..media.clone() }, RunOutcome::FileDeferred);
            }
            MediaStatus::AwaitingUpload | MediaStatus::Ingesting | MediaStatus::Processing => {
                usize::try_from(media.tries).ok().and_then(|tries| WAITS.get(tries).copied())
            }
        };
        match wait {
            Some(wait) => {
                let due_at = Some(now + self.jitter().apply(wait));
                let tries = media.tries.saturating_add(1);
                (Media { due_at, tries, ..media.clone() }, RunOutcome::FileDeferred)
            }
            None => (media.given_up(reason, now), RunOutcome::FileGivenUp),
        }
    }
}
