//! Where a sequence of characters is one emoji.
//!
//! A single emoji counts two as most characters do, so only what is longer matters here.

/// Asks for the emoji form of the character before it.
pub(super) const PRESENTATION_SELECTOR: char = '\u{fe0f}';

/// Makes a keycap of a digit, `#` or `*`.
pub(super) const COMBINING_KEYCAP: char = '\u{20e3}';

const JOINER: char = '\u{200d}';
const BLACK_FLAG: char = '\u{1f3f4}';
const TAG_END: char = '\u{e007f}';

/// Most emoji that joiners make one of.
const MAX_JOINED: usize = 4;

/// Most tags after the flag of a region, the closing one included.
const MAX_TAGS: usize = 6;

/// The end of the emoji of several characters that starts at byte `at`.
///
/// An emoji is what Unicode recommends for interchange, in its fully qualified spelling; an
/// unknown one counts as its parts.
///
/// Source: <https://www.unicode.org/reports/tr51/> and <https://github.com/jdecked/twemoji>.
pub(super) fn sequence_end(text: &str, at: usize) -> Option<usize> {
    let mut characters = text[at..].chars();
    let (first, second) = (characters.next()?, characters.next()?);
    match first {
        '0'..='9' | '#' | '*' => keycap_end(text, at + 1),
        '\u{1f1e6}'..='\u{1f1ff}' => flag_end(text, at),
        BLACK_FLAG if is_tag(second) => tagged_flag_end(text, at),
        '\u{a9}' | '\u{ae}' | '\u{203c}'..
            if matches!(second, JOINER | PRESENTATION_SELECTOR) || is_skin_tone(second) =>
        {
            joined_end(text, at).or_else(|| modified_end(text, at, first))
        }
        _ => None,
    }
}

fn keycap_end(text: &str, at: usize) -> Option<usize> {
    let at = after(text, at, PRESENTATION_SELECTOR).unwrap_or(at);
    after(text, at, COMBINING_KEYCAP)
}

fn flag_end(text: &str, at: usize) -> Option<usize> {
    let end = text[at..].char_indices().nth(2).map_or(text.len(), |(offset, _)| at + offset);
    is_listed(&text[at..end]).then_some(end)
}

fn tagged_flag_end(text: &str, at: usize) -> Option<usize> {
    let tags = at + BLACK_FLAG.len_utf8();
    let (offset, last) =
        text[tags..].char_indices().take(MAX_TAGS).find(|(_, character)| !is_tag(*character))?;
    let end = tags + offset + last.len_utf8();
    (last == TAG_END && is_listed(&text[at..end])).then_some(end)
}

/// The end of the longest known emoji that joiners make from byte `at` on.
fn joined_end(text: &str, at: usize) -> Option<usize> {
    let mut joined = [(0, 0); MAX_JOINED];
    let mut count = 0;
    let (_, mut end) = element_ends(text, at)?;
    while count < MAX_JOINED - 1
        && let Some(next) = after(text, end, JOINER).and_then(|next| element_ends(text, next))
    {
        joined[count] = next;
        count += 1;
        end = next.1;
    }
    let mut ends = joined[..count]
        .iter()
        .rev()
        .flat_map(|(bare, full)| std::iter::once(*full).chain((bare < full).then_some(*bare)));
    ends.find(|end| is_listed(&text[at..*end]))
}

/// The ends of one emoji between joiners: after a character, and after its selector or skin tone.
fn element_ends(text: &str, at: usize) -> Option<(usize, usize)> {
    let first = text[at..].chars().next().filter(|first| *first >= '\u{203c}')?;
    let end = at + first.len_utf8();
    let follower = text[end..].chars().next();
    let follower = follower.filter(|next| *next == PRESENTATION_SELECTOR || is_skin_tone(*next));
    Some((end, end + follower.map_or(0, char::len_utf8)))
}

/// The end of an emoji with a selector or a skin tone.
fn modified_end(text: &str, at: usize, first: char) -> Option<usize> {
    let end = at + first.len_utf8();
    let selected = after(text, end, PRESENTATION_SELECTOR)
        .filter(|end| is_selectable_by_age(first) || is_listed(&text[at..*end]));
    let end = selected.unwrap_or(end);
    let tone = text[end..].chars().next().filter(|next| is_skin_tone(*next));
    let toned = tone.filter(|tone| is_listed(String::from_iter([first, *tone]).as_str()));
    toned.map(|tone| end + tone.len_utf8()).or(selected)
}

