//! Files: declared, looked at, waited for. [`upload`](crate::upload) sends those of this machine.

use std::time::Duration;

use http::Method;
use scheduler_core::app::{ListedMedia, ShownMedia, UploadInstructions};
use scheduler_core::ids::MediaId;
use scheduler_core::media::{MediaInput, MediaListInput, MediaStatus, MediaView};
use serde_json::{Value, json};

use crate::answer::{Answer, Made};
use crate::call::Call;
use crate::client::Client;
use crate::error::Error;
use crate::pages::Pages;
use crate::pauses::Pauses;

/// How long a declaration is put off at most. A server takes declarations again after a minute.
const DECLARATION_WAIT: Duration = Duration::from_secs(90);

/// A file as the server tells it.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct StoredFile {
    /// As it came.
    pub document: Value,
    /// The same, read.
    pub media: MediaView,
}

impl StoredFile {
    /// The file that an answer holds.
    ///
    /// # Errors
    /// [`Error::Unreadable`] when it holds none.
    pub fn of(answer: Answer) -> Result<Self, Error> {
        Ok(Self { media: answer.read()?, document: answer.body })
    }
}

impl Client {
    /// A file as it is now; while it awaits its bytes, with fresh addresses for them.
    ///
    /// # Errors
    /// Those of [`send`](Self::send).
    pub async fn media(&self, id: MediaId) -> Result<ShownMedia, Error> {
        self.repeat(Call::get(&path_of(id))).await?.read()
    }

    /// The files that a list asks for, newest first.
    #[must_use]
    pub fn media_list(&self, list: &MediaListInput) -> Pages<ListedMedia> {
        let MediaListInput { kind, used, label, q, limit, before } = list;
        let mut query: Vec<_> = label.iter().map(|label| ("label", label.clone())).collect();
        for (name, value) in [("kind", kind), ("used", used), ("q", q), ("limit", limit)] {
            query.extend(value.iter().map(|value| (name, value.clone())));
        }
        Pages::new(self, "/media", query, before.clone())
    }

    /// Has the server fetch a file from the public https address in its `sourceUrl`, under an
    /// idempotency key.
    ///
    /// # Errors
    /// Those of [`send`](Self::send).
    pub async fn fetch_media(
        &self,
        input: &MediaInput,
        key: &str,
    ) -> Result<Made<UploadInstructions>, Error> {
        let body = json!(input);
        self.repeat(Call::post("/media", &body).idempotent(Some(key))).await?.made()
    }

    /// Declares a file of which the bytes follow, or an address. Where the server takes no more in
    /// this minute that is waited for, a minute and a half at most, and `waits` is told. Nothing
    /// else is sent again.
    ///
    /// # Errors
    /// Those of [`send`](Self::send).
    pub async fn declare_media(
        &self,
        input: &MediaInput,
        mut waits: impl FnMut(),
    ) -> Result<Answer, Error> {
        let body = json!(input);
        let (mut pauses, mut left) = (Pauses::new(), DECLARATION_WAIT);
        loop {
            let error = match self.send(Call::post("/media", &body)).await {
                Err(error) if error.is_put_off() => error,
                outcome => return outcome,
            };
            let pause = pauses.take().max(error.retry_after().unwrap_or_default());
            let Some(rest) = left.checked_sub(pause) else { return Err(error) };
            left = rest;
            waits();
            tokio::time::sleep(pause).await;
        }
    }

    /// Waits until the server has fetched and examined a file: until it is ready, or never will be.
    /// `seen` is told what it is doing.
    ///
    /// # Errors
    /// Those of [`send`](Self::send).
    pub async fn settled_media(
        &self,
        id: MediaId,
        mut seen: impl FnMut(MediaStatus),
    ) -> Result<StoredFile, Error> {
        let path = path_of(id);
        let mut pauses = Pauses::new();
        loop {
            let answer = self.repeat(Call::get(&path)).await?;
            let ShownMedia { media, .. } = answer.read()?;
            if !matches!(media.status, MediaStatus::Ingesting | MediaStatus::Processing) {
                return Ok(StoredFile { document: answer.body, media });
            }
            seen(media.status);
            pauses.wait().await;
        }
    }

    /// Deletes a file that no post needs any more; its record stays.
    ///
    /// # Errors
    /// [`Error::Refused`] with `in_use`; those of [`send`](Self::send).
    pub async fn delete_media(&self, id: MediaId) -> Result<(), Error> {
        let path = path_of(id);
        self.repeat(Call::new(Method::DELETE, &path)).await.map(drop)
    }
}

/// The path of a file.
pub(crate) fn path_of(id: MediaId) -> String {
    format!("/media/{id}")
}
