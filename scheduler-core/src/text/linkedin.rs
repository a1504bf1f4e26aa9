//! LinkedIn's little text format: what is sent for the text that readers see.

use std::borrow::Cow;
use std::ops::Range;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::entities::hashtags_outside_links;

/// Signs that LinkedIn reads as its own unless a backslash stands before them.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/little-text-format>.
pub const RESERVED: [char; 15] =
    ['|', '{', '}', '@', '[', ']', '(', ')', '<', '>', '#', '\\', '*', '_', '~'];

/// Writes a text in the little text format, so that readers see exactly that text.
///
/// Each reserved sign gets a backslash, inside links too, and each hashtag becomes the template
/// `{hashtag|\#|word}`. Each `@` with the name of a mention becomes `@[Name](urn:li:…)`, of which
/// readers see the name.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/little-text-format>.
///
/// ```
/// use scheduler_core::text::linkedin::{Mention, little_text};
/// assert_eq!(little_text("Join (us) #now", &[]), r"Join \(us\) {hashtag|\#|now}");
/// let acme = Mention { name: "Acme Inc".into(), urn: "urn:li:organization:1".into() };
/// assert_eq!(little_text("By @Acme Inc.", &[acme]), "By @[Acme Inc](urn:li:organization:1).");
/// ```
#[must_use]
pub fn little_text<'a>(text: &'a str, mentions: &[Mention]) -> Cow<'a, str> {
    if !text.contains(RESERVED) {
        return Cow::Borrowed(text);
    }
    let mut written = String::with_capacity(text.len() * 2);
    let mut from = 0;
    let hashtags = hashtags_outside_links(text).into_iter().map(|hashtag| (hashtag, None));
    let mut all: Vec<_> = hashtags.chain(mentioned(text, mentions)).collect();
    all.sort_by_key(|(range, _)| range.start);
    for (range, mention) in all {
        if range.start < from {
            continue;
        }
        escape(&text[from..range.start], &mut written);
        let word = &text[range.start + 1..range.end];
        match mention {
            None => {
                written.push_str("{hashtag|\\#|");
                escape(word, &mut written);
                written.push('}');
            }
            Some(Mention { urn, .. }) => {
                written.push_str("@[");
                escape(word, &mut written);
                written.push_str("](");
                written.push_str(urn);
                written.push(')');
            }
        }
        from = range.end;
    }
    escape(&text[from..], &mut written);
    Cow::Owned(written)
}

/// A member or a page that a post mentions, wherever its text has the name behind an `@`.
///
/// ```
/// use scheduler_core::text::linkedin::Mention;
/// let acme = Mention { name: "Acme".into(), urn: "urn:li:organization:1".into() };
/// assert_eq!(
///     serde_json::to_string(&acme)?,
///     r#"{"name":"Acme","urn":"urn:li:organization:1"}"#
/// );
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mention {
    /// The name, as LinkedIn writes it: of a page in full and by its case, of a member the first,
    /// the last, or both.
    pub name: String,
    /// `urn:li:organization:…` of a page, `urn:li:person:…` of a member.
    pub urn: String,
}

impl Mention {
    /// The mentions of a target's options; those of another form are passed over.
    #[must_use]
    pub fn all(options: &Map<String, Value>) -> Vec<Self> {
        let listed = options.get("mentions").and_then(Value::as_array);
        listed.map(Vec::as_slice).unwrap_or_default().iter().filter_map(Self::read).collect()
    }

    /// A mention as options have it; `None` for what is of another form.
    pub(crate) fn read(value: &Value) -> Option<Self> {
        let text = |key: &str| value.get(key)?.as_str().map(|text| text.trim().to_owned());
        let (name, urn) = text("name").zip(text("urn"))?;
        let is_id = |rest: &str| {
            let is_of_it = |sign: u8| sign.is_ascii_alphanumeric() || b"-_".contains(&sign);
            !rest.is_empty() && rest.bytes().all(is_of_it)
        };
        let is_known = MENTIONED.iter().any(|kind| urn.strip_prefix(kind).is_some_and(is_id));
        (is_known && !name.is_empty()).then_some(Self { name, urn })
    }

    /// Whether a text mentions it.
    #[must_use]
    pub fn is_in(&self, text: &str) -> bool {
        places(text, &self.name).next().is_some()
    }
}

/// What names of members and pages begin with.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/little-text-format>.
pub(crate) const MENTIONED: &[&str] = &["urn:li:organization:", "urn:li:person:"];

