//! What a reel on Facebook takes.

use super::draft::TargetView;
use super::issues::Issues;
use super::{MediaKind, Rule, RuleDescription, Run, Severity};
use crate::platform::Platform;

pub(super) const RULE: Rule = Rule {
    descriptions: &[
        RuleDescription {
            rule: "<network>.as_reel.files",
            severity: Severity::Error,
            sentence: "A reel takes exactly one video.",
        },
        RuleDescription {
            rule: "<network>.as_reel.duration",
            severity: Severity::Error,
            sentence: "The video is too short or too long for a reel.",
        },
        RuleDescription {
            rule: "<network>.as_reel.fps",
            severity: Severity::Error,
            sentence: "The frame rate is outside what a reel takes.",
        },
        RuleDescription {
            rule: "<network>.as_reel.too_small",
            severity: Severity::Error,
            sentence: "The video is too small for a reel.",
        },
    ],
    run: Run::Target(run),
};

/// Length of a reel, in seconds.
///
/// Source: <https://developers.facebook.com/documentation/video-api/guides/reels-publishing>.
const SECONDS: std::ops::RangeInclusive<f64> = 3.0..=90.0;

/// Frames a second of a reel.
///
/// Source: <https://developers.facebook.com/documentation/video-api/guides/reels-publishing>.
const FPS: std::ops::RangeInclusive<f64> = 24.0..=60.0;

/// Shorter and longer side of the smallest reel, in pixels.
///
/// Source: <https://developers.facebook.com/documentation/video-api/guides/reels-publishing>.
const SMALLEST: (u32, u32) = (540, 960);

/// How far a measured rate may lie below its name: film at 23.976 is called 24.
const FPS_TOLERANCE: f64 = 0.03;

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    if target.sheet.platform != Platform::Facebook || !target.is_on("asReel") {
        return;
    }
    let [video] = target.draft.media else {
        issues.error("as_reel.files", "A reel takes exactly one video.");
        return;
    };
    if video.kind != MediaKind::Video {
        issues.error("as_reel.files", "A reel takes exactly one video.");
        return;
    }
    let (least, most) = (SECONDS.start(), SECONDS.end());
    if let Some(seconds) = video.duration_seconds.filter(|seconds| !SECONDS.contains(seconds)) {
        issues.error(
            "as_reel.duration",
            format!("Video is {seconds} s; a reel lasts {least} to {most} seconds."),
        );
    }
    let (least, most) = (FPS.start(), FPS.end());
    if let Some(fps) = video.fps.filter(|fps| *fps < least - FPS_TOLERANCE || fps > most) {
        issues
            .error("as_reel.fps", format!("Video has {fps} fps; a reel takes {least} to {most}."));
    }
    if let Some((width, height)) = video.width.zip(video.height)
        && (width.min(height) < SMALLEST.0 || width.max(height) < SMALLEST.1)
    {
        issues.error(
            "as_reel.too_small",
            format!(
                "Video is {width} x {height}; a reel takes at least {} x {}.",
                SMALLEST.0, SMALLEST.1
            ),
        );
    }
}
