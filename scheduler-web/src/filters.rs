//! Filters of the templates.

/// The text without what could change how the rest of the page is read: overrides of the
/// direction, and signs that HTML does not allow.
#[askama::filter_fn]
pub(crate) fn clean(
    text: impl std::fmt::Display,
    _: &dyn askama::Values,
) -> askama::Result<String> {
    Ok(cleaned(&text.to_string()))
}

/// As [`clean`] does.
pub(crate) fn cleaned(text: &str) -> String {
    let sign = |sign: char| match sign {
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => '\u{fffd}',
        sign if sign.is_control() && !matches!(sign, '\n' | '\t') => '\u{fffd}',
        sign => sign,
    };
    text.chars().map(sign).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overrides_of_the_direction_are_shown() {
        for (text, want) in [
            ("plain é\n", "plain é\n"),
            ("\u{202e}gpj.exe\u{0}\u{1b}", "\u{fffd}gpj.exe\u{fffd}\u{fffd}"),
        ] {
            assert_eq!(cleaned(text), want, "{text:?}");
        }
    }
}
