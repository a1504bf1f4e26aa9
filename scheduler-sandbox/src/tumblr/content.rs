//! Content in the Neue Post Format: what is taken, and how it is kept.
//!
//! Source: <https://github.com/tumblr/docs>, `npf-spec.md`, "Post Content Limits", "Text Block
//! Inline Formatting", "Content Block Type: Image" and the other types.

use serde_json::{Value, json};

use super::Tumblr;
use super::error::ApiError;
use crate::multipart::Part;
use crate::network::LiveMedia;
use crate::outside::random_bytes;
use crate::picture::{self, FileKind};

/// Most blocks, images, videos of the network's own, all videos, links.
const BLOCKS: usize = 1_000;
const IMAGES: usize = 30;
const OWN_VIDEOS: usize = 1;
const VIDEOS: usize = 10;
const LINKS: usize = 10;
/// Most marked links and mentions in the texts.
const INLINE_LINKS: usize = 100;
const MENTIONS: usize = 50;
/// Longest text, alternative text and caption, in code points.
const TEXT: usize = 4_096;
/// Most bytes of a post as it is kept.
const STORED: usize = 1_000_000;
/// Largest files, in bytes.
///
/// Source: <https://github.com/mvdicarlo/postybirb>, its implementation of Tumblr.
const IMAGE_BYTES: u64 = 20 * 1024 * 1024;
const GIF_BYTES: u64 = 10 * 1024 * 1024;
const VIDEO_BYTES: u64 = 500 * 1024 * 1024;
/// What the network lays a picture out with whose size it is not told.
const DEFAULT_SIZE: (u32, u32) = (540, 405);

/// Where the files of posts are.
const MEDIA: &str = "https://64.media.tumblr.com";

/// A file as the network keeps it.
#[derive(Clone, Debug)]
pub(super) struct Kept {
    pub(super) url: String,
    pub(super) media: LiveMedia,
    pub(super) is_video: bool,
}

/// Content that can be posted.
#[derive(Debug)]
pub(super) struct Checked {
    pub(super) content: Vec<Value>,
    /// Its files, in their order.
    pub(super) files: Vec<Kept>,
    /// How many of them were sent with it.
    pub(super) new_images: u32,
    pub(super) new_videos: u32,
}

impl Tumblr {
    /// Checks content, and puts addresses in place of the files that came with it. `known` are the
    /// files that the post has already.
    ///
    /// # Errors
    /// 400 with 8001 or 8005; 400 for a post that would be empty.
    pub(super) fn check_content(
        &self,
        content: &Value,
        parts: &[Part],
        known: &[Kept],
        may_be_empty: bool,
    ) -> Result<Checked, ApiError> {
        let blocks =
            content.as_array().ok_or_else(|| ApiError::invalid("'content' must be an array"))?;
        let is_blank = |block: &&Value| {
            block["type"] == "text" && block["text"].as_str().is_some_and(|text| text.is_empty())
        };
        let first = blocks.iter().position(|block| !is_blank(&block)).unwrap_or(blocks.len());
        let last = blocks.iter().rposition(|block| !is_blank(&block)).map_or(first, |at| at + 1);
        let blocks = &blocks[first..last];
        if blocks.is_empty() && !may_be_empty {
            return Err(ApiError::bad_request("Posts cannot be empty."));
        }
        let count = |kind: &str| blocks.iter().filter(|block| block["type"] == kind).count();
        let ranges = |kind: &str| {
            let all = blocks.iter().filter_map(|block| block["formatting"].as_array());
            all.flatten().filter(|range| range["type"] == kind).count()
        };
        for (name, count, limit) in [
            ("content blocks", blocks.len(), BLOCKS),
            ("image blocks", count("image"), IMAGES),
            ("video blocks", count("video"), VIDEOS),
            ("link blocks", count("link"), LINKS),
            ("inline links", ranges("link"), INLINE_LINKS),
            ("inline mentions", ranges("mention"), MENTIONS),
        ] {
            if count > limit {
                return Err(ApiError::invalid(&format!("There are more than {limit} {name}.")));
            }
        }
        let mut checked =
            Checked { content: Vec::new(), files: Vec::new(), new_images: 0, new_videos: 0 };
        for block in blocks {
            let block = match block["type"].as_str() {
                Some("text") => self.text(block)?,
                Some("link") => link(block)?,
                Some("image") => image(block, parts, known, &mut checked)?,
                Some("video") => video(block, parts, known, &mut checked)?,
                _ => return Err(ApiError::invalid("A content block has an unknown type.")),
            };
            checked.content.push(block);
        }
        let own_videos = checked.files.iter().filter(|file| file.is_video).count();
        if own_videos > OWN_VIDEOS {
            return Err(ApiError::invalid("There is more than one native video."));
        }
        if Value::from(checked.content.clone()).to_string().len() > STORED {
            return Err(ApiError::invalid("The post is larger than 1 MB."));
        }
        Ok(checked)
    }

