//! The one place that decides what text a network gets.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde_json::{Map, Value};

use super::telegram_html::{Entity, HtmlError};
use super::{telegram, telegram_html};
use crate::platform::{LinkCard, LinkPlace, Platform, SIGNATURE, TextCleaning, ThreadPart};

/// The text of a post as one network gets it: what the rules count and the adapters send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Composed {
    /// The text of the post, then of each post of its thread; never without the first.
    pub parts: Vec<String>,
    /// The link, where the network has a field of its own for it.
    pub link_card: Option<String>,
    /// The content warning, which goes with every part.
    pub spoiler: Option<String>,
    /// The characters that the network takes out of the text, besides white space at its ends.
    pub removed: BTreeSet<char>,
    /// How parts of the text of the post are shown, where its tags say so (Telegram).
    pub entities: Vec<Entity>,
    /// What is wrong with its tags, which are sent as they are then.
    pub wrong_tags: Option<HtmlError>,
}

impl Composed {
    /// The text of the post itself.
    #[must_use]
    pub fn text(&self) -> &str {
        self.parts.first().map_or("", String::as_str)
    }

    /// The texts that follow the post as a thread.
    #[must_use]
    pub fn thread(&self) -> &[String] {
        self.parts.get(1..).unwrap_or_default()
    }
}

/// Makes the text that a network gets.
///
/// The first given option of [`own_text`](crate::platform::TextFigures::own_text) takes the place
/// of the content, CR LF becomes LF, and the link goes to the network's own field or to a line of
/// its own at the end of the text, unless the text holds it already. Parts of `thread` are taken
/// where the network has threads. A `signature` stands under the last part after an empty line,
/// unless the part ends with it already. Options of a wrong type are passed over here; the rules report
/// them.
///
/// ```
/// use scheduler_core::platform::Platform;
/// use scheduler_core::text::compose;
///
/// let options = Default::default();
/// let link = Some("https://example.com/");
/// let on_mastodon = compose("Read this", link, false, Platform::Mastodon, &options);
/// assert_eq!(on_mastodon.text(), "Read this\nhttps://example.com/");
/// let on_bluesky = compose("Read this", link, false, Platform::Bluesky, &options);
/// assert_eq!((on_bluesky.text(), on_bluesky.link_card.as_deref()), ("Read this", link));
/// ```
#[must_use]
pub fn compose(
    content: &str,
    link_url: Option<&str>,
    has_media: bool,
    platform: Platform,
    options: &Map<String, Value>,
) -> Composed {
    let sheet = platform.sheet();
    let text_of = |key: &str| options.get(key).and_then(Value::as_str);
    let own_text = sheet.text.own_text.iter().find_map(|key| text_of(key));
    let mut text = line_feeds_only(own_text.unwrap_or(content)).into_owned();

    let link = link_url.filter(|link| !link.is_empty());
    // A poll of Threads takes the place of the preview, so its link goes into the text.
    let has_poll = sheet.option("poll").is_some() && options.get("poll").is_some_and(is_given);
    let is_hidden = LinkCard::is_hidden(sheet, options);
    let has_field = match sheet.link {
        LinkPlace::Text => false,
        LinkPlace::OwnField => true,
        LinkPlace::OwnFieldWithoutMedia => !has_media && !has_poll && !is_hidden,
    };
    let link_card = link.filter(|_| has_field).map(str::to_owned);
    if let Some(link) = link.filter(|link| !has_field && !holds_link(&text, link)) {
        // A CR at the end would make a line end of two characters with what follows.
        text.truncate(text.trim_end_matches('\r').len());
        if !text.is_empty() && !text.ends_with('\n') {
            text.push('\n');
        }
        text.push_str(link);
    }

    let mut parts = vec![text];
    if sheet.supports_thread {
        let thread = options.get("thread").and_then(Value::as_array).map(Vec::as_slice);
        let given = thread.unwrap_or_default().iter().filter_map(ThreadPart::read);
        parts.extend(given.map(|part| line_feeds_only(&part.text).into_owned()));
    }
    let signature = sheet.option(SIGNATURE.key).and_then(|option| text_of(option.key));
    if let (Some(last), Some(signature)) = (parts.last_mut(), signature) {
        sign(last, &line_feeds_only(signature));
    }

    let clean = |text: String| match sheet.text.cleaning {
        TextCleaning::Nothing => text,
        TextCleaning::Trim => replaced(text, |text| Cow::Borrowed(text.trim())),
        TextCleaning::TrimAscii => replaced(text, |text| Cow::Borrowed(trim_ascii(text))),
        TextCleaning::Telegram => replaced(text, telegram::clean),
    };
    let removed = match sheet.text.cleaning {
        TextCleaning::Nothing | TextCleaning::Trim | TextCleaning::TrimAscii => BTreeSet::new(),
        TextCleaning::Telegram => telegram::removed(&parts[0]),
    };
    let mut parts: Vec<String> = parts.into_iter().map(clean).collect();
    let has_tags =
        sheet.option("formatting").is_some_and(|option| text_of(option.key) == Some("html"));
    let (mut entities, mut wrong_tags) = (Vec::new(), None);
    if let Some(text) = parts.first_mut().filter(|_| has_tags) {
        match telegram_html::read(text) {
            Ok((plain, found)) => (*text, entities) = (plain, found),
            Err(error) => wrong_tags = Some(error),
        }
    }
    let spoiler = sheet
        .option("spoilerText")
        .and_then(|option| text_of(option.key))
        .filter(|spoiler| !spoiler.trim().is_empty())
        .map(|spoiler| clean(line_feeds_only(spoiler).into_owned()));
    Composed { parts, link_card, spoiler, removed, entities, wrong_tags }
}

