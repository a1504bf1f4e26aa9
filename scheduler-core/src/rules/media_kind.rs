//! Kinds of files that a network does not take, alone or together.

use super::Rule;
use super::catalogue::Catalogue;
use super::draft::{TargetView, widened};
use super::issues::Issues;
use crate::platform::CapabilitySheet;

pub(super) const RULE: Rule = Rule::Target { describe, run };

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    let sheet = target.sheet;
    let name = sheet.short_name;
    let refused = match (
        target.images > 0 && !sheet.supports_image,
        target.videos > 0 && !sheet.supports_video,
    ) {
        (true, true) => "images or videos",
        (true, false) => "images",
        (false, true) => "videos",
        (false, false) => "",
    };
    if !refused.is_empty() {
        issues.error(
            "media.kind_not_supported",
            format!("{name} takes no {refused} here; remove the files or leave {name} out."),
        );
    } else if target.images > 0 && target.videos > 0 && !sheet.media.mixes_kinds {
        let (images, videos) = (target.images, target.videos);
        issues.error(
            "media.mixed",
            format!(
                "Post has {} and {}; {name} takes up to {} images or {}, not both.",
                counted(images, "image"),
                counted(videos, "video"),
                target.limits.max_media.unwrap_or(sheet.media.max_images),
                counted(widened(sheet.media.max_videos), "video"),
            ),
        );
    }
}

/// A number of things.
pub(super) fn counted(count: usize, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

fn describe(sheet: &'static CapabilitySheet, list: &mut Catalogue) {
    let refused = match (sheet.supports_image, sheet.supports_video) {
        (true, true) => None,
        (true, false) => Some("a video"),
        (false, true) => Some("an image"),
        (false, false) => Some("a file"),
    };
    if let Some(refused) = refused {
        list.error("media.kind_not_supported", format!("The post has {refused}."));
    } else if !sheet.media.mixes_kinds {
        list.error("media.mixed", "The post has images and a video.");
    }
}
