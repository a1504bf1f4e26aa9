//! Files that a network cannot do without.

use super::catalogue::Catalogue;
use super::draft::TargetView;
use super::issues::Issues;
use super::{Detail, MediaKind, Rule};
use crate::platform::{CapabilitySheet, RequiredMedia};

pub(super) const RULE: Rule = Rule::Target { describe, run };

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    let (images, videos) = (target.images, target.videos);
    let allowed = match target.sheet.requires_media {
        RequiredMedia::Image if images == 0 => vec![MediaKind::Image],
        RequiredMedia::Video if videos == 0 => vec![MediaKind::Video],
        RequiredMedia::ImageOrVideo if images + videos == 0 => {
            vec![MediaKind::Image, MediaKind::Video]
        }
        RequiredMedia::None
        | RequiredMedia::Image
        | RequiredMedia::Video
        | RequiredMedia::ImageOrVideo => return,
    };
    issues.error("media.required", Detail::MissingFile { allowed });
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
