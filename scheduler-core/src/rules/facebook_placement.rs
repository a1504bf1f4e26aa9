//! Where a post goes on Facebook, and what each place takes besides the bounds of its files.

use super::draft::TargetView;
use super::inspection::OfTarget;
use super::{Detail, MediaKind, Rule};
use crate::platform::{Placement, Platform};

pub(super) const RULE: Rule = Rule::Target(rule);

/// How long a video is of which Facebook may make a reel by itself, in seconds.
///
/// Source: <https://github.com/gitroomhq/postiz-app/pull/1740>, which is one report.
const LIKE_A_REEL: std::ops::RangeInclusive<f64> = 3.0..=90.0;

fn rule(on: &mut OfTarget<'_, '_>) {
    if on.sheet.platform != Platform::Facebook {
        return;
    }
    let flagged = on.error(("as_reel", "files"), "A reel is something else than one video.");
    let unused =
        on.warning(("as_reel", "unused"), "asReel is given beside placement, and not used.");
    let files = on.error(
        ("placement", "files"),
        "A reel is something else than one video, or a story something else than one file.",
    );
    let no_link = on.error(("placement", "no_link"), "A story has a link.");
    let no_comment = on.error(("placement", "no_comment"), "A story has a first comment.");
    let no_caption =
        on.warning(("placement", "no_caption"), "A story has a text, which is left out.");
    let upright = on.warning(
        ("placement", "upright"),
        "An upright video of 3 to 90 seconds is not said to be a reel or a post of the feed.",
    );
    let Some(target) = on.subject() else { return };
    let media = target.draft.media;
    let is_named = target.option("placement").is_some();
    if is_named && target.option("asReel").is_some() {
        let sentence = "placement says where the post goes; asReel is not used.";
        on.report(unused, Detail::note_of("asReel", sentence));
    }
    let is_one_video = matches!(media, [file] if file.kind == MediaKind::Video);
    if target.placement == Placement::Reel && !is_one_video {
        let (finding, option) = if is_named { (files, "placement") } else { (flagged, "asReel") };
        on.report(finding, Detail::note_of(option, "A reel takes exactly one video."));
    }
    if target.placement == Placement::Story {
        if media.len() != 1 {
            let sentence = "A story takes exactly one file; make one post for each.";
            on.report(files, Detail::note_of("placement", sentence));
        }
        if target.draft.link_url.is_some() {
            on.report(no_link, Detail::note_of("placement", "A story takes no link."));
        } else if !target.composed.text().trim().is_empty() {
            let sentence = "Facebook stories show no text; it is left out.";
            on.report(no_caption, Detail::note(sentence));
        }
        if target.option("firstComment").is_some() {
            let sentence = "A story takes no first comment.";
            on.report(no_comment, Detail::note_of("firstComment", sentence));
        }
    }
    if is_one_video && may_become_a_reel(target) {
        let sentence = "Facebook may show this video as a reel, or leave it a draft; set placement to reel, or to feed if it is meant so.";
        on.report(upright, Detail::note_of("placement", sentence));
    }
}

/// Whether Facebook may take a video of the feed for a reel, and nobody has said what it is.
fn may_become_a_reel(target: &TargetView<'_>) -> bool {
    let is_said = ["placement", "asReel"].iter().any(|key| target.option(key).is_some());
    let [video] = target.draft.media else { return false };
    let is_upright = video.width.zip(video.height).is_some_and(|(width, height)| width < height);
    let is_short = video.duration_seconds.is_some_and(|length| LIKE_A_REEL.contains(&length));
    !is_said && is_upright && is_short
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::{Post, image, video};
    use crate::platform::Platform;
    use crate::rules::MediaFacts;

    #[test]
    fn placements() {
        let upright = MediaFacts { width: Some(1080), height: Some(1920), ..image() };
        let wide = MediaFacts { width: Some(1920), height: Some(1080), ..video() };
        let lasting = |seconds| MediaFacts { duration_seconds: Some(seconds), ..video() };
        for (name, files, options, want) in [
            ("an upright video", vec![video()], json!({}), "placement.upright"),
            ("one that is long", vec![lasting(90.1)], json!({}), ""),
            ("one that is short", vec![lasting(2.9)], json!({}), ""),
            ("a wide one", vec![wide], json!({}), ""),
            ("one for the feed", vec![video()], json!({"placement": "feed"}), ""),
            ("one that is no reel", vec![video()], json!({"asReel": false}), ""),
            ("a reel", vec![video()], json!({"placement": "reel"}), ""),
            ("the older name of it", vec![video()], json!({"asReel": true}), ""),
            (
                "both names",
                vec![video()],
                json!({"placement": "feed", "asReel": true}),
                "as_reel.unused",
            ),
            ("a picture as a reel", vec![image()], json!({"placement": "reel"}), "placement.files"),
            (
                "a picture by the older name",
                vec![image()],
                json!({"asReel": true}),
                "as_reel.files",
            ),
            ("a story", vec![video()], json!({"placement": "story"}), "placement.no_caption"),
            (
                "a story that is a picture",
                vec![upright.clone()],
                json!({"placement": "story", "caption": ""}),
                "",
            ),
            (
                "a story at its length",
                vec![lasting(60.0)],
                json!({"placement": "story", "caption": ""}),
                "",
            ),
            (
                "a story one over",
                vec![lasting(60.1)],
                json!({"placement": "story", "caption": ""}),
                "media.too_long",
            ),
            (
                "a story of two",
                vec![upright.clone(), upright.clone()],
                json!({"placement": "story", "caption": ""}),
                "placement.files",
            ),
            (
                "a story with a comment",
                vec![upright],
                json!({"placement": "story", "caption": "", "firstComment": "x"}),
                "placement.no_comment",
            ),
        ] {
            let mut post = Post::new("Hi").to(Platform::Facebook, options);
            post.media = files;
            let found = post.check();
            let rules: Vec<&str> =
                found.iter().filter_map(|issue| issue.rule.strip_prefix("facebook.")).collect();
            assert_eq!(rules.join(" "), want, "{name}: {found:?}");
        }
    }

    #[test]
    fn a_story_is_no_text_and_no_link() {
        let story = || Post::new("Hi").to(Platform::Facebook, json!({"placement": "story"}));
        assert_eq!(story().issues("placement.files").len(), 1);
        let mut linked = story();
        linked.link_url = Some("https://example.com".to_owned());
        assert_eq!(linked.issues("placement.no_link").len(), 1);
        let mut long =
            Post::new(&"a".repeat(63_207)).to(Platform::Facebook, json!({"placement": "story"}));
        long.media = vec![image()];
        assert!(long.issues("text.").is_empty(), "what is left out is not refused");
    }
}