const fn is_tag(character: char) -> bool {
    matches!(character, '\u{e0020}'..='\u{e007e}')
}

const fn is_skin_tone(character: char) -> bool {
    matches!(character, '\u{1f3fb}'..='\u{1f3ff}')
}

/// Whether a character that is an emoji by itself takes the selector all the same: those that had
/// a text form before there were emoji do.
///
/// Source: <https://www.unicode.org/Public/6.1.0/ucd/StandardizedVariants.txt>.
const fn is_selectable_by_age(character: char) -> bool {
    matches!(
        character,
        '\u{231a}'..='\u{231b}'
            | '\u{25fd}'..='\u{25fe}'
            | '\u{2614}'..='\u{2615}'
            | '\u{2648}'..='\u{2653}'
            | '\u{267f}'
            | '\u{2693}'
            | '\u{26a1}'
            | '\u{26aa}'..='\u{26ab}'
            | '\u{26bd}'..='\u{26be}'
            | '\u{26c4}'..='\u{26c5}'
            | '\u{26d4}'
            | '\u{26ea}'
            | '\u{26f2}'..='\u{26f3}'
            | '\u{26f5}'
            | '\u{26fa}'
            | '\u{26fd}'
            | '\u{2757}'
            | '\u{2b1b}'..='\u{2b1c}'
            | '\u{2b50}'
            | '\u{2b55}'
            | '\u{1f004}'
            | '\u{1f21a}'
            | '\u{1f22f}'
    )
}

/// Whether the text is a fully qualified emoji.
fn is_listed(text: &str) -> bool {
    emojis::get(text).is_some_and(|emoji| emoji.as_str() == text)
}

fn after(text: &str, at: usize, character: char) -> Option<usize> {
    text[at..].starts_with(character).then(|| at + character.len_utf8())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variants() -> impl Iterator<Item = &'static str> {
        emojis::iter().flat_map(|emoji| {
            let tones = emoji.skin_tones().into_iter().flatten().map(emojis::Emoji::as_str);
            std::iter::once(emoji.as_str()).chain(tones)
        })
    }

    #[test]
    fn every_emoji_of_several_characters_is_one() {
        let mut seen = 0;
        for emoji in variants().filter(|emoji| emoji.chars().count() > 1) {
            assert_eq!(sequence_end(emoji, 0), Some(emoji.len()), "{}", emoji.escape_unicode());
            let text = format!("{emoji}a");
            assert_eq!(sequence_end(&text, 0), Some(emoji.len()), "{}", emoji.escape_unicode());
            seen += 1;
        }
        assert!(seen > 2000, "{seen}");
    }

    #[test]
    fn an_emoji_of_one_character_is_no_sequence() {
        for emoji in emojis::iter().map(emojis::Emoji::as_str) {
            if emoji.chars().count() == 1 {
                assert_eq!(sequence_end(emoji, 0), None, "{emoji}");
            }
        }
    }

    #[test]
    fn parts_and_misspellings() {
        for (name, text, want) in [
            ("text form", "❤\u{fe0e}", None),
            ("copyright", "©", None),
            ("copyright as emoji", "©\u{fe0f}", Some(5)),
            ("a selector where none belongs", "😀\u{fe0f}", None),
            ("a selector by age", "⌚\u{fe0f}", Some(6)),
            ("selector and skin tone", "☝\u{fe0f}🏽", Some(10)),
            ("a skin tone on a thing", "🚀🏽", None),
            ("half a flag", "🇺", None),
            ("no flag", "🇺🇺", None),
            ("a flag before another letter", "🇺🇸🇺", Some(8)),
            ("an unknown tagged flag", "🏴\u{e0078}\u{e007f}", None),
            ("an open tagged flag", "🏴\u{e0067}\u{e0062}", None),
            ("joined strangers", "😀\u{200d}😀", None),
            ("a joiner at the end", "👨\u{200d}", None),
            ("a known start of a chain", "👨\u{200d}👩\u{200d}👧\u{200d}🚀", Some(18)),
            ("without its selector", "👨\u{200d}⚕", None),
            ("a selector too many", "👩\u{200d}🚀\u{fe0f}", Some(11)),
            ("a keycap without selector", "1\u{20e3}", Some(4)),
            ("a digit", "1", None),
        ] {
            assert_eq!(sequence_end(text, 0), want, "{name}");
        }
    }
}
