//! Uploading files of this machine to a server, and going on with an upload that was interrupted.
//!
//! What lives here: `state` (what is remembered of an upload), `parts` (which there are, and
//! several at once), `send` (one part, streamed from disk), `calls` (to the API, repeated where
//! that is safe), `progress`. The commands choose the files; what a file is comes from
//! `crate::posting`.

mod calls;
mod parts;
mod progress;
mod send;
mod state;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use clap::Args;
use reqwest::Method;
use scheduler_core::app::{ShownMedia, UploadInstructions, UploadView};
use scheduler_core::error::ErrorCode;
use scheduler_core::media::{MediaStatus, MediaView};
use serde_json::{Value, json};
use tokio::sync::Mutex;

use crate::client::{Call, Client, Route, build};
use crate::config::{Sources, state_folder};
use crate::context::Context;
use crate::failure::Failure;
use crate::posting::LocalFile;
use crate::printer::Printer;
use crate::signals::stop_requested;

pub(crate) use calls::{Shown, TRIES, declare, settled, with_retry};
pub(crate) use state::{modified_nanoseconds, state_path};

use parts::{missing, parts_of, send_parts};
use progress::bar_of_bytes;
use send::{Links, SendError, Sender};
use state::{Fingerprint, Memory, Remembered, StateFile};

/// Longer than any part takes; what does not move is given up much earlier.
const LONGEST_CALL: Duration = Duration::from_secs(24 * 60 * 60);

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

/// Uploads files to one server.
pub(crate) struct Uploader {
    client: Client,
    /// Sends bytes to this machine.
    near: reqwest::Client,
    /// Sends bytes elsewhere.
    far: reqwest::Client,
    states: Option<PathBuf>,
    parallel: usize,
    printer: Printer,
}

