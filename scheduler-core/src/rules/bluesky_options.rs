//! Options of Bluesky: its labels, who may answer, and the post that it quotes.

use std::fmt;

use super::inspection::OfTarget;
use super::{Detail, Rule, Word, option_items};
use crate::platform::Platform;
use crate::platform::bluesky::{LABELS, REPLY_CONTROL};
use crate::text::bluesky::post_address;

pub(super) const RULE: Rule = Rule::Target(rule);

/// Longest word that is shown whole, in characters.
const SHOWN_LIMIT: usize = 64;

/// Most languages in which a video has captions.
///
/// Source: lexicons/app/bsky/embed/video.json, `captions`.
const CAPTIONS_MAX: usize = 20;

fn rule(on: &mut OfTarget<'_, '_>) {
    if on.sheet.platform != Platform::Bluesky {
        return;
    }
    check_words(on, "labels", "labels", LABELS);
    check_words(on, "replyControl", "reply_control", REPLY_CONTROL);
    let contradiction = on.error(
        ("reply_control", "contradiction"),
        "replyControl is everyone or nobody, and others besides.",
    );
    let malformed = on.error(
        ("quote", "malformed"),
        "quote is neither the address of a post at bsky.app nor the at-uri of one.",
    );
    let too_many = on.error(
        ("subtitles", "too_many"),
        format_args!("The video has captions in more than {CAPTIONS_MAX} languages."),
    );
    let subtitles = on.subject().and_then(|target| target.option("subtitles")?.as_array());
    if subtitles.is_some_and(|subtitles| subtitles.len() > CAPTIONS_MAX) {
        let sentence = "Bluesky takes captions in at most 20 languages.";
        on.report(too_many, Detail::note_of("subtitles", sentence));
    }
    let quote = on.subject().and_then(|target| target.option("quote")?.as_str());
    if quote.is_some_and(|quote| post_address(quote).is_none()) {
        let sentence = "Bluesky quotes a post by its address, such as https://bsky.app/profile/ana.example/post/3mabcdefghi2k, or by its at-uri.";
        on.report(malformed, Detail::note_of("quote", sentence));
    }
    let words = words(on, "replyControl");
    if words.len() > 1 && words.iter().any(|word| matches!(*word, "everyone" | "nobody")) {
        let sentence = "everyone and nobody stand alone in replyControl.";
        on.report(contradiction, Detail::note_of("replyControl", sentence));
    }
}

/// The words of an option of the target that is looked at.
fn words<'a>(on: &OfTarget<'a, '_>, key: &str) -> Vec<&'a str> {
    let value = on.subject().and_then(|target| target.option(key));
    value.and_then(option_items::tags).unwrap_or_default()
}

fn check_words(
    on: &mut OfTarget<'_, '_>,
    key: &'static str,
    subject: &'static str,
    allowed: &'static [&'static str],
) {
    let list = fmt::from_fn(|f| f.write_str(&allowed.join(", ")));
    let not_allowed =
        on.error((subject, "not_allowed"), format_args!("An item of {key} is none of {list}."));
    for word in words(on, key) {
        if !word.is_empty() && !allowed.contains(&word) {
            let shown: String = word.chars().take(SHOWN_LIMIT).collect();
            let detail = Detail::Option {
                option: key.into(),
                found: shown.into(),
                allowed: allowed.iter().copied().map(Word::Borrowed).collect(),
                is_of_account: false,
            };
            on.report(not_allowed, detail);
        }
    }
}
