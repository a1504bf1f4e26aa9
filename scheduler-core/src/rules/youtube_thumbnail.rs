//! The picture that a video is shown by until it plays.

use super::catalogue::Catalogue;
use super::draft::TargetView;
use super::issues::Issues;
use super::{Detail, MediaKind, Place, Rule, Word};
use crate::platform::{CapabilitySheet, canonical_media_type, media_type_names};

pub(super) const RULE: Rule = Rule::Target { describe, run };

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    let Some(file) = target.thumbnail.filter(|_| target.sheet.supports_thumbnail) else { return };
    let (sheet, place) = (target.sheet, || Place::option("thumbnailMediaId"));
    if !file.ready {
        issues.error("thumbnail_media_id.not_ready", Detail::NotReady { place: place() });
    }
    let media_type = file.mime_type.as_deref().map(canonical_media_type);
    let is_of_type =
        media_type.as_deref().is_none_or(|own| sheet.types_of(MediaKind::Image).has(own));
    if file.kind != MediaKind::Image || !is_of_type {
        let taken = sheet.media.image_types.taken.iter().copied();
        let detail = Detail::FileType {
            found: media_type.map(Word::Owned),
            allowed: taken.map(Word::Borrowed).collect(),
            place: place(),
            is_video: file.kind == MediaKind::Video,
            outcome: Word::default(),
        };
        issues.error("thumbnail_media_id.type_not_supported", detail);
    }
    if let Some(bytes) = file.size_bytes.filter(|bytes| *bytes > sheet.max_image_bytes) {
        let (most, outcome) = (sheet.max_image_bytes, Word::default());
        let detail = Detail::TooLarge { found: bytes, most, place: place(), outcome };
        issues.error("thumbnail_media_id.too_large", detail);
    }
}

fn describe(sheet: &'static CapabilitySheet, list: &mut Catalogue) {
    if !sheet.supports_thumbnail {
        return;
    }
    let taken = media_type_names(sheet.media.image_types.taken.iter().copied());
    list.error(
        "thumbnail_media_id.not_ready",
        "The file of the thumbnail is not ready to be sent.",
    );
    list.error("thumbnail_media_id.type_not_supported", format!("The thumbnail is not {taken}."));
    list.error(
        "thumbnail_media_id.too_large",
        format!("The thumbnail has more than {} bytes.", sheet.max_image_bytes),
    );
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::{Post, image, video};
    use crate::platform::Platform;
    use crate::rules::MediaFacts;

    #[test]
    fn thumbnails() {
        let typed = |mime: &str| MediaFacts { mime_type: Some(mime.to_owned()), ..image() };
        let sized = |bytes| MediaFacts { size_bytes: Some(bytes), ..image() };
        for (name, thumbnail, want) in [
            ("none", None, ""),
            ("JPEG", Some(image()), ""),
            ("PNG", Some(typed("image/png")), ""),
            ("type not known", Some(MediaFacts { mime_type: None, ..image() }), ""),
            ("WebP", Some(typed("image/webp")), "type_not_supported"),
            ("GIF", Some(typed("image/gif")), "type_not_supported"),
            ("a video", Some(video()), "type_not_supported"),
            ("at the limit", Some(sized(52_428_800)), ""),
            ("one over", Some(sized(52_428_801)), "too_large"),
            ("size not known", Some(MediaFacts { size_bytes: None, ..image() }), ""),
            ("not ready", Some(MediaFacts { ready: false, ..image() }), "not_ready"),
        ] {
            let mut post = Post::new("Hello").to(Platform::Youtube, json!({}));
            post.media = vec![video()];
            post.thumbnail = thumbnail;
            let found = post.check();
            let checks: Vec<&str> = found
                .iter()
                .map(|issue| issue.rule.strip_prefix("youtube.thumbnail_media_id.").unwrap())
                .collect();
            assert_eq!(checks.join(" "), want, "{name}: {found:?}");
        }
        let mut elsewhere = Post::new("Hello").to(Platform::Bluesky, json!({}));
        elsewhere.thumbnail = Some(typed("image/gif"));
        assert_eq!(elsewhere.check(), [], "a network without thumbnails");
    }
}
