//! The files that a post gets: measured, described to a dry run, uploaded, named in the body.

use std::collections::BTreeSet;
use std::fs;
use std::path::PathBuf;

use scheduler_core::app::{CheckReport, ShownMedia};
use scheduler_core::error::{ErrorCode, Refusal};
use scheduler_core::ids::MediaId;
use scheduler_core::media::{MediaStatus, MediaView};
use serde_json::{Map, Value, json};

use super::arguments::{MediaArgument, MediaArguments};
use super::media::LocalFile;
use crate::client::{Call, Client};
use crate::failure::Failure;
use crate::uploading::{Uploaded, Uploader, settled};

/// The fields of a post that a dry run reads.
///
/// Source: interface description, POST /platforms/validate; `linkUrl`, `disclosure` and
/// `linkCard` are additions of ours.
const CHECKED: [&str; 7] =
    ["content", "linkUrl", "mediaIds", "altTexts", "disclosure", "linkCard", "targets"];

/// The files that a person has named for a post, and what they show.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Attachments {
    files: Vec<Attachment>,
    alt_texts: Vec<String>,
}

#[derive(Clone, Debug, PartialEq)]
enum Attachment {
    /// A file of this machine.
    Local(LocalFile),
    Stored(MediaId),
}

/// Files that are at the server and ready to be sent.
#[derive(Default)]
pub(crate) struct Attached {
    ids: Vec<MediaId>,
    alt_texts: Vec<String>,
    uploaded: Vec<Uploaded>,
}

impl Attachment {
    /// As it was named.
    fn name(&self) -> String {
        match self {
            Self::Local(file) => file.path.display().to_string(),
            Self::Stored(id) => id.to_string(),
        }
    }

    /// What tells it from others, however it was named.
    fn place(&self) -> PathBuf {
        match self {
            Self::Local(file) => fs::canonicalize(&file.path).unwrap_or_else(|_| file.path.clone()),
            Self::Stored(id) => PathBuf::from(id.to_string()),
        }
    }
}

impl Attachments {
    /// Measures the files of this machine.
    ///
    /// # Errors
    /// [`Failure::Usage`] naming the first that cannot be read, is no picture or film, or was
    /// named before.
    pub(crate) fn measure(arguments: &MediaArguments) -> Result<Self, Failure> {
        let files = arguments.files.iter().map(|file| match file {
            MediaArgument::File(path) => LocalFile::measure(path, "--media").map(Attachment::Local),
            MediaArgument::Id(id) => Ok(Attachment::Stored(*id)),
        });
        let files: Vec<Attachment> = files.collect::<Result<_, _>>()?;
        let mut known = BTreeSet::new();
        for file in &files {
            let name = file.name();
            if !known.insert(file.place()) {
                return Err(Failure::Usage(format!(
                    "--media {name} is named twice; a post has a file once"
                )));
            }
        }
        Ok(Self { files, alt_texts: arguments.alt_texts.clone() })
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.files.is_empty()
    }

    /// The files of this machine.
    pub(crate) fn local(&self) -> impl Iterator<Item = &LocalFile> {
        self.files.iter().filter_map(|file| match file {
            Attachment::Local(file) => Some(file),
            Attachment::Stored(_) => None,
        })
    }

    /// Adds the files to the body of a dry run, those of this machine as not uploaded.
    ///
    /// # Errors
    /// [`Failure::Usage`] for a body that has files of its own.
    pub(crate) fn describe(&self, body: &mut Value) -> Result<(), Failure> {
        refuse_second(self.is_empty(), self.alt_texts.is_empty(), body)?;
        let Some(fields) = body.as_object_mut() else { return Ok(()) };
        let files = self.files.iter().map(|file| match file {
            Attachment::Stored(id) => DraftFile::Stored(*id),
            Attachment::Local(file) => DraftFile::Described(json!(file.item())),
        });
        let texts: Vec<Value> = self.alt_texts.iter().map(|text| json!(text)).collect();
        describe_files(fields, files, &texts);
        Ok(())
    }

