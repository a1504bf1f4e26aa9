//! `PUT /files/…`, outside the API: takes bytes under a signed link.

use futures_util::StreamExt as _;
use http::header::ETAG;
use scheduler_core::error::{ErrorCode, Refusal};
use scheduler_core::ports::{ByteStream, FilesError, FoundBytes, ReceiveError};

use super::link::{key, not_allowed, signed_files};
use crate::answer::empty;
use crate::extract::{FILE_IDLE_TIMEOUT, Head};
use crate::routes::prelude::*;

pub(super) static ENDPOINT: Endpoint = Endpoint {
    name: "send_file",
    method: Method::PUT,
    pattern: "/files/{workspaceId}/{mediaId}/{name}",
    query: &[],
    handler: Handler::Keyless(|call| Box::pin(send(call))),
    description: None,
};

async fn send(call: Call) -> Result<Response, ApiError> {
    let key = key(&call);
    let Call { api, head, body, .. } = call;
    let signed = signed_files(&api)?;
    let Some(declared) = head.content_length() else {
        let message = "Say how many bytes come: Content-Length.";
        let refusal = Refusal::new(ErrorCode::InvalidRequest, message);
        return Err(ApiError::with_status(refusal, StatusCode::LENGTH_REQUIRED));
    };
    let query = head.query().unwrap_or_default();
    let _transfer = api.transfer()?;
    let bytes = of_link(head.clone(), body.pieces(FILE_IDLE_TIMEOUT, declared));
    match signed.receive(&key, query, Some(declared), bytes).await {
        Ok(etag) => {
            let etag = HeaderValue::from_str(&format!("\"{etag}\"")).map_err(ApiError::internal)?;
            let mut response = empty(StatusCode::OK);
            response.headers_mut().insert(ETAG, etag);
            Ok(response)
        }
        Err(error) => Err(refused(error)),
    }
}

/// The bytes that come to a link. The link was looked at by whoever asks for the first of them.
fn of_link(head: Head, bytes: ByteStream) -> ByteStream {
    ByteStream(Box::pin(bytes.0.inspect(move |_| head.is_of_somebody_known())))
}

fn refused(error: ReceiveError) -> ApiError {
    let refusal = |code, message: String| ApiError::from(Refusal::new(code, message));
    match error {
        ReceiveError::Link(error) => not_allowed(error),
        ReceiveError::WrongSize { expected_bytes, found } => {
            let message = format!("This link takes exactly {expected_bytes} bytes; {found} came.");
            let is_more = match found {
                FoundBytes::Exactly(found) => found > expected_bytes,
                FoundBytes::TooMany => true,
            };
            let code = if is_more { ErrorCode::PayloadTooLarge } else { ErrorCode::InvalidRequest };
            refusal(code, message)
        }
        ReceiveError::Closed => {
            let message = "This upload was finished, given up, or sent anew by another request; nothing more of this one is taken.";
            refusal(ErrorCode::MediaUnusable, message.to_owned())
        }
        ReceiveError::Files(FilesError::Interrupted(message) | FilesError::Refused(message)) => {
            refusal(ErrorCode::InvalidRequest, message)
        }
        ReceiveError::Files(
            error @ (FilesError::Missing | FilesError::Unavailable(_) | FilesError::Full),
        ) => error.into(),
    }
}
