//! `scheduler metrics refresh`

use reqwest::Method;
use serde::Deserialize;

use crate::client::Call;
use crate::config::ClientOptions;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::number;

/// What the help shows last.
pub(super) const EXAMPLE: &str = "Example:\n  scheduler metrics refresh";

/// Has figures read anew.
pub(super) async fn run(context: &Context, options: ClientOptions) -> Result<Exit, Failure> {
    #[derive(Deserialize)]
    struct Refreshed {
        queued: u32,
    }
    let client = context.client(options).await?;
    let answer = context
        .with_spinner(
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
    context.done(&answer.body, &line)
}
