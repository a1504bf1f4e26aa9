//! What the starter of a sandbox may choose.

use std::num::NonZeroU64;
use std::path::PathBuf;
use std::time::Duration;

/// Settings of a sandbox; the default behaves as the public networks do, without their quotas.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Whether rate limits and daily quotas of the networks are imitated.
    pub quotas: bool,
    /// Life of a Bluesky access token.
    ///
    /// Source: <https://github.com/bluesky-social/atproto>, `packages/pds` (120 minutes).
    pub access_token_lifetime: Duration,
    /// How long the networks take to process a video or an animation; images are ready at once.
    pub media_processing: Duration,
    /// How fast the bodies of requests to networks come at most, each for itself; `None` for as
    /// fast as they are sent.
    pub receive_bytes_per_second: Option<NonZeroU64>,
    /// A folder in which the sandbox keeps what it was asked, so that one that starts there later
    /// goes on as if it had never ended, also after a kill; `None` keeps everything in memory. It
    /// is made if it is not there. It holds tokens, and grows with every request.
    pub folder: Option<PathBuf>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            quotas: false,
            access_token_lifetime: Duration::from_secs(120 * 60),
            media_processing: Duration::from_millis(500),
            receive_bytes_per_second: None,
            folder: None,
        }
    }
}
