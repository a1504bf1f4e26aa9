//! Files of posts.

use scheduler_core::ids::{MediaId, WorkspaceId};
use scheduler_core::media::{FileKey, MediaFacts, MediaKind};
use scheduler_core::platform::ThreadPart;
use scheduler_core::ports::{JobFile, PublishJob};
use uuid::Uuid;

/// The same post with a file more.
pub(crate) fn with_file(mut job: PublishJob, media_type: &str, alt_text: &str) -> PublishJob {
    let id = MediaId(Uuid::from_u128(0x10 + job.files.len() as u128));
    let kind = match media_type.split('/').next() {
        Some("video") => MediaKind::Video,
        Some("application") => MediaKind::Document,
        _ => MediaKind::Image,
    };
    let facts = MediaFacts {
        mime_type: Some(media_type.to_owned()),
        size_bytes: Some(1_000),
        width: Some(1_200),
        height: Some(800),
        ..MediaFacts::of_kind(kind)
    };
    let folder = FileKey::folder(WorkspaceId(Uuid::from_u128(3)), id);
    let alt_text = Some(alt_text.to_owned()).filter(|text| !text.is_empty());
    job.files.push(JobFile { alt_text, ..JobFile::new(id, folder, facts) });
    job
}

/// The same post, whose last file is described so by its target.
pub(crate) fn described(mut job: PublishJob, details: serde_json::Value) -> PublishJob {
    let file = job.files.last_mut().unwrap();
    file.details = serde_json::from_value(details).unwrap();
    job
}

/// The same post with so many images.
pub(crate) fn with_images(job: PublishJob, count: usize) -> PublishJob {
    (0..count).fold(job, |job, number| with_file(job, "image/png", &format!("image {number}")))
}

/// The same post in a thread, with so many images more in each later part.
pub(crate) fn in_thread_of_images(job: PublishJob, parts: &[(&str, usize)]) -> PublishJob {
    let (own, more) = (job.files.len(), parts.iter().map(|(_, count)| count).sum());
    let mut job = with_images(job, more);
    let mut files = job.files.split_off(own).into_iter();
    job.thread_files =
        parts.iter().map(|(_, count)| files.by_ref().take(*count).collect()).collect();
    let parts = parts.iter().zip(&job.thread_files).map(|((text, _), files)| ThreadPart {
        text: (*text).to_owned(),
        media_ids: files.iter().map(|file| file.id).collect(),
        alt_texts: Vec::new(),
    });
    let thread = serde_json::to_value(parts.collect::<Vec<_>>()).unwrap();
    job.options.insert("thread".to_owned(), thread);
    job
}
