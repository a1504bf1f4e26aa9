//! What the plan still allows.

use super::draft::TargetView;
use super::issues::Issues;
use super::{Context, Draft, Rule, RuleDescription, Run, Severity};

pub(super) const RULE: Rule = Rule {
    descriptions: &[RuleDescription {
        rule: "post.plan.posts",
        severity: Severity::Error,
        sentence: "The plan allows no more posts this month (code post_limit).",
    }],
    run: Run::Post(run),
};

fn run(_: &Draft<'_>, context: &Context, _: &[TargetView<'_>], issues: &mut Issues) {
    if context.posts_left != Some(0) {
        return;
    }
    let message = match context.posts_limit {
        Some(limit) => format!("The plan allows {limit} posts a month and all are used."),
        None => "The plan allows no more posts this month.".to_owned(),
    };
    issues.plan_limit("plan.posts", "post_limit", message);
}
