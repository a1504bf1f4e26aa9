//! What was shown of a post, as a text that changes when anything of it does.

use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use crate::tools::picked;

/// What a body of a post has, but for its targets and its time; a plan covers all of it.
pub(crate) const BODY: [&str; 6] =
    ["content", "linkUrl", "mediaIds", "altTexts", "disclosure", "linkCard"];

/// What a plan covers of a target.
const COVERED_OF_TARGET: [&str; 4] = ["accountId", "options", "mediaIds", "files"];

/// What a plan covers of a link that is sent as another.
const COVERED_OF_LINK: [&str; 4] = ["target", "written", "sent", "leadsTo"];

/// What was shown: the post, and when it goes out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Plan {
    content: String,
    time: String,
}

impl Plan {
    /// The plan of a body as the API takes it, or of a post as the API shows it, with what its
    /// networks get in place of its links, at a time: as it was asked for, and the instants that it
    /// means.
    pub(crate) fn of(
        post: &Value,
        links: &Value,
        asked: &Map<String, Value>,
        instants: &Value,
    ) -> Self {
        let time = json!({"asked": asked, "instants": instants});
        Self { content: digest(&covered(post, links)), time: digest(&time) }
    }

    /// Its name.
    pub(crate) fn id(&self) -> String {
        format!("plan_{}_{}", &self.content[..24], &self.time[..16])
    }

    /// True when a plan of this name shows the same post, whatever its time.
    pub(crate) fn has_content_of(post: &Value, links: &Value, id: &str) -> bool {
        let content = digest(&covered(post, links));
        id.strip_prefix("plan_").is_some_and(|rest| rest.starts_with(&content[..24]))
    }
}

/// The name of anything else that a person is shown before it is done.
pub(crate) fn digest_name(shown: &Value) -> String {
    format!("plan_{}", &digest(shown)[..40])
}

/// A hash by which the same arguments are known again.
pub(crate) fn fingerprint(arguments: &Value) -> String {
    digest(arguments)
}

/// What of a post goes out, without what says nothing.
fn covered(post: &Value, links: &Value) -> Value {
    let mut shown = significant(post, &BODY);
    let is_empty =
        |texts: &Value| texts.as_array().is_some_and(|texts| texts.iter().all(Value::is_null));
    if shown.get("altTexts").is_some_and(is_empty) {
        shown.remove("altTexts");
    }
    let targets = post["targets"].as_array().map(Vec::as_slice).unwrap_or_default();
    let targets =
        targets.iter().map(|target| Value::Object(significant(target, &COVERED_OF_TARGET)));
    shown.insert("targets".to_owned(), targets.collect());
    if let Some(links) = links.as_array().filter(|links| !links.is_empty()) {
        let links = links.iter().map(|link| Value::Object(significant(link, &COVERED_OF_LINK)));
        shown.insert("links".to_owned(), links.collect());
    }
    Value::Object(shown)
}

fn significant(value: &Value, names: &[&str]) -> Map<String, Value> {
    let mut found = picked(value, names);
    found.retain(|_, value| !says_nothing(value));
    found
}

/// True for what is the same as a field that is not there.
pub(crate) fn says_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Bool(_) | Value::Number(_) => false,
    }
}

/// The SHA-256 of a value, whatever the order of its fields.
fn digest(value: &Value) -> String {
    let mut written = String::new();
    write(value, &mut written);
    hex::encode(Sha256::digest(written))
}

fn write(value: &Value, into: &mut String) {
    match value {
        Value::Object(fields) => {
            let mut names: Vec<&String> = fields.keys().collect();
            names.sort();
            into.push('{');
            for name in names {
                into.push_str(&json!(name).to_string());
                into.push(':');
                write(&fields[name.as_str()], into);
                into.push(',');
            }
            into.push('}');
        }
        Value::Array(items) => {
            into.push('[');
            for item in items {
                write(item, into);
                into.push(',');
            }
            into.push(']');
        }
        other => into.push_str(&other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn draft() -> Value {
        json!({
            "content": "Hello",
            "linkUrl": "https://a.example",
            "mediaIds": ["m1", "m2"],
            "altTexts": ["one", null],
            "disclosure": {"ai": true},
            "links": [{"target": 0, "written": "https://a.example", "sent": "https://s.example/l/1", "leadsTo": "https://a.example?x"}],
            "targets": [{"accountId": "a", "options": {"x": 1, "y": [1, 2]}, "mediaIds": ["m1"], "files": {"m1": {"altText": "t"}}}],
        })
    }

    fn id(post: &Value, asked: &Value, instants: &Value) -> String {
        Plan::of(post, &post["links"], asked.as_object().unwrap(), instants).id()
    }

    #[test]
    fn whatever_differs_is_another_plan() {
        let (asked, instants) = (json!({"queue": true}), json!(["2030-01-01T09:00:00Z"]));
        let shown = id(&draft(), &asked, &instants);
        for (place, value) in [
            ("/content", json!("Hello!")),
            ("/linkUrl", json!("https://b.example")),
            ("/mediaIds", json!(["m2", "m1"])),
            ("/altTexts/1", json!("two")),
            ("/disclosure", json!({})),
            ("/targets/0/accountId", json!("b")),
            ("/targets/0/options/x", json!(2)),
            ("/targets/0/options/y/0", json!(2)),
            ("/targets/0/mediaIds", json!([])),
            ("/targets/0/files/m1/altText", json!("u")),
            ("/targets", json!([])),
            ("/links", json!([])),
            ("/links/0/target", json!(1)),
            ("/links/0/written", json!("https://b.example")),
            ("/links/0/sent", json!("https://s.example/l/2")),
            ("/links/0/leadsTo", Value::Null),
        ] {
            let mut post = draft();
            *post.pointer_mut(place).unwrap() = value;
            assert_ne!(id(&post, &asked, &instants), shown, "{place}");
            assert!(!Plan::has_content_of(&post, &post["links"], &shown), "{place}");
        }
        assert_ne!(id(&draft(), &json!({"publishNow": true}), &instants), shown);
        assert_ne!(id(&draft(), &asked, &json!(["2030-01-02T09:00:00Z"])), shown);
        assert!(Plan::has_content_of(&draft(), &draft()["links"], &shown));
    }

    #[test]
    fn what_says_nothing_makes_no_other_plan() {
        let (asked, instants) = (json!({}), json!([]));
        let mut post = draft();
        post["note"] = json!("for us");
        post["revision"] = json!(7);
        post["targets"][0]["status"] = json!("pending");
        assert_eq!(id(&post, &asked, &instants), id(&draft(), &asked, &instants));
        let bare = json!({"content": "Hello", "targets": [{"accountId": "a"}]});
        let stored = json!({
            "content": "Hello", "linkUrl": null, "mediaIds": [], "altTexts": [],
            "targets": [{"accountId": "a", "options": {}}],
        });
        assert_eq!(id(&bare, &asked, &instants), id(&stored, &asked, &instants));
    }

    #[test]
    fn the_order_of_fields_does_not_matter() {
        let one: Value = serde_json::from_str(r#"{"a": 1, "b": {"c": 2, "d": 3}}"#).unwrap();
        let other: Value = serde_json::from_str(r#"{"b": {"d": 3, "c": 2}, "a": 1}"#).unwrap();
        assert_eq!(digest(&one), digest(&other));
        assert_ne!(digest(&json!(["a", "b"])), digest(&json!(["b", "a"])));
    }
}
