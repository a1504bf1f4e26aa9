//! Where a post goes on Instagram, and what each place takes.

use serde_json::Value;

use super::catalogue::Catalogue;
use super::draft::TargetView;
use super::issues::Issues;
use super::{Detail, MediaKind, Rule};
use crate::platform::{CapabilitySheet, Placement, Platform};

pub(super) const RULE: Rule = Rule::Target { describe, run };

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    let media = target.draft.media;
    if target.sheet.platform != Platform::Instagram || media.is_empty() {
        return;
    }
    let is_one_video = matches!(media, [file] if file.kind == MediaKind::Video);
    let is_for_feed = target.option("placement").and_then(Value::as_str) == Some("feed");
    if is_for_feed && is_one_video {
        let detail = Detail::note_of("placement", "Instagram publishes single videos as reels.");
        issues.warning("placement.single_video", detail);
    }
    match target.placement {
        Placement::Reel if !is_one_video => {
            let detail = Detail::note_of("placement", "A reel takes exactly one video.");
            issues.error("placement.files", detail);
        }
        Placement::Story => check_story(target, issues),
        Placement::Reel | Placement::Post | Placement::Carousel => {}
    }
    if target.placement != Placement::Reel && target.option("shareToFeed").is_some() {
        let detail = Detail::note_of("shareToFeed", "shareToFeed works for reels only.");
        issues.warning("placement.share_to_feed", detail);
    }
    let shows_alt_text = matches!(target.placement, Placement::Post | Placement::Carousel);
    let ignores_alt_text = media.iter().zip(target.draft.alt_texts).any(|(media, text)| {
        text.as_deref().is_some_and(|text| !text.is_empty())
            && (!shows_alt_text || media.kind == MediaKind::Video)
    });
    if ignores_alt_text {
        issues.warning(
            "placement.alt_text",
            Detail::note("Instagram takes alternative texts for images of the feed only."),
        );
    }
}

fn check_story(target: &TargetView<'_>, issues: &mut Issues) {
    if target.draft.media.len() > 1 {
        let sentence = "A story takes exactly one file; make one post for each.";
        issues.error("placement.files", Detail::note_of("placement", sentence));
    }
    if !target.composed.text().trim().is_empty() {
        issues.warning(
            "placement.no_caption",
            Detail::note("Instagram stories show no caption; the text is left out."),
        );
    }
    let names = target.option("collaborators").and_then(Value::as_array);
    if names.is_some_and(|names| !names.is_empty()) {
        let detail = Detail::note_of("collaborators", "Stories have no collaborators.");
        issues.error("placement.no_collaborators", detail);
    }
}

fn describe(sheet: &'static CapabilitySheet, list: &mut Catalogue) {
    if sheet.platform != Platform::Instagram {
        return;
    }
    list.error(
        "placement.files",
        "A reel is something else than one video, or a story has more than one file.",
    );
    list.warning(
        "placement.single_video",
        "A single video is meant for the feed; it goes out as a reel.",
    );
    list.warning("placement.no_caption", "A story has a text, which is left out.");
    list.error("placement.no_collaborators", "A story has collaborators.");
    list.warning("placement.share_to_feed", "shareToFeed is given for a post that is not a reel.");
    list.warning(
        "placement.alt_text",
        "A video, or the file of a reel or story, has an alternative text, which is left out.",
    );
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
