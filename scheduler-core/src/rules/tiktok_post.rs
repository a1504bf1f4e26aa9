//! What a post on TikTok promotes, and its cover.

use std::cmp::Ordering;

use serde_json::Value;

use super::inspection::OfTarget;
use super::{Detail, Rule};
use crate::platform::Platform;
use crate::platform::tiktok::BRANDED_IS_NOT_PRIVATE;

pub(super) const RULE: Rule = Rule::Target(rule);

fn rule(on: &mut OfTarget<'_, '_>) {
    if on.sheet.platform != Platform::Tiktok {
        return;
    }
    let private = on.error(
        ("commercial_content", "private"),
        "commercialContent names brandedContent while privacy is SELF_ONLY.",
    );
    let after_end = on.error(
        ("cover_timestamp_ms", "after_end"),
        "coverTimestampMs is not before the end of the video.",
    );
    let no_photo =
        on.error(("cover_index", "no_photo"), "coverIndex is the place of no photo of the post.");
    let not_confirmed = on.error(
        ("music_usage_confirmed", "not_confirmed"),
        "musicUsageConfirmed is false, and the post is no draft.",
    );
    let Some(target) = on.subject() else { return };
    let is_refused = target.option("musicUsageConfirmed") == Some(&Value::Bool(false));
    if is_refused && !target.is_on("asDraft") {
        let sentence = "The creator agrees to TikTok's Music Usage Confirmation before a post goes out: set musicUsageConfirmed to true once they have, or hand it over asDraft.";
        on.report(not_confirmed, Detail::note_of("musicUsageConfirmed", sentence));
    }
    let promoted = target.option("commercialContent").and_then(Value::as_array);
    let is_branded =
        promoted.is_some_and(|promoted| promoted.iter().any(|one| one == "brandedContent"));
    let is_private = target.option("privacy").and_then(Value::as_str) == Some("SELF_ONLY");
    // The network's guidelines ask for it, and no error of the interface is documented.
    if is_branded && is_private && !target.is_on("asDraft") {
        on.report(private, Detail::note_of("commercialContent", BRANDED_IS_NOT_PRIVATE));
    }
    let number = |option| target.option(option).and_then(Value::as_u64);
    let in_video = number("coverTimestampMs").and_then(|at| target.against_end(at));
    if in_video.is_some_and(Ordering::is_ge) {
        let sentence = "The cover is after the end of the video. Choose an earlier frame.";
        on.report(after_end, Detail::note_of("coverTimestampMs", sentence));
    }
    let photos = u64::try_from(target.images).unwrap_or(u64::MAX);
    if photos > 0 && number("coverIndex").is_some_and(|at| at >= photos) {
        let sentence = "There is no photo at that place; the first is at 0.";
        on.report(no_photo, Detail::note_of("coverIndex", sentence));
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::{Post, image, video};
    use crate::platform::Platform;
    use crate::platform::tiktok::{BRANDED_IS_NOT_PRIVATE, PROMOTES_NOTHING};
    use crate::rules::MediaFacts;

    #[test]
    fn the_words_of_the_guidelines() {
        for (promoted, want) in
            [(json!([]), PROMOTES_NOTHING), (json!(["brandedContent"]), BRANDED_IS_NOT_PRIVATE)]
        {
            let options = json!({"privacy": "SELF_ONLY", "commercialContent": promoted});
            let mut post = Post::new("Hello").to(Platform::Tiktok, options);
            post.media = vec![video()];
            let found: Vec<String> = post.check().into_iter().map(|found| found.message).collect();
            assert_eq!(found, [want]);
        }
    }

    #[test]
    fn what_is_promoted_and_covers() {
        let clip = || vec![MediaFacts { duration_seconds: Some(10.0), ..video() }];
        let unknown = || vec![MediaFacts { duration_seconds: None, ..video() }];
        let photos = || vec![image(), image()];
        for (name, media, options, want) in [
            ("own brand", clip(), json!({"commercialContent": ["ownBrand"]}), ""),
            (
                "branded",
                clip(),
                json!({"commercialContent": ["ownBrand", "brandedContent"]}),
                "commercial_content.private",
            ),
            (
                "branded for friends",
                clip(),
                json!({"commercialContent": ["brandedContent"], "privacy": "MUTUAL_FOLLOW_FRIENDS"}),
                "",
            ),
            (
                "something else",
                clip(),
                json!({"commercialContent": ["brand"]}),
                "commercial_content.not_allowed",
            ),
            ("in the video", clip(), json!({"coverTimestampMs": 9_999}), ""),
            (
                "at its end",
                clip(),
                json!({"coverTimestampMs": 10_000}),
                "cover_timestamp_ms.after_end",
            ),
            ("of a length that is not known", unknown(), json!({"coverTimestampMs": 10_000}), ""),
            ("the last photo", photos(), json!({"coverIndex": 1}), ""),
            ("no photo", photos(), json!({"coverIndex": 2}), "cover_index.no_photo"),
        ] {
            let mut options = options;
            if options.get("privacy").is_none() {
                options["privacy"] = json!("SELF_ONLY");
            }
            let mut post = Post::new("Hello").to(Platform::Tiktok, options);
            post.media = media;
            let found = post.check();
            let rules: Vec<&str> =
                found.iter().map(|issue| issue.rule.strip_prefix("tiktok.").unwrap()).collect();
            assert_eq!(rules.join(" "), want, "{name}");
        }
    }
}