/// Whether an option counts as sent: `null` does not.
pub(crate) fn is_given(value: &Value) -> bool {
    !value.is_null()
}

/// Makes one LF of each line end; CRs in a row before LF are one line end, so that none is left.
fn line_feeds_only(text: &str) -> Cow<'_, str> {
    if !text.contains("\r\n") {
        return Cow::Borrowed(text);
    }
    let mut lines = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((line, after)) = rest.split_once('\n') {
        lines.push_str(line.trim_end_matches('\r'));
        lines.push('\n');
        rest = after;
    }
    lines.push_str(rest);
    Cow::Owned(lines)
}

/// Puts a signature under a text after an empty line, unless the text ends with it already.
fn sign(text: &mut String, signature: &str) {
    let signature = signature.trim();
    let end = text.trim_end().len();
    if signature.is_empty() || text[..end].ends_with(signature) {
        return;
    }
    text.truncate(end);
    if !text.is_empty() {
        text.push_str("\n\n");
    }
    text.push_str(signature);
}

/// Drops the white space that Ruby's `strip` drops.
fn trim_ascii(text: &str) -> &str {
    text.trim_matches([' ', '\t', '\n', '\u{b}', '\u{c}', '\r'])
}

fn replaced(text: String, change: impl Fn(&str) -> Cow<'_, str>) -> String {
    let changed = change(&text);
    if changed.len() == text.len() && matches!(changed, Cow::Borrowed(_)) {
        return text;
    }
    changed.into_owned()
}

