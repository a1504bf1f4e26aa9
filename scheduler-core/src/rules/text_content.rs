//! What a text holds: characters, hashtags, mentions, links.

use super::draft::{TargetView, widened};
use super::issues::Issues;
use super::{Rule, RuleDescription, Run, Severity};
use crate::platform::CountBounds;
use crate::text::entities;

pub(super) const RULE: Rule = Rule {
    descriptions: &[
        RuleDescription {
            rule: "<network>.text.forbidden_character",
            severity: Severity::Error,
            sentence: "The network refuses a character of the text.",
        },
        RuleDescription {
            rule: "<network>.hashtags.too_many",
            severity: Severity::Error,
            sentence: "The network refuses so many hashtags.",
        },
        RuleDescription {
            rule: "<network>.hashtags.many",
            severity: Severity::Warning,
            sentence: "The network does not use so many hashtags.",
        },
        RuleDescription {
            rule: "<network>.mentions.too_many",
            severity: Severity::Error,
            sentence: "The network refuses so many mentions.",
        },
        RuleDescription {
            rule: "<network>.mentions.many",
            severity: Severity::Warning,
            sentence: "The network may refuse mentions.",
        },
        RuleDescription {
            rule: "<network>.links.too_many",
            severity: Severity::Error,
            sentence: "The network refuses so many links.",
        },
        RuleDescription {
            rule: "<network>.links.many",
            severity: Severity::Warning,
            sentence: "The network does not make so many links clickable.",
        },
        RuleDescription {
            rule: "<network>.cashtags.too_many",
            severity: Severity::Error,
            sentence: "The network refuses so many cashtags.",
        },
        RuleDescription {
            rule: "<network>.cashtags.many",
            severity: Severity::Warning,
            sentence: "The network does not use so many cashtags.",
        },
    ],
    run: Run::Target(run),
};

fn run(target: &TargetView<'_>, issues: &mut Issues) {
    let figures = &target.sheet.text;
    let text = target.composed.text();
    let forbidden = figures.forbidden.iter().find(|character| text.contains(**character));
    if let Some(character) = forbidden {
        issues.error(
            "text.forbidden_character",
            format!("{} refuses {} in a text.", target.sheet.short_name, shown(*character)),
        );
    }
    let finders = entities::Finders::of(target.sheet.platform);
    report(target, issues, "hashtags", figures.hashtags, || (finders.hashtags)(text).len());
    report(target, issues, "mentions", figures.mentions, || (finders.mentions)(text).len());
    report(target, issues, "links", figures.links, || {
        let also = target.composed.link_card.as_deref();
        entities::different_links(text, also)
    });
    report(target, issues, "cashtags", figures.cashtags, || (finders.cashtags)(text).len());
}

/// A character as a person can read it.
pub(super) fn shown(character: char) -> String {
    if character.is_ascii_graphic() {
        character.to_string()
    } else {
        format!("U+{:04X}", u32::from(character))
    }
}

fn report(
    target: &TargetView<'_>,
    issues: &mut Issues,
    noun: &str,
    bounds: CountBounds,
    count: impl FnOnce() -> usize,
) {
    if bounds == CountBounds::NONE {
        return;
    }
    let count = count();
    let over = |bound: Option<u32>| bound.filter(|bound| count > widened(*bound));
    let name = target.sheet.short_name;
    if let Some(limit) = over(bounds.refused_above) {
        issues.error(
            &format!("{noun}.too_many"),
            format!("Text has {count} {noun}; {name} allows {limit}."),
        );
    } else if let Some(limit) = over(bounds.warned_above) {
        issues.warning(
            &format!("{noun}.many"),
            format!("Text has {count} {noun}; {name} may not use more than {limit}."),
        );
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::Post;
    use crate::platform::Platform;

    #[test]
    fn what_texts_hold() {
        let links = |count: usize| {
            (0..count).map(|n| format!("https://example.com/{n} ")).collect::<String>()
        };
        for (name, platform, text, want) in [
            ("youtube brackets", Platform::Youtube, "1 < 2".to_owned(), "text.forbidden_character"),
            (
                "X byte order mark",
                Platform::Twitter,
                "a\u{feff}b".to_owned(),
                "text.forbidden_character",
            ),
            ("instagram 31 tags", Platform::Instagram, "#t1 ".repeat(31), "hashtags.too_many"),
            ("instagram 30 tags", Platform::Instagram, "#t1 ".repeat(30), "hashtags.many"),
            ("instagram 6 tags", Platform::Instagram, "#t1 ".repeat(6), "hashtags.many"),
            ("instagram 5 tags", Platform::Instagram, "#t1 ".repeat(5), ""),
            ("instagram 20 mentions", Platform::Instagram, "@u1 ".repeat(20), ""),
            ("instagram 21 mentions", Platform::Instagram, "@u1 ".repeat(21), "mentions.too_many"),
            ("instagram 11", Platform::Instagram, "mail me@example.com #1".to_owned(), ""),
            ("threads 5 links", Platform::Threads, links(5), ""),
            ("threads 6 links", Platform::Threads, links(6), "links.too_many"),
            ("threads one link often", Platform::Threads, "https://a.co ".repeat(6), ""),
            ("threads 14", Platform::Threads, "#one #two".to_owned(), "hashtags.many"),
            ("X one cashtag", Platform::Twitter, "$A".to_owned(), ""),
            ("X two cashtags", Platform::Twitter, "$A $B".to_owned(), "cashtags.too_many"),
            ("X cashtags that touch", Platform::Twitter, "($A) US$B $A$B".to_owned(), ""),
            (
                "X a cashtag of two parts",
                Platform::Twitter,
                "$A.B $C".to_owned(),
                "cashtags.too_many",
            ),
            ("X a mention", Platform::Twitter, "hi @bob".to_owned(), "mentions.many"),
            ("X a long name", Platform::Twitter, format!("@{}", "a".repeat(15)), "mentions.many"),
            ("X too long for a name", Platform::Twitter, format!("@{}", "a".repeat(16)), ""),
            ("X a name in a link", Platform::Twitter, "https://a.com/@bob".to_owned(), ""),
            ("bluesky any", Platform::Bluesky, "#a #b #c @d $E $F <".to_owned(), ""),
        ] {
            let found: Vec<String> = Post::new(&text)
                .to(platform, json!({}))
                .check()
                .into_iter()
                .filter_map(|issue| issue.rule.split_once('.').map(|(_, check)| check.to_owned()))
                .filter(|check| {
                    ["text.forbidden", "hashtags", "mentions", "links", "cashtags"]
                        .iter()
                        .any(|subject| check.starts_with(subject))
                })
                .collect();
            assert_eq!(found.join(" "), want, "{name}");
        }
    }

    #[test]
    fn the_link_of_a_preview_counts_as_a_link() {
        let text: String = (0..5).map(|n| format!("https://example.com/{n} ")).collect();
        let mut post = Post::new(&text).to(Platform::Threads, json!({}));
        assert_eq!(post.issues("links.too_many").len(), 0);
        post.link_url = Some("https://example.com/4".to_owned());
        assert_eq!(post.issues("links.too_many").len(), 0);
        post.link_url = Some("https://example.com/5".to_owned());
        assert_eq!(post.issues("links.too_many").len(), 1);
    }
}
