//! Deleting a file.

use crate::app::{Caller, Scheduler};
use crate::error::{AppError, MediaRefusal, Refusal, Resource};
use crate::ids::MediaId;
use crate::key::Scope;
use crate::media::MediaView;
use crate::ports::EraseOutcome;

impl Scheduler {
    /// Deletes a file: its bytes go, its record stays. A repeat changes nothing.
    ///
    /// # Errors
    /// `forbidden` without `media:write`; `not_found`; `in_use` while a post that has not
    /// finished going out needs it.
    pub async fn delete_media(&self, caller: &Caller, id: MediaId) -> Result<MediaView, AppError> {
        caller.require(Scope::MediaWrite)?;
        let now = self.ports.clock.now();
        match self.store().erase_media(caller.workspace.id, id, now).await? {
            EraseOutcome::Deleted(media) => {
                self.ports.wake.wake();
                self.media_view(&media).await
            }
            EraseOutcome::InUse => Err(MediaRefusal::InUse.into()),
            EraseOutcome::Missing => Err(Refusal::not_found(Resource::File).into()),
        }
    }
}
