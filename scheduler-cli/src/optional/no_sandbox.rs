//! A build without the sandbox networks.

use std::net::SocketAddr;
use std::num::NonZeroU64;
use std::path::PathBuf;

pub(crate) enum Sandbox {}

impl Sandbox {
    pub(crate) fn is_new(&self) -> bool {
        match *self {}
    }

    pub(crate) fn url(&self) -> &str {
        match *self {}
    }

    pub(crate) async fn stop(self) {
        match self {}
    }
}

pub(crate) async fn start(
    _: SocketAddr,
    _: Option<PathBuf>,
    _: bool,
    _: Option<NonZeroU64>,
) -> anyhow::Result<Sandbox> {
    Err(anyhow::anyhow!(
        "this build has no sandbox; build it with the feature `sandbox`, or name one that runs by \
         SCHEDULER_SANDBOX_URL"
    ))
}
