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

/// What others may do with a post, which an account can switch off for all of its posts.
struct Switch {
    option: &'static str,
    subject: &'static str,
    /// What others may do, in the plural.
    what: &'static str,
    /// Whether it is for videos alone.
    of_videos: bool,
    disabled: &'static str,
    of_draft: &'static str,
}

const SWITCHES: [Switch; 3] = [
    Switch {
        option: "allowComments",
        subject: "allow_comments",
        what: "comments",
        of_videos: false,
        disabled: "Comments are turned off for this account.",
        of_draft: "Who may comment on a draft is chosen in the TikTok app.",
    },
    Switch {
        option: "allowDuet",
        subject: "allow_duet",
        what: "duets",
        of_videos: true,
        disabled: "Duets are turned off for this account.",
        of_draft: "Who may make duets with a draft is chosen in the TikTok app.",
    },
    Switch {
        option: "allowStitch",
        subject: "allow_stitch",
        what: "stitches",
        of_videos: true,
        disabled: "Stitches are turned off for this account.",
        of_draft: "Who may stitch a draft is chosen in the TikTok app.",
    },
];

/// What a draft leaves to the app besides: the option, its subject, and the sentence.
const NOT_OF_DRAFTS: [(&str, &str, &str); 5] = [
    ("privacy", "privacy", "The privacy of a draft is chosen in the TikTok app."),
    (
        "aiGenerated",
        "ai_generated",
        "The label of a draft that is made by AI is set in the TikTok app, not by this option.",
    ),
    (
        "commercialContent",
        "commercial_content",
        "What a draft promotes is said in the TikTok app, not by this option.",
    ),
    ("coverTimestampMs", "cover_timestamp_ms", "The cover of a draft is chosen in the TikTok app."),
    ("autoMusic", "auto_music", "The music of a draft is chosen in the TikTok app."),
];

fn rule(on: &mut OfTarget<'_, '_>) {
    if on.sheet.platform != Platform::Tiktok {
        return;
    }
    let switches = SWITCHES.map(|switch| {
        let Switch { option, subject, what, .. } = switch;
        let when = format_args!("{option} is true while {what} are turned off for the account.");
        let disabled = on.warning((subject, "disabled"), when);
        let when = format_args!("A draft has {option} as true, which is chosen in the app.");
        (on.warning((subject, "draft"), when), disabled, switch)
    });
    let not_of_drafts = NOT_OF_DRAFTS.map(|(option, subject, sentence)| {
        let when = format_args!("A draft has a value for {option}, which is chosen in the app.");
        (on.warning((subject, "draft"), when), option, sentence)
    });
    let no_caption = on.warning(
        ("as_draft", "no_caption"),
        "The draft of a video has a text, which is not sent: it is written in the app.",
    );
    let Some(target) = on.subject() else { return };
    let is_draft = target.is_on("asDraft");
    for (of_draft, disabled, switch) in switches {
        let is_disabled = match switch.subject {
            "allow_comments" => target.limits.comments_disabled,
            "allow_duet" => target.limits.duets_disabled,
            _ => target.limits.stitches_disabled,
        };
        if !target.is_on(switch.option) || (switch.of_videos && target.videos == 0) {
            continue;
        }
        if is_draft {
            on.report(of_draft, Detail::note_of(switch.option, switch.of_draft));
        } else if is_disabled == Some(true) {
            on.report(disabled, Detail::note_of(switch.option, switch.disabled));
        }
    }
    for (finding, option, sentence) in not_of_drafts {
        if is_draft && target.option(option).is_some() {
            on.report(finding, Detail::note_of(option, sentence));
        }
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
            (
                "duets and stitches",
                json!({"asDraft": true, "allowDuet": true, "allowStitch": true}),
                video(),
                "allow_duet.draft allow_stitch.draft as_draft.no_caption",
            ),
            (
                "a label",
                json!({"asDraft": true, "aiGenerated": false}),
                video(),
                "ai_generated.draft as_draft.no_caption",
            ),
            (
                "a title and music of photos",
                json!({"asDraft": true, "title": "Mine", "autoMusic": true}),
                image(),
                "hashtags.many link.not_clickable auto_music.draft",
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

    #[test]
    fn what_an_account_has_switched_off() {
        let off = || AccountLimits {
            duets_disabled: Some(true),
            stitches_disabled: Some(true),
            ..AccountLimits::default()
        };
        let options = json!({"privacy": "SELF_ONLY", "allowDuet": true, "allowStitch": true});
        let both = "allow_duet.disabled allow_stitch.disabled";
        let no_effect = "allow_duet.no_effect allow_stitch.no_effect";
        for (name, limits, media, want) in [
            ("both", off(), video(), both),
            ("nothing known", AccountLimits::default(), video(), ""),
            ("photos, which have neither", off(), image(), no_effect),
        ] {
            let mut post = Post::new("Hello").to(Platform::Tiktok, options.clone());
            post.media = vec![media];
            post.limits = limits;
            let found = post.check();
            let rules: Vec<&str> =
                found.iter().map(|issue| issue.rule.strip_prefix("tiktok.").unwrap()).collect();
            assert_eq!(rules.join(" "), want, "{name}");
        }
    }
}
