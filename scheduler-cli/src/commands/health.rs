//! `scheduler health`: whether a server can do its work.

use std::time::Duration;

use clap::Args;
use reqwest::StatusCode;
use scheduler_core::platform::is_loopback;
use serde_json::{Value, json};
use url::Url;

use crate::address::reachable;
use crate::client::{Route, build, not_ours, unreachable};
use crate::config::{ClientSettings, RemoteOptions, ServerOptions, ServerSettings};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;

/// Lines for the help.
pub(super) const EXAMPLES: &str = "\
Examples:
  scheduler health
  scheduler health --url https://scheduler.example.com";

/// How long the server may take; it gives its database two seconds.
const TIMEOUT: Duration = Duration::from_secs(5);

/// Names the server that is asked.
#[derive(Args, Debug)]
pub(crate) struct HealthArguments {
    /// The server [env: SCHEDULER_URL] [default: where the settings let a server listen]
    #[arg(long, value_name = "URL")]
    url: Option<String>,
}

/// Asks a server whether it is ready.
///
/// # Errors
/// [`Failure::Config`] for an address that is none, [`Failure::Unreachable`] without an answer,
/// [`Failure::Other`] for the answer of something else.
pub(crate) async fn run(context: Context, arguments: HealthArguments) -> Result<Exit, Failure> {
    let base = server(&context, arguments.url)?;
    let is_near = Url::parse(&base).is_ok_and(|url| is_loopback(&url));
    let http = build(TIMEOUT, if is_near { Route::Direct } else { Route::System })?;
    let answer = http.get(format!("{base}/readyz")).send().await;
    let answer = answer.map_err(|error| unreachable(&base, &error))?;
    let status = answer.status();
    let body = answer.bytes().await.map_err(|error| unreachable(&base, &error))?;
    let body: Value = serde_json::from_slice(&body).unwrap_or_default();
    let said = body["status"].as_str();
    let is_ready = match (status, said) {
        (StatusCode::OK, Some("ok")) => true,
        (StatusCode::SERVICE_UNAVAILABLE, Some("unavailable")) => false,
        _ => return Err(not_ours(&base, status)),
    };
    let document = json!({"url": base, "ready": is_ready, "readiness": body});
    if is_ready {
        context.print(&document, &format!("{base} is ready"))?;
        return Ok(Exit::Done);
    }
    if context.printer.is_json() {
        context.printer.document(&document)?;
    }
    let reason = match (body["database"].as_str(), body["lastTurn"].as_str()) {
        (Some("ok"), _) if body["storage"] == "full" => "its database has no room left".to_owned(),
        (Some("ok"), _) if body["storage"] == "unavailable" => {
            "nothing can be written to its database".to_owned()
        }
        (Some("ok"), _) if body["clockAheadMs"].is_i64() => {
            let ahead = body["clockAheadMs"].as_i64().unwrap_or_default();
            let differs = if ahead < 0 { "behind" } else { "ahead of" };
            format!(
                "its clock is {} ms {differs} the database's, and it takes no new work until the clock is set right",
                ahead.unsigned_abs()
            )
        }
        (Some("ok"), Some(at)) => format!("its worker has not looked for work since {at}"),
        (Some("ok"), None) => "its worker has not started yet".to_owned(),
        _ => "its database does not answer".to_owned(),
    };
    context.printer.error(&format!("{base} is not ready: {reason}"));
    context.printer.advice("see its log, and run `scheduler doctor` on its machine");
    Ok(Exit::Failed)
}

/// The address that is named, else the one that a server with these settings listens on.
fn server(context: &Context, url: Option<String>) -> Result<String, Failure> {
    let sources = &context.sources;
    if url.is_some() || sources.text("url").is_some() {
        return Ok(ClientSettings::load(RemoteOptions::at(url), sources)?.base);
    }
    let listen = ServerSettings::load(ServerOptions::default(), sources)?.listen;
    if listen.port() == 0 {
        return Err(Failure::Usage(
            "the settings let the server choose its port; say which with --url".to_owned(),
        ));
    }
    Ok(format!("http://{}", reachable(listen)))
}
