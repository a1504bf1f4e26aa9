//! `scheduler sandbox`: the sandbox networks alone, and what makes them fail.

mod control;

use std::net::{Ipv4Addr, SocketAddr};
use std::num::NonZeroU64;
use std::path::PathBuf;

use clap::{Args, Subcommand};
use serde_json::json;

use self::control::{ClockArguments, FaultArguments, FaultsArguments};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::optional::sandbox::start;
use crate::signals::stop_requested;

/// Where the sandbox listens unless told otherwise.
const DEFAULT_LISTEN: SocketAddr = SocketAddr::new(std::net::IpAddr::V4(Ipv4Addr::LOCALHOST), 8090);

/// The sandbox networks; they run when nothing else is said.
#[derive(Args, Debug)]
#[command(args_conflicts_with_subcommands = true)]
pub(crate) struct SandboxArguments {
    #[command(subcommand)]
    command: Option<SandboxCommand>,
    #[command(flatten)]
    run: RunArguments,
}

#[derive(Debug, Subcommand)]
enum SandboxCommand {
    /// Have a running sandbox fail in one of the ways that networks do
    #[command(
        after_help = "Examples:\n  scheduler sandbox fault rate_limited --network mastodon --retry-after 30\n  scheduler sandbox fault permanent --operation publish --containing \"refused\" --times 3\n  scheduler sandbox fault reset_after --network bluesky --sandbox-url http://127.0.0.1:8090"
    )]
    Fault(FaultArguments),
    /// List what waits to go wrong at a running sandbox, or call it off
    #[command(
        after_help = "Examples:\n  scheduler sandbox faults\n  scheduler sandbox faults --clear"
    )]
    Faults(FaultsArguments),
    /// Tell the time at a running sandbox, or move it on
    #[command(
        after_help = "Examples:\n  scheduler sandbox clock\n  scheduler sandbox clock --advance 61d"
    )]
    Clock(ClockArguments),
}

/// How the sandbox networks run.
#[derive(Args, Debug)]
struct RunArguments {
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

pub(crate) async fn run(context: Context, arguments: SandboxArguments) -> Result<Exit, Failure> {
    match arguments.command {
        None => serve(context, arguments.run).await,
        Some(SandboxCommand::Fault(arguments)) => control::fault(context, arguments).await,
        Some(SandboxCommand::Faults(arguments)) => control::faults(context, arguments).await,
        Some(SandboxCommand::Clock(arguments)) => control::clock(context, arguments).await,
    }
}

/// Runs the sandbox until SIGTERM or ctrl-C.
async fn serve(context: Context, arguments: RunArguments) -> Result<Exit, Failure> {
    let stop = stop_requested()?;
    let RunArguments { listen, quotas, receive_bytes_per_second, data } = arguments;
    let sandbox = start(listen, data, quotas, receive_bytes_per_second).await?;
    let line = format!("Sandbox on {}", sandbox.url());
    context.print(&json!({"sandbox": sandbox.url()}), &line)?;
    stop.await;
    sandbox.stop().await;
    Ok(Exit::Done)
}
