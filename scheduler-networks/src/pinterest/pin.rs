//! The body of the call that makes a Pin.
//!
//! Source: <https://github.com/pinterest/api-description>, `PinCreate`.

use scheduler_core::platform::FileDetails;
use scheduler_core::ports::{NetworkError, PublishJob};
use serde_json::{Map, Value, json};

use super::progress::{Create, ImageForm, Pin, Progress};
use crate::conversation::{Body, FileBody, JsonWithFiles, JsonWithLinks, LinkedFile};

/// Second of a video whose picture is its cover; past the end, the network takes the last.
const COVER_SECOND: u64 = 1;

/// The body: the same whenever it is asked for, but for the ends of links.
///
/// # Errors
/// A file is not part of the post any more.
pub(super) fn body(
    job: &PublishJob,
    progress: &Progress,
    create: &Create,
) -> Result<Body, NetworkError> {
    let mut pin = fields(&progress.pin);
    if let Some(media_id) = &create.media_id {
        pin["media_source"] = json!({ "source_type": "video_id", "media_id": media_id });
        let Some(cover) = &job.thumbnail else {
            pin["media_source"]["cover_image_key_frame_time"] = cover_second(&job.options).into();
            return Ok(Body::Json(pin));
        };
        let cover = FileBody::of(cover);
        pin["media_source"]["cover_image_content_type"] = cover.media_type.as_str().into();
        pin["media_source"]["cover_image_data"] = "".into();
        let files = vec![("/media_source/cover_image_data".to_owned(), cover)];
        return Ok(Body::JsonWithFiles(Box::new(JsonWithFiles { value: pin, files })));
    }
    let cover_index = job.options.get("coverIndex").and_then(Value::as_u64).unwrap_or(0);
    let mut stored = vec![progress.file(job, 0)?];
    for number in 1..progress.files.len() {
        stored.push(progress.file(job, number)?);
    }
    let cards: Vec<&FileDetails> = stored.iter().map(|file| &file.details).collect();
    let files: Vec<FileBody> = stored.into_iter().map(FileBody::of).collect();
    let is_one = files.len() == 1;
    let place = |number: usize, member: &str| match is_one {
        true => format!("/media_source/{member}"),
        false => format!("/media_source/items/{number}/{member}"),
    };
    Ok(match progress.images {
        ImageForm::Bytes => {
            let kind = if is_one { "image_base64" } else { "multiple_image_base64" };
            let image = |file: &FileBody| json!({ "content_type": file.media_type, "data": "" });
            pin["media_source"] =
                media_source(kind, files.iter().map(image).collect(), &cards, cover_index);
            let files = files.into_iter().enumerate();
            let files = files.map(|(number, file)| (place(number, "data"), file));
            Body::JsonWithFiles(Box::new(JsonWithFiles { value: pin, files: files.collect() }))
        }
        ImageForm::Links => {
            let kind = if is_one { "image_url" } else { "multiple_image_urls" };
            let image = |_: &FileBody| json!({ "url": "" });
            pin["media_source"] =
                media_source(kind, files.iter().map(image).collect(), &cards, cover_index);
            let links = files.into_iter().enumerate();
            let links =
                links.map(|(number, file)| (place(number, "url"), LinkedFile::new(file, job.now)));
            Body::JsonWithLinks(Box::new(JsonWithLinks { value: pin, links: links.collect() }))
        }
    })
}

/// What the Pin says, without what it shows.
fn fields(pin: &Pin) -> Value {
    let mut fields = json!({ "board_id": pin.board_id });
    for (name, value) in [
        ("title", &pin.title),
        ("description", &pin.description),
        ("link", &pin.link),
        ("alt_text", &pin.alt_text),
        ("board_section_id", &pin.board_section_id),
        ("dominant_color", &pin.dominant_color),
    ] {
        if let Some(value) = value {
            fields[name] = value.as_str().into();
        }
    }
    fields
}

/// The second of a video whose picture is its cover; the network counts whole seconds.
fn cover_second(options: &Map<String, Value>) -> u64 {
    let milliseconds = options.get("coverTimestampMs").and_then(Value::as_u64);
    milliseconds.map_or(COVER_SECOND, |milliseconds| milliseconds / 1_000)
}

/// One image, or several, each with the words of its card, of which one is the cover.
fn media_source(
    kind: &str,
    mut images: Vec<Value>,
    cards: &[&FileDetails],
    cover_index: u64,
) -> Value {
    if images.len() == 1 {
        let mut image = images.remove(0);
        image["source_type"] = kind.into();
        return image;
    }
    for (image, card) in images.iter_mut().zip(cards) {
        for (name, text) in
            [("title", &card.title), ("description", &card.description), ("link", &card.link)]
        {
            if let Some(text) = text.as_deref().filter(|text| !text.is_empty()) {
                image[name] = text.into();
            }
        }
    }
    json!({ "source_type": kind, "items": images, "index": cover_index })
}
