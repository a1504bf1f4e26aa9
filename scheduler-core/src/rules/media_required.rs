//! Files that a network cannot do without.

use super::inspection::OfTarget;
use super::{Detail, MediaKind, Rule};
use crate::platform::RequiredMedia;

pub(super) const RULE: Rule = Rule::Target(rule);

fn rule(on: &mut OfTarget<'_, '_>) {
    let (allowed, when): (&[MediaKind], _) = match on.sheet.requires_media {
        RequiredMedia::None => return,
        RequiredMedia::Image => (&[MediaKind::Image], "The post has no image."),
        RequiredMedia::Video => (&[MediaKind::Video], "The post has no video."),
        RequiredMedia::ImageOrVideo => {
            (&[MediaKind::Image, MediaKind::Video], "The post has neither an image nor a video.")
        }
    };
    let required = on.error(("media", "required"), when);
    let Some(target) = on.subject() else { return };
    if !target.draft.media.iter().any(|media| allowed.contains(&media.kind)) {
        on.report(required, Detail::MissingFile { allowed: allowed.to_vec() });
    }
}
