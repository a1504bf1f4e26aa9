//! Kinds of files that a network does not take, alone or together.

use super::inspection::OfTarget;
use super::{Detail, MediaKind, Rule};
use crate::platform::any_of;

pub(super) const RULE: Rule = Rule::Files(rule);

fn rule(on: &mut OfTarget<'_, '_>) {
    let sheet = on.sheet;
    let (taken, refused): (Vec<_>, Vec<_>) =
        MediaKind::ALL.into_iter().partition(|kind| sheet.takes(*kind));
    let not_supported = (!refused.is_empty()).then(|| {
        let refused = if taken.is_empty() {
            "a file".to_owned()
        } else {
            any_of(refused.iter().map(|kind| kind.one()))
        };
        on.error(("media", "kind_not_supported"), format_args!("The post has {refused}."))
    });
    let takes_both = sheet.supports_image && sheet.supports_video;
    let mixed = (takes_both && !sheet.media.mixes_kinds)
        .then(|| on.error(("media", "mixed"), "The post has images and a video."));
    let documents = sheet.media.documents;
    let beside = (documents.most > 0 && !documents.go_beside_others).then(|| {
        on.error(
            ("media", "document_beside_others"),
            "The post has a document beside an image or a video.",
        )
    });
    let Some(target) = on.subject() else { return };
    let has = |kind| target.media.iter().any(|file| file.kind == kind);
    let found: Vec<_> = refused.into_iter().filter(|kind| has(*kind)).collect();
    if let Some(not_supported) = not_supported
        && !found.is_empty()
    {
        on.report(not_supported, Detail::FileKind { found });
        return;
    }
    if let Some(mixed) = mixed
        && target.images > 0
        && target.videos > 0
    {
        let detail = Detail::MixedKinds {
            found: target.images + target.videos,
            images: target.images,
            most_images: target.limits.max_media.unwrap_or(sheet.media.max_images),
            most_videos: sheet.media.max_videos,
        };
        on.report(mixed, detail);
    }
    if let Some(beside) = beside
        && target.documents > 0
        && target.images + target.videos > 0
    {
        let sentence = "{name} takes no images or videos beside a document; send the document alone or leave it out.";
        on.report(beside, Detail::note(sentence));
    }
}
