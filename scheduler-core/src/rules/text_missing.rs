//! Text that a network cannot do without.

use super::catalogue::Catalogue;
use super::draft::TargetView;
use super::issues::Issues;
use super::{Detail, Rule};
use crate::platform::{CapabilitySheet, RequiredMedia};

pub(super) const RULE: Rule = Rule::Target { describe, run };

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    let sheet = target.sheet;
    let has_media = !target.draft.media.is_empty();
    let is_carried = (has_media && sheet.allows_empty_text)
        || (target.composed.link_card.is_some() && sheet.text.is_optional_beside_link);
    if is_carried
        || sheet.requires_media != RequiredMedia::None
        || target.has_text()
        || target.post_is_empty
    {
        return;
    }
    let allowed = match (sheet.allows_empty_text, sheet.text.is_optional_beside_link) {
        (true, true) => vec!["text".into(), "file".into(), "link".into()],
        (true, false) => vec!["text".into(), "file".into()],
        (false, _) => vec!["text".into()],
    };
    // What is sent may hold characters that show nothing.
    let is_invisible = !target.composed.text().trim().is_empty();
    issues.error("text.missing", Detail::MissingText { allowed, is_invisible });
}

fn describe(sheet: &'static CapabilitySheet, list: &mut Catalogue) {
    if sheet.requires_media != RequiredMedia::None {
        return;
    }
    let sentence = match (sheet.allows_empty_text, sheet.text.is_optional_beside_link) {
        _ if sheet.option("spoilerText").is_some() => {
            "There is no text, no file and no content warning."
        }
        (true, true) => "There is no text, no file and no link.",
        (true, false) => "There is neither text nor a file.",
        (false, _) => "There is no text.",
    };
    list.error("text.missing", sentence);
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::tests::{Post, image};
    use crate::platform::Platform;

    #[test]
    fn what_makes_a_post() {
        for (name, platform, text, options, files, want) in [
            ("a content warning", Platform::Mastodon, "", json!({"spoilerText": "CW"}), 0, ""),
            (
                "a blank content warning",
                Platform::Mastodon,
                "",
                json!({"spoilerText": " "}),
                0,
                "post.text.missing",
            ),
            (
                "a content warning of 500",
                Platform::Mastodon,
                "",
                json!({"spoilerText": "a".repeat(500)}),
                0,
                "mastodon.text.too_long",
            ),
            ("zero-width spaces", Platform::Telegram, "\u{200b}", Value::Null, 0, MISSING),
            ("a blank pattern", Platform::Telegram, "\u{2800}\n.", Value::Null, 0, ""),
            ("an empty pattern", Platform::Telegram, "\u{2800}\n\u{feff}", Value::Null, 0, MISSING),
            ("beside a file", Platform::Telegram, "\u{200b}", Value::Null, 1, ""),
            ("elsewhere", Platform::Discord, "\u{200b}", Value::Null, 0, ""),
        ] {
            let mut post = Post::new(text).to(platform, options);
            post.media = vec![image(); files];
            let rules: Vec<String> =
                post.check().into_iter().map(|issue| issue.rule.to_string()).collect();
            assert_eq!(rules.join(" "), want, "{name}");
        }
    }

    const MISSING: &str = "telegram.text.missing";
}
