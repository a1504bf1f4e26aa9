//! Short texts of characters that every unit counts differently.

use serde_json::json;

use crate::case::{Case, image, text};

pub(super) fn cases() -> Vec<Case> {
    let mut cases: Vec<Case> = [
        ("plain", "Hello from the API!"),
        ("a family", "👨‍👩‍👧‍👦"),
        ("a family of three", "👨‍👩‍👧"),
        ("a family without its joiners", "👨👩👧👦"),
        ("a profession with a skin tone", "👩🏽‍🚀"),
        ("a couple with two skin tones", "👩🏻‍❤️‍💋‍👨🏿"),
        ("a flag", "🇫🇷"),
        ("three halves of flags", "🇫🇷🇩"),
        ("a flag of tags", "🏴󠁧󠁢󠁥󠁮󠁧󠁿"),
        ("a rainbow flag", "🏳️‍🌈"),
        ("a keycap", "1️⃣"),
        ("a keycap without its selector", "1\u{20e3}"),
        ("a skin tone", "👍🏽"),
        ("a skin tone alone", "\u{1f3fd}"),
        ("a heart as text and as emoji", "❤\u{fe0e}❤\u{fe0f}"),
        ("a Devanagari conjunct", "क्ष"),
        ("a Devanagari word", "नमस्ते"),
        ("a Tamil syllable", "நி"),
        ("a Malayalam conjunct", "ന്ത്ര"),
        ("a Thai word", "สวัสดี"),
        ("a Burmese word", "မြန်မာ"),
        ("Chinese", "你好，世界"),
        ("Japanese", "こんにちは、カ\u{3099}"),
        ("Korean syllables", "한국어"),
        ("Korean letters", "\u{1112}\u{1161}\u{11ab}"),
        ("an ideograph outside the basic plane", "𠮷野家"),
        ("an ideograph with a variation", "葛\u{e0100}"),
        ("full-width letters", "ＡＢＣ"),
        ("Arabic", "مرحبا بالعالم"),
        ("Hebrew with points", "שָׁלוֹם"),
        ("marks of direction", "\u{202e}abc\u{202c} \u{2067}def\u{2069}"),
        ("composed", "caf\u{e9}"),
        ("decomposed", "cafe\u{301}"),
        ("an angstrom sign", "\u{212b}"),
        ("many marks on one letter", "Z\u{351}\u{36b}\u{343}\u{32a}\u{302}\u{36b}"),
        ("a mark alone", "\u{301}"),
        ("a ligature", "ﬁn"),
        ("mathematical letters", "𝒜𝓑"),
        ("CR LF", "a\r\nb"),
        ("CR alone", "a\rb"),
        ("LF", "a\nb"),
        ("LF CR", "a\n\rb"),
        ("a line and a paragraph separator", "a\u{2028}b\u{2029}c"),
        ("a next line", "a\u{85}b"),
        ("NUL", "a\0b"),
        ("control characters", "\u{1}\u{7}\u{8}\u{1b}\u{7f}x"),
        ("tabs", "a\tb"),
        ("no-break spaces", "a\u{a0}b\u{202f}c"),
        ("a zero-width space", "a\u{200b}b"),
        ("a zero-width joiner", "a\u{200d}b"),
        ("a word joiner", "a\u{2060}b"),
        ("a soft hyphen", "a\u{ad}b"),
        ("a byte order mark", "\u{feff}abc"),
        ("the first byte order", "a\u{fffe}b"),
        ("a character that is none", "a\u{ffff}b"),
        ("a replacement character", "a\u{fffd}b"),
        ("a private character", "\u{e000}"),
        ("the last character", "\u{10ffff}"),
        ("angle brackets", "1 < 2 > 0"),
        ("markup", "<b>bold</b> &amp; *stars* _lines_ `code`"),
        ("signs of LinkedIn", "| { } @ [ ] ( ) < > # \\ * _ ~"),
        ("only angle brackets", "<>"),
    ]
    .into_iter()
    .map(|(name, content)| text(name, content))
    .collect();
    for (name, content) in [
        ("empty", ""),
        ("a space", " "),
        ("white space of every kind", " \t\r\n\u{a0}\u{3000}"),
        ("only zero-width spaces", "\u{200b}\u{200b}"),
        ("only what Telegram drops", "\u{1}\u{202e}"),
    ] {
        cases.push(text(format!("{name}, nothing else"), content).bare());
        cases.push(text(format!("{name}, with the file that a network needs"), content));
        cases.push(text(format!("{name}, with an image"), content).media([image()]));
    }
    cases.push(
        text("empty, with a caption for some", "").with_wherever_known(&json!({"caption": "Mine"})),
    );
    cases.push(
        text("a text, with an empty caption", "Hello").with_wherever_known(&json!({"caption": ""})),
    );
    cases
}
