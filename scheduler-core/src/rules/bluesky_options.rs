//! Options of Bluesky: who may answer, the post that it quotes, and captions of its video.

use super::inspection::OfTarget;
use super::{Detail, Rule, option_items};
use crate::platform::Platform;
use crate::text::bluesky::post_address;

pub(super) const RULE: Rule = Rule::Target(rule);

/// Most languages in which a video has captions.
///
/// Source: lexicons/app/bsky/embed/video.json, `captions`.
const CAPTIONS_MAX: usize = 20;

fn rule(on: &mut OfTarget<'_, '_>) {
    if on.sheet.platform != Platform::Bluesky {
        return;
    }
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
