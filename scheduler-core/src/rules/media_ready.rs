//! Files that cannot be sent yet.

use super::draft::TargetView;
use super::issues::Issues;
use super::{Context, Draft, Rule, RuleDescription, Run, Severity};

pub(super) const RULE: Rule = Rule {
    descriptions: &[RuleDescription {
        rule: "post.media.not_ready",
        severity: Severity::Error,
        sentence: "A file is not ready to be sent.",
    }],
    run: Run::Post(run),
};

fn run(draft: &Draft<'_>, _: &Context, _: &[TargetView<'_>], issues: &mut Issues) {
    for (index, _) in draft.media.iter().enumerate().filter(|(_, media)| !media.ready) {
        issues.error("media.not_ready", format!("File {} is not ready yet.", index + 1));
    }
}
