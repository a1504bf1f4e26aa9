//! The first comment of an account that may not write comments.

use super::inspection::OfTarget;
use super::{Detail, Rule};
use crate::platform::Platform;

pub(super) const RULE: Rule = Rule::Target(rule);

fn rule(on: &mut OfTarget<'_, '_>) {
    if on.sheet.platform != Platform::Linkedin {
        return;
    }
    let not_permitted = on.warning(
        ("first_comment", "not_permitted"),
        "The account has not given the permission to write comments.",
    );
    let Some(target) = on.subject() else { return };
    let comment = target.option("firstComment").and_then(serde_json::Value::as_str);
    let has_comment = comment.is_some_and(|text| !text.trim().is_empty());
    if has_comment && target.limits.may_comment == Some(false) {
        let sentence = "LinkedIn lets this account write no comments: its connection lacks the permission w_member_social_feed, or w_organization_social_feed for a page. The post goes out without the first comment.";
        on.report(not_permitted, Detail::note_of("firstComment", sentence));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::Post;
    use crate::platform::{AccountLimits, Platform};
    use crate::rules::Severity;

    #[test]
    fn first_comments_of_accounts() {
        for (name, may_comment, comment, want) in [
            ("allowed", Some(true), "First", 0),
            ("not allowed", Some(false), "First", 1),
            ("not known", None, "First", 0),
            ("no comment", Some(false), " ", 0),
        ] {
            let mut post =
                Post::new("Hello").to(Platform::Linkedin, json!({"firstComment": comment}));
            post.limits = AccountLimits { may_comment, ..AccountLimits::default() };
            let found = post.issues("first_comment.not_permitted");
            assert_eq!(found.len(), want, "{name}");
            assert!(found.iter().all(|issue| issue.severity == Severity::Warning), "{name}");
        }
    }
}
