//! How long videos may be.

use super::draft::TargetView;
use super::issues::Issues;
use super::{MediaKind, Rule, RuleDescription, Run, Severity};

pub(super) const RULE: Rule = Rule {
    descriptions: &[
        RuleDescription {
            rule: "<network>.media.too_short",
            severity: Severity::Error,
            sentence: "A video is shorter than the network takes.",
        },
        RuleDescription {
            rule: "<network>.media.too_long",
            severity: Severity::Error,
            sentence: "A video is longer than the network takes.",
        },
    ],
    run: Run::Target(run),
};

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    let sheet = target.sheet;
    if !sheet.supports_video {
        return;
    }
    let name = sheet.short_name;
    let least = sheet.min_video_duration_seconds.map(f64::from);
    let most = target
        .limits
        .max_video_duration_seconds
        .or_else(|| sheet.max_video_duration_seconds.map(f64::from));
    for (index, media) in target.draft.media.iter().enumerate() {
        let Some(seconds) = media.duration_seconds.filter(|_| media.kind == MediaKind::Video)
        else {
            continue;
        };
        if let Some(least) = least.filter(|least| seconds < *least) {
            issues.error(
                "media.too_short",
                format!("Video {} is {seconds} s for {name}, the least is {least} s.", index + 1),
            );
        }
        if let Some(most) = most.filter(|most| seconds > *most) {
            issues.error(
                "media.too_long",
                format!("Video {} is {seconds} s for {name}, the limit is {most} s.", index + 1),
            );
        }
    }
}
