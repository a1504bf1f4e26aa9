//! What a text holds: characters, hashtags, mentions, links.

use std::fmt;

use serde_json::Value;

use super::draft::{TargetView, widened};
use super::inspection::{Finding, Id, OfTarget};
use super::option_values::one_of;
use super::{Counted, Detail, Place, Rule, phrase};
use crate::platform::{CountBounds, Platform, TextCleaning, TextFigures};
use crate::text::{entities, tumblr};

pub(super) const RULE: Rule = Rule::Target(rule);

fn rule(on: &mut OfTarget<'_, '_>) {
    let (platform, figures) = (on.sheet.platform, &on.sheet.text);
    let forbidden = (!figures.forbidden.is_empty()).then(|| {
        let when = format_args!("The text holds {}.", one_of(figures.forbidden));
        on.error(("text", "forbidden_character"), when)
    });
    let removed = match figures.cleaning {
        TextCleaning::Nothing | TextCleaning::Trim | TextCleaning::TrimAscii => None,
        TextCleaning::Telegram => Some(on.warning(
            ("text", "characters_removed"),
            "The text holds characters that the network takes out, such as U+030A or U+202E.",
        )),
    };
    let ids = |unit: Counted| ((unit.noun(), "too_many"), (unit.noun(), "many"));
    let held = held(on, "The text", ids);
    let Some(target) = on.subject().filter(|target| target.carries_text()) else { return };
    let text = target.composed.text();
    if let Some(finding) = forbidden
        && let Some(found) = figures.forbidden.iter().copied().find(|sign| text.contains(*sign))
    {
        on.report(finding, Detail::ForbiddenCharacter { found, place: Place::Text });
    }
    if let Some(finding) = removed.filter(|_| !target.composed.removed.is_empty()) {
        let found = target.composed.removed.iter().copied().collect();
        on.report(finding, Detail::CharactersRemoved { found });
    }
    let finders = entities::Finders::of(platform);
    for held in held {
        held.look(on, Place::Text, || match held.unit {
            Counted::Hashtags => hashtags(target, finders),
            Counted::Mentions => (finders.mentions)(text).len(),
            Counted::Cashtags => (finders.cashtags)(text).len(),
            // Each one takes a mark of its own.
            _ if platform == Platform::Tumblr => tumblr::link_count(text),
            _ => entities::different_links(text, target.composed.link_card.as_deref()),
        });
    }
}

fn hashtags(target: &TargetView<'_>, finders: entities::Finders) -> usize {
    // YouTube counts those of the title with those of the description.
    let title = target
        .option("title")
        .and_then(Value::as_str)
        .filter(|_| target.sheet.platform == Platform::Youtube);
    let count = |text: &str| (finders.hashtags)(text).len();
    count(target.composed.text()) + title.map_or(0, count)
}

/// What is counted in a text, with its bounds, in the order in which issues are listed.
const fn bounds(figures: &TextFigures) -> [(Counted, CountBounds); 4] {
    [
        (Counted::Hashtags, figures.hashtags),
        (Counted::Mentions, figures.mentions),
        (Counted::Links, figures.links),
        (Counted::Cashtags, figures.cashtags),
    ]
}

/// Names what can be found of what a text holds; `subject` begins the sentence.
pub(super) fn held(
    on: &mut OfTarget<'_, '_>,
    subject: &str,
    ids: impl Fn(Counted) -> (Id, Id),
) -> [Held; 4] {
    bounds(&on.sheet.text).map(|(unit, bounds)| Held::named(on, unit, bounds, subject, ids(unit)))
}

/// Something that is counted in a text, with what can be found of it.
#[derive(Clone, Copy)]
pub(super) struct Held {
    pub(super) unit: Counted,
    too_many: Option<(Finding, usize)>,
    many: Option<(Finding, usize)>,
}

