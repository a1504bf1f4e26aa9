//! What the options of Facebook need of a post.

use serde_json::Value;

use super::inspection::OfTarget;
use super::{Detail, MediaKind, Rule};
use crate::platform::{Placement, Platform};
use crate::text::count;
use crate::text::subtitles::locale;

pub(super) const RULE: Rule = Rule::Target(rule);

/// Longest text that keeps a coloured background, in characters.
///
/// Source: clients go by this figure.
const COLOURED_MAX: usize = 130;

fn rule(on: &mut OfTarget<'_, '_>) {
    if on.sheet.platform != Platform::Facebook {
        return;
    }
    let title = on.warning(
        ("title", "no_video"),
        "A title is given for something else than a video or reel.",
    );
    let cover = on.error(
        ("thumbnail_media_id", "no_video"),
        "A cover is given for something else than a video or reel.",
    );
    let coloured = on.error(
        ("text_background", "not_alone"),
        "A coloured background is given for a post with files or a link.",
    );
    let long = on.warning(
        ("text_background", "long"),
        format_args!(
            "A text with a coloured background has more than {COLOURED_MAX} characters: Facebook drops the background."
        ),
    );
    let place = on.warning(
        ("place_id", "no_effect"),
        "A place is given for a video of the feed or a story, which have none.",
    );
    let label = on.warning(
        ("ai_generated", "not_a_reel"),
        "aiGenerated is true for something else than a reel, which has no such label.",
    );
    let nobody = on.error(
        ("targeting", "malformed_country"),
        "targeting names a country otherwise than by two capital letters.",
    );
    let of_story = on
        .error(("targeting", "on_story"), "targeting is set on a story, which everybody can see.");
    let no_region = on.error(
        ("subtitles", "no_region"),
        "The language of subtitles names no country, as en-US does.",
    );
    let Some(target) = on.subject() else { return };
    let countries = target.option("targeting").and_then(|to| to.get("countries")?.as_array());
    let is_country = |country: &Value| {
        let code = country.as_str().unwrap_or_default();
        code.len() == 2 && code.bytes().all(|byte| byte.is_ascii_uppercase())
    };
    if countries.is_some_and(|countries| !countries.iter().all(is_country)) {
        let sentence = "A country of targeting is two capital letters, such as DE.";
        on.report(nobody, Detail::note_of("targeting", sentence));
    }
    if target.option("targeting").is_some() && target.placement == Placement::Story {
        let sentence = "Facebook limits nobody's view of a story: leave targeting out.";
        on.report(of_story, Detail::note_of("targeting", sentence));
    }
    let tracks = target.option("subtitles").and_then(Value::as_array);
    let has_region = |track: &Value| {
        let language = track.get("language").and_then(Value::as_str).unwrap_or_default();
        locale(language).is_some()
    };
    if tracks.is_some_and(|tracks| !tracks.iter().all(has_region)) {
        let sentence = "Facebook wants the country of each language of subtitles, as in en-US.";
        on.report(no_region, Detail::note_of("subtitles", sentence));
    }
    let is_given = |key| target.option(key).is_some();
    let has_video = target.draft.media.iter().any(|file| file.kind == MediaKind::Video);
    let is_story = target.placement == Placement::Story;
    let is_reel = target.placement == Placement::Reel;
    if is_given("title") && (!has_video || is_story) {
        let sentence = "title has no effect: only videos and reels have one.";
        on.report(title, Detail::note_of("title", sentence));
    }
    if is_given("thumbnailMediaId") && (!has_video || is_story) {
        let sentence = "Only a video or a reel has a cover of its own.";
        on.report(cover, Detail::note_of("thumbnailMediaId", sentence));
    }
    if is_given("textBackground") {
        let length = count::code_points(target.composed.text());
        if !target.draft.media.is_empty() || target.draft.link_url.is_some() {
            let sentence = "A coloured background takes a text alone, without files and link.";
            on.report(coloured, Detail::note_of("textBackground", sentence));
        } else if length > COLOURED_MAX {
            let sentence = "Facebook drops the background of a text of more than 130 characters.";
            on.report(long, Detail::note_of("textBackground", sentence));
        }
    }
    if is_given("placeId") && (is_story || (has_video && !is_reel)) {
        let sentence = "placeId has no effect on a video of the feed or a story.";
        on.report(place, Detail::note_of("placeId", sentence));
    }
    if target.is_on("aiGenerated") && !is_reel {
        let sentence =
            "Facebook takes aiGenerated for reels only: this goes out without the label.";
        on.report(label, Detail::note_of("aiGenerated", sentence));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;
    use uuid::Uuid;

    use super::super::tests::{Post, image, video};
    use crate::platform::Platform;

    #[test]
    fn a_coloured_text_is_short_and_alone() {
        for (name, length, files, link, want) in [
            ("at the limit", 130, 0, None, ""),
            ("one over", 131, 0, None, "text_background.long"),
            ("with a file", 5, 1, None, "text_background.not_alone"),
            ("with a link", 5, 0, Some("https://a.example"), "text_background.not_alone"),
        ] {
            let mut post = Post::new(&"é".repeat(length))
                .to(Platform::Facebook, json!({"textBackground": "303063890126415"}));
            post.media = vec![image(); files];
            post.link_url = link.map(str::to_owned);
            let found = post.issues("text_background.");
            let rules: Vec<&str> =
                found.iter().filter_map(|issue| issue.rule.strip_prefix("facebook.")).collect();
            assert_eq!(rules.join(" "), want, "{name}: {found:?}");
        }
    }

    #[test]
    fn what_each_kind_of_post_has() {
        let cover = || json!(Uuid::nil());
        let all = json!({
            "title": "T", "thumbnailMediaId": cover(), "placeId": "7", "aiGenerated": true,
        });
        let (title, place, label) =
            ("title.no_video", "place_id.no_effect", "ai_generated.not_a_reel");
        let no_cover = "thumbnail_media_id.no_video";
        for (name, files, placement, want) in [
            ("a text", vec![], "feed", vec![title, no_cover, label]),
            ("a picture", vec![image()], "feed", vec![title, no_cover, label]),
            ("a video", vec![video()], "feed", vec![place, label]),
            ("a reel", vec![video()], "reel", vec![]),
            ("a story", vec![video()], "story", vec![title, no_cover, place, label]),
        ] {
            let mut options = all.clone();
            options["placement"] = json!(placement);
            let mut post = Post::new("").to(Platform::Facebook, options);
            post.media = files;
            let found = post.check();
            let rules: Vec<&str> = found
                .iter()
                .filter_map(|issue| issue.rule.strip_prefix("facebook."))
                .filter(|rule| !rule.starts_with("text."))
                .collect();
            assert_eq!(rules, want, "{name}: {found:?}");
        }
    }
}
