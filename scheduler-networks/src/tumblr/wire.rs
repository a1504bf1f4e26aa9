//! What goes over the wire, in Tumblr's own names.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Deserializer};
use serde_json::Value;

/// An answer of any call but those about tokens.
///
/// Source: <https://github.com/tumblr/docs>, `api.md`, "Response Format".
#[derive(Debug, Deserialize)]
pub(super) struct Enveloped<T> {
    pub(super) response: T,
}

/// What was made or changed.
#[derive(Debug, Deserialize)]
pub(super) struct Made {
    #[serde(deserialize_with = "id")]
    pub(super) id: String,
    pub(super) state: Option<String>,
}

/// A post as it is given out for editing.
#[derive(Debug, Deserialize)]
pub(super) struct Editable {
    pub(super) state: Option<String>,
    pub(super) content: Vec<Value>,
    #[serde(default)]
    pub(super) layout: Vec<Value>,
    pub(super) post_url: Option<String>,
}

/// Posts of a blog, newest first.
#[derive(Debug, Deserialize)]
pub(super) struct Posts {
    pub(super) blog: Option<BlogInfo>,
    #[serde(default)]
    pub(super) posts: Vec<Post>,
}

/// A post of a blog.
#[derive(Debug, Deserialize)]
pub(super) struct Post {
    #[serde(deserialize_with = "id")]
    id: String,
    id_string: Option<String>,
    /// The id that it had as a draft, or while the network worked on its video.
    pub(super) genesis_post_id: Option<String>,
    /// Its blog.
    pub(super) tumblelog_uuid: Option<String>,
    /// Without this nobody reblogs it.
    pub(super) reblog_key: Option<String>,
    pub(super) can_reblog: Option<bool>,
    /// The post that it reblogs.
    #[serde(default, deserialize_with = "some_id")]
    pub(super) parent_post_id: Option<String>,
    pub(super) post_url: Option<String>,
    /// When it was posted, in seconds of Unix time.
    timestamp: Option<i64>,
    pub(super) state: Option<String>,
    #[serde(default)]
    pub(super) tags: Vec<String>,
    #[serde(default)]
    pub(super) content: Vec<Value>,
}

impl Post {
    pub(super) fn id(&self) -> &str {
        self.id_string.as_deref().unwrap_or(&self.id)
    }

    pub(super) fn at(&self) -> Option<DateTime<Utc>> {
        DateTime::from_timestamp(self.timestamp?, 0)
    }

    /// True while the network works on its video.
    pub(super) fn is_transcoding(&self) -> bool {
        self.state.as_deref() == Some("transcoding")
    }

    /// True for one that is no draft and on which the network does not work any more.
    pub(super) fn is_out(&self) -> bool {
        self.state.as_deref().is_none_or(|state| ["published", "private"].contains(&state))
    }
}

/// The user who let us in.
#[derive(Debug, Deserialize)]
pub(super) struct UserAnswer {
    pub(super) user: User,
}

#[derive(Debug, Deserialize)]
pub(super) struct User {
    #[serde(default)]
    pub(super) blogs: Vec<Blog>,
}

/// A blog that the user may post to.
#[derive(Debug, Deserialize)]
pub(super) struct Blog {
    pub(super) name: String,
    pub(super) title: Option<String>,
    #[serde(default)]
    pub(super) primary: bool,
    pub(super) followers: Option<u64>,
    pub(super) uuid: Option<String>,
}

/// What everybody is told of a blog.
#[derive(Debug, Deserialize)]
pub(super) struct BlogAnswer {
    pub(super) blog: BlogInfo,
}

#[derive(Debug, Deserialize)]
pub(super) struct BlogInfo {
    pub(super) name: String,
    pub(super) title: Option<String>,
    pub(super) uuid: Option<String>,
    pub(super) url: Option<String>,
}

/// What the user may still do today.
#[derive(Debug, Deserialize)]
pub(super) struct LimitsAnswer {
    pub(super) user: BTreeMap<String, Value>,
}

/// What people did with a post, newest first.
#[derive(Debug, Deserialize)]
pub(super) struct Notes {
    #[serde(default)]
    pub(super) notes: Vec<Note>,
    pub(super) total_notes: Option<u64>,
    pub(super) total_likes: Option<u64>,
    pub(super) total_reblogs: Option<u64>,
    #[serde(rename = "_links")]
    links: Option<Value>,
}

impl Notes {
    /// What the next page is asked for with, in microseconds of Unix time.
    pub(super) fn next(&self) -> Option<String> {
        let next = self.links.as_ref()?.get("next")?;
        let named = next.pointer("/query_params/before_timestamp");
        match named {
            Some(Value::String(text)) => Some(text.clone()),
            Some(Value::Number(number)) => Some(number.to_string()),
            _ => {
                let href = next.get("href")?.as_str()?;
                let (_, after) = href.split_once("before_timestamp=")?;
                let digits = after.find(|sign: char| !sign.is_ascii_digit());
                Some(after[..digits.unwrap_or(after.len())].to_owned())
            }
        }
    }
}

/// Something that somebody did with a post.
#[derive(Debug, Deserialize)]
pub(super) struct Note {
    #[serde(rename = "type")]
    pub(super) kind: String,
    /// In seconds of Unix time.
    #[serde(default)]
    pub(super) timestamp: i64,
    #[serde(default)]
    pub(super) blog_name: String,
    pub(super) blog_uuid: Option<String>,
    pub(super) reply_text: Option<String>,
    pub(super) added_text: Option<String>,
}

/// An id, where there is one.
fn some_id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    Ok(match Value::deserialize(deserializer)? {
        Value::String(text) if !text.is_empty() => Some(text),
        Value::Number(number) => Some(number.to_string()),
        _ => None,
    })
}

/// An id, which comes as text or as a number of 64 bits.
fn id<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    match Value::deserialize(deserializer)? {
        Value::String(text) if !text.is_empty() => Ok(text),
        Value::Number(number) => Ok(number.to_string()),
        _ => Err(serde::de::Error::custom("an id is missing")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_keep_all_their_digits() {
        for (name, json, want) in [
            ("text", r#"{"id":"1234567891234567"}"#, "1234567891234567"),
            ("a number of 64 bits", r#"{"id":18446744073709551615}"#, "18446744073709551615"),
            ("both", r#"{"id":7,"id_string":"700000000000000000001"}"#, "700000000000000000001"),
        ] {
            let post: Post = serde_json::from_str(json).unwrap();
            assert_eq!(post.id(), want, "{name}");
        }
        for json in [r#"{"id":""}"#, r#"{"id":null}"#, "{}"] {
            assert!(serde_json::from_str::<Made>(json).is_err(), "{json}");
        }
    }

    #[test]
    fn the_next_page_is_named_in_three_ways() {
        for (name, links, want) in [
            ("text", r#"{"next":{"query_params":{"before_timestamp":"15"}}}"#, Some("15")),
            ("a number", r#"{"next":{"query_params":{"before_timestamp":16}}}"#, Some("16")),
            ("an address", r#"{"next":{"href":"/v2/x?before_timestamp=17&id=1"}}"#, Some("17")),
            ("none", "null", None),
            ("another", r#"{"previous":{}}"#, None),
        ] {
            let notes: Notes = serde_json::from_str(&format!(r#"{{"_links":{links}}}"#)).unwrap();
            assert_eq!(notes.next().as_deref(), want, "{name}");
        }
    }
}
