//! The words of a text, as a search compares them.

use icu_normalizer::DecomposingNormalizerBorrowed;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory as _};
use unicode_segmentation::UnicodeSegmentation as _;

/// Characters of a word that a search compares; what follows makes no difference.
///
/// Source: our decision.
pub const WORD_MAX_CHARACTERS: usize = 50;

/// The words of a text, in their order, without case and without accents.
///
/// Compatibility forms are written alike (`ﬁ` as `fi`). Scripts without spaces give one word for
/// each character. A word has 1 to [`WORD_MAX_CHARACTERS`] characters, letters, digits and what is
/// joined to them; all ASCII of it is lower-case letters and digits.
///
/// ```
/// use scheduler_core::text::words;
/// let found: Vec<_> = words("Crème brûlée, 2 FOR 1! O'Neill").collect();
/// assert_eq!(found, ["creme", "brulee", "2", "for", "1", "oneill"]);
/// ```
pub fn words(text: &str) -> impl Iterator<Item = String> + '_ {
    text.unicode_words().map(folded).filter(|word| !word.is_empty())
}

fn folded(word: &str) -> String {
    let is_kept = |character: &char| {
        use GeneralCategoryGroup::{Letter, Number};
        matches!(character.general_category_group(), Letter | Number)
    };
    let decomposed = DecomposingNormalizerBorrowed::new_nfkd();
    // Lower case may compose anew, such as of İ, so marks are left out last.
    let lower = decomposed.normalize(word).to_lowercase();
    decomposed.normalize(&lower).chars().filter(is_kept).take(WORD_MAX_CHARACTERS).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_scripts() {
        for (name, text, want) in [
            ("nothing", "", &[][..]),
            ("no words", " … !? 🎄 ", &[]),
            ("case", "Straße STRASSE", &["straße", "strasse"]),
            ("accents in one and in two characters", "é e\u{301}", &["e", "e"]),
            ("a capital with a dot", "İstanbul", &["istanbul"]),
            ("hashtags and mentions", "#Cake @anna@example.org", &["cake", "anna", "exampleorg"]),
            ("compatibility forms", "ﬁn １２", &["fin", "12"]),
            ("greek", "Άνθρωπος", &["ανθρωπος"]),
            ("no spaces", "東京", &["東", "京"]),
            ("a link", "https://a.example/b-c", &["https", "aexample", "b", "c"]),
        ] {
            assert_eq!(words(text).collect::<Vec<_>>(), want, "{name}");
        }
    }

    #[test]
    fn a_word_has_an_end() {
        let found: Vec<_> = words(&"ä".repeat(1_000)).map(|word| word.len()).collect();
        assert_eq!(found, [WORD_MAX_CHARACTERS]);
    }
}