/// Whether the text holds the link itself, not a longer one that starts with it.
fn holds_link(text: &str, link: &str) -> bool {
    text.match_indices(link).any(|(at, _)| {
        let mut after = text[at + link.len()..].chars();
        let next = after.next();
        let continues =
            |character: char| character.is_alphanumeric() || "/?#&=%_~+-".contains(character);
        match next {
            Some('.' | ',' | ':' | ';' | '!') => !after.next().is_some_and(continues),
            Some(character) => !continues(character),
            None => true,
        }
    })
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    const LINK: &str = "https://example.com/a";

    fn made(platform: Platform, content: &str, has_media: bool, options: Value) -> Composed {
        let options = options.as_object().cloned().unwrap_or_default();
        compose(content, Some(LINK), has_media, platform, &options)
    }

    #[test]
    fn the_link_goes_where_the_network_has_a_place_for_it() {
        let appended = format!("Hello\n{LINK}");
        for (platform, without_media, with_media) in [
            (Platform::Youtube, (appended.as_str(), false), (appended.as_str(), false)),
            (Platform::Tiktok, (appended.as_str(), false), (appended.as_str(), false)),
            (Platform::Instagram, (appended.as_str(), false), (appended.as_str(), false)),
            (Platform::Facebook, ("Hello", true), (appended.as_str(), false)),
            (Platform::Threads, ("Hello", true), (appended.as_str(), false)),
            (Platform::Twitter, (appended.as_str(), false), (appended.as_str(), false)),
            (Platform::Linkedin, ("Hello", true), (appended.as_str(), false)),
            (Platform::Pinterest, ("Hello", true), ("Hello", true)),
            (Platform::Bluesky, ("Hello", true), (appended.as_str(), false)),
            (Platform::Mastodon, (appended.as_str(), false), (appended.as_str(), false)),
            (Platform::Telegram, (appended.as_str(), false), (appended.as_str(), false)),
            (Platform::Discord, (appended.as_str(), false), (appended.as_str(), false)),
            (Platform::Tumblr, ("Hello", true), ("Hello", true)),
        ] {
            for (has_media, (text, has_card)) in [(false, without_media), (true, with_media)] {
                let composed = made(platform, "Hello", has_media, json!({}));
                assert_eq!(composed.text(), text, "{platform}, files: {has_media}");
                assert_eq!(
                    composed.link_card.as_deref(),
                    has_card.then_some(LINK),
                    "{platform}, files: {has_media}"
                );
            }
        }
    }

    #[test]
    fn a_link_that_is_there_already_is_not_added() {
        for (name, content, is_added) in [
            ("alone", LINK.to_owned(), false),
            ("in a sentence", format!("See {LINK}."), false),
            ("in brackets", format!("({LINK})"), false),
            ("a longer link", format!("{LINK}/b"), true),
            ("a longer word", format!("{LINK}bc"), true),
            ("another file", format!("{LINK}.html"), true),
            ("longer, then itself", format!("{LINK}/b {LINK}"), false),
            ("empty", String::new(), true),
        ] {
            let text = made(Platform::Mastodon, &content, false, json!({})).parts.remove(0);
            assert_eq!(text != content, is_added, "{name}: {text}");
        }
    }

    #[test]
    fn options_shape_the_text() {
        for (name, platform, options, parts) in [
            ("a caption", Platform::Discord, json!({"caption": "Mine"}), vec!["Mine"]),
            ("an empty caption", Platform::Discord, json!({"caption": ""}), vec![""]),
            ("not a caption", Platform::Discord, json!({"caption": 1}), vec!["Hello"]),
            (
                "a description before a caption",
                Platform::Youtube,
                json!({"caption": "C", "description": "D"}),
                vec!["D"],
            ),
            (
                "a signature",
                Platform::Discord,
                json!({"signature": " Ana\r\nof the bakery \n"}),
                vec!["Hello\n\nAna\nof the bakery"],
            ),
            (
                "a signature that is there",
                Platform::Discord,
                json!({"caption": "Hi\n\nAna\n", "signature": "Ana"}),
                vec!["Hi\n\nAna\n"],
            ),
            (
                "a signature alone",
                Platform::Discord,
                json!({"caption": "", "signature": "Ana"}),
                vec!["Ana"],
            ),
            ("no signature", Platform::Discord, json!({"signature": " "}), vec!["Hello"]),
            (
                "a signature of a thread",
                Platform::Bluesky,
                json!({"thread": ["two"], "signature": "Ana"}),
                vec!["Hello", "two\n\nAna"],
            ),
            (
                "description elsewhere",
                Platform::Discord,
                json!({"description": "D"}),
                vec!["Hello"],
            ),
            (
                "a thread",
                Platform::Bluesky,
                json!({"thread": ["two", 3, "four\r\nfive"]}),
                vec!["Hello", "two", "four\nfive"],
            ),
            (
                "a thread where there is none",
                Platform::Discord,
                json!({"thread": ["2"]}),
                vec!["Hello"],
            ),
            ("trimmed", Platform::Threads, json!({"caption": " a \n"}), vec!["a"]),
            ("cleaned", Platform::Telegram, json!({"caption": "a\tA\u{30a} "}), vec!["a A"]),
            ("kept", Platform::Bluesky, json!({"caption": " a\r\nb "}), vec![" a\nb "]),
            (
                "trimmed of ASCII white space",
                Platform::Mastodon,
                json!({"caption": " \u{3000}a\r\nb\u{b} \n", "thread": ["\tc "]}),
                vec!["\u{3000}a\nb", "c"],
            ),
        ] {
            let options = options.as_object().cloned().unwrap_or_default();
            assert_eq!(compose("Hello", None, false, platform, &options).parts, parts, "{name}");
        }
    }

    #[test]
    fn a_content_warning_only_where_the_network_has_one() {
        let options = json!({"spoilerText": "CW"});
        assert_eq!(
            made(Platform::Mastodon, "a", false, options.clone()).spoiler.as_deref(),
            Some("CW")
        );
        assert_eq!(made(Platform::Bluesky, "a", false, options).spoiler, None);
        for (name, spoiler, want) in [
            ("empty", "", None),
            ("blank", " \u{3000}\n", None),
            ("trimmed", " a b\n", Some("a b")),
        ] {
            let composed = made(Platform::Mastodon, "a", false, json!({"spoilerText": spoiler}));
            assert_eq!(composed.spoiler.as_deref(), want, "{name}");
        }
    }

    #[test]
    fn the_link_of_a_post_with_a_poll_goes_into_the_text() {
        let composed = made(Platform::Threads, "Which?", false, json!({"poll": {"options": []}}));
        assert_eq!(composed.text(), "Which?\nhttps://example.com/a");
        assert_eq!(composed.link_card, None);
    }

    #[test]
    fn a_link_whose_card_is_hidden_goes_into_the_text() {
        for (platform, card, text) in [
            (Platform::Bluesky, json!({"hide": true}), "Hello\nhttps://example.com/a"),
            (Platform::Linkedin, json!({"hide": true}), "Hello\nhttps://example.com/a"),
            (Platform::Linkedin, json!({"hide": false}), "Hello"),
            (Platform::Linkedin, json!({"title": "A"}), "Hello"),
            (Platform::Threads, json!({"hide": true}), "Hello\nhttps://example.com/a"),
            // It has no such option.
            (Platform::Facebook, json!({"hide": true}), "Hello"),
        ] {
            let composed = made(platform, "Hello", false, json!({"linkCard": card}));
            assert_eq!(composed.text(), text, "{platform} {card}");
            assert_eq!(composed.link_card.is_some(), text == "Hello", "{platform} {card}");
        }
    }

    proptest! {
        #[test]
        fn no_line_end_of_two_characters_is_left(text in "(a|\r|\r\n|\n| |\\PC){0,40}") {
            for platform in Platform::ALL {
                let composed = compose(&text, Some(LINK), false, platform, &Map::new());
                prop_assert_eq!(composed.parts.len(), 1);
                prop_assert!(!composed.text().contains("\r\n"));
            }
        }
    }
}
