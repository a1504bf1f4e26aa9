//! How large files may be.

use super::draft::TargetView;
use super::issues::Issues;
use super::{MediaKind, Rule, RuleDescription, Run, Severity};

pub(super) const RULE: Rule = Rule {
    descriptions: &[
        RuleDescription {
            rule: "<network>.media.too_large",
            severity: Severity::Error,
            sentence: "A file is larger than the network takes.",
        },
        RuleDescription {
            rule: "<network>.media.too_large_together",
            severity: Severity::Error,
            sentence: "The files together are larger than the network takes.",
        },
    ],
    run: Run::Target(run),
};

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    let sheet = target.sheet;
    let name = sheet.short_name;
    for (index, media) in target.draft.media.iter().enumerate() {
        let (is_taken, limit) = match media.kind {
            MediaKind::Image => (
                sheet.supports_image,
                target.limits.max_image_bytes.unwrap_or(sheet.max_image_bytes),
            ),
            MediaKind::Video => (
                sheet.supports_video,
                target.limits.max_video_bytes.unwrap_or(sheet.max_video_bytes),
            ),
        };
        if let Some(bytes) = media.size_bytes.filter(|bytes| is_taken && *bytes > limit) {
            issues.error(
                "media.too_large",
                format!("File {} is {bytes} bytes for {name}, the limit is {limit}.", index + 1),
            );
        }
    }
    if let Some(limit) = sheet.media.max_total_bytes {
        let sizes = target.draft.media.iter().filter_map(|media| media.size_bytes);
        let total = sizes.fold(0_u64, u64::saturating_add);
        if total > limit {
            issues.error(
                "media.too_large_together",
                format!("The files are {total} bytes together for {name}, the limit is {limit}."),
            );
        }
    }
}
