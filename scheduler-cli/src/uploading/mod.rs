//! Uploading files of this machine, as a person is told of it: what goes on after an interruption,
//! how far it is, and what is waited for. [`scheduler_client::upload`] sends the bytes; the commands
//! choose the files; what a file is comes from `crate::posting`.

mod progress;

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};

use clap::Args;
use scheduler_client::upload;
use scheduler_core::ids::MediaId;
use scheduler_core::media::{MediaInput, MediaStatus};

use crate::client::{Answer, Client};
use crate::config::{Sources, state_folder};
use crate::context::Context;
use crate::failure::Failure;
use crate::posting::LocalFile;
use crate::printer::Printer;
use crate::signals::stop_requested;
use crate::waiting::Bar;

pub(crate) use scheduler_client::StoredFile;
pub(crate) use scheduler_client::upload::{Uploaded, modified_nanoseconds, state_path};

use progress::{WaitsOnce, told};

/// How files are uploaded.
#[derive(Args, Clone, Debug)]
pub(crate) struct UploadOptions {
    /// How many parts of a large file are sent at once
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u8).range(1..=16), help_heading = "Upload options")]
    parallel: u8,
    /// Where interrupted uploads are remembered [env: SCHEDULER_STATE]
    /// [default: ~/.local/state/scheduler]
    #[arg(long, value_name = "DIR", help_heading = "Upload options")]
    state: Option<PathBuf>,
}

impl UploadOptions {
    /// Where this program remembers what it has begun.
    ///
    /// # Errors
    /// [`Failure::Config`] for a state folder that is none.
    pub(crate) fn states(&self, sources: &Sources) -> Result<Option<PathBuf>, Failure> {
        Ok(state_folder(self.state.clone(), sources)?)
    }

    /// How many parts of a large file are sent at once.
    pub(crate) fn parallel(&self) -> usize {
        self.parallel.into()
    }
}

/// Uploads files to one server, and tells a person how far they are.
pub(crate) struct Uploader {
    uploader: upload::Uploader,
    printer: Printer,
}

/// Does something until it ends or the process is told to stop.
///
/// From then on a signal ends the process at once, as it does where nobody listens for it.
///
/// # Errors
/// [`Failure::Interrupted`] when the process is told to stop.
pub(crate) async fn unless_stopped<T>(
    work: impl Future<Output = Result<T, Failure>>,
) -> Result<T, Failure> {
    let mut stop = Box::pin(stop_requested()?);
    let outcome = tokio::select! {
        outcome = Box::pin(work) => outcome,
        () = &mut stop => return Err(Failure::Interrupted),
    };
    tokio::spawn(async move {
        stop.await;
        if !IS_LEFT_TO_OTHERS.load(Ordering::Relaxed) {
            std::process::exit(STOPPED);
        }
    });
    outcome
}

/// From now on somebody else listens for signals, after [`unless_stopped`] has.
pub(crate) fn leave_to_others() {
    IS_LEFT_TO_OTHERS.store(true, Ordering::Relaxed);
}

static IS_LEFT_TO_OTHERS: AtomicBool = AtomicBool::new(false);

/// How a process ends that was told to stop where nothing goes on later.
const STOPPED: i32 = 130;

impl Uploader {
    /// Uploads to the server of this client.
    ///
    /// # Errors
    /// [`Failure::Config`] for a state folder that is none.
    pub(crate) fn new(
        context: &Context,
        client: &Client,
        options: UploadOptions,
    ) -> Result<Self, Failure> {
        let states = state_folder(options.state, &context.sources)?;
        if states.is_none() {
            context.printer.warning(
                "uploads begin anew when they are interrupted: the system names no folder to \
                 remember them in; see --state",
            );
        }
        Self::within(context.printer, client, states, options.parallel.into())
    }

    /// Uploads to the server of this client, and remembers uploads in this folder.
    pub(crate) fn within(
        printer: Printer,
        client: &Client,
        states: Option<PathBuf>,
        parallel: usize,
    ) -> Result<Self, Failure> {
        let uploader = upload::Uploader::new(client)?.parallel(parallel);
        let uploader = states.into_iter().fold(uploader, upload::Uploader::remembering);
        Ok(Self { uploader, printer })
    }

    /// The folder in which uploads are remembered, if there is any.
    pub(crate) fn states(&self) -> Option<&Path> {
        self.uploader.states()
    }

    /// Uploads a file, or goes on with its upload, until the server has all of its bytes.
    ///
    /// # Errors
    /// Those of the server and of the file store; [`Failure::Other`] when the file cannot be read
    /// or changes meanwhile.
    pub(crate) async fn upload(&self, file: &LocalFile) -> Result<Uploaded, Failure> {
        let uploader = self.uploader.clone().watched(told(self.printer, file.name()));
        Ok(Box::pin(uploader.upload(&file.path, &file.declaration())).await?)
    }
}

/// Declares a file; waits where the server takes no more in this minute, and says so.
pub(crate) async fn declare(
    client: &Client,
    input: &MediaInput,
    printer: Printer,
) -> Result<Answer, Failure> {
    let waits = WaitsOnce::new(printer);
    Ok(client.declare_media(input, || waits.tell()).await?)
}

/// Waits until the server has fetched and examined a file: until it is ready, or never will be.
pub(crate) async fn settled(
    client: &Client,
    id: MediaId,
    name: &str,
) -> Result<StoredFile, Failure> {
    let progress = Bar::new(None, "{spinner} {prefix}: {msg}", name);
    let seen = |status| {
        progress.set_message(match status {
            MediaStatus::Ingesting => "the server fetches it",
            _ => "the server examines it",
        });
    };
    Ok(client.settled_media(id, seen).await?)
}
