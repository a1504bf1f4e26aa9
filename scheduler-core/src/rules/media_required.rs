//! Files that a network cannot do without.

use super::Rule;
use super::catalogue::Catalogue;
use super::draft::TargetView;
use super::issues::Issues;
use crate::platform::{CapabilitySheet, RequiredMedia};

pub(super) const RULE: Rule = Rule::Target { describe, run };

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

fn describe(sheet: &'static CapabilitySheet, list: &mut Catalogue) {
    let sentence = match sheet.requires_media {
        RequiredMedia::None => return,
        RequiredMedia::Image => "The post has no image.",
        RequiredMedia::Video => "The post has no video.",
        RequiredMedia::ImageOrVideo => "The post has neither an image nor a video.",
    };
    list.error("media.required", sentence);
}
