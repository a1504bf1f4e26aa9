//! The posts that follow the first: their shape and each text.

use std::collections::BTreeMap;

use super::catalogue::Catalogue;
use super::draft::{TargetView, widened};
use super::issues::Issues;
use super::{Counted, Detail, Place, Rule, Severity, option_values, text_content};
use crate::platform::{CapabilitySheet, OptionFact, OptionValue, Platform, TextUnit};
use crate::text::{count, entities, twitter};

pub(super) const RULE: Rule = Rule::Target { describe, run };

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    let sheet = target.sheet;
    let Some(OptionFact { value: OptionValue::Thread { max_items }, .. }) = sheet.option("thread")
    else {
        return;
    };
    let Some(value) = target.option("thread") else { return };
    let Some(items) = value.as_array() else {
        issues.error("thread.wrong_type", wrong_type());
        return;
    };
    if items.is_empty() {
        issues.error("thread.empty", Detail::Empty { place: Place::option("thread") });
    }
    if items.len() > widened(*max_items) {
        let (unit, found, most) = (Counted::Posts, items.len(), widened(*max_items));
        let detail = Detail::TooMany { unit, found, most, place: Place::option("thread") };
        issues.error("thread.too_many", detail);
    }
    if items.iter().any(|item| !item.is_string()) {
        issues.error("thread.wrong_type", wrong_type());
    }
    for (index, part) in target.composed.thread().iter().take(widened(*max_items)).enumerate() {
        check_part(target, index, part, issues);
    }
    if sheet.platform == Platform::Twitter {
        check_repeated(&target.composed.parts, issues);
    }
}

fn wrong_type() -> Detail {
    option_values::wrong_type("thread", "", "an array of strings")
}

fn check_part(target: &TargetView<'_>, index: usize, part: &str, issues: &mut Issues) {
    let (sheet, figures) = (target.sheet, &target.sheet.text);
    let place = || Place::item("thread", index);
    if part.trim().is_empty() {
        issues.error("thread.empty", Detail::Empty { place: place() });
    }
    // Files go with the first post, so the limit of texts beside files does not hold here.
    let limit = target.limits.text_limit.unwrap_or(sheet.char_limit);
    if let Some(found) = target.length_over(part, limit) {
        let detail = Detail::TooLong {
            unit: figures.unit,
            found,
            most: widened(limit),
            place: place(),
            with_warning: target.composed.spoiler.is_some(),
            beside_files: false,
        };
        issues.error("thread.too_long", detail);
    }
    if let Some(limit) = figures.byte_limit.map(widened)
        && let Some(found) = count::over(TextUnit::Bytes, part, limit)
    {
        let detail = Detail::too_long(TextUnit::Bytes, found, limit, place());
        issues.error("thread.too_many_bytes", detail);
    }
    if let Some(character) = figures.forbidden.iter().find(|character| part.contains(**character)) {
        let detail = Detail::ForbiddenCharacter { found: *character, place: place() };
        issues.error("thread.forbidden_character", detail);
    }
    let finders = entities::Finders::of(sheet.platform);
    for (unit, bounds) in text_content::held(figures) {
        let count = || match unit {
            Counted::Hashtags => (finders.hashtags)(part).len(),
            Counted::Mentions => (finders.mentions)(part).len(),
            Counted::Cashtags => (finders.cashtags)(part).len(),
            _ => entities::different_links(part, None),
        };
        match text_content::beyond(unit, bounds, place(), count) {
            Some((Severity::Error, detail)) => {
                issues.error(&format!("thread.too_many_{}", unit.noun()), detail);
            }
            Some((Severity::Warning, detail)) => {
                issues.warning(&format!("thread.many_{}", unit.noun()), detail);
            }
            None => {}
        }
    }
}

fn check_repeated(parts: &[String], issues: &mut Issues) {
    let mut seen = BTreeMap::new();
    // The network drops white space at the ends and stores the normal form.
    let as_stored = parts.iter().map(|part| twitter::normalized(part.trim()));
    for (index, part) in as_stored.enumerate().filter(|(_, part)| !part.is_empty()) {
        if let Some(earlier) = seen.insert(part, index) {
            // The first part is the text of the post, so that a later one is never the first.
            let place = Place::item("thread", index.saturating_sub(1));
            issues.error("thread.repeated", Detail::Repeated { place, earlier: Some(earlier) });
        }
    }
}

