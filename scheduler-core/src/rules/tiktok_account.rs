//! What an account on TikTok has switched off, and what a draft there leaves to the app.

use super::draft::TargetView;
use super::inspection::OfTarget;
use super::{Detail, Rule};
use crate::platform::Platform;

pub(super) const RULE: Rule = Rule::Target(rule);

/// Whether a target is a draft of a video, which carries no text.
///
/// Source: <https://developers.tiktok.com/docs/en/>, `content-posting-api-reference-upload-video`.
pub(super) fn is_video_draft(target: &TargetView<'_>) -> bool {
    target.sheet.platform == Platform::Tiktok && target.videos > 0 && target.is_on("asDraft")
}

fn rule(on: &mut OfTarget<'_, '_>) {
    if on.sheet.platform != Platform::Tiktok {
        return;
    }
    let disabled = on.warning(
        ("allow_comments", "disabled"),
        "allowComments is true while comments are turned off for the account.",
    );
    let of_draft = on.warning(
        ("allow_comments", "draft"),
        "A draft has allowComments as true, which is chosen in the app.",
    );
    let privacy =
        on.warning(("privacy", "draft"), "A draft has a privacy, which is chosen in the app.");
    let no_caption = on.warning(
        ("as_draft", "no_caption"),
        "The draft of a video has a text, which is not sent: it is written in the app.",
    );
    let Some(target) = on.subject() else { return };
    let is_draft = target.is_on("asDraft");
    if target.is_on("allowComments") {
        let note = |sentence| Detail::note_of("allowComments", sentence);
        if is_draft {
            on.report(of_draft, note("Who may comment on a draft is chosen in the TikTok app."));
        } else if target.limits.comments_disabled == Some(true) {
            on.report(disabled, note("Comments are turned off for this account."));
        }
    }
    if is_draft && target.option("privacy").is_some() {
        let sentence = "The privacy of a draft is chosen in the TikTok app.";
        on.report(privacy, Detail::note_of("privacy", sentence));
    }
    if is_video_draft(target) && !target.composed.text().trim().is_empty() {
        let sentence = "The text of a video draft is not sent; write it in the TikTok app.";
        on.report(no_caption, Detail::note_of("asDraft", sentence));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::{Post, image, video};
    use crate::platform::{AccountLimits, Platform};

    #[test]
    fn what_a_draft_leaves_to_the_app() {
        let text = format!("{} {}", "#a ".repeat(6), "a".repeat(2200));
        for (name, options, media, want) in [
            (
                "no draft",
                json!({"privacy": "SELF_ONLY"}),
                video(),
                "text.too_long hashtags.many link.not_clickable",
            ),
            ("a video", json!({"asDraft": true}), video(), "as_draft.no_caption"),
            ("an image", json!({"asDraft": true}), image(), "hashtags.many link.not_clickable"),
            (
                "a privacy that the account lacks",
                json!({"asDraft": true, "privacy": "PUBLIC_TO_EVERYONE"}),
                video(),
                "privacy.draft as_draft.no_caption",
            ),
            (
                "a privacy that there is not",
                json!({"asDraft": true, "privacy": "public"}),
                video(),
                "privacy.not_allowed privacy.draft as_draft.no_caption",
            ),
            (
                "comments",
                json!({"asDraft": true, "allowComments": true}),
                video(),
                "allow_comments.draft as_draft.no_caption",
            ),
            (
                "no comments",
                json!({"asDraft": true, "allowComments": false}),
                video(),
                "as_draft.no_caption",
            ),
        ] {
            let mut post = Post::new(&text).to(Platform::Tiktok, options);
            post.link_url = Some("https://example.com/a".to_owned());
            post.media = vec![media];
            post.limits = AccountLimits {
                privacy_levels: Some(vec!["SELF_ONLY".to_owned()]),
                comments_disabled: Some(true),
                ..AccountLimits::default()
            };
            let found = post.check();
            let rules: Vec<&str> =
                found.iter().map(|issue| issue.rule.strip_prefix("tiktok.").unwrap()).collect();
            assert_eq!(rules.join(" "), want, "{name}");
        }
    }
}
