//! Kinds of files that a network does not take, alone or together.

use super::inspection::OfTarget;
use super::{Detail, MediaKind, Rule};

pub(super) const RULE: Rule = Rule::Files(rule);

fn rule(on: &mut OfTarget<'_, '_>) {
    let sheet = on.sheet;
    let refused = match (sheet.supports_image, sheet.supports_video) {
        (true, true) => None,
        (true, false) => Some("a video"),
        (false, true) => Some("an image"),
        (false, false) => Some("a file"),
    };
    if let Some(refused) = refused {
        let when = format_args!("The post has {refused}.");
        let not_supported = on.error(("media", "kind_not_supported"), when);
        let Some(target) = on.subject() else { return };
        let kinds = [(MediaKind::Image, target.images), (MediaKind::Video, target.videos)];
        let refused = kinds.into_iter().filter(|(kind, count)| *count > 0 && !sheet.takes(*kind));
        let found: Vec<MediaKind> = refused.map(|(kind, _)| kind).collect();
        if !found.is_empty() {
            on.report(not_supported, Detail::FileKind { found });
        }
    } else if !sheet.media.mixes_kinds {
        let mixed = on.error(("media", "mixed"), "The post has images and a video.");
        let Some(target) = on.subject() else { return };
        if target.images > 0 && target.videos > 0 {
            let detail = Detail::MixedKinds {
                found: target.images + target.videos,
                images: target.images,
                most_images: target.limits.max_media.unwrap_or(sheet.media.max_images),
                most_videos: sheet.media.max_videos,
            };
            on.report(mixed, detail);
        }
    }
}
