//! Where on its network a post goes.

use serde_json::{Map, Value};

use crate::media::{MediaFacts, MediaKind};
use crate::platform::{Placement, Platform};

/// The placement that a target asks for, or that its network gives to such files.
pub(super) fn placement(
    platform: Platform,
    options: &Map<String, Value>,
    media: &[MediaFacts],
) -> Placement {
    let post = if media.len() > 1 { Placement::Carousel } else { Placement::Post };
    match platform {
        Platform::Instagram => {
            let is_one_video = matches!(media, [file] if file.kind == MediaKind::Video);
            match options.get("placement").and_then(Value::as_str) {
                Some("story") => Placement::Story,
                Some("reel") => Placement::Reel,
                // Also one that was asked for the feed: single videos are reels.
                _ if is_one_video => Placement::Reel,
                _ => post,
            }
        }
        Platform::Facebook => {
            let is_reel = options.get("asReel").and_then(Value::as_bool) == Some(true);
            if is_reel { Placement::Reel } else { post }
        }
        Platform::Youtube
        | Platform::Tiktok
        | Platform::Threads
        | Platform::Twitter
        | Platform::Linkedin
        | Platform::Pinterest
        | Platform::Bluesky
        | Platform::Mastodon
        | Platform::Telegram
        | Platform::Discord
        | Platform::Tumblr => post,
    }
}