    /// Asks the server what the networks would say to a post with these files, before a byte is
    /// sent. `body` is that of the post, whole.
    ///
    /// # Errors
    /// [`Failure::Refused`] with what the networks say when one of them would refuse it;
    /// [`Failure::Usage`] for a body that has files of its own; those of the server.
    pub(crate) async fn rehearse(&self, client: &Client, body: &Value) -> Result<(), Failure> {
        let mut draft = body.clone();
        if let Some(fields) = draft.as_object_mut() {
            keep_checked(fields);
        }
        self.describe(&mut draft)?;
        let answer = client.send(Call::post("/platforms/validate", &draft)).await?;
        let report: CheckReport = answer.read()?;
        if report.ok { Ok(()) } else { Err(Refusal::validation(report.issues).into()) }
    }

    /// Waits until the files that are at the server already can be sent.
    ///
    /// # Errors
    /// [`Failure::Refused`] with `media_unusable` for one that never will be; those of the server.
    pub(crate) async fn await_stored(&self, client: &Client) -> Result<(), Failure> {
        for file in &self.files {
            if let Attachment::Stored(id) = file {
                let path = format!("/media/{id}");
                let shown: ShownMedia = client.send(Call::get(&path)).await?.read()?;
                if shown.media.status != MediaStatus::Ready {
                    let name = shown.media.file_name.unwrap_or_else(|| id.to_string());
                    usable(&name, &settled(client, *id, &name).await?.media)?;
                }
            }
        }
        Ok(())
    }

    /// Uploads the files of this machine, and waits until all can be sent.
    ///
    /// # Errors
    /// [`Failure::Refused`] with `media_unusable` for one that the server cannot use; those of an
    /// upload.
    pub(crate) async fn upload(
        self,
        client: &Client,
        uploader: &Uploader,
    ) -> Result<Attached, Failure> {
        let mut attached = Attached { alt_texts: self.alt_texts, ..Attached::default() };
        let mut names = Vec::new();
        for file in self.files {
            match file {
                Attachment::Stored(id) => attached.ids.push(id),
                Attachment::Local(file) => {
                    let uploaded = uploader.upload(&file).await?;
                    attached.ids.push(uploaded.file.media.id);
                    attached.uploaded.push(uploaded);
                    names.push(file.name());
                }
            }
        }
        for (uploaded, name) in attached.uploaded.iter().zip(names) {
            let shown = settled(client, uploaded.file.media.id, &name).await?;
            usable(&name, &shown.media).inspect_err(|_| uploaded.forget())?;
        }
        Ok(attached)
    }
}

impl Attached {
    /// Names the files in the body of a post.
    ///
    /// # Errors
    /// [`Failure::Usage`] for a body that has files of its own.
    pub(crate) fn add_to(&self, body: &mut Value) -> Result<(), Failure> {
        refuse_second(self.ids.is_empty(), self.alt_texts.is_empty(), body)?;
        let Some(fields) = body.as_object_mut() else { return Ok(()) };
        if !self.ids.is_empty() {
            fields.insert("mediaIds".into(), json!(self.ids));
        }
        if !self.alt_texts.is_empty() {
            fields.insert("altTexts".into(), json!(self.alt_texts));
        } else if !self.ids.is_empty() {
            // Those of the files that a changed post had speak of other files.
            fields.entry("altTexts").or_insert(Value::Null);
        }
        Ok(())
    }

    /// Forgets the uploads, once a post has the files: the same file is uploaded anew for another.
    pub(crate) fn forget(&self) {
        self.uploaded.iter().for_each(Uploaded::forget);
    }
}

/// A file as a dry run is told of it.
pub(crate) enum DraftFile {
    /// It is at the server.
    Stored(MediaId),
    /// It is not.
    Described(Value),
}

/// Adds files to the body of a dry run, which takes what is uploaded before what is not, whatever
/// the order in the post; `texts` are their descriptions in the order of the post.
pub(crate) fn describe_files(
    body: &mut Map<String, Value>,
    files: impl IntoIterator<Item = DraftFile>,
    texts: &[Value],
) {
    let (mut ids, mut texts_of_ids) = (Vec::new(), Vec::new());
    let (mut items, mut texts_of_items) = (Vec::new(), Vec::new());
    let mut left = texts.iter().cloned();
    for file in files {
        let text = left.next().unwrap_or_default();
        match file {
            DraftFile::Stored(id) => {
                ids.push(json!(id));
                texts_of_ids.push(text);
            }
            DraftFile::Described(item) => {
                items.push(item);
                texts_of_items.push(text);
            }
        }
    }
    let is_mixed = !ids.is_empty() && !items.is_empty();
    let texts = match is_mixed && !texts.is_empty() {
        true => [texts_of_ids, texts_of_items, left.collect()].concat(),
        // Of one kind they are in the order of the post, with as many texts as were given.
        false => texts.to_vec(),
    };
    for (name, values) in [("mediaIds", ids), ("mediaItems", items), ("altTexts", texts)] {
        if !values.is_empty() {
            body.insert(name.to_owned(), Value::Array(values));
        }
    }
}

