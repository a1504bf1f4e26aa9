//! A post to those that it mentions, when it mentions nobody.

use serde_json::Value;

use super::draft::TargetView;
use super::issues::Issues;
use super::{Rule, RuleDescription, Run, Severity};
use crate::platform::Platform;
use crate::text::entities;

pub(super) const RULE: Rule = Rule {
    descriptions: &[RuleDescription {
        rule: "<network>.visibility.nobody",
        severity: Severity::Warning,
        sentence: "A direct post without a mention is seen by nobody else.",
    }],
    run: Run::Target(run),
};

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    let is_direct = target.sheet.platform == Platform::Mastodon
        && target.option("visibility").and_then(Value::as_str) == Some("direct");
    if is_direct && entities::mentions(target.composed.text()).is_empty() {
        issues
            .warning("visibility.nobody", "Nobody but you will see this post: it mentions nobody.");
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::Post;
    use super::*;

    #[test]
    fn direct_posts() {
        for (text, visibility, want) in
            [("Hi", "direct", 1), ("Hi @alice@a.example", "direct", 0), ("Hi", "private", 0)]
        {
            let post = Post::new(text).to(Platform::Mastodon, json!({"visibility": visibility}));
            assert_eq!(post.check().len(), want, "{text} {visibility}");
        }
    }
}
