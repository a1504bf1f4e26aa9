//! The posts that follow the first: their shape and each text.

use std::collections::BTreeMap;

use serde_json::Value;

use super::draft::{Part, TargetView, widened};
use super::inspection::{Finding, Id, OfTarget};
use super::{Counted, Detail, Place, Rule, WhyLong, text_content, text_length};
use crate::platform::{
    CapabilitySheet, OptionFact, OptionValue, Platform, TextBound, TextUnit, TextWarning,
    ThreadPart,
};
use crate::text::{count, entities, twitter};

pub(super) const RULE: Rule = Rule::Target(rule);

const OPTION: &str = "thread";

/// How many posts may follow the first; `None` where a network knows no threads.
fn max_items(sheet: &CapabilitySheet) -> Option<u32> {
    match sheet.option(OPTION) {
        Some(OptionFact { value: OptionValue::Thread { max_items }, .. }) => Some(*max_items),
        _ => None,
    }
}

/// The texts that follow the first and are looked at, each with its limit.
pub(super) fn parts<'a>(target: &'a TargetView<'_>) -> impl Iterator<Item = Part<'a>> {
    let most = max_items(target.sheet).map_or(0, widened);
    // No network with threads has a lower limit for texts beside files.
    let limit = widened(text_length::full_limit(target));
    target.composed.thread().iter().take(most).map(move |text| Part { text, limit })
}

