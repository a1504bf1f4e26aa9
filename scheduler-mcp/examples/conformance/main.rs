//! A server for the conformance suite of the Model Context Protocol: the tools, resources and
//! prompts that the suite names, reached as the tools of the scheduler are. `scripts/mcp-conformance.sh`
//! runs it; it prints its address and a key as JSON, and keeps everything in memory.
#![expect(clippy::print_stdout, reason = "a program for a script")]

mod asking;
mod offered;
mod suite;

use std::error::Error;
use std::num::NonZeroU32;
use std::sync::Arc;

use futures_util::FutureExt as _;
use http::Method;
use scheduler_core::app::{Scheduler, Settings};
use scheduler_core::memory::test_ports;
use scheduler_core::ports::Random as _;
use scheduler_http::endpoints::Endpoint;
use scheduler_http::{App, ConnectPages, RateLimit, Server, ServerSettings};
use scheduler_mcp::mount;
use scheduler_worker::{Health, OsRandom, SystemClock};
use serde_json::json;
use tokio::net::TcpListener;

use crate::suite::Suite;

static MCP: Endpoint =
    Endpoint::page("mcp", Method::POST, "/mcp", |visit| mount::answer::<Suite>(visit).boxed());

static PAGES: [&Endpoint; 1] = [&MCP];

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = format!("http://{}", listener.local_addr()?);
    let clock = Arc::new(SystemClock::new());
    let mut ports = test_ports(clock.clone());
    ports.random = Arc::new(OsRandom);
    suite::seal_with(OsRandom.bytes());
    let health = Health::new(ports.store.clone(), clock);
    let scheduler = Scheduler::new(ports, Settings::default());
    let first = scheduler.first_start().await?.ok_or("there is a workspace already")?;
    let app = App {
        scheduler,
        settings: ServerSettings {
            rate_limit: RateLimit { per_minute: NonZeroU32::MAX, burst: NonZeroU32::MAX },
            ..ServerSettings::default()
        },
        worker: None,
        health,
        signed_files: None,
        connecting: ConnectPages::at(address.parse()?),
        doctor: None,
        pages: &PAGES,
    };
    println!("{}", json!({"listening": address, "key": first.key.value.expose()}));
    Server::on(listener, app)?.serve(std::future::pending()).await;
    Ok(())
}
