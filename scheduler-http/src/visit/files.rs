//! Files that come with the form of a page, and files that a page shows.

use scheduler_core::app::{Caller, Member};
use scheduler_core::connecting::Pass;
use scheduler_core::error::{ErrorCode, Refusal};
use scheduler_core::media::{MediaInput, MediaKind};
use scheduler_core::ports::{ByteRange, ByteStream, OpenFile};
use scheduler_core::post::MEDIA_MAX_COUNT;
use warp::reply::Response;

use super::{Declined, FORM_MAX_BYTES, Form, Visit};
use crate::answer::file_answer;
use crate::budget::Sender;
use crate::extract::{FILE_IDLE_TIMEOUT, Part, Parts};

/// The field of a form in which files are chosen.
const FILES: &str = "files";

/// Bytes of the texts of a form with files that are charged before any come. Source: our decision.
const TEXT_BYTES: u64 = 64 << 10;

/// What a form with files has brought.
#[derive(Debug)]
pub struct Brought {
    /// Its names and values; each file that was taken stands there by its id.
    pub form: Form,
    /// How many files were taken.
    pub taken: usize,
    /// Why a file was not taken; the first where there are several.
    pub refused: Option<Declined>,
}

/// What becomes of a form that breaks off after files of it were taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Broken {
    /// It is refused: its other fields would be missing.
    Refused,
    /// The files are kept, and are told of.
    KeepsFiles,
}

impl Visit {
    /// Reads the form that a member has sent, and takes the files in its field `files`: in the place
    /// of each stands its id, under `name`. A file that is refused leaves the rest of the form as it is.
    ///
    /// # Errors
    /// `invalid_request` for a body that is none or breaks off; `payload_too_large`; `unavailable`
    /// when too many bodies are in progress.
    pub async fn form_with_files(
        &mut self,
        member: &Member,
        caller: &Caller,
        name: &str,
    ) -> Result<Brought, Declined> {
        let Some(boundary) = self.head.boundary() else {
            return Ok(Brought { form: self.form(member).await?, taken: 0, refused: None });
        };
        let sender = Sender::Workspace(member.workspace.id);
        self.brought(boundary, sender, caller, name, MEDIA_MAX_COUNT, Broken::Refused).await
    }

    /// The same of whoever has shown this pass, which is one that is known, of so many files at most.
    /// Where files were taken before the form breaks off, that is why the rest was refused.
    ///
    /// # Errors
    /// Those of [`Self::form_with_files`], when no file was taken.
    pub async fn files_of(
        &mut self,
        pass: &Pass,
        caller: &Caller,
        name: &str,
        most: usize,
    ) -> Result<Brought, Declined> {
        self.head.is_of_somebody_known();
        let boundary = self.head.boundary().ok_or_else(|| {
            let message = "Choose a file, and send the form.";
            Declined::from(Refusal::new(ErrorCode::InvalidRequest, message))
        })?;
        let sender = Sender::Visitor(pass.hash());
        self.brought(boundary, sender, caller, name, most, Broken::KeepsFiles).await
    }

    async fn brought(
        &mut self,
        boundary: String,
        sender: Sender,
        caller: &Caller,
        name: &str,
        most: usize,
        broken: Broken,
    ) -> Result<Brought, Declined> {
        let declared = self.head.content_length().ok_or_else(|| {
            let message = "Say how many bytes come: Content-Length.";
            Declined::from(Refusal::new(ErrorCode::InvalidRequest, message))
        })?;
        let _transfer = self.api.transfer().map_err(Declined)?;
        let _charge = self.api.bodies.charge(sender, TEXT_BYTES).await.map_err(Declined)?;
        let body = self.body.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner).taken();
        let bytes = body.pieces(FILE_IDLE_TIMEOUT, declared);
        let mut parts = Parts::new(bytes, boundary, FORM_MAX_BYTES);
        let mut pairs: Vec<(String, String)> = Vec::new();
        let (mut taken, mut refused) = (0, None);
        loop {
            let part = match parts.next().await {
                Ok(Some(part)) => part,
                Ok(None) => break,
                Err(why) if taken > 0 && broken == Broken::KeepsFiles => {
                    refused.get_or_insert_with(|| why.into());
                    break;
                }
                Err(why) => return Err(why.into()),
            };
            match part {
                Part::Text(name, value) => pairs.push((name, value)),
                // A field in which nothing was chosen.
                Part::File { name: file, field, .. } if file.is_empty() || field != FILES => {}
                Part::File { name: file, media_type, bytes, .. } => {
                    if taken == most {
                        let message = format!("At most {most} files are taken at once.");
                        let refusal = Refusal::new(ErrorCode::InvalidRequest, message);
                        refused.get_or_insert_with(|| refusal.into());
                        continue;
                    }
                    match self.take(caller, &file, media_type, bytes).await {
                        Ok(id) => {
                            taken += 1;
                            pairs.push((name.to_owned(), id));
                        }
                        Err(declined) => {
                            let why = format!("{file}: {}", declined.message());
                            let refusal = Refusal::new(declined.code(), why);
                            refused.get_or_insert_with(|| refusal.into());
                        }
                    }
                }
            }
        }
        Ok(Brought { form: Form::of(pairs), taken, refused })
    }

    /// Takes a file, and returns its id.
    async fn take(
        &self,
        caller: &Caller,
        name: &str,
        media_type: Option<String>,
        bytes: ByteStream,
    ) -> Result<String, Declined> {
        self.api.uploads.count(caller.workspace.id).map_err(Declined)?;
        let input = MediaInput {
            kind: Some(kind_of(media_type.as_deref().unwrap_or_default())),
            mime_type: media_type,
            file_name: Some(name.to_owned()),
            ..MediaInput::default()
        };
        Ok(self.scheduler().take_media(caller, input, bytes).await?.id.to_string())
    }

    /// The part of a file that is asked for.
    #[must_use]
    pub fn range(&self) -> Option<ByteRange> {
        self.head.range()
    }

    /// The answer with a file, or the part of it that was asked for.
    ///
    /// # Errors
    /// `unavailable` when too many files are read; `internal` for a media type that no header takes.
    pub fn file(&self, mut file: OpenFile) -> Result<Response, Declined> {
        let transfer = self.api.transfer().map_err(Declined)?;
        let is_part = self.range().is_some_and(|range| range.within(file.size_bytes).is_some());
        file.bytes =
            ByteStream(Box::pin(futures_util::StreamExt::inspect(file.bytes.0, move |_| {
                let _held = &transfer;
            })));
        file_answer(&self.head, file, is_part).map_err(Declined)
    }
}

/// What a file of a type is.
fn kind_of(media_type: &str) -> MediaKind {
    match media_type.split('/').next() {
        Some("image") => MediaKind::Image,
        Some("video") => MediaKind::Video,
        _ => MediaKind::Document,
    }
}
