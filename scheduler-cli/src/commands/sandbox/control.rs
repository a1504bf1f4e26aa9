//! The commands that have a running sandbox fail, or its clock move.

use std::time::Duration;

use chrono::TimeDelta;
use clap::Args;
use reqwest::{Method, StatusCode};
use scheduler_core::platform::Platform;
use serde::Deserialize;
use serde_json::{Map, Value, json};
use url::Url;

use crate::client::{Route, build, unreachable};
use crate::config::{KEYS, Sources};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::names::OneOf;
use crate::printer::{Column, Shows, cell};
use crate::times::length;

/// How long a sandbox may take to answer a control call.
const TIMEOUT: Duration = Duration::from_secs(10);

/// What can go wrong at a sandbox.
const KINDS: [&str; 9] = [
    "error500",
    "rate_limited",
    "timeout",
    "reset_before",
    "reset_after",
    "permanent",
    "expired_token",
    "slow",
    "partial",
];

/// The requests that a fault may be for.
const OPERATIONS: [&str; 7] = ["any", "publish", "upload", "poll", "comment", "metrics", "token"];

/// Where the sandbox is.
#[derive(Args, Debug)]
struct Place {
    /// The address of the sandbox, as `scheduler sandbox` and `serve --sandbox` print it
    /// [env: SCHEDULER_SANDBOX_URL]
    #[arg(long = "sandbox-url", value_name = "URL")]
    url: Option<Url>,
}

/// What is to go wrong.
#[derive(Args, Debug)]
pub(crate) struct FaultArguments {
    /// What happens: error500, rate_limited and permanent are answers of the network; expired_token
    /// ends the tokens of the account; timeout and reset_before do nothing and answer nothing;
    /// reset_after does what was asked and loses the answer; slow waits first; partial does half
    #[arg(value_parser = KINDS, hide_possible_values = true)]
    kind: String,
    /// Requests to this network alone
    #[arg(long, value_parser = OneOf::<Platform>::new())]
    network: Option<Platform>,
    /// Requests of this kind alone
    #[arg(long, value_parser = OPERATIONS, default_value = "any")]
    operation: String,
    /// Requests whose body holds this text alone
    #[arg(long, value_name = "TEXT")]
    containing: Option<String>,
    /// How many requests it hits
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
    times: u32,
    /// How many requests it lets pass first
    #[arg(long, value_name = "N", default_value_t = 0)]
    skip: u32,
    /// How long the network asks to be left alone, with rate_limited
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u32).range(..=86_400))]
    retry_after: Option<u32>,
    #[command(flatten)]
    place: Place,
}

/// What waits to go wrong.
#[derive(Args, Debug)]
pub(crate) struct FaultsArguments {
    /// Call all of them off
    #[arg(long)]
    clear: bool,
    #[command(flatten)]
    place: Place,
}

/// What time it is at the networks.
#[derive(Args, Debug)]
pub(crate) struct ClockArguments {
    /// Move the clock of the sandbox on by so much, such as 2h or 60d; tokens run out by it
    #[arg(long, value_name = "TIME", value_parser = span)]
    advance: Option<TimeDelta>,
    #[command(flatten)]
    place: Place,
}

/// A fault that waits for its requests, as the sandbox lists it.
#[derive(Debug, Deserialize)]
struct Armed {
    platform: String,
    operation: String,
    kind: String,
    skip: u64,
    times: u64,
}

fn span(text: &str) -> Result<TimeDelta, &'static str> {
    length(text)
        .filter(|span| *span <= TimeDelta::days(365))
        .ok_or("write a length of time of up to a year, such as 2h, 30 min or 60 days")
}

impl Place {
    /// # Errors
    /// [`Failure::Usage`] when nothing says where the sandbox is; [`Failure::Config`].
    fn find(self, sources: &Sources) -> Result<Url, Failure> {
        let url = match self.url {
            Some(url) => Some(url),
            None => sources.set(&KEYS.sandbox_url)?,
        };
        url.ok_or_else(|| {
            Failure::Usage(
                "say where the sandbox is, with --sandbox-url or SCHEDULER_SANDBOX_URL; `scheduler sandbox` and `scheduler serve --sandbox` print it as they start"
                    .to_owned(),
            )
        })
    }
}

