//! What is said of a video: title, description, tags, category, who sees it.
//!
//! Source: <https://developers.google.com/youtube/v3/docs/videos>.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// Characters of a title.
///
/// Source: <https://developers.google.com/youtube/v3/docs/videos>, `snippet.title`.
const TITLE_MAX: usize = 100;

/// The category of a video of which none is said: People & Blogs.
///
/// Source: <https://developers.google.com/youtube/v3/docs/videoCategories/list>.
const CATEGORY: &str = "22";

/// What is said of a video.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase")]
pub(super) struct Video {
    pub(super) title: String,
    pub(super) description: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tags: Vec<String>,
    category_id: String,
    pub(super) privacy: String,
}

impl Video {
    /// A video by its text and the settings.
    pub(super) fn new(text: &str, options: &Map<String, Value>) -> Self {
        let given = |key: &str| {
            let text = options.get(key).and_then(Value::as_str).map(str::trim);
            text.filter(|text| !text.is_empty()).map(str::to_owned)
        };
        Self {
            title: given("title").unwrap_or_else(|| title_of(text)),
            description: text.to_owned(),
            tags: options.get("tags").map(tags).unwrap_or_default(),
            category_id: given("categoryId").unwrap_or_else(|| CATEGORY.to_owned()),
            privacy: given("privacy").unwrap_or_else(|| "public".to_owned()),
        }
    }

    /// The body of the call that announces it. What it is not asked about is said as well: without
    /// it YouTube asks the owner, or lets nobody comment.
    pub(super) fn body(&self) -> Value {
        let mut body = json!({
            "snippet": {
                "title": self.title,
                "description": self.description,
                "categoryId": self.category_id,
            },
            "status": {
                "privacyStatus": self.privacy,
                "selfDeclaredMadeForKids": false,
            },
        });
        if !self.tags.is_empty() {
            body["snippet"]["tags"] = json!(self.tags);
        }
        body
    }
}

/// The title that a text gives: its first line with something in it, cut at the end of a word.
fn title_of(text: &str) -> String {
    let lines = text.lines().map(|line| line.replace(['<', '>'], ""));
    let line = lines.map(|line| line.trim().to_owned()).find(|line| !line.is_empty());
    let line = line.unwrap_or_default();
    let Some((end, _)) = line.char_indices().nth(TITLE_MAX) else { return line };
    let cut = &line[..end];
    if line[end..].starts_with(char::is_whitespace) {
        return cut.trim_end().to_owned();
    }
    let word = cut.rfind(char::is_whitespace).map(|at| cut[..at].trim_end());
    word.filter(|cut| !cut.is_empty()).unwrap_or(cut).to_owned()
}

/// Tags of an array of strings, or of one string with commas, without `#` and without repeats.
fn tags(value: &Value) -> Vec<String> {
    let items: Vec<&str> = match value {
        Value::String(text) => text.split(',').collect(),
        Value::Array(items) => items.iter().filter_map(Value::as_str).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => Vec::new(),
    };
    let mut seen = BTreeSet::new();
    let tags = items.into_iter().map(|tag| tag.trim().trim_start_matches('#').trim_start());
    tags.filter(|tag| !tag.is_empty() && seen.insert(tag.to_lowercase()))
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn video(text: &str, options: Value) -> Video {
        Video::new(text, options.as_object().unwrap())
    }

    #[test]
    fn a_title_comes_from_the_settings_or_the_text() {
        let word = "a".repeat(120);
        let words = "abcd ".repeat(30);
        for (name, text, options, want) in [
            ("given", "Text", json!({ "title": " Mine " }), "Mine".to_owned()),
            ("blank", "Text", json!({ "title": "  " }), "Text".to_owned()),
            ("first line", "\n  \nOne\nTwo", json!({}), "One".to_owned()),
            ("brackets", "<>\n<b>Bold</b>", json!({}), "bBold/b".to_owned()),
            ("one long word", &word, json!({}), "a".repeat(100)),
            ("at a word's end", &words, json!({}), words[..99].to_owned()),
            ("exactly at the limit", &format!("{} b", "é".repeat(100)), json!({}), "é".repeat(100)),
            ("nothing", "", json!({}), String::new()),
        ] {
            assert_eq!(video(text, options).title, want, "{name}");
        }
    }

    #[test]
    fn tags_are_cleaned_as_they_are_counted() {
        for (name, tags, want) in [
            ("a list", json!(["#rust", " web dev ", "Rust"]), json!(["rust", "web dev"])),
            ("one text", json!("a, b,,a"), json!(["a", "b"])),
            ("something else", json!(5), Value::Null),
            ("empty", json!([]), Value::Null),
        ] {
            let body = video("T", json!({ "tags": tags })).body();
            assert_eq!(body["snippet"]["tags"], want, "{name}");
        }
    }

    #[test]
    fn what_is_not_said_has_a_default() {
        let plain = video("T", json!({})).body();
        assert_eq!(plain["snippet"]["categoryId"], "22");
        assert_eq!(plain["status"]["privacyStatus"], "public");
        let chosen = video("T", json!({ "categoryId": "27", "privacy": "unlisted" })).body();
        assert_eq!(chosen["snippet"]["categoryId"], "27");
        assert_eq!(chosen["status"]["privacyStatus"], "unlisted");
    }
}
