//! Forms with files in them: `multipart/form-data`.

use serde_json::Value;

use super::FileBody;

/// A part of a form.
#[derive(Clone, PartialEq)]
pub struct FormPart {
    /// The name of its field.
    pub name: String,
    /// What it holds.
    pub content: PartContent,
}

/// What a part of a form holds.
#[derive(Clone, PartialEq)]
pub enum PartContent {
    /// Text.
    Text(String),
    /// JSON, under its own media type.
    Json(Value),
    /// Bytes that are no file of ours, such as subtitles.
    Bytes {
        /// What they are called, with an extension.
        file_name: String,
        /// Their media type.
        media_type: &'static str,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// A file, under its own media type.
    File {
        /// What it is called, without an extension; the driver adds that of its type.
        file_name: String,
        /// The file.
        file: FileBody,
    },
}

impl FormPart {
    /// A field of text.
    pub fn text(name: impl Into<String>, text: impl Into<String>) -> Self {
        Self { name: name.into(), content: PartContent::Text(text.into()) }
    }

    /// A field of JSON.
    pub fn json(name: impl Into<String>, value: Value) -> Self {
        Self { name: name.into(), content: PartContent::Json(value) }
    }

    /// A file.
    pub fn file(name: impl Into<String>, file_name: impl Into<String>, file: FileBody) -> Self {
        let content = PartContent::File { file_name: file_name.into(), file };
        Self { name: name.into(), content }
    }
}
