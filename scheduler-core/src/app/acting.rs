//! What a caller is told when a call to a network did not happen.

use crate::engine::NetworkCallError;
use crate::error::AppError;

impl From<NetworkCallError> for AppError {
    fn from(error: NetworkCallError) -> Self {
        match error {
            NetworkCallError::Network(error) => error.into(),
            NetworkCallError::Store(error) => error.into(),
        }
    }
}
