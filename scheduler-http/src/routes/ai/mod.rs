//! What the assistant writes and judges.

pub(super) mod captions;
pub(super) mod review;
pub(super) mod show_review;

use std::future::Future;

use scheduler_core::error::AppError;

use crate::error::ApiError;

/// Waits for an act of the assistant, which goes on to its end when the caller goes away: what it
/// has cost is then counted, or given back.
async fn to_its_end<T: Send + 'static>(
    act: impl Future<Output = Result<T, AppError>> + Send + 'static,
) -> Result<T, ApiError> {
    match tokio::spawn(act).await {
        Ok(result) => Ok(result?),
        Err(panicked) => Err(ApiError::internal(panicked)),
    }
}
