//! Uploading files of this machine to a server, and going on with an upload that was interrupted.
//!
//! ```no_run
//! use scheduler_client::upload::Uploader;
//! use scheduler_core::media::{MediaInput, MediaKind};
//!
//! # async fn example(client: scheduler_client::Client) -> Result<(), scheduler_client::Error> {
//! let film = MediaInput {
//!     kind: Some(MediaKind::Video),
//!     mime_type: Some("video/mp4".to_owned()),
//!     ..MediaInput::default()
//! };
//! let uploader = Uploader::new(&client)?.remembering("/var/lib/bot/uploads");
//! let uploaded = uploader.upload("clip.mp4".as_ref(), &film).await?;
//! let ready = client.settled_media(uploaded.file.media.id, |_| ()).await?;
//! uploaded.forget();
//! # Ok(())
//! # }
//! ```
//!
//! `state` has what is remembered of an upload, `parts` which there are, and several at once,
//! `send` one part, streamed from disk, `attempt` what is told meanwhile.

mod attempt;
mod parts;
mod send;
mod state;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use http::Method;
use scheduler_core::app::{ShownMedia, UploadInstructions, UploadView};
use scheduler_core::error::ErrorCode;
use scheduler_core::media::{FILE_NAME_MAX, MediaInput, MediaStatus, MediaView};
use serde_json::{Value, json};
use tokio::sync::Mutex;

use crate::call::Call;
use crate::client::Client;
use crate::error::{Error, UploadError};
use crate::media::{StoredFile, path_of};
use crate::transport::{Route, connections};

pub use attempt::Progress;
pub use state::{make_private_folder, modified_nanoseconds, state_path};

use attempt::Watcher;
use parts::{missing, parts_of, send_parts};
use send::{Links, SendError, Sender};
use state::{Fingerprint, Memory, Remembered, StateFile};

/// Longer than any part takes; what does not move is given up much earlier.
const LONGEST_CALL: Duration = Duration::from_secs(24 * 60 * 60);
/// Parts of a file that are sent at once, unless said otherwise.
const PARALLEL: usize = 4;

/// Uploads files to one server.
#[derive(Clone, Debug)]
pub struct Uploader {
    client: Client,
    /// Sends bytes to this machine.
    near: reqwest::Client,
    /// Sends bytes elsewhere.
    far: reqwest::Client,
    states: Option<PathBuf>,
    parallel: usize,
    watcher: Watcher,
}

/// A file whose bytes have arrived.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Uploaded {
    /// The file as the server tells it.
    pub file: StoredFile,
    /// Where its upload is remembered until it is of no more use.
    state: StateFile,
}

impl Uploaded {
    /// Forgets the upload: the same file is uploaded anew the next time. Until then an upload of
    /// the same file finds the one that there is.
    pub fn forget(&self) {
        self.state.remove();
    }
}

struct Begun {
    memory: Memory,
    document: Value,
    media: MediaView,
    upload: Option<UploadView>,
    is_resumed: bool,
}

impl Uploader {
    /// Uploads to the server of this client, four parts at once. What is interrupted begins anew,
    /// unless it is [remembered](Self::remembering).
    ///
    /// # Errors
    /// [`Error::Unprepared`] when this machine offers no TLS.
    pub fn new(client: &Client) -> Result<Self, Error> {
        let near = connections(client.user_agent(), LONGEST_CALL, Route::Direct)?;
        let far = connections(client.user_agent(), LONGEST_CALL, Route::System)?;
        let (client, watcher) = (client.clone(), Watcher(Arc::new(|_| ())));
        Ok(Self { client, near, far, states: None, parallel: PARALLEL, watcher })
    }

    /// The same, which remembers uploads in this folder: the upload of a file that has not changed
    /// goes on within 24 hours after it was interrupted.
    #[must_use]
    pub fn remembering(self, folder: impl Into<PathBuf>) -> Self {
        Self { states: Some(folder.into()), ..self }
    }

