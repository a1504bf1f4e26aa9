//! Text that a network cannot do without.

use super::inspection::OfTarget;
use super::{Detail, Rule, Word};
use crate::platform::RequiredMedia;

pub(super) const RULE: Rule = Rule::Target(rule);

fn rule(on: &mut OfTarget<'_, '_>) {
    let sheet = on.sheet;
    if sheet.requires_media != RequiredMedia::None {
        return;
    }
    let takes_warning = sheet.option("spoilerText").is_some();
    let (allowed, when): (&[&str], _) =
        match (sheet.allows_empty_text, sheet.text.is_optional_beside_link) {
            (true, true) => (&["text", "file", "link"], "There is no text, no file and no link."),
            (true, false) => (&["text", "file"], "There is neither text nor a file."),
            (false, _) => (&["text"], "There is no text."),
        };
    let when =
        if takes_warning { "There is no text, no file and no content warning." } else { when };
    let missing = on.error(("text", "missing"), when);
    let Some(target) = on.subject() else { return };
    let is_carried = (!target.draft.media.is_empty() && sheet.allows_empty_text)
        || (target.composed.link_card.is_some() && sheet.text.is_optional_beside_link);
    if is_carried || target.has_text() || target.post_is_empty {
        return;
    }
    let allowed = allowed.iter().copied().map(Word::Borrowed).collect();
    // What is sent may hold characters that show nothing.
    let is_invisible = !target.composed.text().trim().is_empty();
    on.report(missing, Detail::MissingText { allowed, is_invisible });
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
