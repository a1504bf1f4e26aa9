//! Frame rates of videos.

use super::draft::TargetView;
use super::issues::Issues;
use super::{MediaKind, Rule, RuleDescription, Run, Severity};
use crate::platform::Platform;

pub(super) const RULE: Rule = Rule {
    descriptions: &[
        RuleDescription {
            rule: "<network>.media.fps_too_low",
            severity: Severity::Error,
            sentence: "A video has fewer frames a second than the network takes.",
        },
        RuleDescription {
            rule: "<network>.media.fps_too_high",
            severity: Severity::Error,
            sentence: "A video has more frames a second than the network takes.",
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
    let least = sheet.min_video_fps.map(f64::from);
    let most = target.limits.max_video_fps.or_else(|| sheet.max_video_fps.map(f64::from));
    for (index, media) in target.draft.media.iter().enumerate() {
        let Some(fps) = media.fps.filter(|_| media.kind == MediaKind::Video) else { continue };
        // Mastodon rounds the rate down before it compares.
        let compared = if sheet.platform == Platform::Mastodon { fps.floor() } else { fps };
        if let Some(least) = least.filter(|least| compared < *least) {
            issues.error(
                "media.fps_too_low",
                format!("Video {} has {fps} fps for {name}, the least is {least}.", index + 1),
            );
        }
        if let Some(most) = most.filter(|most| compared > *most) {
            issues.error(
                "media.fps_too_high",
                format!("Video {} has {fps} fps for {name}, the limit is {most}.", index + 1),
            );
        }
    }
}
