//! A post needs something to say.

use super::draft::TargetView;
use super::inspection::OfPost;
use super::{Detail, Draft, Rule};

pub(super) const RULE: Rule = Rule::Post(rule);

/// Whether no target gets anything: it is then one issue of the post, not one for each target.
pub(super) fn is_empty(draft: &Draft<'_>, targets: &[TargetView<'_>]) -> bool {
    draft.media.is_empty()
        && targets.iter().all(|target| target.media.is_empty())
        && draft.link_url.is_none_or(str::is_empty)
        && draft.content.trim().is_empty()
        && targets.iter().all(|target| !target.has_text())
}

fn rule(on: &mut OfPost<'_, '_>) {
    let missing = on.error(
        ("text", "missing"),
        "The post has no text, no file and no link for any of its networks.",
    );
    if on.subject().is_some_and(|post| post.is_empty) {
        let allowed = vec!["text".into(), "file".into()];
        on.report(missing, Detail::MissingText { allowed, is_invisible: false });
    }
}
