//! What YouTube does with some videos after it took them.

use serde_json::Value;

use super::draft::TargetView;
use super::issues::Issues;
use super::{MediaFacts, MediaKind, Rule, RuleDescription, Run, Severity};
use crate::platform::Platform;

pub(super) const RULE: Rule = Rule {
    descriptions: &[
        RuleDescription {
            rule: "<network>.media.needs_verification",
            severity: Severity::Warning,
            sentence: "Only verified channels may upload a video of that length.",
        },
        RuleDescription {
            rule: "<network>.first_comment.private",
            severity: Severity::Warning,
            sentence: "Comments cannot be posted on a private video.",
        },
    ],
    run: Run::Target(run),
};

/// Longest video of a channel that is not verified, in seconds.
///
/// Source: <https://support.google.com/youtube>, "Upload videos longer than 15 minutes".
const UNVERIFIED_SECONDS: f64 = 900.0;

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    if target.sheet.platform != Platform::Youtube {
        return;
    }
    let is_long = |media: &MediaFacts| {
        media.kind == MediaKind::Video
            && media.duration_seconds.is_some_and(|seconds| seconds > UNVERIFIED_SECONDS)
    };
    if target.draft.media.iter().any(is_long) {
        issues.warning(
            "media.needs_verification",
            "Only verified YouTube channels may upload more than 15 minutes.",
        );
    }
    let is_private = target.option("privacy").and_then(Value::as_str) == Some("private");
    if is_private && target.option("firstComment").is_some() {
        issues.warning("first_comment.private", "Comments cannot be posted on a private video.");
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::{Post, video};
    use super::*;

    #[test]
    fn videos() {
        for (name, seconds, options, want) in [
            ("15 minutes", 900.0, json!({}), vec![]),
            ("longer", 900.1, json!({}), vec!["youtube.media.needs_verification"]),
            (
                "a comment on a private video",
                9.0,
                json!({"privacy": "private", "firstComment": "Hi"}),
                vec!["youtube.first_comment.private"],
            ),
        ] {
            let mut post = Post::new("Hi").to(Platform::Youtube, options);
            post.media = vec![MediaFacts { duration_seconds: Some(seconds), ..video() }];
            let found = post.check();
            let rules: Vec<&str> = found.iter().map(|issue| issue.rule.as_ref()).collect();
            assert_eq!(rules, want, "{name}");
        }
    }
}
