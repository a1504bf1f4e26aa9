//! What the links to files have in common.

use std::sync::Arc;

use scheduler_core::error::{ErrorCode, Refusal};
use scheduler_core::media::link::LinkError;
use scheduler_core::ports::SignedFiles;

use crate::api::Api;
use crate::call::Call;
use crate::error::ApiError;

/// Whoever serves the links, where they lead to this server.
pub(super) fn signed_files(api: &Api) -> Result<&Arc<dyn SignedFiles>, ApiError> {
    api.signed_files.as_ref().ok_or_else(ApiError::no_such_path)
}

/// The key of the file that a link leads to.
pub(super) fn key(call: &Call) -> String {
    let [workspace, media, name] =
        ["workspaceId", "mediaId", "name"].map(|name| call.segment(name));
    format!("{workspace}/{media}/{name}")
}

/// Why a link is refused.
pub(super) fn not_allowed(error: LinkError) -> ApiError {
    let message = match error {
        LinkError::Forged => "This link is not valid: use it as it was given, unchanged.",
        LinkError::Expired => "This link has expired; ask for the file again to get a new one.",
    };
    Refusal::new(ErrorCode::Forbidden, message).into()
}