fn rule(on: &mut OfTarget<'_, '_>) {
    let Some(max_items) = max_items(on.sheet) else { return };
    let (sheet, figures) = (on.sheet, &on.sheet.text);
    let takes_files = sheet.max_media_per_post > 0;
    let expected = if takes_files {
        "an array of strings, or of objects with text, mediaIds and altTexts"
    } else {
        "an array of strings"
    };
    let wrong_type = on.error((OPTION, "wrong_type"), format_args!("thread is not {expected}."));
    let too_many =
        on.error((OPTION, "too_many"), format_args!("thread has more than {max_items} posts."));
    let empty = on.error((OPTION, "empty"), "thread, or a part of it, is empty.");
    let alt_texts = takes_files.then(|| {
        on.error((OPTION, "too_many_alt_texts"), "A part has more alternative texts than files.")
    });
    let twice =
        takes_files.then(|| on.error((OPTION, "file_repeated"), "A part has a file twice."));
    let (limit, noun) = (sheet.char_limit, figures.unit.noun());
    let too_long = on.error(
        (OPTION, "too_long"),
        format_args!("A part of the thread has more than {limit} {noun}."),
    );
    let too_many_bytes = figures.byte_limit.map(|limit| {
        let when = format_args!("A part of the thread has more than {limit} bytes.");
        (on.error((OPTION, "too_many_bytes"), when), widened(limit))
    });
    let long = figures.warning.map(|TextWarning { bound: TextBound { limit, unit }, sentence }| {
        let definition = unit.definition();
        let when =
            format_args!("A part of the thread has more than {limit} {definition}. {sentence}");
        (on.warning((OPTION, "long"), when), unit, widened(limit), WhyLong::Sheet(sentence))
    });
    let forbidden = (!figures.forbidden.is_empty()).then(|| {
        on.error(
            (OPTION, "forbidden_character"),
            "A part of the thread holds a character that is refused in a text.",
        )
    });
    let held = text_content::held(on, "A part of the thread", ids);
    let repeated = (sheet.platform == Platform::Twitter)
        .then(|| on.error((OPTION, "repeated"), "Two parts of the thread are the same."));

    let Some(target) = on.subject() else { return };
    let Some(value) = target.option(OPTION) else { return };
    let of_wrong_type = || Detail::OptionType {
        option: OPTION.into(),
        found: "".into(),
        expected: expected.into(),
    };
    let Some(items) = value.as_array() else {
        return on.report(wrong_type, of_wrong_type());
    };
    let (found, most) = (items.len(), widened(max_items));
    if found == 0 {
        on.report(empty, Detail::Empty { place: Place::option(OPTION) });
    }
    if found > most {
        let (unit, place) = (Counted::Posts, Place::option(OPTION));
        on.report(too_many, Detail::TooMany { unit, found, most, place });
    }
    let with_files = ThreadPart::all(sheet.platform, &target.options);
    let are_texts = || items.iter().all(Value::is_string);
    if with_files.len() != found || !(takes_files || are_texts()) {
        on.report(wrong_type, of_wrong_type());
    }
    if let (Some(alt_texts), Some(twice)) = (alt_texts, twice) {
        for (index, part) in with_files.iter().enumerate() {
            let (place, files) = (Place::item(OPTION, index), part.media_ids.as_slice());
            if files.iter().enumerate().any(|(at, id)| files[..at].contains(id)) {
                let sentence = format!("Thread part {} has a file twice.", index + 2);
                let option = Some(OPTION.into());
                on.report(twice, Detail::Note { option, sentence: sentence.into() });
            }
            let (found, most) = (part.alt_texts.len(), files.len());
            if found > most {
                let unit = Counted::AltTexts;
                on.report(alt_texts, Detail::TooMany { unit, found, most, place });
            }
        }
    }
    let has_files =
        |index: usize| with_files.get(index).is_some_and(|part| !part.media_ids.is_empty());
    let finders = entities::Finders::of(sheet.platform);
    for (index, Part { text: part, limit }) in parts(target).enumerate() {
        let place = || Place::item(OPTION, index);
        if part.trim().is_empty() && !(sheet.allows_empty_text && has_files(index)) {
            on.report(empty, Detail::Empty { place: place() });
        }
        if let Some(found) = target.length_over(part, limit) {
            let detail = Detail::TooLong {
                unit: figures.unit,
                found,
                most: limit,
                place: place(),
                with_warning: target.composed.spoiler.is_some(),
                beside_files: false,
            };
            on.report(too_long, detail);
        } else if let Some((long, unit, most, why)) = long.clone()
            && let Some(found) = count::over(unit, part, most)
        {
            on.report(long, Detail::Long { unit, found, most, place: place(), why });
        }
        if let Some((finding, most)) = too_many_bytes
            && let Some(found) = count::over(TextUnit::Bytes, part, most)
        {
            on.report(finding, Detail::too_long(TextUnit::Bytes, found, most, place()));
        }
        if let Some(finding) = forbidden
            && let Some(found) = figures.forbidden.iter().copied().find(|sign| part.contains(*sign))
        {
            on.report(finding, Detail::ForbiddenCharacter { found, place: place() });
        }
        for held in held {
            held.look(on, place(), || match held.unit {
                Counted::Hashtags => (finders.hashtags)(part).len(),
                Counted::Mentions => (finders.mentions)(part).len(),
                Counted::Cashtags => (finders.cashtags)(part).len(),
                _ => entities::different_links(part, None),
            });
        }
    }
    if let Some(repeated) = repeated {
        check_repeated(on, &target.composed.parts, repeated);
    }
}

/// What is wrong with more of something than a part may hold, or than is used.
const fn ids(unit: Counted) -> (Id, Id) {
    let (too_many, many) = match unit {
        Counted::Hashtags => ("too_many_hashtags", "many_hashtags"),
        Counted::Mentions => ("too_many_mentions", "many_mentions"),
        Counted::Cashtags => ("too_many_cashtags", "many_cashtags"),
        _ => ("too_many_links", "many_links"),
    };
    ((OPTION, too_many), (OPTION, many))
}

fn check_repeated(on: &mut OfTarget<'_, '_>, parts: &[String], repeated: Finding) {
    let mut seen = BTreeMap::new();
    // The network drops white space at the ends and stores the normal form.
    let as_stored = parts.iter().map(|part| twitter::normalized(part.trim()));
    for (index, part) in as_stored.enumerate().filter(|(_, part)| !part.is_empty()) {
        if let Some(earlier) = seen.insert(part, index) {
            // The first part is the text of the post, so that a later one is never the first.
            let place = Place::item(OPTION, index.saturating_sub(1));
            on.report(repeated, Detail::Repeated { place, earlier: Some(earlier) });
        }
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
