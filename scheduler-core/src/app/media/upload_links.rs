//! Links under which a person gives files that a program cannot read.

use chrono::{DateTime, Utc};

use crate::app::{Caller, Scheduler};
use crate::connecting::Pass;
use crate::error::{AppError, ErrorCode, Refusal};
use crate::ids::WorkspaceId;
use crate::media::{UPLOAD_LINK_LIFETIME, UPLOAD_LINKS_MAX, UploadLink, UploadLinkInput};
use crate::post::{MEDIA_MAX_COUNT, NOTE_MAX_CHARACTERS};
use crate::workspace::Workspace;

/// A link that was just made, with its secret, which is shown this once.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct NewUploadLink {
    /// Its secret.
    pub pass: Pass,
    /// How many files are taken at most.
    pub files: u32,
    /// From when on it takes none.
    pub expires_at: DateTime<Utc>,
}

/// What is under a link that takes files.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpenUploadLink {
    /// The link.
    pub link: UploadLink,
    /// The workspace that gets the files.
    pub workspace: Workspace,
}

impl OpenUploadLink {
    /// Whoever has the link, as the one who takes files.
    #[must_use]
    pub fn caller(&self) -> Caller {
        Caller::for_workspace(self.workspace.clone())
    }
}

impl Scheduler {
    /// Makes a link under which somebody without a session gives files, once.
    ///
    /// # Errors
    /// `invalid_request` naming `files` or `note`; `unavailable` when the workspace has
    /// [`UPLOAD_LINKS_MAX`] open.
    pub async fn create_upload_link(
        &self,
        workspace: WorkspaceId,
        input: &UploadLinkInput,
    ) -> Result<NewUploadLink, AppError> {
        let files = u32::try_from(input.files.unwrap_or(1)).unwrap_or_default();
        if files == 0 || files as usize > MEDIA_MAX_COUNT {
            let message = format!("A link takes 1 to {MEDIA_MAX_COUNT} files.");
            return Err(Refusal::invalid("files", message).into());
        }
        let note = input.note.as_deref().map(str::trim).filter(|note| !note.is_empty());
        if note.is_some_and(|note| note.chars().count() > NOTE_MAX_CHARACTERS) {
            let message = format!("The note has at most {NOTE_MAX_CHARACTERS} characters.");
            return Err(Refusal::invalid("note", message).into());
        }
        let now = self.ports.clock.now();
        let pass = self.new_pass();
        let expires_at = now + UPLOAD_LINK_LIFETIME;
        let link = UploadLink {
            pass: pass.hash(),
            workspace_id: workspace,
            note: note.map(str::to_owned),
            files,
            expires_at,
        };
        if self.store().keep_upload_link(&link, now, UPLOAD_LINKS_MAX).await? {
            return Ok(NewUploadLink { pass, files, expires_at });
        }
        let message = format!(
            "{UPLOAD_LINKS_MAX} links for files are open already. Each ends after half an hour; use one of them, or try again later."
        );
        Err(Refusal::new(ErrorCode::Unavailable, message).into())
    }

    /// What is under a link; `None` for one that is unknown, was used or has expired. A look uses
    /// nothing up.
    ///
    /// # Errors
    /// [`AppError::Store`]
    pub async fn upload_link(&self, pass: &Pass) -> Result<Option<OpenUploadLink>, AppError> {
        let now = self.ports.clock.now();
        let found = self.store().upload_link(pass.hash()).await?;
        let found = found.filter(|(link, _)| now < link.expires_at);
        Ok(found.map(|(link, workspace)| OpenUploadLink { link, workspace }))
    }

    /// Uses a link up, before its files are read: of many who show it at once, one gets it.
    ///
    /// # Errors
    /// [`AppError::Store`]
    pub async fn use_upload_link(&self, pass: &Pass) -> Result<Option<OpenUploadLink>, AppError> {
        let Some(open) = self.upload_link(pass).await? else { return Ok(None) };
        Ok(self.store().take_upload_link(pass.hash()).await?.then_some(open))
    }

    /// Gives a link back under which no file was taken after all.
    ///
    /// # Errors
    /// [`AppError::Store`]
    pub async fn give_back_upload_link(&self, link: &UploadLink) -> Result<(), AppError> {
        let now = self.ports.clock.now();
        self.store().keep_upload_link(link, now, u32::MAX).await?;
        Ok(())
    }
}
