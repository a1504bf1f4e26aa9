//! How many files a post may have.

use super::draft::{TargetView, widened};
use super::issues::Issues;
use super::{Rule, RuleDescription, Run, Severity};

pub(super) const RULE: Rule = Rule {
    descriptions: &[
        RuleDescription {
            rule: "<network>.media.too_many",
            severity: Severity::Error,
            sentence: "The post has more files than the network takes.",
        },
        RuleDescription {
            rule: "<network>.media.too_many_videos",
            severity: Severity::Error,
            sentence: "The post has more videos than the network takes.",
        },
    ],
    run: Run::Target(run),
};

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    let sheet = target.sheet;
    let files = target.images + target.videos;
    // Where a kind is not taken at all, the rule of kinds says so.
    let is_taken = (target.images == 0 || sheet.supports_image)
        && (target.videos == 0 || sheet.supports_video);
    if !is_taken {
        return;
    }
    let limit = target.limits.max_media.unwrap_or(sheet.max_media_per_post);
    if files > widened(limit) {
        issues.error(
            "media.too_many",
            format!("Post has {files} files for {}, the limit is {limit}.", sheet.short_name),
        );
    }
    let limit = sheet.media.max_videos;
    if limit < sheet.max_media_per_post && target.videos > widened(limit) {
        issues.error(
            "media.too_many_videos",
            format!(
                "Post has {} videos for {}, the limit is {limit}.",
                target.videos, sheet.short_name
            ),
        );
    }
}
