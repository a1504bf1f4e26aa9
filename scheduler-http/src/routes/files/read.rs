//! `GET /files/…`, outside the API: gives bytes under a signed link.

use futures_util::StreamExt as _;
use http::header::{
    ACCEPT_RANGES, CACHE_CONTROL, CONTENT_LENGTH, CONTENT_RANGE, CONTENT_SECURITY_POLICY,
    CONTENT_TYPE, ETAG,
};
use scheduler_core::error::{ErrorCode, Refusal};
use scheduler_core::ports::{ByteStream, FilesError, OpenFile, OpenFileError};

use super::link::{key, not_allowed, signed_files, transfer};
use crate::answer::{empty, streamed};
use crate::routes::prelude::*;

/// Whatever a file turns out to hold, it runs nothing and loads nothing as part of this server.
const HARMLESS: HeaderValue = HeaderValue::from_static("default-src 'none'; sandbox");

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
    let transfer = transfer(&api)?;
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
    let etag = quoted(&file.etag);
    let mut response = if head.has_version(&etag) {
        empty(StatusCode::NOT_MODIFIED)
    } else {
        whole_or_part(file, range.is_some())?
    };
    let headers = response.headers_mut();
    headers.insert(ETAG, HeaderValue::from_str(&etag).map_err(ApiError::internal)?);
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("private"));
    headers.insert(CONTENT_SECURITY_POLICY, HARMLESS);
    Ok(response)
}

fn whole_or_part(file: OpenFile, is_part: bool) -> Result<Response, ApiError> {
    let OpenFile { media_type, etag: _, size_bytes, range, bytes } = file;
    let status = if is_part { StatusCode::PARTIAL_CONTENT } else { StatusCode::OK };
    let mut response = streamed(status, bytes);
    let headers = response.headers_mut();
    let media_type = HeaderValue::from_str(&media_type).map_err(ApiError::internal)?;
    headers.insert(CONTENT_TYPE, media_type);
    headers.insert(CONTENT_LENGTH, HeaderValue::from(range.end - range.start));
    headers.insert(ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    if is_part {
        let place = format!("bytes {}-{}/{size_bytes}", range.start, range.end - 1);
        let place = HeaderValue::from_str(&place).map_err(ApiError::internal)?;
        headers.insert(CONTENT_RANGE, place);
    }
    Ok(response)
}

fn quoted(etag: &str) -> String {
    format!("\"{etag}\"")
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
