//! The files that lines name: measured once, described to a check, uploaded once.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;

use scheduler_core::app::UploadInstructions;
use scheduler_core::error::ErrorCode;
use scheduler_core::ids::MediaId;
use scheduler_core::media::{MediaInput, MediaStatus, MediaView};
use serde_json::{Map, Value, json};
use url::Url;

use super::entry::{Entry, ImportFile};
use super::journal::{FileStamp, Journal, Note};
use super::lock;
use crate::client::{Call, Client};
use crate::failure::Failure;
use crate::posting::{DraftFile, LocalFile, describe_files, kind_of, usable};
use crate::printer::Printer;
use crate::uploading::{Uploader, declare, settled};

/// What is known of the files of this machine.
#[derive(Debug, Default)]
pub(super) struct Measures(RefCell<HashMap<PathBuf, Result<LocalFile, String>>>);

impl Measures {
    /// Measures a file, the first time that it is asked for.
    pub(super) fn measure(&self, path: &Path) -> Result<LocalFile, String> {
        let measure = || LocalFile::measure(path, "").map_err(|failure| failure.to_string());
        self.0.borrow_mut().entry(path.to_owned()).or_insert_with(measure).clone()
    }

    /// Adds the files of a line to the body of a check. Files that cannot be measured are left out.
    pub(super) fn describe(&self, entry: &Entry, body: &mut Map<String, Value>) {
        let files = entry.files.iter().filter_map(|file| match file {
            ImportFile::Stored(id) => Some(DraftFile::Stored(*id)),
            ImportFile::Local(_, path) => {
                let file = self.measure(path).ok()?;
                Some(DraftFile::Described(json!(file.item())))
            }
            ImportFile::Address(url) => {
                Some(DraftFile::Described(json!({"kind": kind_of(url).ok()?})))
            }
        });
        let texts = entry.body.get("altTexts").and_then(Value::as_array);
        describe_files(body, files, texts.map(Vec::as_slice).unwrap_or_default());
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
        piece: &ImportFile,
        journal: &Mutex<Journal>,
    ) -> Result<MediaId, Failure> {
        let (name, stamp) = match piece {
            ImportFile::Stored(id) => (id.to_string(), None),
            ImportFile::Local(_, path) => {
                let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.clone());
                (path.display().to_string(), FileStamp::of(&path))
            }
            ImportFile::Address(url) => (url.to_string(), Some(FileStamp::default())),
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
            ImportFile::Stored(id) => {
                usable(&name, &settled(self.client, *id, &name).await?.media)?;
                *id
            }
            ImportFile::Local(shown, path) => {
                let file = LocalFile::measure(path, "")?;
                let uploaded = self.uploader.upload(&file).await?;
                let id = uploaded.file.media.id;
                let media = settled(self.client, id, shown).await?.media;
                usable(shown, &media).inspect_err(|_| uploaded.forget())?;
                if let Some(stamp) = stamp {
                    lock(journal).note(&Note::Uploaded { name: name.clone(), stamp, media: id });
                }
                uploaded.forget();
                id
            }
            ImportFile::Address(url) => {
                let media = self.fetch(url).await?;
                usable(&name, &media)?;
                let (stamp, media) = (FileStamp::default(), media.id);
                lock(journal).note(&Note::Uploaded { name: name.clone(), stamp, media });
                media
            }
        };
        self.known.insert(name, id);
        Ok(id)
    }

    async fn is_ready(&self, id: MediaId) -> Result<bool, Failure> {
        let path = format!("/media/{id}");
        match self.client.repeat(Call::get(&path)).await {
            Ok(answer) => Ok(answer.read::<MediaView>()?.status == MediaStatus::Ready),
            // Only what is gone is sent again: a server that wants to wait still has it.
            Err(failure) if failure.code() == Some(ErrorCode::NotFound) => Ok(false),
            Err(error) => Err(error.into()),
        }
    }

    async fn fetch(&self, url: &Url) -> Result<MediaView, Failure> {
        let input = MediaInput {
            kind: Some(kind_of(url)?),
            source_url: Some(url.to_string()),
            ..MediaInput::default()
        };
        let declared: UploadInstructions =
            declare(self.client, &input, self.printer).await?.read()?;
        Ok(settled(self.client, declared.media.id, url.as_str()).await?.media)
    }
}
