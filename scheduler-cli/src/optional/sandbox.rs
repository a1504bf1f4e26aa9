//! The sandbox networks inside this process.

use std::net::SocketAddr;
use std::num::NonZeroU64;
use std::path::PathBuf;

use scheduler_sandbox::Options;

pub(crate) use scheduler_sandbox::Sandbox;

/// Starts the sandbox networks; what the parameters mean stands at [`Options`].
///
/// # Errors
/// When the address cannot be listened on, or the folder not be used.
pub(crate) async fn start(
    listen: SocketAddr,
    folder: Option<PathBuf>,
    quotas: bool,
    receive_bytes_per_second: Option<NonZeroU64>,
) -> anyhow::Result<Sandbox> {
    let options = Options { folder, quotas, receive_bytes_per_second, ..Options::default() };
    Ok(Sandbox::start(listen, options).await?)
}