fn describe(sheet: &'static CapabilitySheet, list: &mut Catalogue) {
    let Some(OptionFact { value: OptionValue::Thread { max_items }, .. }) = sheet.option("thread")
    else {
        return;
    };
    list.error("thread.wrong_type", "thread is not an array of strings.");
    list.error("thread.too_many", format!("thread has more than {max_items} posts."));
    list.error("thread.empty", "thread, or a part of it, is empty.");
    let (limit, unit) = (sheet.char_limit, sheet.text.unit.noun());
    list.error("thread.too_long", format!("A part of the thread has more than {limit} {unit}."));
    if let Some(limit) = sheet.text.byte_limit {
        list.error(
            "thread.too_many_bytes",
            format!("A part of the thread has more than {limit} bytes."),
        );
    }
    let figures = &sheet.text;
    if !figures.forbidden.is_empty() {
        list.error(
            "thread.forbidden_character",
            "A part of the thread holds a character that is refused in a text.",
        );
    }
    for (unit, bounds) in text_content::held(figures) {
        let noun = unit.noun();
        if let Some(limit) = bounds.refused_above {
            list.error(
                &format!("thread.too_many_{noun}"),
                format!(
                    "A part of the thread has more than {}.",
                    text_content::counted(limit, unit)
                ),
            );
        }
        if let Some(limit) = bounds.warned_above {
            list.warning(
                &format!("thread.many_{noun}"),
                format!(
                    "A part of the thread has {}.",
                    text_content::more_than_are_used(sheet.platform, limit, unit)
                ),
            );
        }
    }
    if sheet.platform == Platform::Twitter {
        list.error("thread.repeated", "Two parts of the thread are the same.");
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::super::tests::Post;
    use crate::platform::Platform;

    #[test]
    fn shapes_of_threads() {
        let part = |count: usize| Value::from("b".repeat(count));
        for (name, platform, thread, want) in [
            ("one part", Platform::Bluesky, json!(["two"]), ""),
            ("24 parts", Platform::Bluesky, json!(vec!["b"; 24]), ""),
            ("25 parts", Platform::Bluesky, json!(vec!["b"; 25]), "bluesky.thread.too_many"),
            ("no parts", Platform::Bluesky, json!([]), "bluesky.thread.empty"),
            ("an empty part", Platform::Bluesky, json!(["b", " "]), "bluesky.thread.empty"),
            ("not an array", Platform::Bluesky, json!("two"), "bluesky.thread.wrong_type"),
            ("a number", Platform::Bluesky, json!(["two", 3]), "bluesky.thread.wrong_type"),
            ("null", Platform::Bluesky, Value::Null, ""),
            ("at the limit", Platform::Bluesky, json!([part(300)]), ""),
            ("one over", Platform::Bluesky, json!([part(301)]), "bluesky.thread.too_long"),
            (
                "bytes",
                Platform::Bluesky,
                json!(["👨‍👩‍👧‍👦".repeat(121)]),
                "bluesky.thread.too_many_bytes",
            ),
            ("mastodon", Platform::Mastodon, json!([part(501)]), "mastodon.thread.too_long"),
            ("threads", Platform::Threads, json!([part(501)]), "threads.thread.too_long"),
            ("X", Platform::Twitter, json!([part(281)]), "twitter.thread.too_long"),
            ("X one cashtag", Platform::Twitter, json!(["$A"]), ""),
            ("X a mention", Platform::Twitter, json!(["@a"]), "twitter.thread.many_mentions"),
            (
                "X byte order mark",
                Platform::Twitter,
                json!(["a\u{feff}b"]),
                "twitter.thread.forbidden_character",
            ),
            ("threads one tag", Platform::Threads, json!(["#a"]), ""),
            ("threads tags", Platform::Threads, json!(["#a #b"]), "threads.thread.many_hashtags"),
            (
                "threads links",
                Platform::Threads,
                json!([
                    "http://a.b/1 http://a.b/2 http://a.b/3 http://a.b/4 http://a.b/5 http://a.b/6"
                ]),
                "threads.thread.too_many_links",
            ),
            ("X emoji at the limit", Platform::Twitter, json!(["の".repeat(140)]), ""),
            (
                "X emoji over",
                Platform::Twitter,
                json!(["👨‍👩‍👧‍👦".repeat(141)]),
                "twitter.thread.too_long",
            ),
            ("X links", Platform::Twitter, json!(["a.co ".repeat(12)]), "twitter.thread.too_long"),
            (
                "X cashtags",
                Platform::Twitter,
                json!(["$A", "$A $B"]),
                "twitter.thread.too_many_cashtags",
            ),
            ("X spaces", Platform::Twitter, json!(["   "]), "twitter.thread.empty"),
            ("X twice", Platform::Twitter, json!(["b", "c", "b"]), "twitter.thread.repeated"),
            (
                "X twice but for spaces",
                Platform::Twitter,
                json!(["b", "b "]),
                "twitter.thread.repeated",
            ),
            (
                "X twice in two forms",
                Platform::Twitter,
                json!(["caf\u{e9}", "cafe\u{301}"]),
                "twitter.thread.repeated",
            ),
            (
                "X empty twice",
                Platform::Twitter,
                json!(["", ""]),
                "twitter.thread.empty twitter.thread.empty",
            ),
            ("elsewhere", Platform::Discord, json!(["b"]), "discord.options.unknown_key"),
        ] {
            let found = Post::new("Hello").to(platform, json!({"thread": thread})).check();
            let rules: Vec<&str> = found.iter().map(|issue| issue.rule.as_ref()).collect();
            assert_eq!(rules.join(" "), want, "{name}: {found:?}");
        }
    }

    #[test]
    fn the_content_warning_counts_with_every_part() {
        let options = json!({"spoilerText": "CW", "thread": ["b".repeat(499)]});
        let found = Post::new("Hello").to(Platform::Mastodon, options).check();
        assert_eq!(
            found[0].message,
            "Thread part 2 with the content warning is 501 characters for Mastodon, the limit is 500."
        );
    }
}
