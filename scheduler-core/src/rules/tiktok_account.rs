//! What an account on TikTok has switched off, and what a draft there leaves to the app.

use super::Rule;
use super::catalogue::Catalogue;
use super::draft::TargetView;
use super::issues::Issues;
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
    if target.limits.comments_disabled == Some(true) && target.is_on("allowComments") {
        issues.warning("allow_comments.disabled", "Comments are turned off for this account.");
    }
    if target.is_on("asDraft") && target.option("privacy").is_some() {
        issues.warning("privacy.draft", "The privacy of a draft is chosen in the TikTok app.");
    }
    if is_video_draft(target) && !target.composed.text().trim().is_empty() {
        issues.warning(
            "as_draft.no_caption",
            "The text of a video draft is not sent; write it in the TikTok app.",
        );
    }
}

fn describe(sheet: &'static CapabilitySheet, list: &mut Catalogue) {
    if sheet.platform == Platform::Tiktok {
        list.warning(
            "allow_comments.disabled",
            "allowComments is true while comments are turned off for the account.",
        );
        list.warning("privacy.draft", "A draft has a privacy, which is chosen in the app.");
        list.warning(
            "as_draft.no_caption",
            "The draft of a video has a text, which is not sent: it is written in the app.",
        );
    }
}
