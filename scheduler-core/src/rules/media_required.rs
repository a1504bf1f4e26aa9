//! Files that a network cannot do without.

use super::draft::TargetView;
use super::issues::Issues;
use super::{Rule, RuleDescription, Run, Severity};
use crate::platform::RequiredMedia;

pub(super) const RULE: Rule = Rule {
    descriptions: &[RuleDescription {
        rule: "<network>.media.required",
        severity: Severity::Error,
        sentence: "The network needs a file of a kind that the post does not have.",
    }],
    run: Run::Target(run),
};

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    let (images, videos) = (target.images, target.videos);
    let needed = match target.sheet.requires_media {
        RequiredMedia::Image if images == 0 => "an image",
        RequiredMedia::Video if videos == 0 => "a video",
        RequiredMedia::ImageOrVideo if images + videos == 0 => "an image or a video",
        RequiredMedia::None
        | RequiredMedia::Image
        | RequiredMedia::Video
        | RequiredMedia::ImageOrVideo => return,
    };
    issues.error("media.required", format!("{} needs {needed}.", target.sheet.short_name));
}