/// A file whose bytes have arrived.
pub(crate) struct Uploaded {
    pub(crate) shown: Shown,
    /// Where its upload is remembered until it is of no more use.
    state: StateFile,
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

struct Begun {
    memory: Memory,
    document: Value,
    media: MediaView,
    upload: Option<UploadView>,
    is_resumed: bool,
}

impl Uploaded {
    /// Forgets the upload: the same file is uploaded anew the next time.
    pub(crate) fn forget(&self) {
        self.state.remove();
    }
}

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
        let near = build(LONGEST_CALL, Route::Direct)?;
        let far = build(LONGEST_CALL, Route::System)?;
        Ok(Self { client: client.clone(), near, far, states, parallel, printer })
    }

    /// The folder in which uploads are remembered, if there is any.
    pub(crate) fn states(&self) -> Option<&Path> {
        self.states.as_deref()
    }

    /// Uploads a file, or goes on with its upload, until the server has all of its bytes.
    ///
    /// # Errors
    /// Those of the server and of the file store; [`Failure::Other`] when the file cannot be read
    /// or changes meanwhile.
    pub(crate) async fn upload(&self, file: &LocalFile) -> Result<Uploaded, Failure> {
        let name = file.path.display();
        let cannot = |error: std::io::Error| {
            Failure::from(anyhow::Error::from(error).context(format!("cannot read {name}")))
        };
        let print = Fingerprint::of(&file.path).map_err(cannot)?;
        if print.size_bytes != file.measured.size_bytes {
            return Err(changed(file));
        }
        let state = match &self.states {
            Some(folder) => StateFile::within(folder, self.client.base(), &print),
            None => StateFile::default(),
        };
        let begun = match state.load(&print) {
            Some(remembered) => self.resume(remembered, state.clone()).await?,
            None => None,
        };
        let begun = match begun {
            Some(begun) => begun,
            None => self.begin(file, &print, state.clone()).await?,
        };
        let is_resumed = begun.is_resumed;
        let sent = match self.go_on(file, &print, begun).await {
            // What was remembered is known to the server but not to its file store.
            Err(SendError::Gone(_)) if is_resumed => {
                let begun = self.begin(file, &print, state.clone()).await?;
                self.go_on(file, &print, begun).await
            }
            outcome => outcome,
        };
        let is_changed = !Fingerprint::of(&file.path).map_err(cannot)?.has_content_of(&print);
        let failure = match sent {
            Ok(shown) if !is_changed => return Ok(Uploaded { shown, state }),
            Ok(_) => changed(file),
            Err(SendError::Gone(_) | SendError::Other(_)) if is_changed => changed(file),
            Err(SendError::Gone(failure)) => failure,
            Err(SendError::Other(failure)) => {
                let is_unreachable = matches!(
                    failure,
                    Failure::Unreachable { .. } | Failure::StoreUnreachable { .. }
                );
                if state.is_kept() && is_unreachable {
                    self.printer.message(
                        "what has arrived is kept for 24 hours: the same command goes on with it",
                    );
                }
                return Err(failure);
            }
        };
        state.remove();
        Err(failure)
    }

    /// Looks up an upload that was interrupted; `None` when the server takes nothing more for it.
    async fn resume(
        &self,
        remembered: Remembered,
        state: StateFile,
    ) -> Result<Option<Begun>, Failure> {
        let path = format!("/media/{}", remembered.media_id);
        let answer = match self.client.send(Call::get(&path)).await {
            Err(failure) if failure.code() == Some(ErrorCode::NotFound) => return Ok(None),
            outcome => outcome?,
        };
        let ShownMedia { media, upload } = answer.read()?;
        let goes_on = match media.status {
            MediaStatus::AwaitingUpload => upload.is_some(),
            MediaStatus::Processing | MediaStatus::Ready => true,
            MediaStatus::Ingesting | MediaStatus::Failed | MediaStatus::Deleted => false,
        };
        let memory = Memory { remembered, state, printer: self.printer };
        let document = answer.body;
        Ok(goes_on.then_some(Begun { memory, document, media, upload, is_resumed: true }))
    }

    async fn begin(
        &self,
        file: &LocalFile,
        print: &Fingerprint,
        state: StateFile,
    ) -> Result<Begun, Failure> {
        let answer = declare(&self.client, &file.declaration(), self.printer).await?;
        let UploadInstructions { media, upload } = answer.read()?;
        let remembered = Remembered::new(self.client.base(), print, media.id);
        let mut memory = Memory { remembered, state, printer: self.printer };
        memory.save();
        let document = answer.body;
        Ok(Begun { memory, document, media, upload: Some(upload), is_resumed: false })
    }

    /// Sends what has not arrived, and tells the server that all of it is there.
    async fn go_on(
        &self,
        file: &LocalFile,
        print: &Fingerprint,
        begun: Begun,
    ) -> Result<Shown, SendError> {
        let Begun { mut memory, document, media, upload, is_resumed } = begun;
        let Some(upload) = upload.filter(|_| media.status == MediaStatus::AwaitingUpload) else {
            return Ok(Shown { document, media });
        };
        let parts = parts_of(&upload, print.size_bytes)?;
        let is_whole = matches!(upload, UploadView::Single { .. });
        let name = file.name();
        let there = memory.remembered.parts.len();
        if is_resumed && there > 0 {
            let count = parts.len();
            self.printer.message(&format!("{name}: going on, {there} of {count} parts are there"));
        }
        let left = missing(&parts, &memory.remembered.parts);
        let left_bytes: u64 = left.iter().map(|part| part.length).sum();
        let there_bytes = print.size_bytes.saturating_sub(left_bytes);
        let sender = Arc::new(Sender {
            client: self.client.clone(),
            near: self.near.clone(),
            far: self.far.clone(),
            path: print.path.clone(),
            media_id: media.id,
            links: Mutex::new(Links::of(upload)?),
            bar: bar_of_bytes(&name, print.size_bytes, there_bytes),
        });
        let arrived = |number, etag| memory.arrived(number, etag);
        send_parts(Arc::clone(&sender), left, self.parallel, arrived).await?;
        if !Fingerprint::of(&print.path).is_ok_and(|now| now.has_content_of(print)) {
            return Err(changed(file).into());
        }
        match self.finish(&memory.remembered, is_whole).await {
            // What is remembered is not what the server has: all of it once more.
            Err(failure) if is_resumed && failure.code() == Some(ErrorCode::MediaUnusable) => {
                memory.forget_parts();
                let arrived = |number, etag| memory.arrived(number, etag);
                send_parts(sender, parts, self.parallel, arrived).await?;
                Ok(self.finish(&memory.remembered, is_whole).await?)
            }
            outcome => Ok(outcome?),
        }
    }

    /// Tells the server that all bytes are there. A repeat changes nothing.
    async fn finish(&self, remembered: &Remembered, is_whole: bool) -> Result<Shown, Failure> {
        let answer = if is_whole {
            let path = format!("/media/{}/uploaded", remembered.media_id);
            with_retry(&self.client, || Call::new(Method::POST, &path)).await?
        } else {
            let path = format!("/media/{}/complete", remembered.media_id);
            let parts = remembered.parts.iter();
            let parts: Vec<Value> =
                parts.map(|(number, etag)| json!({"partNumber": number, "etag": etag})).collect();
            let body = json!({ "parts": parts });
            with_retry(&self.client, || Call::post(&path, &body)).await?
        };
        let media = answer.read()?;
        Ok(Shown { document: answer.body, media })
    }
}

fn changed(file: &LocalFile) -> Failure {
    let name = file.path.display();
    anyhow::anyhow!("{name} has changed while it was uploaded; run the command again").into()
}
