//! `GET /files/…`, outside the API: gives bytes under a signed link.

use futures_util::StreamExt as _;
use scheduler_core::error::{ErrorCode, Refusal};
use scheduler_core::ports::{ByteStream, FilesError, OpenFileError};

use super::link::{key, not_allowed, signed_files};
use crate::answer::{file_answer, quoted};
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "read_file",
    method: Method::GET,
    pattern: "/files/{workspaceId}/{mediaId}/{name}",
    query: &[],
    handler: Handler::Keyless(|call| Box::pin(read(call))),
    description: None,
};

async fn read(call: Call) -> Result<Response, ApiError> {
    let key = key(&call);
    let Call { api, method, head, .. } = call;
    let signed = signed_files(&api)?;
    let query = head.query().unwrap_or_default();
    // A range has a meaning for GET only.
    let mut range = if method == Method::GET { head.range() } else { None };
    let transfer = api.transfer()?;
    let mut opened = signed.open(&key, query, range).await;
    let other_version = match &opened {
        Ok(file) => head.has_other_range_version(&quoted(&file.etag)),
        Err(OpenFileError::RangeOutside { .. }) => head.has_range_version(),
        Err(OpenFileError::Link(_) | OpenFileError::Files(_)) => false,
    };
    if range.is_some() && other_version {
        range = None;
        opened = signed.open(&key, query, None).await;
    }
    let mut file = opened.map_err(refused)?;
    head.is_of_somebody_known();
    file.bytes = ByteStream(Box::pin(file.bytes.0.inspect(move |_| {
        let _held = &transfer;
    })));
    file_answer(&head, file, range.is_some())
}

fn refused(error: OpenFileError) -> ApiError {
    match error {
        OpenFileError::Link(error) => not_allowed(error),
        OpenFileError::RangeOutside { size_bytes } => ApiError::range_outside(size_bytes),
        OpenFileError::Files(FilesError::Missing) => {
            Refusal::new(ErrorCode::NotFound, "There is no such file any more.").into()
        }
        OpenFileError::Files(
            error @ (FilesError::Unavailable(_)
            | FilesError::Full
            | FilesError::Refused(_)
            | FilesError::Interrupted(_)),
        ) => error.into(),
    }
}