/// Sends a control call.
///
/// # Errors
/// [`Failure::Unreachable`] when no sandbox is there, [`Failure::Other`] with what it refuses.
async fn call(
    context: &Context,
    place: Place,
    method: Method,
    path: &str,
    body: Option<&Value>,
) -> Result<Value, Failure> {
    let url = place.find(&context.sources)?;
    let base = url.as_str().trim_end_matches('/');
    let lost = |error: reqwest::Error| unreachable(base, &error);
    let client = build(TIMEOUT, Route::Direct)?;
    let mut request = client.request(method, format!("{base}/_sandbox{path}"));
    if let Some(body) = body {
        request = request.json(body);
    }
    let answer = request.send().await.map_err(lost)?;
    let status = answer.status();
    let bytes = answer.bytes().await.map_err(lost)?;
    if status == StatusCode::NO_CONTENT {
        return Ok(Value::Null);
    }
    let document: Option<Value> = serde_json::from_slice(&bytes).ok();
    match document {
        Some(document) if status.is_success() => Ok(document),
        Some(document) if document["error"].is_string() => {
            let sentence = document["error"].as_str().unwrap_or_default().to_owned();
            Err(Failure::Other(anyhow::anyhow!(sentence)))
        }
        _ => Err(Failure::Other(anyhow::anyhow!("{base} is no sandbox: it has answered {status}"))),
    }
}

pub(crate) async fn fault(context: Context, arguments: FaultArguments) -> Result<Exit, Failure> {
    let FaultArguments { kind, network, operation, containing, times, skip, retry_after, place } =
        arguments;
    let network = network.map_or("any", Platform::as_str);
    let mut body = Map::new();
    for (name, value) in [
        ("platform", Some(json!(network))),
        ("operation", Some(json!(operation))),
        ("kind", Some(json!(kind))),
        ("times", Some(json!(times))),
        ("skip", Some(json!(skip))),
        ("containing", containing.map(Value::String)),
        ("retryAfterSeconds", retry_after.map(|seconds| json!(seconds))),
    ] {
        body.extend(value.map(|value| (name.to_owned(), value)));
    }
    let armed = call(&context, place, Method::POST, "/faults", Some(&Value::Object(body))).await?;
    context.done(&armed, "it waits for its requests; `scheduler sandbox faults` shows what is left")
}

pub(crate) async fn faults(context: Context, arguments: FaultsArguments) -> Result<Exit, Failure> {
    let FaultsArguments { clear, place } = arguments;
    if clear {
        call(&context, place, Method::DELETE, "/faults", None).await?;
        return context.done(&json!({"cleared": true}), "nothing goes wrong on purpose any more");
    }
    let document = call(&context, place, Method::GET, "/faults", None).await?;
    let armed: Vec<Armed> = Vec::deserialize(&document["data"])
        .map_err(|_| anyhow::anyhow!("the sandbox is of another version"))?;
    let columns: [Shows<Armed>; 5] = [
        (Column::words("kind"), |armed| cell(&armed.kind)),
        (Column::words("network"), |armed| cell(&armed.platform)),
        (Column::words("operation"), |armed| cell(&armed.operation)),
        (Column::numbers("lets pass"), |armed| cell(armed.skip)),
        (Column::numbers("times"), |armed| cell(armed.times)),
    ];
    context.list(&document, &armed, &columns, "Nothing waits to go wrong.")
}

pub(crate) async fn clock(context: Context, arguments: ClockArguments) -> Result<Exit, Failure> {
    let ClockArguments { advance, place } = arguments;
    let by = advance.unwrap_or_default().num_milliseconds();
    let body = json!({"advanceMilliseconds": by});
    let document = call(&context, place, Method::POST, "/clock", Some(&body)).await?;
    let now = document["now"].as_str().unwrap_or_default().to_owned();
    context.done(&document, &now)
}
