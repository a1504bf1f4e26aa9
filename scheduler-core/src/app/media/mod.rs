//! Files: declared, uploaded, taken or fetched, described, listed, deleted; and those that a post names.

mod alt_texts;
mod declare;
mod delete;
mod describe;
mod finish;
mod links;
mod list;
pub(crate) mod named;
mod open;
mod take;
mod upload_links;
mod versions;

use crate::error::{AppError, MediaRefusal, Refusal, Resource};
use crate::ids::MediaId;
use crate::media::Media;

use super::{Caller, Scheduler};

pub(crate) use named::{NamedFiles, TargetFacts, of_post, of_targets, refuse_deleted};

pub use finish::CompleteInput;
pub use links::{PartView, UploadInstructions, UploadView};
pub use list::{ListedMedia, MediaPage, ShownMedia};
pub use upload_links::{NewUploadLink, OpenUploadLink};

impl Scheduler {
    /// A file of the caller's workspace.
    ///
    /// # Errors
    /// `not_found`
    async fn file(&self, caller: &Caller, id: MediaId) -> Result<Media, AppError> {
        let found = self.store().media(caller.workspace.id, &[id]).await?;
        found.into_iter().next().ok_or_else(|| Refusal::not_found(Resource::File).into())
    }
}

/// The refusal of a post whose file was deleted.
pub(crate) fn file_deleted() -> Refusal {
    MediaRefusal::DeletedOfPost.into()
}
