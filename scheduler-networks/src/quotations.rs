//! What a network says without what it quotes.
//!
//! An error can quote a text of the post, which can hold the very words by which another error is
//! told. Errors are told by words only without their quotations.

/// Signs that begin a quotation, and those that end it.
const SIGNS: [(char, char); 6] =
    [('"', '"'), ('\'', '\''), ('`', '`'), ('“', '”'), ('‘', '’'), ('«', '»')];

/// A sentence of a network without its quotations: from the first sign that begins one to the last
/// that ends it, since a quoted text can hold such signs itself. A sign within a word is none.
pub(crate) fn without_quotations(said: &str) -> String {
    let mut said = said.to_owned();
    for (begin, end) in SIGNS {
        let first = said.match_indices(begin).map(|(at, _)| at).find(|at| {
            let before = said[..*at].chars().next_back();
            before.is_none_or(|before| !before.is_alphanumeric())
        });
        let last =
            said.rmatch_indices(end).map(|(at, sign)| (at, at + sign.len())).find(|(_, after)| {
                let after = said[*after..].chars().next();
                after.is_none_or(|after| !after.is_alphanumeric())
            });
        if let (Some(first), Some((last, after))) = (first, last)
            && first < last
        {
            said.replace_range(first..after, "…");
        }
    }
    said
}

/// Characters of a network's own words that are passed on.
const WORDS_MAX: usize = 300;

/// Characters of a single word beyond which it may be an address or a token.
const WORD_MAX: usize = 40;

/// A text of a network on one line, cut, and without words that can be addresses or tokens.
pub(crate) fn shown_words(text: &str) -> String {
    let words = text.split_whitespace().map(|word| {
        let is_hidden = word.contains("://") || word.chars().count() > WORD_MAX;
        if is_hidden { "[…]" } else { word }
    });
    let line = words.collect::<Vec<_>>().join(" ");
    let visible = line.chars().filter(|character| !character.is_control());
    visible.take(WORDS_MAX).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotations_are_left_out_and_nothing_else() {
        for (name, said, want) in [
            ("none", "Unable to reach the URL", "Unable to reach the URL"),
            ("one", "Text 'our spam recipe' is too long", "Text … is too long"),
            ("with signs of its own", r#"Text "say "spam" now" is too long"#, "Text … is too long"),
            ("printed ones", "Text “spam” is too long", "Text … is too long"),
            ("within words", "Couldn't fetch the user's file", "Couldn't fetch the user's file"),
            ("both", "Couldn't fetch 'https://spam.example'", "Couldn't fetch …"),
            ("one sign alone", "6\" of 'spam", "6\" of 'spam"),
        ] {
            assert_eq!(without_quotations(said), want, "{name}");
        }
    }
}
