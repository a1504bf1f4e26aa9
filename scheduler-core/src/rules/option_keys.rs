//! Option keys that a network does not know.

use super::inspection::OfTarget;
use super::issues::LISTED_MAX;
use super::{Detail, Rule};
use crate::platform::CapabilitySheet;
use crate::spelling::distance;

pub(super) const RULE: Rule = Rule::Target(rule);

/// Longest key that is compared and shown, in characters.
const KEY_LIMIT: usize = 64;

fn rule(on: &mut OfTarget<'_, '_>) {
    let sheet = on.sheet;
    let unknown_key = on.warning(
        ("options", "unknown_key"),
        format_args!(
            "{} does not know the key of an option; it is kept and not used.",
            sheet.short_name
        ),
    );
    let Some(target) = on.subject() else { return };
    let unknown = target.options.keys().filter(|key| sheet.option(key).is_none());
    for key in unknown.take(LISTED_MAX) {
        // Longer keys cannot be a slip of a known one, and comparing them would cost time.
        let shown: String = key.chars().take(KEY_LIMIT).collect();
        let nearest = nearest(sheet, &shown);
        on.report(
            unknown_key,
            Detail::UnknownOption { option: shown.into(), allowed: [nearest.into()] },
        );
    }
}

/// The key of a network that is nearest to another.
fn nearest(sheet: &CapabilitySheet, key: &str) -> &'static str {
    let unprefixed =
        key.strip_prefix(sheet.platform.as_str()).and_then(|key| key.strip_prefix('.'));
    let plain = plain(unprefixed.unwrap_or(key));
    let known = sheet.options.iter().map(|option| option.key);
    known
        .min_by_key(|known| {
            let known = self::plain(known);
            // A shortened or lengthened key is nearer than one with as many changes.
            let is_start =
                !plain.is_empty() && (known.starts_with(&plain) || plain.starts_with(&known));
            (known != plain, !is_start, distance(&plain, &known))
        })
        .unwrap_or("caption")
}

/// A key without what spellings differ in: case, `_`, `-` and spaces.
fn plain(key: &str) -> String {
    key.chars()
        .filter(|character| !matches!(character, '_' | '-' | ' '))
        .flat_map(char::to_lowercase)
        .collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::Post;
    use crate::platform::Platform;
    use crate::rules::Severity;

    #[test]
    fn the_nearest_known_key_is_named() {
        for (platform, key, nearest) in [
            (Platform::Bluesky, "threads", "thread"),
            (Platform::Youtube, "categoryid", "categoryId"),
            (Platform::Youtube, "thumbnail", "thumbnailMediaId"),
            (Platform::Mastodon, "spoiler_text", "spoilerText"),
            (Platform::Mastodon, "SPOILER-TEXT", "spoilerText"),
            (Platform::Mastodon, "spoiler text", "spoilerText"),
            (Platform::Pinterest, "board_id", "boardId"),
            (Platform::Pinterest, "pinterest.board", "boardId"),
            (Platform::Facebook, "as_reel", "asReel"),
            (Platform::Youtube, "first-comment", "firstComment"),
            (Platform::Youtube, "tag", "tags"),
            (Platform::Tiktok, "as_draft", "asDraft"),
            (Platform::Tiktok, "allowcomment", "allowComments"),
            (Platform::Youtube, "THUMBNAIL_MEDIA_ID", "thumbnailMediaId"),
            (Platform::Telegram, "zzz", "pin"),
            (Platform::Telegram, "", "pin"),
            (Platform::Telegram, "_", "pin"),
        ] {
            let found = Post::new("Hello").to(platform, json!({key: 1})).issues("options.");
            assert_eq!(found.len(), 1, "{key}");
            let end = format!("The nearest is \"{nearest}\".");
            assert!(found[0].message.ends_with(&end), "{key}: {}", found[0].message);
            assert_eq!(found[0].severity, Severity::Warning);
        }
    }
}
