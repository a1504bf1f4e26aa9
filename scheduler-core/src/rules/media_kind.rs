//! Kinds of files that a network does not take, alone or together.

use super::draft::TargetView;
use super::issues::Issues;
use super::{Rule, RuleDescription, Run, Severity};

pub(super) const RULE: Rule = Rule {
    descriptions: &[
        RuleDescription {
            rule: "<network>.media.kind_not_supported",
            severity: Severity::Error,
            sentence: "The network does not take images or videos.",
        },
        RuleDescription {
            rule: "<network>.media.mixed",
            severity: Severity::Error,
            sentence: "The network does not take images and videos in one post.",
        },
    ],
    run: Run::Target(run),
};

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    let sheet = target.sheet;
    let name = sheet.short_name;
    let refused = match (
        target.images > 0 && !sheet.supports_image,
        target.videos > 0 && !sheet.supports_video,
    ) {
        (true, true) => "images or videos",
        (true, false) => "images",
        (false, true) => "videos",
        (false, false) => "",
    };
    if !refused.is_empty() {
        issues.error(
            "media.kind_not_supported",
            format!("{name} takes no {refused} here; remove the files or leave {name} out."),
        );
    } else if target.images > 0 && target.videos > 0 && !sheet.media.mixes_kinds {
        issues.error("media.mixed", format!("{name} takes either images or one video."));
    }
}
