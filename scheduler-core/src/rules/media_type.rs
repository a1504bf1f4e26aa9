//! Media types that a network takes.

use super::draft::TargetView;
use super::issues::Issues;
use super::{MediaKind, Rule, RuleDescription, Run, Severity};
use crate::platform::Platform;

pub(super) const RULE: Rule = Rule {
    descriptions: &[
        RuleDescription {
            rule: "<network>.media.type_not_supported",
            severity: Severity::Error,
            sentence: "The network does not take files of this type.",
        },
        RuleDescription {
            rule: "<network>.media.gif_stands_still",
            severity: Severity::Warning,
            sentence: "The network shows the first picture of an animated GIF only.",
        },
    ],
    run: Run::Target(run),
};

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    let sheet = target.sheet;
    for (index, media) in target.draft.media.iter().enumerate() {
        let Some(mime_type) = media.mime_type.as_deref() else { continue };
        // A type may carry parameters, such as `video/mp4; codecs=avc1`.
        let essence = mime_type.split(';').next().unwrap_or_default().trim();
        let of_sheet = match media.kind {
            MediaKind::Image => sheet.media.image_types,
            MediaKind::Video => sheet.media.video_types,
        };
        let of_account = target.limits.media_types.as_deref().unwrap_or_default();
        let is_taken = if of_account.is_empty() {
            of_sheet.is_empty() || of_sheet.iter().any(|taken| essence.eq_ignore_ascii_case(taken))
        } else {
            of_account.iter().any(|taken| essence.eq_ignore_ascii_case(taken))
        };
        if !is_taken {
            let taken =
                if of_account.is_empty() { of_sheet.join(", ") } else { of_account.join(", ") };
            issues.error(
                "media.type_not_supported",
                format!(
                    "File {} is {essence}, which {} does not take; it takes {taken}.",
                    index + 1,
                    sheet.short_name
                ),
            );
        } else if essence.eq_ignore_ascii_case("image/gif") && gif_stands_still(target) {
            issues.warning(
                "media.gif_stands_still",
                format!("File {} will be a still picture on {}.", index + 1, sheet.short_name),
            );
        }
    }
}

fn gif_stands_still(target: &TargetView<'_>) -> bool {
    match target.sheet.platform {
        Platform::Bluesky | Platform::Facebook => true,
        // Alone it goes out as an animation, in an album as a photo.
        Platform::Telegram => target.draft.media.len() > 1,
        Platform::Youtube
        | Platform::Tiktok
        | Platform::Instagram
        | Platform::Threads
        | Platform::Twitter
        | Platform::Linkedin
        | Platform::Pinterest
        | Platform::Mastodon
        | Platform::Discord
        | Platform::Tumblr => false,
    }
}
