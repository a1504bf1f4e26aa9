//! Kinds of files that a network does not take, alone or together.

use super::draft::widened;
use super::inspection::OfTarget;
use super::{Detail, MediaKind, Rule};
use crate::platform::media_type_names;

pub(super) const RULE: Rule = Rule::Files(rule);

fn rule(on: &mut OfTarget<'_, '_>) {
    let sheet = on.sheet;
    let (taken, refused): (Vec<_>, Vec<_>) =
        MediaKind::ALL.into_iter().partition(|kind| sheet.takes(*kind));
    let not_supported = (!refused.is_empty()).then(|| {
        let refused = if taken.is_empty() {
            "a file".to_owned()
        } else {
            media_type_names(refused.iter().map(|kind| kind.one()))
        };
        on.error(("media", "kind_not_supported"), format_args!("The post has {refused}."))
    });
    let mixed = (taken.len() > 1 && !sheet.media.mixes_kinds).then(|| {
        on.error(
            ("media", "mixed"),
            match taken.as_slice() {
                [MediaKind::Image, MediaKind::Video] => "The post has images and a video.",
                _ => "The post has files of several kinds.",
            },
        )
    });
    let Some(target) = on.subject() else { return };
    let of_kinds = MediaKind::ALL.map(|kind| {
        let of_kind = target.media.iter().filter(|file| file.kind == kind);
        (kind, of_kind.count())
    });
    let of_kinds: Vec<_> = of_kinds.into_iter().filter(|(_, count)| *count > 0).collect();
    let found: Vec<_> = of_kinds.iter().map(|(kind, _)| *kind).collect();
    let found_refused: Vec<_> =
        found.iter().copied().filter(|kind| refused.contains(kind)).collect();
    if let Some(finding) = not_supported
        && !found_refused.is_empty()
    {
        on.report(finding, Detail::FileKind { found: found_refused });
    } else if let Some(finding) = mixed
        && found.len() > 1
    {
        let most = taken.into_iter().map(|kind| {
            let most = match kind {
                MediaKind::Image => target.limits.max_media.unwrap_or(sheet.media.max_images),
                MediaKind::Video | MediaKind::Document => sheet.most_of(kind),
            };
            (kind, widened(most))
        });
        let most = most.collect();
        on.report(finding, Detail::MixedKinds { found: target.media.len(), of_kinds, most });
    }
}
