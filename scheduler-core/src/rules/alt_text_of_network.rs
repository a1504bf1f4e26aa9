//! Alternative texts, as one network takes them.

use super::draft::{TargetView, widened};
use super::issues::Issues;
use super::{Rule, RuleDescription, Run, Severity};
use crate::platform::{Platform, TextUnit};
use crate::text::count;

pub(super) const RULE: Rule = Rule {
    descriptions: &[
        RuleDescription {
            rule: "<network>.alt_text.not_supported",
            severity: Severity::Warning,
            sentence: "The network has no alternative texts; they are left out.",
        },
        RuleDescription {
            rule: "<network>.alt_text.too_long",
            severity: Severity::Error,
            sentence: "An alternative text is over the limit of the network.",
        },
        RuleDescription {
            rule: "<network>.alt_text.only_first",
            severity: Severity::Warning,
            sentence: "The network takes one alternative text for the whole post.",
        },
    ],
    run: Run::Target(run),
};

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    let sheet = target.sheet;
    let name = sheet.short_name;
    let given = |text: &&Option<String>| text.as_deref().is_some_and(|text| !text.is_empty());
    // Where no file is taken at all, the rule of kinds says so.
    if sheet.max_media_per_post == 0 || !target.draft.alt_texts.iter().any(|text| given(&text)) {
        return;
    }
    if !sheet.supports_alt_text {
        issues.warning(
            "alt_text.not_supported",
            format!("{name} has no alternative texts; they are left out."),
        );
        return;
    }
    let limit = target.limits.alt_text_limit.unwrap_or(sheet.media.alt_text_limit);
    for (index, text) in target.draft.alt_texts.iter().enumerate() {
        let Some(text) = text.as_deref() else { continue };
        let length = count::over(TextUnit::CodePoints, text, widened(limit));
        // What is over the limit of the service is an issue of the post.
        if let Some(length) = length.filter(|length| *length <= 1000) {
            issues.error(
                "alt_text.too_long",
                format!(
                    "Alternative text {} is {length} characters for {name}, the limit is {limit}.",
                    index + 1
                ),
            );
        }
    }
    if sheet.platform == Platform::Pinterest
        && target.draft.alt_texts.iter().skip(1).any(|text| given(&text))
    {
        issues.warning(
            "alt_text.only_first",
            "Pinterest takes one alternative text for a Pin; the first one is used.",
        );
    }
}