    /// The same with so many parts of a file at once, 1 or more.
    #[must_use]
    pub fn parallel(self, parts: usize) -> Self {
        Self { parallel: parts.max(1), ..self }
    }

    /// The same, which tells how far it has come.
    #[must_use]
    pub fn watched(self, watcher: impl Fn(Progress<'_>) + Send + Sync + 'static) -> Self {
        Self { watcher: Watcher(Arc::new(watcher)), ..self }
    }

    /// The folder in which uploads are remembered, if there is any.
    #[must_use]
    pub fn states(&self) -> Option<&Path> {
        self.states.as_deref()
    }

    /// Uploads a file, or goes on with its upload, until the server has all of its bytes. What is
    /// declared needs its kind and its type; size and name are those of the file where they are
    /// left out.
    ///
    /// # Errors
    /// [`Error::Upload`] when the file cannot be read, changes meanwhile, has another size than
    /// was declared or does not arrive; those of [`Client::send`].
    pub async fn upload(&self, path: &Path, declared: &MediaInput) -> Result<Uploaded, Error> {
        let cannot =
            |cause: std::io::Error| UploadError::Unreadable { path: path.to_owned(), cause };
        let print = Fingerprint::of(path).map_err(cannot)?;
        let changed = || UploadError::Changed(path.to_owned());
        if declared.size_bytes.is_some_and(|declared| declared != print.size_bytes) {
            return Err(changed().into());
        }
        let declared = completed(declared, path, &print);
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
            None => self.begin(&declared, &print, state.clone()).await?,
        };
        let is_resumed = begun.is_resumed;
        let sent = match Box::pin(self.go_on(path, &print, begun)).await {
            // What was remembered is known to the server but not to its file store.
            Err(SendError::Gone(_)) if is_resumed => {
                let begun = self.begin(&declared, &print, state.clone()).await?;
                Box::pin(self.go_on(path, &print, begun)).await
            }
            outcome => outcome,
        };
        let is_changed = !Fingerprint::of(path).map_err(cannot)?.has_content_of(&print);
        let error = match sent {
            Ok(file) if !is_changed => return Ok(Uploaded { file, state }),
            Ok(_) => changed().into(),
            Err(SendError::Gone(_) | SendError::Other(_)) if is_changed => changed().into(),
            Err(SendError::Gone(error)) => error,
            Err(SendError::Other(error)) => {
                let is_unreachable = matches!(
                    error,
                    Error::Unreachable { .. } | Error::Upload(UploadError::Unreachable { .. })
                );
                if state.is_kept() && is_unreachable {
                    self.watcher.tell(Progress::Kept);
                }
                return Err(error);
            }
        };
        state.remove();
        Err(error)
    }

    /// Looks up an upload that was interrupted; `None` when the server takes nothing more for it.
    async fn resume(
        &self,
        remembered: Remembered,
        state: StateFile,
    ) -> Result<Option<Begun>, Error> {
        let answer = match self.client.send(Call::get(&path_of(remembered.media_id))).await {
            Err(error) if error.code() == Some(ErrorCode::NotFound) => return Ok(None),
            outcome => outcome?,
        };
        let ShownMedia { media, upload } = answer.read()?;
        let goes_on = match media.status {
            MediaStatus::AwaitingUpload => upload.is_some(),
            MediaStatus::Processing | MediaStatus::Ready => true,
            MediaStatus::Ingesting | MediaStatus::Failed | MediaStatus::Deleted => false,
        };
        let memory = Memory { remembered, state, watcher: self.watcher.clone() };
        let document = answer.body;
        Ok(goes_on.then_some(Begun { memory, document, media, upload, is_resumed: true }))
    }

