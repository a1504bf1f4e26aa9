//! What the options of Instagram need of a post, and what they do not go with.

use std::cmp::Ordering;

use serde_json::Value;

use super::inspection::OfTarget;
use super::{Counted, Detail, Place, Rule};
use crate::platform::{Placement, Platform};
use crate::text::entities;

pub(super) const RULE: Rule = Rule::Target(rule);

const MOMENT: &str = "coverTimestampMs";

/// What a comment may hold.
///
/// Source: reference of `ig-media/comments`,
/// <https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-media/comments>.
const HASHTAGS_MAX: usize = 4;
const LINKS_MAX: usize = 1;

fn rule(on: &mut OfTarget<'_, '_>) {
    if on.sheet.platform != Platform::Instagram {
        return;
    }
    let cover =
        on.error(("thumbnail_media_id", "not_a_reel"), "Something else than a reel has a cover.");
    let frame = on.error(
        ("cover_timestamp_ms", "not_a_reel"),
        "Something else than a reel has coverTimestampMs.",
    );
    let after_end = on.error(
        ("cover_timestamp_ms", "after_end"),
        "coverTimestampMs is not before the end of the video.",
    );
    let beside_cover = on.warning(
        ("cover_timestamp_ms", "beside_cover"),
        "coverTimestampMs stands beside thumbnailMediaId, which counts.",
    );
    let place = on.error(("location_id", "story"), "A story has a place.");
    let trial = on.error(("trial", "not_a_reel"), "Something else than a reel is a trial.");
    let together =
        on.warning(("trial", "collaborators"), "A trial reel has collaborators beside it.");
    let open = on.warning(("allow_comments", "story"), "A story has allowComments.");
    let below = on.error(("first_comment", "story"), "A story has a first comment.");
    let hashtags = on.error(
        ("first_comment", "too_many_hashtags"),
        format_args!("The first comment has more than {HASHTAGS_MAX} hashtags."),
    );
    let links = on.error(
        ("first_comment", "too_many_links"),
        format_args!("The first comment has more than {LINKS_MAX} link."),
    );
    let capitals =
        on.error(("first_comment", "capitals"), "The first comment is written in capitals alone.");
    let Some(target) = on.subject() else { return };
    let is_given = |key| target.option(key).is_some();
    let note = |key, sentence| Detail::note_of(key, sentence);
    // Without a file there is no post, which another rule tells.
    let is_reel = target.placement == Placement::Reel || target.draft.media.is_empty();
    if !is_reel && is_given("thumbnailMediaId") {
        on.report(cover, note("thumbnailMediaId", "Only a reel has a cover of its own."));
    }
    if let Some(at) = target.option(MOMENT).and_then(Value::as_u64) {
        if !is_reel {
            on.report(frame, note(MOMENT, "Only a reel has a cover of its own."));
        } else if target.against_end(at).is_some_and(Ordering::is_ge) {
            let sentence = "The cover is after the end of the video. Choose an earlier frame.";
            on.report(after_end, note(MOMENT, sentence));
        } else if is_given("thumbnailMediaId") {
            let sentence = "The picture is the cover; coverTimestampMs is left out.";
            on.report(beside_cover, note(MOMENT, sentence));
        }
    }
    if !is_reel && is_given("trial") {
        on.report(trial, note("trial", "Only a reel can be a trial."));
    } else if is_given("trial") && is_given("collaborators") {
        let sentence = "Instagram may refuse a trial reel with collaborators.";
        on.report(together, note("trial", sentence));
    }
    if target.placement == Placement::Story {
        if is_given("locationId") {
            on.report(place, note("locationId", "A story has no place."));
        }
        if is_given("allowComments") {
            let sentence = "allowComments has no effect on a story.";
            on.report(open, note("allowComments", sentence));
        }
        if is_given("firstComment") {
            on.report(below, note("firstComment", "A story takes no first comment."));
        }
    }
    let Some(comment) = target.option("firstComment").and_then(Value::as_str) else { return };
    let finders = entities::Finders::of(on.sheet.platform);
    let at = || Place::option("firstComment");
    let found = (finders.hashtags)(comment).len();
    if found > HASHTAGS_MAX {
        let (unit, most, place) = (Counted::Hashtags, HASHTAGS_MAX, at());
        on.report(hashtags, Detail::TooMany { unit, found, most, place });
    }
    let found = entities::different_links(comment, None);
    if found > LINKS_MAX {
        let (unit, most, place) = (Counted::Links, LINKS_MAX, at());
        on.report(links, Detail::TooMany { unit, found, most, place });
    }
    let is_shouted =
        comment.chars().any(char::is_uppercase) && !comment.chars().any(char::is_lowercase);
    if is_shouted {
        let sentence = "Instagram takes no comment that is all capitals.";
        on.report(capitals, note("firstComment", sentence));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use uuid::Uuid;

    use super::super::tests::{Post, image, video};
    use crate::platform::Platform;

    #[test]
    fn options_with_each_other_and_with_the_post() {
        let cover = json!({"thumbnailMediaId": Uuid::nil()});
        let story = |key: &str, value: serde_json::Value| {
            let mut options = json!({"placement": "story", "caption": ""});
            options[key] = value;
            options
        };
        for (name, file, options, want) in [
            ("the cover of a reel", video(), cover.clone(), ""),
            ("the cover of a picture", image(), cover, "thumbnail_media_id.not_a_reel"),
            ("a frame", video(), json!({"coverTimestampMs": 29_999}), ""),
            (
                "a frame after the end",
                video(),
                json!({"coverTimestampMs": 30_000}),
                "cover_timestamp_ms.after_end",
            ),
            (
                "a frame of a picture",
                image(),
                json!({"coverTimestampMs": 0}),
                "cover_timestamp_ms.not_a_reel",
            ),
            (
                "a frame of a story",
                video(),
                story("coverTimestampMs", json!(0)),
                "cover_timestamp_ms.not_a_reel",
            ),
            (
                "a frame beside a cover",
                video(),
                json!({"coverTimestampMs": 0, "thumbnailMediaId": Uuid::nil()}),
                "cover_timestamp_ms.beside_cover",
            ),
            ("a trial", video(), json!({"trial": "auto"}), ""),
            ("a trial of a picture", image(), json!({"trial": "manual"}), "trial.not_a_reel"),
            (
                "a trial of several",
                video(),
                json!({"trial": "manual", "collaborators": ["ana"]}),
                "trial.collaborators",
            ),
            ("a place", image(), json!({"locationId": "7"}), ""),
            ("the place of a story", video(), story("locationId", json!("7")), "location_id.story"),
            (
                "comments of a story",
                video(),
                story("allowComments", json!(false)),
                "allow_comments.story",
            ),
            (
                "a comment below a story",
                video(),
                story("firstComment", json!("x")),
                "first_comment.story",
            ),
            ("a label on a story", video(), story("aiGenerated", json!(true)), ""),
            ("4 hashtags", image(), json!({"firstComment": "#a #b #c #d"}), ""),
            (
                "5 hashtags",
                image(),
                json!({"firstComment": "#a #b #c #d #e"}),
                "first_comment.too_many_hashtags",
            ),
            ("a link", image(), json!({"firstComment": "see https://a.example"}), ""),
            (
                "two links",
                image(),
                json!({"firstComment": "see https://a.example https://b.example"}),
                "first_comment.too_many_links",
            ),
            ("shouted", image(), json!({"firstComment": "BUY 2!"}), "first_comment.capitals"),
            ("no letters", image(), json!({"firstComment": "100 %"}), ""),
        ] {
            let mut post = Post::new("Hi").to(Platform::Instagram, options);
            post.media = vec![file];
            let found = post.check();
            let rules: Vec<&str> =
                found.iter().filter_map(|issue| issue.rule.strip_prefix("instagram.")).collect();
            let rules: Vec<&str> =
                rules.into_iter().filter(|rule| !rule.starts_with("media.")).collect();
            assert_eq!(rules.join(" "), want, "{name}: {found:?}");
        }
    }
}
