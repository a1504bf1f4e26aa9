//! Who is seen in the files of a post on Instagram.

use super::inspection::OfTarget;
use super::option_items::is_user_name;
use super::option_shape::shortened;
use super::{Detail, MediaKind, Rule};
use crate::platform::{Placement, Platform};

pub(super) const RULE: Rule = Rule::Target(rule);

/// Most people who are tagged in one file.
///
/// Source: developers.facebook.com, Instagram Platform, "Publish content": 20 tags a post.
const USER_TAGS_MAX: usize = 20;

/// Most characters of the name of an account.
///
/// Source: help.instagram.com, "Your username".
const NAME_MAX: u32 = 30;

fn rule(on: &mut OfTarget<'_, '_>) {
    if on.sheet.platform != Platform::Instagram {
        return;
    }
    let too_many = on.error(
        ("files", "too_many_tags"),
        format_args!("More than {USER_TAGS_MAX} people are tagged in a file."),
    );
    let unplaced =
        on.error(("files", "tag_without_place"), "Somebody is tagged in an image without x and y.");
    let placed = on.warning(
        ("files", "tag_with_place"),
        "Somebody is tagged in a video with x and y, which are left out.",
    );
    let malformed = on.error(("files", "malformed_name"), "A tag names no account.");
    let Some(target) = on.subject() else { return };
    let is_story = target.placement == Placement::Story;
    for (index, (file, details)) in target.media.iter().zip(target.details).enumerate() {
        let (tags, number) = (&details.user_tags, index + 1);
        if tags.len() > USER_TAGS_MAX {
            let found = tags.len();
            on.report(
                too_many,
                Detail::note_of_file(format!(
                    "{found} people are tagged in file {number}, the limit is {USER_TAGS_MAX}."
                )),
            );
        }
        for tag in tags.iter().filter(|tag| !is_user_name(&tag.username, NAME_MAX)) {
            let name = shortened(&tag.username);
            on.report(malformed, Detail::note_of_file(format!(
                "userTags of file {number}: \"{name}\" is not a user name of at most {NAME_MAX} characters."
            )));
        }
        if file.kind == MediaKind::Image && !is_story && tags.iter().any(|tag| tag.x.is_none()) {
            on.report(
                unplaced,
                Detail::note_of_file(format!(
                    "userTags of file {number}, an image, need x and y, each from 0 to 1."
                )),
            );
        } else if file.kind == MediaKind::Video && tags.iter().any(|tag| tag.x.is_some()) {
            on.report(
                placed,
                Detail::note_of_file(format!(
                    "userTags of file {number}, a video, go without x and y."
                )),
            );
        }
    }
}
