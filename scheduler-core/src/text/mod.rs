//! Text as the networks see it: how long it is, what it holds, and what each network gets.
//!
//! Everything here is pure and walks a text once, whatever it holds.

pub mod bluesky;
mod chars;
mod compose;
pub mod count;
pub mod entities;
pub mod facets;
pub mod linkedin;
pub mod mastodon;
pub mod subtitles;
pub mod telegram;
pub mod telegram_html;
pub mod threads;
mod tld;
pub mod tumblr;
pub mod twitter;
mod words;

pub(crate) use compose::is_given;
pub use compose::{Composed, compose};
pub use words::{WORD_MAX_CHARACTERS, words};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::platform::TextUnit;

    /// Each finder that walked the text again for every character would show here by its time.
    #[test]
    fn long_texts_of_every_kind_are_walked_once() {
        for seed in [
            "a",
            "a ",
            "a.",
            "@",
            "@a",
            "@a.",
            "@a@",
            "@a@b.",
            "#",
            "#a",
            " #",
            "$a ",
            "(",
            "((",
            ")(",
            "http",
            "https://",
            "https://a.",
            "https://a.com/(",
            "https://a.com?",
            "://",
            "の.",
            "https://の.",
            "www.",
            "\r\n",
            "\u{301}",
            "\u{200d}",
            "क्",
            "👨\u{200d}",
            "👨\u{200d}👩\u{200d}",
            "1\u{fe0f}",
            "の",
            "の.com ",
            "a.com_b",
            "a.みんな",
            "_a.",
            "a.com(",
            "https://a.com/((a)",
            "https://t.co/a?",
            "\u{1d160}",
            "🇺",
        ] {
            let text = seed.repeat(64_000 / seed.chars().count());
            for text in [text.clone(), format!("https://{text}"), format!("@a@{text}")] {
                for unit in
                    [TextUnit::Graphemes, TextUnit::MastodonCharacters, TextUnit::TwitterCharacters]
                {
                    assert!(count::length(unit, &text) <= text.len() * 23);
                }
                let _ = telegram::clean(&text);
                let _ = facets::detect(&text);
                let _ = linkedin::little_text(&text, &[]);
                let _ = tumblr::blocks(&text);
                let _ = entities::links(&text);
                let _ = entities::hashtags(&text);
                let _ = entities::mentions(&text);
                let _ = entities::cashtags(&text);
                let _ = twitter::hashtags(&text);
                let _ = twitter::mentions(&text);
                let _ = twitter::cashtags(&text);
            }
        }
    }
}
