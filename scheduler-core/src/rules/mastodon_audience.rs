//! Whom a post reaches, and options that mean nothing there.

use serde_json::Value;

use super::inspection::OfTarget;
use super::{Detail, Rule};
use crate::platform::Platform;
use crate::text::entities;

pub(super) const RULE: Rule = Rule::Target(rule);

fn rule(on: &mut OfTarget<'_, '_>) {
    if on.sheet.platform != Platform::Mastodon {
        return;
    }
    let nobody = on.warning(("visibility", "nobody"), "A direct post mentions nobody.");
    let closed = on.warning(
        ("quote_policy", "no_effect"),
        "quotePolicy is set on a private or direct post, which nobody may quote.",
    );
    let Some(target) = on.subject() else { return };
    let visibility = target.option("visibility").and_then(Value::as_str).unwrap_or_default();
    if visibility == "direct" && entities::mentions(target.composed.text()).is_empty() {
        let sentence = "Nobody but you will see this post: it mentions nobody.";
        on.report(nobody, Detail::note_of("visibility", sentence));
    }
    let policy = target.option("quotePolicy").and_then(Value::as_str);
    if matches!(visibility, "private" | "direct") && policy.is_some_and(|who| who != "nobody") {
        let sentence = "Nobody may quote a private or direct post, whatever quotePolicy says.";
        on.report(closed, Detail::note_of("quotePolicy", sentence));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::{Post, image};
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

    /// Source: <https://docs.joinmastodon.org/methods/statuses/#create>, `quote_approval_policy`.
    #[test]
    fn who_may_quote_what_few_can_see() {
        for (visibility, policy, want) in [
            ("public", "public", 0),
            ("unlisted", "followers", 0),
            ("private", "public", 1),
            ("private", "followers", 1),
            ("private", "nobody", 0),
            ("direct", "public", 1),
        ] {
            let options = json!({"visibility": visibility, "quotePolicy": policy});
            let post = Post::new("Hi @alice").to(Platform::Mastodon, options);
            assert_eq!(post.issues("quote_policy.no_effect").len(), want, "{visibility} {policy}");
        }
    }

    #[test]
    fn files_that_are_not_there_are_not_hidden() {
        for (is_on, files, want) in [(true, 0, 1), (true, 1, 0), (false, 0, 0)] {
            let mut post = Post::new("Hi").to(Platform::Mastodon, json!({"sensitive": is_on}));
            post.media = vec![image(); files];
            assert_eq!(post.issues("sensitive.no_effect").len(), want, "{is_on} {files}");
        }
    }
}