    async fn begin(
        &self,
        declared: &MediaInput,
        print: &Fingerprint,
        state: StateFile,
    ) -> Result<Begun, Error> {
        let waits = || self.watcher.tell(Progress::Waits);
        let answer = self.client.declare_media(declared, waits).await?;
        let UploadInstructions { media, upload } = answer.read()?;
        let remembered = Remembered::new(self.client.base(), print, media.id);
        let mut memory = Memory { remembered, state, watcher: self.watcher.clone() };
        memory.save();
        let document = answer.body;
        Ok(Begun { memory, document, media, upload: Some(upload), is_resumed: false })
    }

    /// Sends what has not arrived, and tells the server that all of it is there.
    async fn go_on(
        &self,
        path: &Path,
        print: &Fingerprint,
        begun: Begun,
    ) -> Result<StoredFile, SendError> {
        let Begun { mut memory, document, media, upload, is_resumed } = begun;
        let Some(upload) = upload.filter(|_| media.status == MediaStatus::AwaitingUpload) else {
            return Ok(StoredFile { document, media });
        };
        let parts = parts_of(&upload, print.size_bytes)?;
        let is_whole = matches!(upload, UploadView::Single { .. });
        let there = memory.remembered.parts.len();
        if is_resumed && there > 0 {
            self.watcher.tell(Progress::GoesOn { there, parts: parts.len() });
        }
        let left = missing(&parts, &memory.remembered.parts);
        let left_bytes: u64 = left.iter().map(|part| part.length).sum();
        let there_bytes = print.size_bytes.saturating_sub(left_bytes);
        self.watcher.tell(Progress::Begins { size_bytes: print.size_bytes, there_bytes });
        let sender = Arc::new(Sender {
            client: self.client.clone(),
            near: self.near.clone(),
            far: self.far.clone(),
            path: print.path.clone(),
            media_id: media.id,
            links: Mutex::new(Links::of(upload)?),
            watcher: self.watcher.clone(),
        });
        let arrived = |number, etag| memory.arrived(number, etag);
        let sent = send_parts(Arc::clone(&sender), left, self.parallel, arrived).await;
        self.watcher.tell(Progress::Ends);
        sent?;
        if !Fingerprint::of(&print.path).is_ok_and(|now| now.has_content_of(print)) {
            return Err(UploadError::Changed(path.to_owned()).into());
        }
        match self.finish(&memory.remembered, is_whole).await {
            // What is remembered is not what the server has: all of it once more.
            Err(error) if is_resumed && error.code() == Some(ErrorCode::MediaUnusable) => {
                memory.forget_parts();
                let arrived = |number, etag| memory.arrived(number, etag);
                send_parts(sender, parts, self.parallel, arrived).await?;
                Ok(self.finish(&memory.remembered, is_whole).await?)
            }
            outcome => Ok(outcome?),
        }
    }

    /// Tells the server that all bytes are there. A repeat changes nothing.
    async fn finish(&self, remembered: &Remembered, is_whole: bool) -> Result<StoredFile, Error> {
        let file = path_of(remembered.media_id);
        let answer = if is_whole {
            let path = format!("{file}/uploaded");
            self.client.repeat(Call::new(Method::POST, &path).repeatable()).await?
        } else {
            let path = format!("{file}/complete");
            let parts = remembered.parts.iter();
            let parts: Vec<Value> =
                parts.map(|(number, etag)| json!({"partNumber": number, "etag": etag})).collect();
            let body = json!({ "parts": parts });
            self.client.repeat(Call::post(&path, &body).repeatable()).await?
        };
        StoredFile::of(answer)
    }
}

/// What is declared, with the size and the name of the file.
fn completed(declared: &MediaInput, path: &Path, print: &Fingerprint) -> MediaInput {
    let named = || {
        let name = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
        name.chars().take(FILE_NAME_MAX).collect()
    };
    let file_name = declared.file_name.clone().or_else(|| Some(named()));
    MediaInput { size_bytes: Some(print.size_bytes), file_name, ..declared.clone() }
}
