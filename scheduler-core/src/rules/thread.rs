//! The posts that follow the first: their shape and each text.

use std::collections::BTreeMap;

use super::draft::{TargetView, widened};
use super::issues::Issues;
use super::{Rule, RuleDescription, Run, Severity, text_content, text_length};
use crate::platform::{OptionFact, OptionValue, Platform, TextUnit};
use crate::text::{count, entities};

pub(super) const RULE: Rule = Rule {
    descriptions: &[
        RuleDescription {
            rule: "<network>.thread.wrong_type",
            severity: Severity::Error,
            sentence: "thread is not an array of strings.",
        },
        RuleDescription {
            rule: "<network>.thread.too_many",
            severity: Severity::Error,
            sentence: "The thread has too many posts.",
        },
        RuleDescription {
            rule: "<network>.thread.empty",
            severity: Severity::Error,
            sentence: "The thread, or a part of it, is empty.",
        },
        RuleDescription {
            rule: "<network>.thread.too_long",
            severity: Severity::Error,
            sentence: "A part of the thread is over the limit, in the network's own count.",
        },
        RuleDescription {
            rule: "<network>.thread.too_many_bytes",
            severity: Severity::Error,
            sentence: "A part of the thread is over the limit in bytes.",
        },
        RuleDescription {
            rule: "<network>.thread.too_many_links",
            severity: Severity::Error,
            sentence: "A part of the thread has more links than the network takes.",
        },
        RuleDescription {
            rule: "<network>.thread.too_many_cashtags",
            severity: Severity::Error,
            sentence: "A part of the thread has more cashtags than the network takes.",
        },
        RuleDescription {
            rule: "<network>.thread.forbidden_character",
            severity: Severity::Error,
            sentence: "The network refuses a character of a part of the thread.",
        },
        RuleDescription {
            rule: "<network>.thread.repeated",
            severity: Severity::Error,
            sentence: "Two parts of the thread are the same where the network refuses repeated text.",
        },
    ],
    run: Run::Target(run),
};

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    let sheet = target.sheet;
    let Some(OptionFact { value: OptionValue::Thread { max_items }, .. }) = sheet.option("thread")
    else {
        return;
    };
    let Some(value) = target.option("thread") else { return };
    let Some(items) = value.as_array() else {
        issues.error("thread.wrong_type", "thread must be an array of strings.");
        return;
    };
    if items.is_empty() {
        issues.error("thread.empty", "thread has no parts; leave it out instead.");
    }
    if items.len() > widened(*max_items) {
        issues.error(
            "thread.too_many",
            format!(
                "A thread on {} can have at most {max_items} follow-up posts, not {}.",
                sheet.short_name,
                items.len()
            ),
        );
    }
    if items.iter().any(|item| !item.is_string()) {
        issues.error("thread.wrong_type", "thread must be an array of strings.");
    }
    for (index, part) in target.composed.thread().iter().take(widened(*max_items)).enumerate() {
        check_part(target, index + 2, part, issues);
    }
    if sheet.platform == Platform::Twitter {
        check_repeated(&target.composed.parts, issues);
    }
}

fn check_part(target: &TargetView<'_>, number: usize, part: &str, issues: &mut Issues) {
    let sheet = target.sheet;
    let (name, unit) = (sheet.short_name, sheet.text.unit);
    if part.trim().is_empty() {
        issues.error("thread.empty", format!("Thread part {number} is empty."));
    }
    // Files go with the first post, so the limit of texts beside files does not hold here.
    let limit = target.limits.text_limit.unwrap_or(sheet.char_limit);
    if let Some(length) = target.length_over(part, limit) {
        issues.error(
            "thread.too_long",
            format!(
                "Thread part {number} is {length} {} for {name}, the limit is {limit}{}.",
                unit.noun(),
                text_length::hint(unit)
            ),
        );
    }
    if let Some(limit) = sheet.text.byte_limit
        && let Some(length) = count::over(TextUnit::Bytes, part, widened(limit))
    {
        issues.error(
            "thread.too_many_bytes",
            format!("Thread part {number} is {length} bytes for {name}, the limit is {limit}."),
        );
    }
    if let Some(limit) = sheet.text.links.refused_above {
        let links = entities::different_links(part, None);
        if links > widened(limit) {
            issues.error(
                "thread.too_many_links",
                format!("Thread part {number} has {links} links; {name} allows {limit}."),
            );
        }
    }
    if let Some(limit) = sheet.text.cashtags.refused_above {
        let cashtags = (entities::Finders::of(sheet.platform).cashtags)(part).len();
        if cashtags > widened(limit) {
            issues.error(
                "thread.too_many_cashtags",
                format!("Thread part {number} has {cashtags} cashtags; {name} allows {limit}."),
            );
        }
    }
    if let Some(character) = sheet.text.forbidden.iter().find(|c| part.contains(**c)) {
        let shown = text_content::shown(*character);
        issues.error(
            "thread.forbidden_character",
            format!("{name} refuses {shown} in thread part {number}."),
        );
    }
}

fn check_repeated(parts: &[String], issues: &mut Issues) {
    let mut seen = BTreeMap::new();
    for (index, part) in parts.iter().enumerate() {
        if let Some(earlier) = seen.insert(part.as_str(), index) {
            issues.error(
                "thread.repeated",
                format!(
                    "Thread parts {} and {} are identical; X refuses repeated text.",
                    earlier + 1,
                    index + 1
                ),
            );
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
            (
                "X a character",
                Platform::Twitter,
                json!(["a\u{feff}"]),
                "twitter.thread.forbidden_character",
            ),
            ("X spaces", Platform::Twitter, json!(["   "]), "twitter.thread.empty"),
            ("X twice", Platform::Twitter, json!(["b", "c", "b"]), "twitter.thread.repeated"),
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
            "Thread part 2 is 501 characters for Mastodon, the limit is 500."
        );
    }
}
