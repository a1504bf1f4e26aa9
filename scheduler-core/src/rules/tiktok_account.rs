//! What an account on TikTok has switched off, and what a draft there leaves to the app.

use super::catalogue::Catalogue;
use super::draft::TargetView;
use super::issues::Issues;
use super::{Detail, Rule};
use crate::platform::{CapabilitySheet, Platform};

pub(super) const RULE: Rule = Rule::Target { describe, run };

/// Whether a target is a draft of a video, which carries no text.
///
/// Source: <https://developers.tiktok.com/docs/en/>, `content-posting-api-reference-upload-video`.
pub(super) fn is_video_draft(target: &TargetView<'_>) -> bool {
    target.sheet.platform == Platform::Tiktok && target.videos > 0 && target.is_on("asDraft")
}

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    if target.sheet.platform != Platform::Tiktok {
        return;
    }
    if target.is_on("allowComments") {
        if target.is_on("asDraft") {
            issues.warning(
                "allow_comments.draft",
                Detail::note_of(
                    "allowComments",
                    "Who may comment on a draft is chosen in the TikTok app.",
                ),
            );
        } else if target.limits.comments_disabled == Some(true) {
            let sentence = "Comments are turned off for this account.";
            let detail = Detail::note_of("allowComments", sentence);
            issues.warning("allow_comments.disabled", detail);
        }
    }
    if target.is_on("asDraft") && target.option("privacy").is_some() {
        let sentence = "The privacy of a draft is chosen in the TikTok app.";
        issues.warning("privacy.draft", Detail::note_of("privacy", sentence));
    }
    if is_video_draft(target) && !target.composed.text().trim().is_empty() {
        issues.warning(
            "as_draft.no_caption",
            Detail::note_of(
                "asDraft",
                "The text of a video draft is not sent; write it in the TikTok app.",
            ),
        );
    }
}

fn describe(sheet: &'static CapabilitySheet, list: &mut Catalogue) {
    if sheet.platform == Platform::Tiktok {
        list.warning(
            "allow_comments.disabled",
            "allowComments is true while comments are turned off for the account.",
        );
        list.warning(
            "allow_comments.draft",
            "A draft has allowComments as true, which is chosen in the app.",
        );
        list.warning("privacy.draft", "A draft has a privacy, which is chosen in the app.");
        list.warning(
            "as_draft.no_caption",
            "The draft of a video has a text, which is not sent: it is written in the app.",
        );
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
