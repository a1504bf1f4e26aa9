//! Where a post goes on Instagram, and what each place takes.

use serde_json::Value;

use super::inspection::OfTarget;
use super::{Detail, MediaKind, Rule};
use crate::platform::{Placement, Platform};

pub(super) const RULE: Rule = Rule::Target(rule);

fn rule(on: &mut OfTarget<'_, '_>) {
    if on.sheet.platform != Platform::Instagram {
        return;
    }
    let files = on.error(
        ("placement", "files"),
        "A reel is something else than one video, or a story has more than one file.",
    );
    let single_video = on.warning(
        ("placement", "single_video"),
        "A single video is meant for the feed; it goes out as a reel.",
    );
    let no_caption =
        on.warning(("placement", "no_caption"), "A story has a text, which is left out.");
    let no_collaborators =
        on.error(("placement", "no_collaborators"), "A story has collaborators.");
    let share_to_feed = on.warning(
        ("placement", "share_to_feed"),
        "shareToFeed is given for a post that is not a reel.",
    );
    let alt_text = on.warning(
        ("placement", "alt_text"),
        "A video, or the file of a reel or story, has an alternative text, which is left out.",
    );
    let Some(target) = on.subject().filter(|target| !target.draft.media.is_empty()) else {
        return;
    };
    let media = target.draft.media;
    let (is_reel, is_story) =
        (target.placement == Placement::Reel, target.placement == Placement::Story);
    let is_one_video = matches!(media, [file] if file.kind == MediaKind::Video);
    let is_for_feed = target.option("placement").and_then(Value::as_str) == Some("feed");
    if is_for_feed && is_one_video {
        let sentence = "Instagram publishes single videos as reels.";
        on.report(single_video, Detail::note_of("placement", sentence));
    }
    if is_reel && !is_one_video {
        on.report(files, Detail::note_of("placement", "A reel takes exactly one video."));
    }
    if is_story && media.len() > 1 {
        let sentence = "A story takes exactly one file; make one post for each.";
        on.report(files, Detail::note_of("placement", sentence));
    }
    if is_story && !target.composed.text().trim().is_empty() {
        let sentence = "Instagram stories show no caption; the text is left out.";
        on.report(no_caption, Detail::note(sentence));
    }
    let names = target.option("collaborators").and_then(Value::as_array);
    if is_story && names.is_some_and(|names| !names.is_empty()) {
        let detail = Detail::note_of("collaborators", "Stories have no collaborators.");
        on.report(no_collaborators, detail);
    }
    if !is_reel && target.option("shareToFeed").is_some() {
        let detail = Detail::note_of("shareToFeed", "shareToFeed works for reels only.");
        on.report(share_to_feed, detail);
    }
    let ignores_alt_text = media.iter().zip(target.draft.alt_texts).any(|(media, text)| {
        text.as_deref().is_some_and(|text| !text.is_empty())
            && (is_reel || is_story || media.kind == MediaKind::Video)
    });
    if ignores_alt_text {
        let sentence = "Instagram takes alternative texts for images of the feed only.";
        on.report(alt_text, Detail::note(sentence));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::{Post, image, video};
    use crate::platform::Platform;

    /// Source: `content-publishing` of
    /// <https://developers.facebook.com/documentation/instagram-platform/>: the container of a
    /// story has no caption.
    #[test]
    fn nothing_in_the_text_of_a_story_is_refused() {
        for (name, text, link) in [
            ("too long", "a".repeat(2201), None),
            ("too many hashtags", "#t1 ".repeat(31), None),
            ("too many mentions", "@u1 ".repeat(21), None),
            ("emoji", "👍".repeat(1101), None),
            ("a link alone", String::new(), Some("https://example.com/a".to_owned())),
        ] {
            for (placement, is_left_out) in [("story", true), ("feed", false)] {
                let mut post =
                    Post::new(&text).to(Platform::Instagram, json!({"placement": placement}));
                post.media = vec![image()];
                post.link_url = link.clone();
                let found = post.check();
                let rules: Vec<&str> = found
                    .iter()
                    .map(|issue| issue.rule.as_ref())
                    .filter(|rule| !rule.starts_with("instagram.media."))
                    .collect();
                let is_alone = rules == ["instagram.placement.no_caption"];
                assert_eq!(is_alone, is_left_out, "{name}, {placement}: {rules:?}");
                assert!(is_alone || !rules.is_empty(), "{name}, {placement}");
            }
        }
    }

    #[test]
    fn a_reel_keeps_the_rules_of_its_text() {
        let mut post = Post::new(&"a".repeat(2201)).to(Platform::Instagram, json!({}));
        post.media = vec![video()];
        assert_eq!(post.issues("text.too_long").len(), 1);
    }
}
