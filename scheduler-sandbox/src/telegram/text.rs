//! Texts: what the server makes of them, and how long they may be.
//!
//! Source: <https://github.com/tdlib/td>, `misc.cpp` (`clean_input_string`), `MessageEntity.cpp`
//! (`fix_formatted_text`), `OptionManager.cpp`.

use super::error::ApiError;

/// Longest text of a message, in code points.
const TEXT: usize = 4096;
/// Longest caption, in code points.
const CAPTION: usize = 1024;
/// Longest text before anything is made of it, in bytes.
const RAW_BYTES: usize = 32_768;

/// Returns the text of a message as it is shown.
///
/// # Errors
/// It is empty or too long.
pub(super) fn message_text(text: &str) -> Result<String, ApiError> {
    let text = clean(text)?;
    if text.is_empty() {
        return Err(ApiError::bad("message text is empty"));
    }
    if text.chars().count() > TEXT {
        return Err(ApiError::bad("message is too long"));
    }
    Ok(text)
}

/// Returns a caption as it is shown; it may be empty.
///
/// # Errors
/// It is too long.
pub(super) fn caption(text: &str) -> Result<String, ApiError> {
    let text = clean(text)?;
    if text.chars().count() > CAPTION {
        return Err(ApiError::bad("message caption is too long"));
    }
    Ok(text)
}

/// Returns a text as it is shown, of any length.
///
/// # Errors
/// It has more bytes than anything is made of.
pub(super) fn clean(text: &str) -> Result<String, ApiError> {
    if text.len() > RAW_BYTES {
        return Err(ApiError::bad("text is too long"));
    }
    let mut cleaned = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\r' | '\u{2028}'..='\u{202e}' | '\u{333}' | '\u{33f}' | '\u{30a}' => {}
            '\n' => cleaned.push('\n'),
            '\0'..='\u{1f}' => cleaned.push(' '),
            other => cleaned.push(other),
        }
    }
    Ok(cleaned.trim_end().trim_start_matches([' ', '\n']).to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_cleaned_and_then_counted() {
        let family = "👨\u{200d}👩\u{200d}👧\u{200d}👦";
        let bad = |what| Err(ApiError::bad(what));
        for (name, text, want) in [
            ("at the limit", "a".repeat(4096), Ok(4096)),
            ("one over", "a".repeat(4097), bad("message is too long")),
            ("beyond the first plane", "👍".repeat(4096), Ok(4096)),
            ("families", family.repeat(585), Ok(4095)),
            ("a family too many", family.repeat(586), bad("message is too long")),
            ("space around", "  hello \n".to_owned(), Ok(5)),
            ("a line end of two", "line1\r\nline2".to_owned(), Ok(11)),
            ("a ring is removed", "A\u{30a}".to_owned(), Ok(1)),
            ("an accent is not", "e\u{301}".to_owned(), Ok(2)),
            ("nothing but space", " \n ".to_owned(), bad("message text is empty")),
            ("a link counts", format!("https://example.com/{}", "x".repeat(4076)), Ok(4096)),
            ("raw", "a".repeat(32_769), bad("text is too long")),
        ] {
            assert_eq!(message_text(&text).map(|text| text.chars().count()), want, "{name}");
        }
        let captioned = |length| caption(&"a".repeat(length)).map(|text| text.len());
        assert_eq!(captioned(0), Ok(0));
        assert_eq!(captioned(1024), Ok(1024));
        assert_eq!(captioned(1025), bad("message caption is too long"));
    }
}
