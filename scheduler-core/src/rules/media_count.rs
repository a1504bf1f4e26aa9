//! How many files a post may have.

use super::catalogue::Catalogue;
use super::draft::{TargetView, widened};
use super::issues::Issues;
use super::{Counted, Detail, Place, Rule};
use crate::platform::CapabilitySheet;

pub(super) const RULE: Rule = Rule::Target { describe, run };

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
        issues.error("media.too_many", too_many(Counted::Files, files, limit));
    }
    let limit = sheet.media.max_videos;
    if limit < sheet.max_media_per_post && target.videos > widened(limit) {
        issues.error("media.too_many_videos", too_many(Counted::Videos, target.videos, limit));
    }
}

fn too_many(unit: Counted, found: usize, limit: u32) -> Detail {
    Detail::TooMany { unit, found, most: widened(limit), place: Place::Post }
}

fn describe(sheet: &'static CapabilitySheet, list: &mut Catalogue) {
    let limit = sheet.max_media_per_post;
    if limit > 0 {
        let files = if limit == 1 { "file" } else { "files" };
        list.error("media.too_many", format!("The post has more than {limit} {files}."));
    }
    if sheet.supports_video && sheet.media.max_videos < limit {
        let most = sheet.media.max_videos;
        let videos = if most == 1 { "video" } else { "videos" };
        list.error("media.too_many_videos", format!("The post has more than {most} {videos}."));
    }
}