impl Held {
    fn named(
        on: &mut OfTarget<'_, '_>,
        unit: Counted,
        bounds: CountBounds,
        subject: &str,
        (too_many, many): (Id, Id),
    ) -> Self {
        let platform = on.sheet.platform;
        Self {
            unit,
            too_many: bounds.refused_above.map(|most| {
                let when =
                    fmt::from_fn(|f| write!(f, "{subject} has more than {}.", counted(most, unit)));
                (on.error(too_many, when), widened(most))
            }),
            many: bounds.warned_above.map(|most| {
                let when = fmt::from_fn(|f| {
                    write!(f, "{subject} has {}.", more_than_are_used(platform, most, unit))
                });
                (on.warning(many, when), widened(most))
            }),
        }
    }

    /// Counts in one text, where it matters.
    pub(super) fn look(
        &self,
        on: &mut OfTarget<'_, '_>,
        place: Place,
        count: impl FnOnce() -> usize,
    ) {
        if self.too_many.is_none() && self.many.is_none() {
            return;
        }
        let (unit, found) = (self.unit, count());
        let over = |bound: &(Finding, usize)| found > bound.1;
        if let Some((finding, most)) = self.too_many.filter(over) {
            on.report(finding, Detail::TooMany { unit, found, most, place });
        } else if let Some((finding, most)) = self.many.filter(over) {
            on.report(finding, Detail::Many { unit, found, most, place });
        }
    }
}

/// More than a network may use, to end a sentence.
fn more_than_are_used(platform: Platform, limit: u32, unit: Counted) -> String {
    let many = if limit == 0 {
        unit.noun().to_owned()
    } else {
        format!("more than {}", counted(limit, unit))
    };
    match phrase::known_outcome(platform, unit) {
        Some(outcome) => format!("{many}; {outcome}"),
        None => format!("{many}, which may not all be used"),
    }
}

/// A number of what a text holds.
fn counted(count: u32, unit: Counted) -> String {
    phrase::counted(widened(count), unit.noun())
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
            (
                "threads 6 links in Japanese",
                Platform::Threads,
                links(6).replace("https", "見https"),
                "links.too_many",
            ),
            ("threads one link often", Platform::Threads, "https://a.co ".repeat(6), ""),
            ("threads 14", Platform::Threads, "#one #two".to_owned(), "hashtags.many"),
            (
                "threads a fragment of a link",
                Platform::Threads,
                "https://a.example/#top #b".to_owned(),
                "",
            ),
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
            ("facebook any", Platform::Facebook, format!("{}<", "#a @b $C ".repeat(99)), ""),
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
    fn hashtags_of_youtube_and_linkedin() {
        for (name, platform, text, title, want) in [
            ("60 in all", Platform::Youtube, "#a ".repeat(59), "#a", 0),
            ("61 in all", Platform::Youtube, "#a ".repeat(60), "#a", 1),
            ("a title elsewhere", Platform::Pinterest, "#a ".repeat(20), "#a", 0),
            ("30 on LinkedIn", Platform::Linkedin, "#a ".repeat(30), "", 0),
            ("31 on LinkedIn", Platform::Linkedin, "#a ".repeat(31), "", 1),
            ("fragments of links", Platform::Linkedin, "https://a.example/#a ".repeat(31), "", 0),
        ] {
            let post = Post::new(&text).to(platform, json!({"title": title}));
            assert_eq!(post.issues("hashtags.many").len(), want, "{name}");
        }
    }

    #[test]
    fn characters_that_telegram_takes_out() {
        let post = |text: &str| Post::new(text).to(Platform::Telegram, json!({}));
        assert_eq!(post(" a\tb\r\n c ").issues("text.characters_removed").len(), 0);
        let found = post("A\u{202e}\u{30a}\u{30a}").issues("text.characters_removed");
        assert_eq!(found[0].message, "Telegram takes U+030A, U+202E out of the text.");
    }

    #[test]
    fn every_link_of_tumblr_counts() {
        let text = "https://example.com/a ".repeat(100);
        let post = |text: &str| Post::new(text).to(Platform::Tumblr, json!({}));
        assert_eq!(post(&text).issues("links.many").len(), 0);
        assert_eq!(post(&format!("{text} www.example.com")).issues("links.many").len(), 0);
        let found = post(&format!("{text} http://example.com")).issues("links.many");
        assert_eq!(found[0].message, "Text has 101 links; Tumblr may not use more than 100.");
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
