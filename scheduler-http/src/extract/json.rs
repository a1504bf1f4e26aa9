//! Where a body of JSON is worked through.

use std::panic::resume_unwind;

use bytes::Bytes;

use crate::budget::is_large;
use crate::error::ApiError;

/// Works a body through. A large one is read where it holds up no other request.
///
/// # Errors
/// `internal` while the process stops.
pub(super) async fn read<T: Send + 'static>(
    bytes: Bytes,
    work: fn(&[u8]) -> T,
) -> Result<T, ApiError> {
    if !is_large(bytes.len()) {
        return Ok(work(&bytes));
    }
    match tokio::task::spawn_blocking(move || work(&bytes)).await {
        Ok(read) => Ok(read),
        Err(error) => match error.try_into_panic() {
            Ok(words) => resume_unwind(words),
            Err(cancelled) => Err(ApiError::internal(cancelled)),
        },
    }
}
