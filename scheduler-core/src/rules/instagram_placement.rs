//! Where a post goes on Instagram, and what each place takes.

use serde_json::Value;

use super::draft::TargetView;
use super::issues::Issues;
use super::{MediaKind, Rule, RuleDescription, Run, Severity};
use crate::platform::Platform;

pub(super) const RULE: Rule = Rule {
    descriptions: &[
        RuleDescription {
            rule: "<network>.placement.files",
            severity: Severity::Error,
            sentence: "The placement takes exactly one file or video.",
        },
        RuleDescription {
            rule: "<network>.placement.single_video",
            severity: Severity::Warning,
            sentence: "A single video in the feed goes out as a reel.",
        },
        RuleDescription {
            rule: "<network>.placement.no_caption",
            severity: Severity::Warning,
            sentence: "Stories show no caption.",
        },
        RuleDescription {
            rule: "<network>.placement.ratio",
            severity: Severity::Error,
            sentence: "The ratio of an image is outside what the feed takes.",
        },
        RuleDescription {
            rule: "<network>.placement.story_video",
            severity: Severity::Error,
            sentence: "A video is too long or too large for a story.",
        },
        RuleDescription {
            rule: "<network>.placement.no_collaborators",
            severity: Severity::Error,
            sentence: "Stories have no collaborators.",
        },
        RuleDescription {
            rule: "<network>.placement.share_to_feed",
            severity: Severity::Warning,
            sentence: "shareToFeed works for reels only.",
        },
        RuleDescription {
            rule: "<network>.placement.alt_text",
            severity: Severity::Warning,
            sentence: "Alternative texts work for images of the feed only.",
        },
    ],
    run: Run::Target(run),
};

/// Ratios of an image in the feed, 4:5 to 1.91:1.
///
/// Source: <https://developers.facebook.com/documentation/instagram-platform/>, `ig-user/media`.
const FEED_RATIOS: std::ops::RangeInclusive<f64> = 0.8..=1.91;

/// Longest video of a story, in seconds.
///
/// Source: <https://developers.facebook.com/documentation/instagram-platform/>, `ig-user/media`.
const STORY_SECONDS: f64 = 60.0;

/// Largest video of a story, in bytes.
///
/// Source: <https://developers.facebook.com/documentation/instagram-platform/>, `ig-user/media`.
const STORY_BYTES: u64 = 100_000_000;

/// Half of the last digit in which a ratio is stated, so that rounded sizes are not refused.
const RATIO_TOLERANCE: f64 = 0.005;

#[derive(Clone, Copy, PartialEq)]
enum Placement {
    Feed,
    Reel,
    Story,
}

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    let media = target.draft.media;
    if target.sheet.platform != Platform::Instagram || media.is_empty() {
        return;
    }
    let is_one_video = target.videos == 1 && media.len() == 1;
    let asked = target.option("placement").and_then(Value::as_str);
    let placement = match asked {
        Some("story") => Placement::Story,
        Some("reel") => Placement::Reel,
        Some("feed") if is_one_video => {
            issues.warning("placement.single_video", "Instagram publishes single videos as reels.");
            Placement::Reel
        }
        _ if is_one_video => Placement::Reel,
        _ => Placement::Feed,
    };
    match placement {
        Placement::Reel if !is_one_video => {
            issues.error("placement.files", "A reel takes exactly one video.");
        }
        Placement::Story => check_story(target, issues),
        Placement::Feed => check_feed(target, issues),
        Placement::Reel => {}
    }
    if placement != Placement::Reel && target.option("shareToFeed").is_some() {
        issues.warning("placement.share_to_feed", "shareToFeed works for reels only.");
    }
    let ignores_alt_text = media.iter().zip(target.draft.alt_texts).any(|(media, text)| {
        text.as_deref().is_some_and(|text| !text.is_empty())
            && (placement != Placement::Feed || media.kind == MediaKind::Video)
    });
    if ignores_alt_text {
        issues.warning(
            "placement.alt_text",
            "Instagram takes alternative texts for images of the feed only.",
        );
    }
}

fn check_story(target: &TargetView<'_>, issues: &mut Issues) {
    if target.draft.media.len() > 1 {
        issues.error("placement.files", "A story takes exactly one file; make one post for each.");
    }
    if !target.composed.text().trim().is_empty() {
        issues.warning("placement.no_caption", "Instagram stories show no caption.");
    }
    if target.option("collaborators").is_some() {
        issues.error("placement.no_collaborators", "Stories have no collaborators.");
    }
    for media in target.draft.media.iter().filter(|media| media.kind == MediaKind::Video) {
        if let Some(seconds) = media.duration_seconds.filter(|seconds| *seconds > STORY_SECONDS) {
            issues.error(
                "placement.story_video",
                format!("Video is {seconds} s for a story, the limit is {STORY_SECONDS} s."),
            );
        }
        if let Some(bytes) = media.size_bytes.filter(|bytes| *bytes > STORY_BYTES) {
            issues.error(
                "placement.story_video",
                format!("Video is {bytes} bytes for a story, the limit is {STORY_BYTES}."),
            );
        }
    }
}

fn check_feed(target: &TargetView<'_>, issues: &mut Issues) {
    // A carousel is cropped to the ratio of its first file.
    let Some(first) = target.draft.media.first().filter(|media| media.kind == MediaKind::Image)
    else {
        return;
    };
    let Some((width, height)) = first.width.zip(first.height).filter(|(_, height)| *height > 0)
    else {
        return;
    };
    let ratio = f64::from(width) / f64::from(height);
    let (least, most) = (FEED_RATIOS.start(), FEED_RATIOS.end());
    if ratio < least - RATIO_TOLERANCE || ratio > most + RATIO_TOLERANCE {
        issues.error(
            "placement.ratio",
            format!(
                "Image is {width} x {height}, a ratio of {ratio:.2}; the Instagram feed takes {least} to {most}."
            ),
        );
    }
}
