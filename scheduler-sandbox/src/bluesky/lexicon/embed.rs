//! What a post may carry beside its text.

use serde_json::{Map, Value};

use super::value::{
    BlobRef, Fault, Place, array, blob, integer, language, object, optional, required, string,
    strong_ref, uri,
};

/// Source: lexicons/app/bsky/embed/images.json, `images.maxLength`.
const MAX_IMAGES: usize = 4;
/// Source: lexicons/app/bsky/embed/gallery.json, `items.maxLength`.
const MAX_GALLERY_ITEMS: usize = 20;
/// Source: lexicons/app/bsky/embed/images.json, `image.maxSize`.
const MAX_IMAGE_BYTES: u64 = 2_000_000;
/// Source: <https://github.com/bluesky-social/social-app>, `src/lib/constants.ts`.
const MAX_VIDEO_BYTES: u64 = 300_000_000;
/// Source: lexicons/app/bsky/embed/external.json, `thumb.maxSize`.
const MAX_THUMB_BYTES: u64 = 1_000_000;
/// Source: lexicons/app/bsky/embed/video.json, `captions.maxLength`.
const MAX_CAPTIONS: usize = 20;
/// Source: lexicons/app/bsky/embed/video.json, `caption.file.maxSize`.
const MAX_CAPTION_BYTES: u64 = 20_000;

/// Checks an embed; one of an unknown type is accepted as it is.
pub(super) fn check(value: &Value, place: &Place, blobs: &mut Vec<BlobRef>) -> Result<(), Fault> {
    let embed = object(value, place)?;
    match required(embed, "$type", place, string)? {
        "app.bsky.embed.images" => {
            let images = place.member("images");
            let list = required(embed, "images", place, |list, _| Ok(list))?;
            array(list, &images, MAX_IMAGES, |item, place| {
                let item = object(item, place)?;
                image(item, place, blobs)?;
                optional(item, "aspectRatio", place, aspect_ratio).map(|_| ())
            })
        }
        "app.bsky.embed.gallery" => {
            let items = place.member("items");
            let list = required(embed, "items", place, |list, _| Ok(list))?;
            array(list, &items, MAX_GALLERY_ITEMS, |item, place| {
                let item = object(item, place)?;
                image(item, place, blobs)?;
                required(item, "aspectRatio", place, aspect_ratio)
            })
        }
        "app.bsky.embed.video" => video(embed, place, blobs),
        "app.bsky.embed.external" => {
            let place = place.member("external");
            let card = required(embed, "external", &place, object)?;
            required(card, "uri", &place, uri)?;
            required(card, "title", &place, string)?;
            required(card, "description", &place, string)?;
            match card.get("thumb") {
                Some(thumb) => {
                    blob(thumb, &place.member("thumb"), "image/*", MAX_THUMB_BYTES, blobs)
                }
                None => Ok(()),
            }
        }
        "app.bsky.embed.record" => required(embed, "record", place, strong_ref),
        "app.bsky.embed.recordWithMedia" => {
            required(embed, "record", place, |record, place| {
                required(object(record, place)?, "record", place, strong_ref)
            })?;
            let media = required(embed, "media", place, |media, _| Ok(media))?;
            check(media, &place.member("media"), blobs)
        }
        _ => Ok(()),
    }
}

fn image(item: &Map<String, Value>, place: &Place, blobs: &mut Vec<BlobRef>) -> Result<(), Fault> {
    let file = required(item, "image", place, |file, _| Ok(file))?;
    blob(file, &place.member("image"), "image/*", MAX_IMAGE_BYTES, blobs)?;
    required(item, "alt", place, string).map(|_| ())
}

fn video(embed: &Map<String, Value>, place: &Place, blobs: &mut Vec<BlobRef>) -> Result<(), Fault> {
    let file = required(embed, "video", place, |file, _| Ok(file))?;
    blob(file, &place.member("video"), "video/mp4", MAX_VIDEO_BYTES, blobs)?;
    optional(embed, "alt", place, string)?;
    optional(embed, "aspectRatio", place, aspect_ratio)?;
    let Some(captions) = embed.get("captions") else { return Ok(()) };
    array(captions, &place.member("captions"), MAX_CAPTIONS, |caption, place| {
        let caption = object(caption, place)?;
        required(caption, "lang", place, language)?;
        let file = required(caption, "file", place, |file, _| Ok(file))?;
        blob(file, &place.member("file"), "text/vtt", MAX_CAPTION_BYTES, blobs)
    })
}

fn aspect_ratio(value: &Value, place: &Place) -> Result<(), Fault> {
    let ratio = object(value, place)?;
    required(ratio, "width", place, |width, place| integer(width, place, 1))?;
    required(ratio, "height", place, |height, place| integer(height, place, 1))
}
