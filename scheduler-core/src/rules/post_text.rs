//! A post needs something to say.

use super::catalogue::Catalogue;
use super::draft::TargetView;
use super::issues::Issues;
use super::{Context, Detail, Draft, Rule};

pub(super) const RULE: Rule = Rule::Post { describe, run };

/// Whether no target gets anything: it is then one issue of the post, not one for each target.
pub(super) fn is_empty(draft: &Draft<'_>, targets: &[TargetView<'_>]) -> bool {
    draft.media.is_empty()
        && draft.link_url.is_none_or(str::is_empty)
        && draft.content.trim().is_empty()
        && targets.iter().all(|target| !target.has_text())
}

fn run(draft: &Draft<'_>, _: &Context, targets: &[TargetView<'_>], issues: &mut Issues) {
    if is_empty(draft, targets) {
        let allowed = vec!["text".into(), "file".into()];
        issues.error("text.missing", Detail::MissingText { allowed, is_invisible: false });
    }
}

fn describe(list: &mut Catalogue) {
    list.error(
        "text.missing",
        "The post has no text, no file and no link for any of its networks.",
    );
}
