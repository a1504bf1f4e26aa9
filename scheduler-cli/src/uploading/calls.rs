//! Calls to the server that are worth repeating.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use scheduler_core::app::ShownMedia;
use scheduler_core::error::ErrorCode;
use scheduler_core::ids::MediaId;
use scheduler_core::media::{MediaStatus, MediaView};
use serde_json::Value;

use super::progress::Progress;
use crate::client::{Answer, Call, Client};
use crate::failure::Failure;
use crate::printer::Printer;

const SHORTEST_PAUSE: Duration = Duration::from_millis(100);
const LONGEST_PAUSE: Duration = Duration::from_secs(2);
/// Tries in a row after which a call is given up. With the pauses between them this spans the
/// restart of a server.
const TRIES: u32 = 20;
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
pub(crate) async fn patiently<'a>(
    client: &Client,
    call: impl Fn() -> Call<'a>,
) -> Result<Answer, Failure> {
    repeat(client, call, TRIES, |failure| match failure {
        Failure::Unreachable { .. } => true,
        Failure::Refused(body) => {
            matches!(body.error.code, ErrorCode::RateLimited | ErrorCode::Internal)
        }
        Failure::Usage(_)
        | Failure::Config(_)
        | Failure::StoreUnreachable { .. }
        | Failure::Interrupted
        | Failure::Unfollowed(_)
        | Failure::Other(_) => false,
    })
    .await
}

/// Declares a file; waits where the server takes no more in this minute, and says so.
///
/// # Errors
/// Those of the server.
pub(crate) async fn declare(
    client: &Client,
    body: &Value,
    printer: Printer,
) -> Result<Answer, Failure> {
    let is_told = AtomicBool::new(false);
    repeat(client, || Call::post("/media", body), DECLARATIONS, |failure| {
        let is_passing =
            matches!(failure, Failure::Refused(body) if body.error.code == ErrorCode::RateLimited);
        if is_passing && !is_told.swap(true, Ordering::Relaxed) {
            printer.message("waiting: the server takes no more files in this minute");
        }
        is_passing
    })
    .await
}

async fn repeat<'a>(
    client: &Client,
    call: impl Fn() -> Call<'a>,
    tries: u32,
    is_passing: impl Fn(&Failure) -> bool,
) -> Result<Answer, Failure> {
    let (mut pause, mut tried) = (SHORTEST_PAUSE, 1);
    loop {
        match client.send(call()).await {
            Err(failure) if tried < tries && is_passing(&failure) => tried += 1,
            outcome => return outcome,
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 3 / 2).min(LONGEST_PAUSE);
    }
}

/// Waits until the server has fetched and examined a file: until it is ready, or never will be.
///
/// # Errors
/// Those of the server.
pub(crate) async fn settled(client: &Client, id: MediaId, name: &str) -> Result<Shown, Failure> {
    let progress = Progress::of_waiting(name);
    let path = format!("/media/{id}");
    let mut pause = SHORTEST_PAUSE;
    loop {
        let answer = patiently(client, || Call::get(&path)).await?;
        let shown: ShownMedia = answer.read()?;
        match shown.media.status {
            MediaStatus::Ingesting => progress.say("the server fetches it"),
            MediaStatus::Processing => progress.say("the server examines it"),
            MediaStatus::AwaitingUpload
            | MediaStatus::Ready
            | MediaStatus::Failed
            | MediaStatus::Deleted => {
                return Ok(Shown { document: answer.body, media: shown.media });
            }
        }
        tokio::time::sleep(pause).await;
        pause = (pause * 3 / 2).min(LONGEST_PAUSE);
    }
}