    fn text(&self, block: &Value) -> Result<Value, ApiError> {
        let text = block["text"].as_str().ok_or_else(|| ApiError::invalid("'text' is missing"))?;
        let length = text.chars().count();
        if length > TEXT {
            return Err(ApiError::invalid(&format!("A text is longer than {TEXT} characters.")));
        }
        for range in block["formatting"].as_array().into_iter().flatten() {
            let at = |name: &str| range[name].as_u64().and_then(|at| usize::try_from(at).ok());
            let (Some(start), Some(end)) = (at("start"), at("end")) else {
                return Err(ApiError::invalid("A range of formatting has no start or end."));
            };
            if start >= end || end > length {
                return Err(ApiError::invalid("A range of formatting is outside of its text."));
            }
            let is_known = match range["type"].as_str() {
                Some("bold" | "italic" | "strikethrough" | "small" | "color") => true,
                Some("link") => range["url"].as_str().is_some_and(is_web),
                Some("mention") => {
                    let uuid = range["blog"]["uuid"].as_str().unwrap_or_default();
                    self.blogs.values().any(|blog| blog.uuid == uuid)
                }
                _ => false,
            };
            if !is_known {
                return Err(ApiError::invalid("A range of formatting cannot be read."));
            }
        }
        Ok(block.clone())
    }
}

fn is_web(url: &str) -> bool {
    url.starts_with("http://") || url.starts_with("https://")
}

fn link(block: &Value) -> Result<Value, ApiError> {
    if !block["url"].as_str().is_some_and(is_web) {
        return Err(ApiError::invalid("A link block has no URL."));
    }
    let mut kept = block.clone();
    // The network looks the title up.
    if kept["title"].is_null() {
        kept["title"] = Value::from("A page");
    }
    Ok(kept)
}

fn image(
    block: &Value,
    parts: &[Part],
    known: &[Kept],
    checked: &mut Checked,
) -> Result<Value, ApiError> {
    for name in ["alt_text", "caption"] {
        if block[name].as_str().is_some_and(|text| text.chars().count() > TEXT) {
            return Err(ApiError::invalid(&format!("'{name}' is too long.")));
        }
    }
    // One object is taken for a list of one, as the network's own library sends it.
    let media = match &block["media"] {
        media @ Value::Object(_) => Some(media),
        media => media.as_array().and_then(|media| media.first()),
    };
    let media = media.ok_or_else(|| ApiError::invalid("'media' must be an array"))?;
    let mut kept = block.clone();
    kept["media"] = json!([file(media, false, parts, known, checked)?]);
    Ok(kept)
}

fn video(
    block: &Value,
    parts: &[Part],
    known: &[Kept],
    checked: &mut Checked,
) -> Result<Value, ApiError> {
    if block["url"].as_str().is_some_and(is_web) && block["media"].is_null() {
        return Ok(block.clone());
    }
    if !block["media"].is_object() {
        return Err(ApiError::invalid("'media' must be an object"));
    }
    let mut kept = block.clone();
    kept["media"] = file(&block["media"], true, parts, known, checked)?;
    kept["provider"] = Value::from("tumblr");
    Ok(kept)
}

/// Returns a media object as the network keeps it.
fn file(
    media: &Value,
    is_video: bool,
    parts: &[Part],
    known: &[Kept],
    checked: &mut Checked,
) -> Result<Value, ApiError> {
    if let Some(url) = media["url"].as_str() {
        let kept = known.iter().find(|file| file.url == url);
        let kept = kept.ok_or_else(|| ApiError::unusable("The media cannot be fetched."))?;
        checked.files.push(kept.clone());
        return Ok(media.clone());
    }
    let identifier = media["identifier"].as_str().unwrap_or_default();
    let part = parts.iter().find(|part| part.name == identifier && part.file_name.is_some());
    let part = part.ok_or_else(|| {
        ApiError::invalid(&format!("There is no media of the identifier {identifier}."))
    })?;
    let kind = picture::kind(&part.head);
    let (fits, limit) = match kind {
        Some(FileKind::Image) => (!is_video, IMAGE_BYTES),
        Some(FileKind::Gif) => (!is_video, GIF_BYTES),
        Some(FileKind::Video) => (is_video, VIDEO_BYTES),
        Some(FileKind::Audio) | None => (false, 0),
    };
    if !fits || part.length > limit {
        return Err(ApiError::unusable("The uploaded media is an invalid format."));
    }
    let key = hex::encode(random_bytes());
    let url = format!("{MEDIA}/{key}/s1280x1920/{identifier}");
    let size = |name: &str, usual: u32| media[name].as_u64().unwrap_or_else(|| usual.into());
    let media_type = part.content_type.clone().unwrap_or_default();
    let kept = json!({
        "media_key": key,
        "type": media_type,
        "url": url,
        "width": size("width", DEFAULT_SIZE.0),
        "height": size("height", DEFAULT_SIZE.1),
    });
    let live = LiveMedia { media_type, bytes: part.length, sha256: part.sha256 };
    checked.files.push(Kept { url, media: live, is_video });
    match is_video {
        true => checked.new_videos += 1,
        false => checked.new_images += 1,
    }
    Ok(kept)
}
