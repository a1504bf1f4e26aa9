//! What an account on TikTok has switched off.

use super::draft::TargetView;
use super::issues::Issues;
use super::{Rule, RuleDescription, Run, Severity};
use crate::platform::Platform;

pub(super) const RULE: Rule = Rule {
    descriptions: &[
        RuleDescription {
            rule: "<network>.allow_comments.disabled",
            severity: Severity::Warning,
            sentence: "Comments are turned off for the account.",
        },
        RuleDescription {
            rule: "<network>.privacy.draft",
            severity: Severity::Warning,
            sentence: "The privacy of a draft is chosen in the app.",
        },
    ],
    run: Run::Target(run),
};

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    if target.sheet.platform != Platform::Tiktok {
        return;
    }
    if target.limits.comments_disabled == Some(true) && target.is_on("allowComments") {
        issues.warning("allow_comments.disabled", "Comments are turned off for this account.");
    }
    if target.is_on("asDraft") && target.option("privacy").is_some() {
        issues.warning("privacy.draft", "The privacy of a draft is chosen in the TikTok app.");
    }
}
