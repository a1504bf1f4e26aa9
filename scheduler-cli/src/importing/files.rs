//! The files that lines name: measured once, described to a check, uploaded once.

use std::collections::HashMap;
use std::path::{Path, PathBuf};

use scheduler_core::app::UploadInstructions;
use scheduler_core::error::ErrorCode;
use scheduler_core::ids::MediaId;
use scheduler_core::media::{MediaStatus, MediaView};
use serde_json::{Value, json};
use url::Url;

use super::entry::{Entry, Piece};
use super::journal::{FileStamp, Journal};
use crate::client::{Call, Client};
use crate::commands::kind_of;
use crate::failure::Failure;
use crate::posting::{LocalFile, usable};
use crate::printer::Printer;
use crate::uploading::{Uploader, declare, patiently, settled};

/// What is known of the files of this machine.
#[derive(Debug, Default)]
pub(super) struct Measures {
    files: HashMap<PathBuf, Result<LocalFile, String>>,
}

impl Measures {
    /// Measures a file, the first time that it is asked for.
    ///
    /// # Errors
    /// The sentence for the user.
    pub(super) fn measure(&mut self, path: &Path) -> Result<&LocalFile, String> {
        let measured = self
            .files
            .entry(path.to_owned())
            .or_insert_with(|| LocalFile::measure(path, "").map_err(|failure| failure.to_string()));
        measured.as_ref().map_err(Clone::clone)
    }

    /// Adds the files of a line to the body of a check, those that are at the server first, with
    /// their descriptions in the same order. Files that cannot be measured are left out.
    pub(super) fn describe(&mut self, entry: &Entry, body: &mut serde_json::Map<String, Value>) {
        let texts = entry.body.get("altTexts").and_then(Value::as_array);
        let text = |index: usize| texts.and_then(|texts| texts.get(index)).cloned();
        let (mut ids, mut items) = (Vec::new(), Vec::new());
        let (mut texts_of_ids, mut texts_of_items) = (Vec::new(), Vec::new());
        for (index, piece) in entry.files.iter().enumerate() {
            let item = match piece {
                Piece::Stored(id) => {
                    ids.push(json!(id));
                    texts_of_ids.push(text(index).unwrap_or_default());
                    continue;
                }
                Piece::Local(_, path) => self.measure(path).map(LocalFile::item).ok(),
                Piece::Address(url) => kind_of(url).map(|kind| json!({"kind": kind})).ok(),
            };
            items.extend(item);
            texts_of_items.push(text(index).unwrap_or_default());
        }
        if texts.is_some() && !ids.is_empty() && !items.is_empty() {
            texts_of_ids.extend(texts_of_items);
            body.insert("altTexts".to_owned(), Value::Array(texts_of_ids));
        }
        for (name, values) in [("mediaIds", ids), ("mediaItems", items)] {
            if !values.is_empty() {
                body.insert(name.to_owned(), Value::Array(values));
            }
        }
    }
}

/// Brings files to the server, each once.
pub(super) struct Uploads<'a> {
    client: &'a Client,
    uploader: &'a Uploader,
    printer: Printer,
    known: HashMap<String, MediaId>,
}

impl<'a> Uploads<'a> {
    /// Nothing has been uploaded yet, but what the journal knows.
    pub(super) fn new(client: &'a Client, uploader: &'a Uploader, printer: Printer) -> Self {
        Self { client, uploader, printer, known: HashMap::new() }
    }

    /// The id of a file at the server, ready to be sent.
    ///
    /// # Errors
    /// [`Failure::Refused`] with `media_unusable` for one that never will be; those of an upload.
    pub(super) async fn id(
        &mut self,
        piece: &Piece,
        journal: &std::sync::Mutex<Journal>,
    ) -> Result<MediaId, Failure> {
        let (name, stamp) = match piece {
            Piece::Stored(id) => (id.to_string(), None),
            Piece::Local(_, path) => {
                let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.clone());
                (path.display().to_string(), FileStamp::of(&path))
            }
            Piece::Address(url) => (url.to_string(), Some(FileStamp::default())),
        };
        if let Some(id) = self.known.get(&name) {
            return Ok(*id);
        }
        let remembered = stamp.and_then(|stamp| lock(journal).file(&name, stamp));
        if let Some(id) = remembered
            && self.is_ready(id).await?
        {
            self.known.insert(name, id);
            return Ok(id);
        }
        let id = match piece {
            Piece::Stored(id) => {
                usable(&name, &settled(self.client, *id, &name).await?.media)?;
                *id
            }
            Piece::Local(shown, path) => {
                let file = LocalFile::measure(path, "")?;
                let uploaded = self.uploader.upload(&file).await?;
                let id = uploaded.shown.media.id;
                let media = settled(self.client, id, shown).await?.media;
                usable(shown, &media).inspect_err(|_| uploaded.forget())?;
                if let Some(stamp) = stamp {
                    lock(journal).uploaded(&name, stamp, id);
                }
                uploaded.forget();
                id
            }
            Piece::Address(url) => {
                let media = self.fetch(url).await?;
                usable(&name, &media)?;
                lock(journal).uploaded(&name, FileStamp::default(), media.id);
                media.id
            }
        };
        self.known.insert(name, id);
        Ok(id)
    }

    async fn is_ready(&self, id: MediaId) -> Result<bool, Failure> {
        let path = format!("/media/{id}");
        match patiently(self.client, || Call::get(&path)).await {
            Ok(answer) => Ok(answer.read::<MediaView>()?.status == MediaStatus::Ready),
            // Only what is gone is sent again: a server that wants to wait still has it.
            Err(Failure::Refused(error)) if error.error.code == ErrorCode::NotFound => Ok(false),
            Err(failure) => Err(failure),
        }
    }

    async fn fetch(&self, url: &Url) -> Result<MediaView, Failure> {
        let body = json!({"kind": kind_of(url)?, "sourceUrl": url});
        let declared: UploadInstructions =
            declare(self.client, &body, self.printer).await?.read()?;
        Ok(settled(self.client, declared.media.id, url.as_str()).await?.media)
    }
}

/// The journal, also when somebody has panicked who held it.
pub(super) fn lock(journal: &std::sync::Mutex<Journal>) -> std::sync::MutexGuard<'_, Journal> {
    journal.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
}
