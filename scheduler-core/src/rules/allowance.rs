//! What the plan still allows.

use super::catalogue::Catalogue;
use super::draft::TargetView;
use super::issues::Issues;
use super::{Context, Draft, Rule};

pub(super) const RULE: Rule = Rule::Post { describe, run };

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

fn describe(list: &mut Catalogue) {
    list.error("plan.posts", "The plan allows no more posts this month (code post_limit).");
}
