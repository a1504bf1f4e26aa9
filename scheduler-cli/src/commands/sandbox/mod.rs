//! `scheduler sandbox`: the sandbox networks alone.

use std::net::{Ipv4Addr, SocketAddr};
use std::num::NonZeroU64;
use std::path::PathBuf;

use clap::Args;
use serde_json::json;

use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::optional::sandbox::start;
use crate::signals::stop_requested;

/// Where the sandbox listens unless told otherwise.
const DEFAULT_LISTEN: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 8090);

/// The sandbox networks.
#[derive(Args, Debug)]
pub(crate) struct SandboxArguments {
    /// The address to listen on; port 0 takes a free one
    #[arg(long, value_name = "ADDR", default_value_t = DEFAULT_LISTEN)]
    listen: SocketAddr,
    /// Imitate the networks' rate limits and daily quotas too
    #[arg(long)]
    quotas: bool,
    /// Take the body of each request no faster than this, as over a slow line
    #[arg(long, value_name = "BYTES")]
    receive_bytes_per_second: Option<NonZeroU64>,
    /// Keep everything in this folder, and go on with what is there; without it everything ends
    /// with the process
    #[arg(long, value_name = "DIR")]
    data: Option<PathBuf>,
}

/// Runs the sandbox until SIGTERM or ctrl-C.
pub(crate) async fn run(context: Context, arguments: SandboxArguments) -> Result<Exit, Failure> {
    let stop = stop_requested()?;
    let SandboxArguments { listen, quotas, receive_bytes_per_second, data } = arguments;
    let sandbox = start(listen, data, quotas, receive_bytes_per_second).await?;
    let line = format!("Sandbox on {}", sandbox.url());
    context.print(&json!({"sandbox": sandbox.url()}), &line)?;
    stop.await;
    sandbox.stop().await;
    Ok(Exit::Done)
}
