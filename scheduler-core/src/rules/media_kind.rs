//! Kinds of files that a network does not take, alone or together.

use super::catalogue::Catalogue;
use super::draft::TargetView;
use super::issues::Issues;
use super::{Detail, MediaKind, Rule};
use crate::platform::CapabilitySheet;

pub(super) const RULE: Rule = Rule::Target { describe, run };

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    let sheet = target.sheet;
    let kinds = [(MediaKind::Image, target.images), (MediaKind::Video, target.videos)];
    let refused = kinds.into_iter().filter(|(kind, count)| *count > 0 && !sheet.takes(*kind));
    let found: Vec<MediaKind> = refused.map(|(kind, _)| kind).collect();
    if !found.is_empty() {
        issues.error("media.kind_not_supported", Detail::FileKind { found });
    } else if target.images > 0 && target.videos > 0 && !sheet.media.mixes_kinds {
        let detail = Detail::MixedKinds {
            found: target.images + target.videos,
            images: target.images,
            most_images: target.limits.max_media.unwrap_or(sheet.media.max_images),
            most_videos: sheet.media.max_videos,
        };
        issues.error("media.mixed", detail);
    }
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
