//! The JSON in an answer.

use serde_json::{Map, Value};

/// The object that an answer is, be it in a fenced block of Markdown; `None` when it is none.
pub(super) fn object(answer: &str) -> Option<Map<String, Value>> {
    let text = unfenced(answer.trim());
    match serde_json::from_str(text).ok()? {
        Value::Object(object) => Some(object),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) | Value::Array(_) => {
            None
        }
    }
}

fn unfenced(text: &str) -> &str {
    let Some(inside) = text.strip_prefix("```").and_then(|rest| rest.strip_suffix("```")) else {
        return text;
    };
    // The first line may name the language.
    inside.split_once('\n').map_or(inside, |(_, block)| block)
}

/// A text without characters that no text of ours may hold, and without white space at its ends;
/// `None` when nothing is left.
pub(super) fn tidied(text: &str) -> Option<String> {
    let text = if text.contains('\0') { text.replace('\0', "") } else { text.to_owned() };
    let text = text.trim();
    (!text.is_empty()).then(|| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn objects_of_answers() {
        for (name, answer, want) in [
            ("plain", r#"{"a":1}"#, true),
            ("with white space", " \n{\"a\":1}\n", true),
            ("fenced", "```json\n{\"a\":1}\n```", true),
            ("fenced without a language", "```\n{\"a\":1}\n```", true),
            ("prose", "Here you are: {\"a\":1}", false),
            ("a list", "[1]", false),
            ("cut", "{\"a\":", false),
            ("nothing", "", false),
            ("a fence alone", "```", false),
        ] {
            assert_eq!(object(answer).is_some(), want, "{name}");
        }
    }

    #[test]
    fn texts_are_tidied() {
        for (text, want) in [(" a\0b \n", Some("ab")), ("\0 ", None), ("", None)] {
            assert_eq!(tidied(text).as_deref(), want, "{text:?}");
        }
    }
}
