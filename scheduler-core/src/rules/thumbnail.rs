//! The picture that a video is shown by until it plays, and that of a link's card.

use std::fmt;

use super::conversion::Fit;
use super::draft::TargetView;
use super::inspection::OfTarget;
use super::{Detail, MediaKind, Place, Rule, Word};
use crate::platform::{
    CARD_IMAGE, CapabilitySheet, LinkCard, canonical_media_type, media_type_names,
};

pub(super) const RULE: Rule = Rule::Target(rule);

/// The option that names a thumbnail.
///
/// Source: interface description, TargetInput.
const THUMBNAIL: &str = "thumbnailMediaId";

/// The options of a network that name a picture which its rules look at.
pub(super) fn keys(sheet: &CapabilitySheet) -> impl Iterator<Item = &'static str> {
    let card = LinkCard::is_ours_on(sheet).then_some(CARD_IMAGE);
    sheet.supports_thumbnail.then_some(THUMBNAIL).into_iter().chain(card)
}

/// The one of them that names the picture of a target.
pub(super) fn key_of(target: &TargetView<'_>) -> Option<&'static str> {
    let is_thumbnail = target.sheet.supports_thumbnail
        && (target.option(THUMBNAIL).is_some() || !LinkCard::is_ours_on(target.sheet));
    if is_thumbnail { Some(THUMBNAIL) } else { keys(target.sheet).last() }
}

fn rule(on: &mut OfTarget<'_, '_>) {
    for key in keys(on.sheet) {
        check(on, key);
    }
}

fn check(on: &mut OfTarget<'_, '_>, key: &'static str) {
    let sheet = on.sheet;
    let (subject, what) = match key {
        CARD_IMAGE => ("link_card", "image of the link's card"),
        _ => ("thumbnail_media_id", "thumbnail"),
    };
    let taken = || sheet.media.image_types.taken.iter().copied();
    let names = fmt::from_fn(|f| f.write_str(&media_type_names(taken())));
    let most = sheet.max_image_bytes;
    let not_ready = on.error(
        (subject, "not_ready"),
        format_args!("The file of the {what} is not ready to be sent."),
    );
    let not_supported =
        on.error((subject, "type_not_supported"), format_args!("The {what} is not {names}."));
    let too_large =
        on.error((subject, "too_large"), format_args!("The {what} has more than {most} bytes."));
    let Some(target) = on.subject().filter(|target| key_of(target) == Some(key)) else { return };
    let Some(file) = target.thumbnail else { return };
    let file = match &target.thumbnail_fit {
        Some(Fit::Convert(made)) => &made.facts,
        Some(Fit::AsIs | Fit::Impossible(_)) | None => file,
    };
    let place = || Place::option(key);
    if !file.ready {
        on.report(not_ready, Detail::NotReady { place: place(), reason: file.failure.clone() });
    }
    let media_type = file.mime_type.as_deref().map(canonical_media_type);
    let is_of_type =
        media_type.as_deref().is_none_or(|own| sheet.types_of(MediaKind::Image).has(own));
    if file.kind != MediaKind::Image || !is_of_type {
        let detail = Detail::FileType {
            found: media_type.map(Word::Owned),
            allowed: taken().map(Word::Borrowed).collect(),
            place: place(),
            kind: file.kind.one().into(),
            outcome: Word::default(),
        };
        on.report(not_supported, detail);
    }
    if let Some(found) = file.size_bytes.filter(|bytes| *bytes > most) {
        let (place, outcome) = (place(), Word::default());
        on.report(too_large, Detail::TooLarge { found, most, place, outcome });
    }
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
            let mut post = Post::new("Hello").unconverted().to(Platform::Youtube, json!({}));
            post.media = vec![video()];
            post.thumbnail = thumbnail;
            let found = post.check();
            let checks: Vec<&str> = found
                .iter()
                .map(|issue| issue.rule.strip_prefix("youtube.thumbnail_media_id.").unwrap())
                .collect();
            assert_eq!(checks.join(" "), want, "{name}: {found:?}");
        }
        let mut elsewhere = Post::new("Hello").to(Platform::Discord, json!({}));
        elsewhere.thumbnail = Some(typed("image/gif"));
        assert_eq!(elsewhere.check(), [], "a network without thumbnails");
    }

    #[test]
    fn images_of_link_cards() {
        let named = json!({"linkCard": {"imageMediaId": uuid::Uuid::nil()}});
        for (name, file, want) in [
            ("JPEG", image(), &[][..]),
            ("a video", video(), &["linkedin.link_card.type_not_supported"][..]),
            (
                "not ready",
                MediaFacts { ready: false, ..image() },
                &["linkedin.link_card.not_ready"][..],
            ),
            (
                "too large",
                MediaFacts { size_bytes: Some(10_000_001), ..image() },
                &["linkedin.link_card.too_large"][..],
            ),
        ] {
            let mut post = Post::new("Hello").unconverted().to(Platform::Linkedin, named.clone());
            post.link_url = Some("https://example.com".to_owned());
            post.thumbnail = Some(file);
            assert_eq!(post.rules(), want, "{name}");
        }
    }
}