/// Where a text mentions whom; of two names at one place the longer one counts.
fn mentioned<'a>(text: &str, mentions: &'a [Mention]) -> Vec<(Range<usize>, Option<&'a Mention>)> {
    let mut longest_first: Vec<&Mention> = mentions.iter().collect();
    longest_first.sort_by_key(|mention| std::cmp::Reverse(mention.name.len()));
    let mut found: Vec<(Range<usize>, Option<&Mention>)> = Vec::new();
    for mention in longest_first {
        for place in places(text, &mention.name) {
            if found.iter().all(|(other, _)| other.end <= place.start || place.end <= other.start) {
                found.push((place, Some(mention)));
            }
        }
    }
    found
}

/// Where a text has a name behind an `@`, and no longer word.
fn places(text: &str, name: &str) -> impl Iterator<Item = Range<usize>> {
    let at_name = format!("@{name}");
    let length = at_name.len();
    let places: Vec<usize> = text.match_indices(&at_name).map(|(at, _)| at).collect();
    let places = places.into_iter().map(move |at| at..at + length);
    places.filter(|place| {
        let before = text[..place.start].chars().next_back();
        let after = text[place.end..].chars().next();
        ![before, after].into_iter().flatten().any(char::is_alphanumeric)
    })
}

/// What can be shared, by the word in the middle of its name.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/posts-api>,
/// "Reshare a post"; the network's answer to another name is "Allowed URN types are groupPost, share,
/// ugcPost".
const SHARED: [&str; 3] = ["share", "ugcPost", "groupPost"];

/// The name of the post that a name or an address speaks of, where LinkedIn lets it be shared:
/// `urn:li:share:1`, `urn:li:ugcPost:1` or `urn:li:groupPost:1-2`.
///
/// `None` for anything else, such as the name of an activity, which most addresses of posts hold:
/// nothing tells the post that it belongs to.
///
/// ```
/// use scheduler_core::text::linkedin::shared_post;
/// let address = "https://www.linkedin.com/feed/update/urn:li:share:7141138937766391808/";
/// assert_eq!(shared_post(address).as_deref(), Some("urn:li:share:7141138937766391808"));
/// assert_eq!(shared_post("urn:li:activity:7141138937766391808"), None);
/// ```
#[must_use]
pub fn shared_post(text: &str) -> Option<String> {
    let text = text.trim().replace("%3A", ":").replace("%3a", ":");
    let is_name = text.starts_with("urn:li:");
    let is_address = ["https://www.linkedin.com/", "https://linkedin.com/"]
        .iter()
        .any(|start| text.starts_with(start));
    SHARED.iter().find_map(|kind| {
        let name = text.split_once(&format!("urn:li:{kind}:")).map(|(_, after)| after);
        // An address in words: `/posts/acme_we-are-hiring-share-7141138937766391808-abcd`.
        let words = || text.split_once(&format!("-{kind}-")).map(|(_, after)| after);
        let after = match (is_name, is_address) {
            (true, _) => name?,
            (false, true) => name.or_else(words)?,
            (false, false) => return None,
        };
        let is_of_group = *kind == "groupPost";
        let end = after.find(|sign: char| !(sign.is_ascii_digit() || (is_of_group && sign == '-')));
        let number = &after[..end.unwrap_or(after.len())];
        let is_whole = !is_name || end.is_none();
        let number = Some(number.trim_end_matches('-')).filter(|number| !number.is_empty());
        number.filter(|_| is_whole).map(|number| format!("urn:li:{kind}:{number}"))
    })
}

