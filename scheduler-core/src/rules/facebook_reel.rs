//! What a reel on Facebook takes, besides the bounds of its file.

use super::inspection::OfTarget;
use super::{Detail, MediaKind, Rule};
use crate::platform::{Placement, Platform};

pub(super) const RULE: Rule = Rule::Target(rule);

fn rule(on: &mut OfTarget<'_, '_>) {
    if on.sheet.platform != Platform::Facebook {
        return;
    }
    let files = on.error(("as_reel", "files"), "A reel is something else than one video.");
    let Some(target) = on.subject() else { return };
    let is_one_video = matches!(target.draft.media, [file] if file.kind == MediaKind::Video);
    if target.placement == Placement::Reel && !is_one_video {
        on.report(files, Detail::note_of("asReel", "A reel takes exactly one video."));
    }
}
