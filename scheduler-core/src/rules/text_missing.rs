//! Text that a network cannot do without.

use super::draft::TargetView;
use super::issues::Issues;
use super::{Rule, RuleDescription, Run, Severity};
use crate::platform::RequiredMedia;

pub(super) const RULE: Rule = Rule {
    descriptions: &[RuleDescription {
        rule: "<network>.text.missing",
        severity: Severity::Error,
        sentence: "The network needs a text, or a file in its place where it takes one.",
    }],
    run: Run::Target(run),
};

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
        if sheet.allows_empty_text {
            format!("{name} needs a text or a file.")
        } else {
            format!("{name} needs a text.")
        },
    );
}
