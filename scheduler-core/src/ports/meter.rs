//! Counting the requests that an adapter makes outside of publishing.

use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;

use super::NetworkError;

/// Counts requests against what a network may be asked outside of publishing.
#[async_trait]
pub trait Meter: Send + Sync {
    /// Counts a request that is about to be made.
    ///
    /// # Errors
    /// [`NetworkError`]: the request may not be made now, which ends what it is part of.
    async fn before(&self) -> Result<(), NetworkError>;
}

/// The meter that an adapter asks before each request that it makes. One that asks none is charged
/// for nothing.
#[derive(Clone)]
pub struct Metered(pub Arc<dyn Meter>);

impl Metered {
    /// Counts nothing: what is done was counted by whoever asked for it, or is not to be counted.
    #[must_use]
    pub fn free() -> Self {
        Self(Arc::new(Free))
    }

    /// Counts a request that is about to be made.
    ///
    /// # Errors
    /// As [`Meter::before`].
    pub async fn before(&self) -> Result<(), NetworkError> {
        self.0.before().await
    }
}

impl fmt::Debug for Metered {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Metered")
    }
}

struct Free;

#[async_trait]
impl Meter for Free {
    async fn before(&self) -> Result<(), NetworkError> {
        Ok(())
    }
}
