//! What the starter of a sandbox may choose.

use std::fmt;
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::sync::Arc;
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
    /// Who is told of every answer of a network; `None` for nobody.
    pub watcher: Option<Watcher>,
}

/// Who is told of every answer of a network, before it is sent.
#[derive(Clone)]
pub struct Watcher(Arc<dyn Fn(&Answered<'_>) + Send + Sync>);

impl Watcher {
    /// One that calls `told`.
    #[must_use]
    pub fn new(told: impl Fn(&Answered<'_>) + Send + Sync + 'static) -> Self {
        Self(Arc::new(told))
    }

    pub(crate) fn tell(&self, answered: &Answered<'_>) {
        (self.0)(answered);
    }
}

impl fmt::Debug for Watcher {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Watcher")
    }
}

impl PartialEq for Watcher {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Watcher {}

/// A request to a network, and its answer.
#[derive(Clone, Copy, Debug)]
pub struct Answered<'a> {
    /// The network.
    pub platform: &'a str,
    /// The method of the request.
    pub method: &'a str,
    /// Its path below the network's own, percent-encoding kept.
    pub path: &'a str,
    /// Its query, without the question mark; empty where there is none.
    pub query: &'a str,
    /// The status of the answer.
    pub status: u16,
    /// Its body.
    pub body: &'a [u8],
}

impl Default for Options {
    fn default() -> Self {
        Self {
            quotas: false,
            access_token_lifetime: Duration::from_secs(120 * 60),
            media_processing: Duration::from_millis(500),
            receive_bytes_per_second: None,
            folder: None,
            watcher: None,
        }
    }
}
