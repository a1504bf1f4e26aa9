//! Texts and posts that a workspace keeps to write with: closing lines, sets of hashtags,
//! templates.

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::ids::WorkspaceId;
use crate::object::only_from_object;
use crate::post::PostInput;

/// How many snippets a workspace keeps at most.
///
/// Source: our decision.
pub const SNIPPETS_MAX: u32 = 200;

/// Characters that the name of a snippet has at most.
///
/// Source: our decision.
pub const SNIPPET_NAME_MAX_CHARACTERS: usize = 50;

/// What a snippet is called: 1 to 50 of `a-z`, `0-9`, `-` and `_`.
///
/// ```
/// use scheduler_core::snippet::SnippetName;
/// assert_eq!("spring-tags".parse::<SnippetName>().map(|name| name.to_string()).as_deref(), Ok("spring-tags"));
/// assert!("Spring tags".parse::<SnippetName>().is_err());
/// ```
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(try_from = "String", into = "String")]
pub struct SnippetName(
    #[cfg_attr(feature = "schema", schemars(regex(pattern = r"^[a-z0-9_-]{1,50}$")))] String,
);

/// A text that is no name of a snippet.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("a name has 1 to {SNIPPET_NAME_MAX_CHARACTERS} of a-z, 0-9, - and _")]
pub struct NoSnippetName;

impl SnippetName {
    /// The name as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for SnippetName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.0)
    }
}

impl FromStr for SnippetName {
    type Err = NoSnippetName;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let is_one = |byte: u8| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'-' | b'_');
        if (1..=SNIPPET_NAME_MAX_CHARACTERS).contains(&text.len()) && text.bytes().all(is_one) {
            return Ok(Self(text.to_owned()));
        }
        Err(NoSnippetName)
    }
}

impl TryFrom<String> for SnippetName {
    type Error = NoSnippetName;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<SnippetName> for String {
    fn from(name: SnippetName) -> Self {
        name.0
    }
}

/// Something that a workspace keeps to write with.
#[derive(Clone, Debug, PartialEq)]
pub struct Snippet {
    /// The workspace that keeps it.
    pub workspace_id: WorkspaceId,
    /// What it is called; unique in the workspace.
    pub name: SnippetName,
    /// What is kept.
    pub kept: Kept,
    /// When it was last saved.
    pub updated_at: DateTime<Utc>,
}

/// What a snippet keeps.
#[derive(Clone, Debug, PartialEq)]
pub enum Kept {
    /// A text, such as a closing line or a set of hashtags.
    Text(String),
    /// A template: what a caller would send to create a post, without a time.
    Post(Box<PostInput>),
}

/// The body that saves a snippet: either a text or a post.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct SnippetInput {
    /// A text, such as a closing line or a set of hashtags; 1 to 64 000 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// A template: what is sent to create a post, without a time, files of its own or an `Idempotency-Key`; what options name stays.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub post: Option<PostInput>,
}

only_from_object!(SnippetInput);

/// A snippet as it is shown.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema), schemars(rename = "Snippet"))]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct SnippetView {
    /// What it is called.
    pub name: SnippetName,
    /// The text; absent of a template.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The template; absent of a text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub post: Option<PostInput>,
    /// When it was last saved.
    pub updated_at: DateTime<Utc>,
}

impl From<Snippet> for SnippetView {
    fn from(snippet: Snippet) -> Self {
        let (text, post) = match snippet.kept {
            Kept::Text(text) => (Some(text), None),
            Kept::Post(post) => (None, Some(*post)),
        };
        Self { name: snippet.name, text, post, updated_at: snippet.updated_at }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        for (name, text, is_one) in [
            ("letters, digits and signs", "a-z_0".to_owned(), true),
            ("the longest", "a".repeat(50), true),
            ("too long", "a".repeat(51), false),
            ("nothing", String::new(), false),
            ("a capital", "Tags".to_owned(), false),
            ("a blank", "a b".to_owned(), false),
            ("a slash", "a/b".to_owned(), false),
            ("beyond ASCII", "é".to_owned(), false),
        ] {
            assert_eq!(text.parse::<SnippetName>().is_ok(), is_one, "{name}");
        }
    }
}
