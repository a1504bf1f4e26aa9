//! Taking a file whose bytes come with the request that names it, such as a form of a page.

use futures_util::stream::try_unfold;

use crate::app::{Caller, Scheduler};
use crate::error::{AppError, ErrorCode, Refusal};
use crate::idempotency::KeyScope;
use crate::ids::MediaId;
use crate::key::Scope;
use crate::media::{Media, MediaInput, MediaView, Transfer};
use crate::ports::{ByteStream, FilesError};
use crate::post::Month;

impl Scheduler {
    /// Takes a file: its bytes are kept as they come, and it is examined next. How many they are
    /// turns out at their end; what a plan or the server does not take is refused while they come.
    ///
    /// # Errors
    /// In the order of the checks: `forbidden` without `media:write`; `invalid_request` naming the
    /// field; `upload_limit` when the plan's bytes of the month are used up; `file_too_large` for
    /// more bytes than the plan or the server takes; `invalid_request` for none, and for bytes that
    /// break off.
    pub async fn take_media(
        &self,
        caller: &Caller,
        input: MediaInput,
        bytes: ByteStream,
    ) -> Result<MediaView, AppError> {
        caller.require(Scope::MediaWrite)?;
        let allowances = self.settings.plans.of(caller.plan());
        let now = self.ports.clock.now();
        let month = Month::of(now);
        self.refuse_used_up(caller, now).await?;
        let left = |used: u64| allowances.upload_bytes_a_month.saturating_sub(used);
        let used = self.store().bytes_in_month(caller.workspace.id, month).await?;
        let most = self.settings.file_bytes_max.min(allowances.file_bytes);
        let within = most.min(left(used));
        // It is as large as it may be until its end is known.
        let input = MediaInput { size_bytes: Some(most.max(1)), source_url: None, ..input };
        let kind = input.check()?;
        self.ports.files.check_room(0).await?;
        let media = Media {
            mime_type: input.mime_type,
            file_name: input.file_name,
            ..Media::declared(
                MediaId(self.ports.ids.next(now)),
                caller.workspace.id,
                kind,
                Transfer::Single,
                now,
            )
        };
        self.add_file(caller, &media, KeyScope::media(), None).await?;
        let key = media.folder().original();
        let media_type = media.mime_type.as_deref().unwrap_or("application/octet-stream");
        let written = self.ports.files.write(&key, media_type, bounded(bytes, within)).await;
        let refused: AppError = match written {
            Ok(0) => Refusal::new(ErrorCode::InvalidRequest, "The file is empty.").into(),
            Ok(came) => {
                // Others may have come since it was begun.
                let used = self.store().bytes_in_month(caller.workspace.id, month).await?;
                if came <= left(used) {
                    return self.confirm(caller, media).await;
                }
                self.settings.plans.upload_limit(caller.plan()).into()
            }
            Err(FilesError::Refused(_)) if within < most => {
                self.settings.plans.upload_limit(caller.plan()).into()
            }
            Err(FilesError::Refused(message)) => {
                Refusal::new(ErrorCode::FileTooLarge, message).into()
            }
            Err(FilesError::Interrupted(message)) => {
                Refusal::new(ErrorCode::InvalidRequest, message).into()
            }
            Err(error) => error.into(),
        };
        let given_up = media.given_up(refused.to_string(), self.ports.clock.now());
        if self.store().save_media(&given_up).await? {
            self.ports.wake.wake();
        }
        Err(refused)
    }
}

/// The same bytes, of which more than so many are refused.
fn bounded(bytes: ByteStream, most: u64) -> ByteStream {
    let pieces = try_unfold((bytes, 0_u64), move |(mut bytes, came)| async move {
        let Some(piece) = bytes.next().await.transpose()? else { return Ok(None) };
        let length = u64::try_from(piece.len()).unwrap_or(u64::MAX);
        let came = came.saturating_add(length);
        if came > most {
            let message = format!("The file is larger than {most} bytes, which is the most here.");
            return Err(FilesError::Refused(message));
        }
        Ok(Some((piece, (bytes, came))))
    });
    ByteStream(Box::pin(pieces))
}