fn escape(text: &str, written: &mut String) {
    for character in text.chars() {
        if RESERVED.contains(&character) {
            written.push('\\');
        }
        written.push(character);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn posts_that_can_be_shared() {
        for (text, want) in [
            ("urn:li:share:714", Some("urn:li:share:714")),
            (" urn:li:ugcPost:714 ", Some("urn:li:ugcPost:714")),
            ("urn:li:groupPost:12-714", Some("urn:li:groupPost:12-714")),
            ("https://www.linkedin.com/feed/update/urn:li:share:714/", Some("urn:li:share:714")),
            (
                "https://www.linkedin.com/feed/update/urn%3Ali%3AugcPost%3A714?x=1",
                Some("urn:li:ugcPost:714"),
            ),
            (
                "https://www.linkedin.com/posts/acme_we-are-hiring-share-714-AbCd",
                Some("urn:li:share:714"),
            ),
            ("https://www.linkedin.com/posts/acme_we-are-hiring-activity-714-AbCd", None),
            ("https://www.linkedin.com/feed/update/urn:li:activity:714/", None),
            ("urn:li:activity:714", None),
            ("urn:li:share:", None),
            ("urn:li:share:714x", None),
            ("https://example.com/urn:li:share:714", None),
            ("714", None),
            ("", None),
        ] {
            assert_eq!(shared_post(text).as_deref(), want, "{text}");
        }
    }

    #[test]
    fn texts_as_they_are_sent() {
        for (name, text, want) in [
            ("nothing reserved", "Hello, world!", "Hello, world!"),
            ("every sign", "|{}@[]()<>#\\*_~", r"\|\{\}\@\[\]\(\)\<\>\#\\\*\_\~"),
            ("a hashtag", "#rust now", r"{hashtag|\#|rust} now"),
            ("two", "#a, #b", r"{hashtag|\#|a}, {hashtag|\#|b}"),
            ("a hashtag in brackets", "(#a)", r"\({hashtag|\#|a}\)"),
            ("any script", "#AI_마케팅", r"{hashtag|\#|AI\_마케팅}"),
            ("digits only", "#2024", r"\#2024"),
            ("after a word", "C# a#b", r"C\# a\#b"),
            ("a fragment", "https://a.example/#top", r"https://a.example/\#top"),
            (
                "a fragment, then a hashtag",
                "https://a.example/#top #b",
                r"https://a.example/\#top {hashtag|\#|b}",
            ),
            ("a mention", "@[Name](urn:li:person:a)", r"\@\[Name\]\(urn:li:person:a\)"),
            ("a template", r"{hashtag|\#|a}", r"\{hashtag\|\\\#\|a\}"),
            ("line feeds", "a\n\nb", "a\n\nb"),
        ] {
            assert_eq!(little_text(text, &[]), want, "{name}");
        }
    }

    #[test]
    fn those_who_are_mentioned() {
        let of = |name: &str, urn: &str| Mention { name: name.into(), urn: urn.into() };
        let all = [
            of("Acme", "urn:li:organization:1"),
            of("Acme Labs", "urn:li:organization:2"),
            of("Ana", "urn:li:person:a_B-1"),
            of("O (Inc) #1", "urn:li:organization:3"),
        ];
        for (name, text, want) in [
            ("a page", "By @Acme!", "By @[Acme](urn:li:organization:1)!"),
            ("the longer name", "@Acme Labs", "@[Acme Labs](urn:li:organization:2)"),
            ("twice", "@Ana @Ana", "@[Ana](urn:li:person:a_B-1) @[Ana](urn:li:person:a_B-1)"),
            ("a longer word", "@Anaconda", r"\@Anaconda"),
            ("an address of mail", "me@Acme", r"me\@Acme"),
            ("another case", "@acme", r"\@acme"),
            ("without a sign", "Acme", "Acme"),
            ("signs in a name", "@O (Inc) #1", r"@[O \(Inc\) \#1](urn:li:organization:3)"),
            (
                "beside a hashtag",
                "#now @Ana (us)",
                r"{hashtag|\#|now} @[Ana](urn:li:person:a_B-1) \(us\)",
            ),
        ] {
            assert_eq!(little_text(text, &all), want, "{name}");
        }
    }

    #[test]
    fn mentions_are_read_as_far_as_they_are_of_the_form() {
        let options = serde_json::json!({"mentions": [
            {"name": " Acme ", "urn": "urn:li:organization:1"},
            {"name": "Ana", "urn": "urn:li:person:a)"},
            {"name": "", "urn": "urn:li:person:a"},
            {"name": "Share", "urn": "urn:li:share:1"},
            {"name": "Nobody", "urn": "urn:li:person:"},
            {"urn": "urn:li:person:a"},
            "Ana",
        ]});
        let read = Mention::all(options.as_object().unwrap());
        let acme = Mention { name: "Acme".into(), urn: "urn:li:organization:1".into() };
        assert_eq!(read, [acme]);
    }

    /// What a reader sees of a little text: templates and escapes taken out again.
    fn seen(written: &str) -> Option<String> {
        let (mut seen, mut rest) = (String::new(), written);
        while let Some(character) = rest.chars().next() {
            rest = &rest[character.len_utf8()..];
            match character {
                '\\' => {
                    let escaped = rest.chars().next().filter(|sign| RESERVED.contains(sign))?;
                    seen.push(escaped);
                    rest = &rest[1..];
                }
                '{' => {
                    rest = rest.strip_prefix("hashtag|\\#|")?;
                    seen.push('#');
                }
                // The end of a template, which holds no other brace.
                '}' => {}
                reserved if RESERVED.contains(&reserved) => return None,
                plain => seen.push(plain),
            }
        }
        Some(seen)
    }

    proptest! {
        #[test]
        fn readers_see_the_text(
            text in "(\\PC|[|{}@\\[\\]()<>#*_~\\\\]|#[a-z_0-9]{1,4}|https://a\\.b/| |\n){0,60}"
        ) {
            let written = little_text(&text, &[]);
            let seen = seen(&written);
            prop_assert_eq!(seen.as_deref(), Some(text.as_str()));
            prop_assert!(written.len() >= text.len());
        }
    }
}