/// Leaves a body what a dry run reads. Whether the rest is right is seen when it is sent.
pub(crate) fn keep_checked(body: &mut Map<String, Value>) {
    body.retain(|name, _| CHECKED.contains(&name.as_str()));
}

/// Refuses files for a body that names some itself.
fn refuse_second(no_files: bool, no_texts: bool, body: &Value) -> Result<(), Failure> {
    let options = [("mediaIds", no_files, "--media"), ("altTexts", no_texts, "--alt")];
    let has = |field: &str| body.get(field).is_some_and(|value| !value.is_null());
    match options.into_iter().find(|(field, is_unused, _)| !is_unused && has(field)) {
        Some((field, _, option)) => Err(Failure::Usage(format!(
            "{option} cannot be used with a body that has {field}; leave one of them out"
        ))),
        None => Ok(()),
    }
}

/// Refuses a file that a post cannot use.
///
/// # Errors
/// [`Failure::Refused`] with `media_unusable`.
pub(crate) fn usable(name: &str, media: &MediaView) -> Result<(), Failure> {
    let reason = match media.status {
        MediaStatus::Ready => return Ok(()),
        MediaStatus::Failed => media.error.as_deref().unwrap_or("it has failed").to_owned(),
        MediaStatus::AwaitingUpload => "its bytes have not been uploaded".to_owned(),
        MediaStatus::Ingesting | MediaStatus::Processing | MediaStatus::Deleted => {
            format!("it is {}", media.status.as_str())
        }
    };
    let message = format!("{name} cannot be used: {reason}");
    Err(Refusal::new(ErrorCode::MediaUnusable, message).into())
}

#[cfg(test)]
mod tests {
    use super::*;

    const ID: &str = "01993b5c-2b7e-7000-8000-000000000001";

    fn local() -> Attachment {
        let measured = scheduler_media::Measured {
            kind: scheduler_core::media::MediaKind::Image,
            mime_type: "image/png",
            size_bytes: 7,
            width: None,
            height: None,
            duration_seconds: None,
            fps: None,
            video_codec: None,
            frame_count: None,
        };
        Attachment::Local(LocalFile { path: "a.png".into(), measured })
    }

    #[test]
    fn a_dry_run_keeps_texts_with_their_files() {
        let stored = || Attachment::Stored(ID.parse().unwrap());
        for (name, files, texts, want) in [
            ("no texts", vec![local(), stored()], &[][..], json!(null)),
            ("one order", vec![local(), local()], &["a"], json!(["a"])),
            ("mixed", vec![local(), stored()], &["a", "b"], json!(["b", "a"])),
            ("mixed, one text", vec![local(), stored()], &["a"], json!([null, "a"])),
            ("too many", vec![local(), stored()], &["a", "b", "c"], json!(["b", "a", "c"])),
        ] {
            let alt_texts = texts.iter().map(|text| (*text).to_owned()).collect();
            let mut body = json!({});
            Attachments { files, alt_texts }.describe(&mut body).unwrap();
            assert_eq!(body["altTexts"], want, "{name}");
        }
    }

    #[test]
    fn a_body_with_files_gets_no_others() {
        let attached = Attached {
            ids: vec![ID.parse().unwrap()],
            alt_texts: vec!["a".into()],
            ..Default::default()
        };
        for (name, body, refused) in [
            ("nothing", json!({}), None),
            ("cleared", json!({"mediaIds": null}), None),
            ("files", json!({"mediaIds": [ID]}), Some("mediaIds")),
            ("texts", json!({"altTexts": ["b"]}), Some("altTexts")),
        ] {
            let mut body = body;
            let said = attached.add_to(&mut body).map_err(|failure| failure.to_string());
            match refused {
                Some(field) => assert!(said.unwrap_err().contains(field), "{name}"),
                None => assert_eq!((said, &body["mediaIds"]), (Ok(()), &json!([ID])), "{name}"),
            }
        }
        let mut untouched = json!({"mediaIds": [ID]});
        assert!(Attached::default().add_to(&mut untouched).is_ok());
    }
}
