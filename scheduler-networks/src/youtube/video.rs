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

/// The part of a video that says whether it promotes something for money. The documented list of
/// what can be set does not name it, so it is read back.
///
/// Source: <https://youtube.googleapis.com/$discovery/rest?version=v3>,
/// `VideoPaidProductPlacementDetails`.
pub(super) const PAID_PROMOTION: &str = "paidProductPlacementDetails";

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
    /// What else is said of it.
    #[serde(default, skip_serializing_if = "More::is_none")]
    more: More,
}

/// What is said of a video by an option alone; `None` leaves it to the network.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "camelCase", default)]
struct More {
    /// Subscribers are told of it; they are unless this says otherwise.
    notify_subscribers: Option<bool>,
    /// It is made for children; it is not unless this says otherwise.
    made_for_kids: Option<bool>,
    /// It holds what AI has made or changed.
    ai_generated: Option<bool>,
    /// It promotes something for money.
    paid_promotion: Option<bool>,
    license: Option<String>,
    embeddable: Option<bool>,
    public_stats: Option<bool>,
    /// The language of title and description.
    language: Option<String>,
    /// The language that is spoken.
    audio_language: Option<String>,
    /// Title and description by language, as they are sent.
    localizations: Option<Map<String, Value>>,
    /// The instant at which the day of recording begins.
    recording_date: Option<String>,
}

impl More {
    fn of(options: &Map<String, Value>) -> Self {
        let flag = |key| options.get(key).and_then(Value::as_bool);
        let text = |key| options.get(key).and_then(Value::as_str).map(str::to_owned);
        Self {
            notify_subscribers: flag("notifySubscribers"),
            made_for_kids: flag("madeForKids"),
            ai_generated: flag("aiGenerated"),
            paid_promotion: flag("paidPromotion"),
            license: text("license"),
            embeddable: flag("embeddable"),
            public_stats: flag("publicStats"),
            language: text("language"),
            audio_language: text("audioLanguage"),
            localizations: options.get("localizations").and_then(localizations),
            // It is an instant on the wire, and shown as a day.
            recording_date: text("recordingDate").map(|day| format!("{day}T00:00:00Z")),
        }
    }

    fn is_none(&self) -> bool {
        *self == Self::default()
    }
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
            more: More::of(options),
        }
    }

    /// Whether the subscribers of the channel are told.
    pub(super) fn notifies(&self) -> bool {
        self.more.notify_subscribers.unwrap_or(true)
    }

    /// Whether it is said to promote something for money.
    pub(super) fn is_paid_promotion(&self) -> bool {
        self.more.paid_promotion == Some(true)
    }

    /// The parts of a video that [`body`](Self::body) names.
    pub(super) fn parts(&self) -> String {
        let mut parts = vec!["snippet", "status"];
        parts.extend(self.more.paid_promotion.map(|_| PAID_PROMOTION));
        parts.extend(self.more.localizations.as_ref().map(|_| "localizations"));
        parts.extend(self.more.recording_date.as_ref().map(|_| "recordingDetails"));
        parts.join(",")
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
                "selfDeclaredMadeForKids": self.more.made_for_kids.unwrap_or(false),
            },
        });
        if !self.tags.is_empty() {
            body["snippet"]["tags"] = json!(self.tags);
        }
        let more = &self.more;
        for (part, name, value) in [
            ("snippet", "defaultLanguage", json!(more.language)),
            ("snippet", "defaultAudioLanguage", json!(more.audio_language)),
            ("status", "containsSyntheticMedia", json!(more.ai_generated)),
            ("status", "embeddable", json!(more.embeddable)),
            ("status", "license", json!(more.license)),
            ("status", "publicStatsViewable", json!(more.public_stats)),
            ("recordingDetails", "recordingDate", json!(more.recording_date)),
            (PAID_PROMOTION, "hasPaidProductPlacement", json!(more.paid_promotion)),
        ] {
            if !value.is_null() {
                body[part][name] = value;
            }
        }
        if let Some(localizations) = &more.localizations {
            body["localizations"] = Value::Object(localizations.clone());
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

/// Titles and descriptions by their language; nothing of an empty list.
///
/// Source: <https://developers.google.com/youtube/v3/docs/videos>, `localizations`.
fn localizations(value: &Value) -> Option<Map<String, Value>> {
    let by_language = |said: &Value| {
        let text = |name: &str| said.get(name).and_then(Value::as_str).map(str::trim);
        let (language, title) = (text("language")?, text("title")?);
        let mut named = json!({ "title": title });
        if let Some(description) = text("description") {
            named["description"] = description.into();
        }
        Some((language.to_owned(), named))
    };
    let named: Map<String, Value> = value.as_array()?.iter().filter_map(by_language).collect();
    (!named.is_empty()).then_some(named)
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
    fn what_an_option_says_is_sent_in_its_part() {
        for (option, value, parts, pointer) in [
            ("madeForKids", json!(true), "", "/status/selfDeclaredMadeForKids"),
            ("aiGenerated", json!(true), "", "/status/containsSyntheticMedia"),
            ("aiGenerated", json!(false), "", "/status/containsSyntheticMedia"),
            ("license", json!("creativeCommon"), "", "/status/license"),
            ("embeddable", json!(false), "", "/status/embeddable"),
            ("language", json!("pt-BR"), "", "/snippet/defaultLanguage"),
            ("audioLanguage", json!("de"), "", "/snippet/defaultAudioLanguage"),
            ("publicStats", json!(false), "", "/status/publicStatsViewable"),
            (
                "recordingDate",
                json!("2026-11-01"),
                ",recordingDetails",
                "/recordingDetails/recordingDate",
            ),
            (
                "localizations",
                json!([{ "language": "pt-BR", "title": " Um ", "description": "Dois" }]),
                ",localizations",
                "/localizations",
            ),
            (
                "paidPromotion",
                json!(true),
                ",paidProductPlacementDetails",
                "/paidProductPlacementDetails/hasPaidProductPlacement",
            ),
        ] {
            let video = video("T", json!({ option: value.clone() }));
            let body = video.body();
            let want = match option {
                "recordingDate" => json!("2026-11-01T00:00:00Z"),
                "localizations" => json!({ "pt-BR": { "title": "Um", "description": "Dois" } }),
                _ => value,
            };
            assert_eq!(body.pointer(pointer), Some(&want), "{option}");
            assert_eq!(video.parts(), format!("snippet,status{parts}"), "{option}");
        }
        let plain = video("T", json!({}));
        assert_eq!(plain.parts(), "snippet,status");
        assert_eq!(
            plain.body(),
            json!({
                "snippet": { "title": "T", "description": "T", "categoryId": "22" },
                "status": { "privacyStatus": "public", "selfDeclaredMadeForKids": false },
            }),
            "nothing is said that was not asked for"
        );
        let stored = serde_json::to_value(&plain).unwrap();
        assert_eq!(stored.get("more"), None, "{stored}");
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
