//! The name of the thread that a post opens in a forum.

use super::draft::TargetView;
use super::issues::Issues;
use super::{Rule, RuleDescription, Run, Severity};

pub(super) const RULE: Rule = Rule {
    descriptions: &[RuleDescription {
        rule: "<network>.thread_name.needed",
        severity: Severity::Error,
        sentence: "A forum needs a name for the thread.",
    }],
    run: Run::Target(run),
};

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    if target.limits.is_forum == Some(true)
        && target.sheet.option("threadName").is_some()
        && target.option("threadName").is_none()
    {
        issues.error("thread_name.needed", "This channel is a forum: give the post a threadName.");
    }
}
