//! `scheduler metrics refresh`

use clap::Args;
use reqwest::Method;
use serde::Deserialize;

use crate::client::Call;
use crate::commands::Context;
use crate::config::ClientOptions;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::number;

/// What the help shows last.
pub(super) const EXAMPLE: &str = "Example:\n  scheduler metrics refresh";

/// The server to ask.
#[derive(Args, Debug)]
pub(super) struct RefreshArguments {
    #[command(flatten)]
    client: ClientOptions,
}

/// Has figures read anew.
///
/// # Errors
/// [`Failure`] by variant.
pub(super) async fn run(context: &Context, arguments: RefreshArguments) -> Result<Exit, Failure> {
    #[derive(Deserialize)]
    struct Refreshed {
        queued: u32,
    }
    let client = context.client(arguments.client)?;
    let answer = context
        .patiently(
            "asking for new figures",
            client.send(Call::new(Method::POST, "/posts/metrics/refresh")),
        )
        .await?;
    let refreshed: Refreshed = answer.read()?;
    let line = match refreshed.queued {
        0 => "nothing went out in the last fortnight".to_owned(),
        1 => "1 reading is queued; `scheduler metrics POST` shows it once it is taken".to_owned(),
        queued => format!(
            "{} readings are queued; `scheduler metrics POST` shows them as they are taken",
            number(queued.into())
        ),
    };
    context.print(&answer.body, &line)?;
    Ok(Exit::Done)
}
