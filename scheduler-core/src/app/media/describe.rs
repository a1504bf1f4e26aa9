//! Saying something of a file.

use crate::app::posts::too_busy;
use crate::app::{Caller, DECIDE_ATTEMPTS, Scheduler};
use crate::error::AppError;
use crate::ids::MediaId;
use crate::key::Scope;
use crate::media::{MediaChange, MediaView};

impl Scheduler {
    /// Changes what is said of a file: its name, its labels, its alternative text. Posts that have
    /// the file already keep the texts that they have.
    ///
    /// # Errors
    /// In the order of the checks: `forbidden` without `media:write`; `invalid_request` naming the
    /// field; `not_found`.
    pub async fn update_media(
        &self,
        caller: &Caller,
        id: MediaId,
        change: &MediaChange,
    ) -> Result<MediaView, AppError> {
        caller.require(Scope::MediaWrite)?;
        change.check()?;
        for _ in 0..DECIDE_ATTEMPTS {
            let mut media = self.file(caller, id).await?;
            let current = media.description.clone();
            change.apply_to(&mut media.description);
            if media.description == current || self.store().save_media(&media).await? {
                return self.media_view(&media).await;
            }
        }
        Err(too_busy().into())
    }
}
