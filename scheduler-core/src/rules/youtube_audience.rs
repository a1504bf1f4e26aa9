//! Whom a video on YouTube is told to, and what is off on videos for children.

use serde_json::Value;

use super::inspection::OfTarget;
use super::{Detail, Rule};
use crate::platform::Platform;

pub(super) const RULE: Rule = Rule::Target(rule);

fn rule(on: &mut OfTarget<'_, '_>) {
    if on.sheet.platform != Platform::Youtube {
        return;
    }
    let not_public = on.warning(
        ("notify_subscribers", "not_public"),
        "notifySubscribers is true while the video is not public.",
    );
    let no_comments = on.warning(
        ("first_comment", "made_for_kids"),
        "A video that is made for children has a first comment, which cannot be posted.",
    );
    let nobody_told = on.warning(
        ("notify_subscribers", "made_for_kids"),
        "notifySubscribers is true while the video is made for children.",
    );
    let Some(target) = on.subject() else { return };
    let privacy = target.option("privacy").and_then(Value::as_str);
    if target.is_on("notifySubscribers") && privacy.is_some_and(|privacy| privacy != "public") {
        let sentence = "Subscribers are told of public videos alone.";
        on.report(not_public, Detail::note_of("notifySubscribers", sentence));
    }
    if target.is_on("madeForKids") && target.option("firstComment").is_some() {
        let sentence = "Comments are off on videos that are made for children.";
        on.report(no_comments, Detail::note_of("firstComment", sentence));
    }
    if target.is_on("madeForKids") && target.is_on("notifySubscribers") {
        let sentence = "Subscribers are not told of videos that are made for children.";
        on.report(nobody_told, Detail::note_of("notifySubscribers", sentence));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::{Post, video};
    use crate::platform::Platform;

    #[test]
    fn audiences() {
        for (name, options, want) in [
            ("public", json!({"notifySubscribers": true}), ""),
            ("public, as is said", json!({"notifySubscribers": true, "privacy": "public"}), ""),
            (
                "unlisted",
                json!({"notifySubscribers": true, "privacy": "unlisted"}),
                "notify_subscribers.not_public",
            ),
            (
                "unlisted, told to nobody",
                json!({"notifySubscribers": false, "privacy": "unlisted"}),
                "",
            ),
            ("for children", json!({"madeForKids": true}), ""),
            (
                "for children, with everything",
                json!({"madeForKids": true, "firstComment": "First", "notifySubscribers": true}),
                "first_comment.made_for_kids notify_subscribers.made_for_kids",
            ),
            ("not for children", json!({"madeForKids": false, "firstComment": "First"}), ""),
        ] {
            let mut post = Post::new("Hello").to(Platform::Youtube, options);
            post.media = vec![video()];
            let found = post.check();
            let rules: Vec<&str> =
                found.iter().map(|issue| issue.rule.strip_prefix("youtube.").unwrap()).collect();
            assert_eq!(rules.join(" "), want, "{name}");
        }
    }
}
