//! Classes of characters, as the networks' own programs define them.

use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

/// Whether JavaScript's `\s` matches: Unicode white space and U+FEFF, but not U+0085.
///
/// Source: ECMA-262, WhiteSpace and LineTerminator.
pub(super) fn is_script_space(character: char) -> bool {
    character == '\u{feff}' || (character.is_whitespace() && character != '\u{85}')
}

/// Whether `\p{P}` matches: any punctuation.
pub(super) fn is_punctuation(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_punctuation() && !"$+<=>^`|~".contains(character);
    }
    character.general_category_group() == GeneralCategoryGroup::Punctuation
}

/// Whether the character is part of a word in any script: a letter, mark, decimal digit or
/// connector.
pub(super) fn is_word(character: char) -> bool {
    if character.is_ascii() {
        return character.is_ascii_alphanumeric() || character == '_';
    }
    match character.general_category_group() {
        GeneralCategoryGroup::Letter | GeneralCategoryGroup::Mark => true,
        GeneralCategoryGroup::Number => {
            character.general_category() == GeneralCategory::DecimalNumber
        }
        GeneralCategoryGroup::Punctuation => {
            character.general_category() == GeneralCategory::ConnectorPunctuation
        }
        GeneralCategoryGroup::Symbol
        | GeneralCategoryGroup::Separator
        | GeneralCategoryGroup::Other => false,
    }
}

/// The character that ends right before byte `at`.
pub(super) fn before(text: &str, at: usize) -> Option<char> {
    text[..at].chars().next_back()
}

/// The byte after the run of characters from byte `from` that `inside` takes.
pub(super) fn run_end(text: &str, from: usize, inside: impl Fn(char) -> bool) -> usize {
    text[from..].find(|character| !inside(character)).map_or(text.len(), |length| from + length)
}

/// The end of the parentheses that open at byte `at`, with at most one pair inside, as twitter-text
/// takes them for part of a path; `None` when they do not close or hold nothing.
pub(super) fn balanced_end(
    text: &str,
    at: usize,
    is_path_character: fn(char) -> bool,
) -> Option<usize> {
    let mut end = run_end(text, at + 1, is_path_character);
    if text[end..].starts_with('(') {
        let inner = run_end(text, end + 1, is_path_character);
        if inner == end + 1 || !text[inner..].starts_with(')') {
            return None;
        }
        end = run_end(text, inner + 1, is_path_character);
    } else if end == at + 1 {
        return None;
    }
    text[end..].starts_with(')').then_some(end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ascii_punctuation_is_what_the_general_category_says() {
        for character in '\0'..='\u{7f}' {
            assert_eq!(
                is_punctuation(character),
                character.general_category_group() == GeneralCategoryGroup::Punctuation,
                "{character:?}"
            );
        }
    }

    #[test]
    fn spaces_of_scripts() {
        for (name, character, want) in [
            ("space", ' ', true),
            ("line feed", '\n', true),
            ("no-break space", '\u{a0}', true),
            ("byte order mark", '\u{feff}', true),
            ("next line", '\u{85}', false),
            ("zero width space", '\u{200b}', false),
        ] {
            assert_eq!(is_script_space(character), want, "{name}");
        }
    }
}
