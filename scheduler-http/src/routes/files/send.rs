//! `PUT /files/…`

use std::sync::Arc;
use std::time::Duration;

use futures_util::StreamExt as _;
use http::header::ETAG;
use http::{HeaderValue, StatusCode};
use scheduler_core::error::{ErrorCode, Refusal};
use scheduler_core::ports::{ByteStream, FilesError, FoundBytes, ReceiveError};
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use super::{not_allowed, signed_files, transfer};
use crate::answer::empty;
use crate::api::Api;
use crate::endpoints::SEND_FILE;
use crate::error::ApiError;
use crate::extract::{Body, Head};
use crate::routes::{answered, body, head, with};

/// How long nothing of a body may come. Source: our decision.
const IDLE_PATIENCE: Duration = Duration::from_secs(60);

pub(in crate::routes) fn route(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    warp::path!("files" / String / String / String)
        .and(warp::put())
        .and(head())
        .and(body())
        .and(with(api))
        .then(|workspace, media, name, head, body, api| {
            let key = format!("{workspace}/{media}/{name}");
            answered(&SEND_FILE, send(key, head, body, api))
        })
        .boxed()
}

async fn send(key: String, head: Head, body: Body, api: Arc<Api>) -> Result<Response, ApiError> {
    let signed = signed_files(&api)?;
    let Some(declared) = head.content_length() else {
        let message = "Say how many bytes come: Content-Length.";
        let refusal = Refusal::new(ErrorCode::InvalidRequest, message);
        return Err(ApiError::with_status(refusal, StatusCode::LENGTH_REQUIRED));
    };
    let query = head.query().unwrap_or_default();
    let _transfer = transfer(&api)?;
    let bytes = of_link(head.clone(), body.pieces(IDLE_PATIENCE, declared));
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
