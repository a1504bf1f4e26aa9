//! What a reel on Facebook takes, besides the bounds of its file.

use super::catalogue::Catalogue;
use super::draft::TargetView;
use super::issues::Issues;
use super::{Detail, MediaKind, Rule};
use crate::platform::{CapabilitySheet, Placement, Platform};

pub(super) const RULE: Rule = Rule::Target { describe, run };

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    if target.sheet.platform != Platform::Facebook || target.placement != Placement::Reel {
        return;
    }
    if !matches!(target.draft.media, [file] if file.kind == MediaKind::Video) {
        let detail = Detail::note_of("asReel", "A reel takes exactly one video.");
        issues.error("as_reel.files", detail);
    }
}

fn describe(sheet: &'static CapabilitySheet, list: &mut Catalogue) {
    if sheet.platform == Platform::Facebook {
        list.error("as_reel.files", "A reel is something else than one video.");
    }
}
