//! What the server says of itself: `/api/v2/instance`, `/api/v1/instance`.
//!
//! Source: <https://docs.joinmastodon.org/entities/Instance/>; figures from the server's source.

use serde_json::{Value, json};

use super::Mastodon;
use super::media::{
    DESCRIPTION_LIMIT, IMAGE_BYTES, IMAGE_PIXELS, VIDEO_BYTES, VIDEO_FPS, VIDEO_PIXELS,
};
use super::statuses::poll;
use super::text::{MAX_CHARACTERS, URL_CHARACTERS};
use crate::answer::Answer;
use crate::network::Context;

/// The release that is imitated.
const VERSION: &str = "4.6.5";
/// The API level of that release.
const API_VERSION: u32 = 11;
/// Files that a status may carry.
///
/// Source: `app/models/status.rb`, `MEDIA_ATTACHMENTS_LIMIT`.
pub(super) const MAX_FILES: usize = 4;

/// Types that can be uploaded.
const MIME_TYPES: [&str; 14] = [
    "image/jpeg",
    "image/png",
    "image/gif",
    "image/heic",
    "image/heif",
    "image/webp",
    "image/avif",
    "video/webm",
    "video/mp4",
    "video/quicktime",
    "video/ogg",
    "audio/wav",
    "audio/mpeg",
    "audio/flac",
];

impl Mastodon {
    /// Answers the description of the server.
    pub(super) fn instance(context: &Context<'_>) -> Answer {
        Answer::ok(&json!({
            "domain": host(context.base),
            "title": "Sandbox",
            "version": VERSION,
            "source_url": "https://github.com/mastodon/mastodon",
            "description": "An imitation for trying and testing.",
            "usage": {"users": {"active_month": 1}},
            "thumbnail": {"url": format!("{}/packs/media/images/preview.png", context.base)},
            "icon": [],
            "languages": ["en"],
            "configuration": configuration(context),
            "registrations": {"enabled": false, "approval_required": false, "message": null},
            "api_versions": {"mastodon": API_VERSION},
            "contact": {"email": "sandbox@example.test", "account": null},
            "rules": [],
        }))
    }

    /// Answers the description in its older form.
    pub(super) fn instance_v1(&self, context: &Context<'_>) -> Answer {
        Answer::ok(&json!({
            "uri": host(context.base),
            "title": "Sandbox",
            "short_description": "An imitation for trying and testing.",
            "description": "An imitation for trying and testing.",
            "email": "sandbox@example.test",
            "version": VERSION,
            "urls": {},
            "stats": {
                "user_count": self.accounts.len(),
                "status_count": self.statuses.len(),
                "domain_count": 0,
            },
            "languages": ["en"],
            "registrations": false,
            "approval_required": false,
            "invites_enabled": false,
            "configuration": configuration(context),
            "rules": [],
        }))
    }
}

fn configuration(context: &Context<'_>) -> Value {
    json!({
        "urls": {"status": format!("{}/about", context.base)},
        "accounts": {"max_featured_tags": 10, "max_pinned_statuses": 5},
        "statuses": {
            "max_characters": MAX_CHARACTERS,
            "max_media_attachments": MAX_FILES,
            "characters_reserved_per_url": URL_CHARACTERS,
        },
        "media_attachments": {
            "supported_mime_types": MIME_TYPES,
            "description_limit": DESCRIPTION_LIMIT,
            "image_size_limit": IMAGE_BYTES,
            "image_matrix_limit": IMAGE_PIXELS,
            "video_size_limit": VIDEO_BYTES,
            "video_frame_rate_limit": VIDEO_FPS,
            "video_matrix_limit": VIDEO_PIXELS,
        },
        "polls": {
            "max_options": poll::MAX_OPTIONS,
            "max_characters_per_option": poll::MAX_CHARACTERS,
            "min_expiration": poll::MIN_EXPIRATION,
            "max_expiration": poll::MAX_EXPIRATION,
        },
        "translation": {"enabled": false},
    })
}

/// Returns host and port of a base URL.
fn host(base: &str) -> &str {
    base.split("://").nth(1).and_then(|rest| rest.split('/').next()).unwrap_or(base)
}
