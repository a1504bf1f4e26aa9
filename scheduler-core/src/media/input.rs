//! What a caller says of a file before it is here.

use serde::{Deserialize, Serialize};

use super::MediaKind;
use crate::error::{Invalid, Refusal};
use crate::post::check_characters;

/// The body of a new file.
///
/// Source: interface description, MediaInput.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub struct MediaInput {
    /// Picture, video or document.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(with = "MediaKind", !default, !skip_serializing_if))]
    pub kind: Option<MediaKind>,
    /// Its type, such as `image/jpeg`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = MEDIA_TYPE_MAX)))]
    pub mime_type: Option<String>,
    /// Its exact size in bytes; required for an upload.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub size_bytes: Option<u64>,
    /// The name it has at its owner's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(length(max = FILE_NAME_MAX)))]
    pub file_name: Option<String>,
    /// Its length in seconds, as you measured it; replaced by what the server measures.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub duration_seconds: Option<f64>,
    /// Its frames a second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 0)))]
    pub fps: Option<f64>,
    /// Its width in pixels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub width: Option<u32>,
    /// Its height in pixels.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(range(min = 1)))]
    pub height: Option<u32>,
    /// A public https address that the server fetches, in place of an upload.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "schema", schemars(url))]
    pub source_url: Option<String>,
}

/// Longest file name that is kept, in characters.
pub const FILE_NAME_MAX: usize = 255;

/// Longest media type, in characters.
///
/// Source: RFC 6838, section 4.2: 127 for each half.
pub const MEDIA_TYPE_MAX: usize = 255;

impl MediaInput {
    /// Checks every field on its own, and returns the kind.
    ///
    /// ```
    /// use scheduler_core::media::{MediaInput, MediaKind};
    ///
    /// let input: MediaInput = serde_json::from_str(r#"{"kind": "image", "sizeBytes": 1000}"#)?;
    /// assert_eq!(input.check(), Ok(MediaKind::Image));
    /// let refusal = MediaInput::default().check().unwrap_err();
    /// assert_eq!(refusal.field.as_deref(), Some("kind"));
    /// # Ok::<(), serde_json::Error>(())
    /// ```
    ///
    /// # Errors
    /// `invalid_request` naming the field.
    pub fn check(&self) -> Result<MediaKind, Refusal> {
        let kind = self.kind.ok_or_else(|| {
            Refusal::invalid("kind", "kind is required: send image, video or document.")
        })?;
        if let Some(media_type) = &self.mime_type {
            check_media_type(kind, media_type)?;
        }
        match (self.size_bytes, &self.source_url) {
            (Some(0), _) => {
                return Err(Refusal::invalid(
                    "sizeBytes",
                    "sizeBytes is 0; a file has 1 byte or more.",
                ));
            }
            (None, None) => {
                return Err(Refusal::invalid(
                    "sizeBytes",
                    "sizeBytes is required for an upload; send sourceUrl instead to have the file fetched.",
                ));
            }
            (Some(_), _) | (None, Some(_)) => {}
        }
        if let Some(name) = &self.file_name {
            check_characters("fileName", name)?;
            let length = name.chars().count();
            if length > FILE_NAME_MAX {
                let problem = Invalid::TooLong {
                    what: "fileName".to_owned(),
                    found: length,
                    unit: "characters long",
                    most: FILE_NAME_MAX,
                    advice: "",
                };
                return Err(Refusal::invalid("fileName", problem));
            }
        }
        if let Some(url) = &self.source_url {
            check_characters("sourceUrl", url)?;
        }
        for (field, number) in [("durationSeconds", self.duration_seconds), ("fps", self.fps)] {
            if number.is_some_and(|number| !number.is_finite() || number < 0.0) {
                return Err(Refusal::invalid(field, format!("{field} is not a positive number.")));
            }
        }
        for (field, pixels) in [("width", self.width), ("height", self.height)] {
            if pixels == Some(0) {
                return Err(Refusal::invalid(field, format!("{field} is 0; leave it out.")));
            }
        }
        Ok(kind)
    }
}

fn check_media_type(kind: MediaKind, media_type: &str) -> Result<(), Refusal> {
    let is_token = |text: &str| {
        !text.is_empty()
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"!#$&^_.+-".contains(&byte))
    };
    let parts = media_type.split_once('/');
    let Some((family, _)) = parts.filter(|(family, name)| {
        media_type.len() <= MEDIA_TYPE_MAX && is_token(family) && is_token(name)
    }) else {
        return Err(Refusal::invalid(
            "mimeType",
            "mimeType is not a media type such as image/jpeg or video/mp4.",
        ));
    };
    let is_other = match kind {
        MediaKind::Image => family.eq_ignore_ascii_case("video"),
        MediaKind::Video => family.eq_ignore_ascii_case("image"),
        MediaKind::Document => ["image", "video"].iter().any(|it| family.eq_ignore_ascii_case(it)),
    };
    if is_other {
        let kind = kind.name();
        return Err(Refusal::invalid(
            "mimeType",
            format!("mimeType is {media_type}, but kind is {kind}."),
        ));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn fields() {
        let long = "n".repeat(256);
        for (name, body, want) in [
            ("an upload", json!({"kind": "image", "sizeBytes": 1}), None),
            ("a source", json!({"kind": "video", "sourceUrl": "https://a.example/v"}), None),
            ("both", json!({"kind": "image", "sizeBytes": 1, "sourceUrl": "https://a.b"}), None),
            ("no kind", json!({"sizeBytes": 1}), Some("kind")),
            ("no size", json!({"kind": "image"}), Some("sizeBytes")),
            ("size 0", json!({"kind": "image", "sizeBytes": 0}), Some("sizeBytes")),
            (
                "another kind",
                json!({"kind": "image", "sizeBytes": 1, "mimeType": "video/mp4"}),
                Some("mimeType"),
            ),
            (
                "a document",
                json!({"kind": "document", "sizeBytes": 1, "mimeType": "application/pdf"}),
                None,
            ),
            (
                "a picture as a document",
                json!({"kind": "document", "sizeBytes": 1, "mimeType": "Image/png"}),
                Some("mimeType"),
            ),
            (
                "an unknown family",
                json!({"kind": "image", "sizeBytes": 1, "mimeType": "application/octet-stream"}),
                None,
            ),
            (
                "no type",
                json!({"kind": "image", "sizeBytes": 1, "mimeType": "png"}),
                Some("mimeType"),
            ),
            (
                "a type with a line feed",
                json!({"kind": "image", "sizeBytes": 1, "mimeType": "image/png\nx: y"}),
                Some("mimeType"),
            ),
            (
                "a long name",
                json!({"kind": "image", "sizeBytes": 1, "fileName": long}),
                Some("fileName"),
            ),
            ("fps below 0", json!({"kind": "video", "sizeBytes": 1, "fps": -1}), Some("fps")),
            ("width 0", json!({"kind": "image", "sizeBytes": 1, "width": 0}), Some("width")),
        ] {
            let input: MediaInput = serde_json::from_value(body).unwrap();
            let refused = input.check().err().and_then(|refusal| refusal.field);
            assert_eq!(refused.as_deref(), want, "{name}");
        }
    }
}
