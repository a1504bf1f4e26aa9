//! Hashtags, mentions and cashtags: what is one, and how many there are.

use crate::case::{Case, text};

pub(super) fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = [
        ("a hashtag", "#rust"),
        ("a hashtag outside ASCII", "#日本語 #café #Привет"),
        ("a hashtag of digits", "#1 #2026"),
        ("a hashtag of digits and letters", "#1st"),
        ("a hashtag with an emoji", "#rust🦀"),
        ("a hashtag with a hyphen and a line", "#a-b #a_b"),
        ("a hashtag within a word", "a#b"),
        ("a hashtag after punctuation", "(#a) \"#b\" .#c"),
        ("two hashtags in one", "#a#b"),
        ("a full-width hashtag", "＃タグ"),
        ("a hashtag sign alone", "# ## #"),
        ("a hashtag in a link", "https://example.com/#top"),
        ("a hashtag beside a link with one", "https://example.com/#top #b"),
        (
            "a long hashtag",
            "#aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        ),
        ("a mention", "hi @bob"),
        ("a mention with a domain", "hi @alice@mastodon.example"),
        ("a mention of a handle", "hi @alice.bsky.social."),
        ("a mention within a word", "a@b"),
        ("a mention after punctuation", "(@a) .@b"),
        ("a mention with a hyphen", "@a-b"),
        ("a mention sign alone", "@ @@ @"),
        ("a cashtag", "$RUST"),
        ("two cashtags", "$A $B"),
        ("one cashtag twice", "$A $A"),
        ("a price", "it costs $5 or US$6"),
        ("a cashtag in small letters", "$tsla"),
    ]
    .into_iter()
    .map(|(name, content)| text(name, content))
    .collect();
    for count in [1, 2, 5, 6, 20, 21, 30, 31, 60, 61] {
        let content: String = (0..count).map(|number| format!("#t{number} ")).collect();
        cases.push(text(format!("{count} hashtags"), content.trim_end()));
    }
    for count in [20, 21] {
        let content: String = (0..count).map(|number| format!("@u{number} ")).collect();
        cases.push(text(format!("{count} mentions"), content.trim_end()));
    }
    cases
}
