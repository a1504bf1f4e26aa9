//! Calls to the server that are worth repeating.

use scheduler_core::app::ShownMedia;
use scheduler_core::error::ErrorCode;
use scheduler_core::ids::MediaId;
use scheduler_core::media::{MediaInput, MediaStatus, MediaView};
use serde_json::{Value, json};

use crate::client::{Answer, Call, Client};
use crate::failure::Failure;
use crate::printer::Printer;
use crate::waiting::{Bar, Pauses};

/// Tries in a row after which a call is given up. With the pauses between them this spans the
/// restart of a server.
pub(crate) const TRIES: u32 = 20;
/// Tries to declare a file. With the pauses between them this spans the minute after which the
/// server takes declarations again.
const DECLARATIONS: u32 = 45;

/// A file as the server tells it.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    /// As it came.
    pub(crate) document: Value,
    /// The same, read.
    pub(crate) media: MediaView,
}

/// Sends a call that may be sent twice until it brings an answer.
///
/// # Errors
/// Those of the server; that it cannot be reached only when it stays so.
pub(crate) async fn with_retry<'a>(
    client: &Client,
    call: impl Fn() -> Call<'a>,
) -> Result<Answer, Failure> {
    let is_passing = |failure: &Failure| {
        matches!(failure, Failure::Unreachable { .. })
            || matches!(failure.code(), Some(ErrorCode::RateLimited | ErrorCode::Internal))
    };
    repeat(client, call, TRIES, is_passing).await
}

/// Declares a file; waits where the server takes no more in this minute, and says so.
pub(crate) async fn declare(
    client: &Client,
    input: &MediaInput,
    printer: Printer,
) -> Result<Answer, Failure> {
    let (body, mut is_told) = (json!(input), false);
    let is_passing = |failure: &Failure| {
        let is_passing = failure.code() == Some(ErrorCode::RateLimited);
        if is_passing && !std::mem::replace(&mut is_told, true) {
            printer.message("waiting: the server takes no more files in this minute");
        }
        is_passing
    };
    repeat(client, || Call::post("/media", &body), DECLARATIONS, is_passing).await
}

async fn repeat<'a>(
    client: &Client,
    call: impl Fn() -> Call<'a>,
    tries: u32,
    mut is_passing: impl FnMut(&Failure) -> bool,
) -> Result<Answer, Failure> {
    let (mut pauses, mut tried) = (Pauses::new(), 1);
    loop {
        match client.send(call()).await {
            Err(failure) if tried < tries && is_passing(&failure) => tried += 1,
            outcome => return outcome,
        }
        pauses.wait().await;
    }
}

/// Waits until the server has fetched and examined a file: until it is ready, or never will be.
pub(crate) async fn settled(client: &Client, id: MediaId, name: &str) -> Result<Shown, Failure> {
    let progress = Bar::new(None, "{spinner} {prefix}: {msg}", name);
    let path = format!("/media/{id}");
    let mut pauses = Pauses::new();
    loop {
        let answer = with_retry(client, || Call::get(&path)).await?;
        let shown: ShownMedia = answer.read()?;
        match shown.media.status {
            MediaStatus::Ingesting => progress.set_message("the server fetches it"),
            MediaStatus::Processing => progress.set_message("the server examines it"),
            MediaStatus::AwaitingUpload
            | MediaStatus::Ready
            | MediaStatus::Failed
            | MediaStatus::Deleted => {
                return Ok(Shown { document: answer.body, media: shown.media });
            }
        }
        pauses.wait().await;
    }
}
