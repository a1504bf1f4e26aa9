//! The record of a post.

use serde_json::{Map, Value};

use super::embed;
use super::value::{
    BlobRef, Fault, Place, array, datetime, did, integer, language, limited, object, optional,
    required, string, strong_ref, uri,
};

/// Source: lexicons/app/bsky/feed/post.json, `text.maxLength` (bytes of UTF-8).
const MAX_TEXT_BYTES: usize = 3000;
/// Source: lexicons/app/bsky/feed/post.json, `text.maxGraphemes`.
const MAX_TEXT_GRAPHEMES: usize = 300;
/// Source: lexicons/app/bsky/feed/post.json, `langs.maxLength`.
const MAX_LANGUAGES: usize = 3;
/// Source: lexicons/app/bsky/feed/post.json, `tags.maxLength`.
const MAX_TAGS: usize = 8;
/// Source: lexicons/app/bsky/richtext/facet.json and feed/post.json, a tag's `maxLength` in bytes.
const MAX_TAG_BYTES: usize = 640;
/// Source: lexicons/app/bsky/richtext/facet.json and feed/post.json, a tag's `maxGraphemes`.
const MAX_TAG_GRAPHEMES: usize = 64;

/// Source: lexicons/com/atproto/label/defs.json, `selfLabels.values.maxLength` and
/// `selfLabel.val.maxLength`.
const MAX_LABELS: usize = 10;
const MAX_LABEL_BYTES: usize = 128;

/// Checks a post.
pub(super) fn check(
    post: &Map<String, Value>,
    place: &Place,
    blobs: &mut Vec<BlobRef>,
) -> Result<(), Fault> {
    required(post, "text", place, |text, place| {
        limited(text, place, MAX_TEXT_BYTES, MAX_TEXT_GRAPHEMES)
    })?;
    required(post, "createdAt", place, datetime)?;
    optional(post, "facets", place, |facets, place| array(facets, place, usize::MAX, facet))?;
    optional(post, "langs", place, |langs, place| array(langs, place, MAX_LANGUAGES, language))?;
    optional(post, "tags", place, |tags, place| array(tags, place, MAX_TAGS, tag))?;
    optional(post, "reply", place, |reply, place| {
        let reply = object(reply, place)?;
        required(reply, "root", place, strong_ref)?;
        required(reply, "parent", place, strong_ref)
    })?;
    optional(post, "labels", place, self_labels)?;
    match post.get("embed") {
        Some(found) => embed::check(found, &place.member("embed"), blobs),
        None => Ok(()),
    }
}

/// Source: lexicons/com/atproto/label/defs.json, `selfLabels`.
fn self_labels(value: &Value, place: &Place) -> Result<(), Fault> {
    let labels = object(value, place)?;
    if required(labels, "$type", place, string)? != "com.atproto.label.defs#selfLabels" {
        return Ok(());
    }
    required(labels, "values", place, |values, place| {
        array(values, place, MAX_LABELS, |label, place| {
            required(object(label, place)?, "val", place, |val, place| {
                limited(val, place, MAX_LABEL_BYTES, usize::MAX)
            })
        })
    })
}

fn tag(value: &Value, place: &Place) -> Result<(), Fault> {
    limited(value, place, MAX_TAG_BYTES, MAX_TAG_GRAPHEMES)
}

fn facet(value: &Value, place: &Place) -> Result<(), Fault> {
    let facet = object(value, place)?;
    required(facet, "index", place, |index, place| {
        let index = object(index, place)?;
        required(index, "byteStart", place, |start, place| integer(start, place, 0))?;
        required(index, "byteEnd", place, |end, place| integer(end, place, 0))
    })?;
    required(facet, "features", place, |features, place| {
        array(features, place, usize::MAX, feature)
    })
}

fn feature(value: &Value, place: &Place) -> Result<(), Fault> {
    let feature = object(value, place)?;
    match required(feature, "$type", place, string)? {
        "app.bsky.richtext.facet#link" => required(feature, "uri", place, uri),
        "app.bsky.richtext.facet#mention" => required(feature, "did", place, did),
        "app.bsky.richtext.facet#tag" => required(feature, "tag", place, tag),
        _ => Ok(()),
    }
}
