//! Text that a network cannot do without.

use super::Rule;
use super::catalogue::Catalogue;
use super::draft::TargetView;
use super::issues::Issues;
use crate::platform::{CapabilitySheet, RequiredMedia};

pub(super) const RULE: Rule = Rule::Target { describe, run };

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    let sheet = target.sheet;
    let has_media = !target.draft.media.is_empty();
    let is_carried = (has_media && sheet.allows_empty_text)
        || (target.composed.link_card.is_some() && sheet.text.is_optional_beside_link);
    if is_carried
        || sheet.requires_media != RequiredMedia::None
        || !target.composed.text().trim().is_empty()
        || target.post_is_empty
    {
        return;
    }
    let name = sheet.short_name;
    issues.error(
        "text.missing",
        match (sheet.allows_empty_text, sheet.text.is_optional_beside_link) {
            (true, true) => format!("{name} needs a text, a file or a link."),
            (true, false) => format!("{name} needs a text or a file."),
            (false, _) => format!("{name} needs a text."),
        },
    );
}

fn describe(sheet: &'static CapabilitySheet, list: &mut Catalogue) {
    if sheet.requires_media != RequiredMedia::None {
        return;
    }
    let sentence = match (sheet.allows_empty_text, sheet.text.is_optional_beside_link) {
        (true, true) => "There is no text, no file and no link.",
        (true, false) => "There is neither text nor a file.",
        (false, _) => "There is no text.",
    };
    list.error("text.missing", sentence);
}
