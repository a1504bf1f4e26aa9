//! What a target says of one of its files.

use serde::{Deserialize, Serialize};

use crate::object::only_from_object;

/// What a target says of one of its files, beside what the post says of it.
///
/// Which of it a network shows, its sheet says: [`MediaFigures::details`](super::MediaFigures).
/// `altText` counts wherever there are alternative texts.
///
/// ```
/// use scheduler_core::platform::FileDetails;
///
/// let json = r#"{"altText": "A loaf", "focus": {"x": 0.2, "y": -0.5}}"#;
/// let details: FileDetails = serde_json::from_str(json)?;
/// assert_eq!(details.alt_text.as_deref(), Some("A loaf"));
/// assert!(serde_json::from_str::<FileDetails>(r#"{"alt": "A loaf"}"#).is_err());
/// # Ok::<(), serde_json::Error>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", rename_all = "camelCase", deny_unknown_fields)]
#[non_exhaustive]
pub struct FileDetails {
    /// What it shows, for those who cannot see it, in place of the post's `altTexts`; its length is
    /// bounded by the network.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub alt_text: Option<String>,
    /// Its heading: of a card of a carousel on Pinterest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub title: Option<String>,
    /// Its text: of a card of a carousel on Pinterest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub description: Option<String>,
    /// Where it leads, an http or https address: of a card of a carousel on Pinterest.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub link: Option<String>,
    /// Who is seen in it: on Instagram.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub user_tags: Vec<UserTag>,
    /// The point that stays in sight when it is cropped: on Mastodon.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub focus: Option<FocalPoint>,
    /// Whether it is blurred until somebody wants to see it: on Discord and Telegram.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub spoiler: Option<bool>,
}

only_from_object!(FileDetails);

/// Somebody who is seen in a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", rename_all = "camelCase", deny_unknown_fields)]
pub struct UserTag {
    /// Their name on the network, with or without an @ before it.
    pub username: String,
    /// How far from the left edge, from 0 to 1 of the width. An image needs it, a video has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub x: Option<f64>,
    /// How far from the upper edge, from 0 to 1 of the height. An image needs it, a video has none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub y: Option<f64>,
}

only_from_object!(UserTag);

/// A point of a picture, from its centre.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct FocalPoint {
    /// From -1, the left edge, to 1, the right one.
    pub x: f64,
    /// From -1, the lower edge, to 1, the upper one.
    pub y: f64,
}

only_from_object!(FocalPoint);

/// A field of [`FileDetails`] that only some networks show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum FileDetail {
    /// [`FileDetails::title`].
    Title,
    /// [`FileDetails::description`].
    Description,
    /// [`FileDetails::link`].
    Link,
    /// [`FileDetails::user_tags`].
    UserTags,
    /// [`FileDetails::focus`].
    Focus,
    /// [`FileDetails::spoiler`].
    Spoiler,
}

impl FileDetail {
    /// All of them.
    pub const ALL: [Self; 6] =
        [Self::Title, Self::Description, Self::Link, Self::UserTags, Self::Focus, Self::Spoiler];

    /// Its field, as the API spells it.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Title => "title",
            Self::Description => "description",
            Self::Link => "link",
            Self::UserTags => "userTags",
            Self::Focus => "focus",
            Self::Spoiler => "spoiler",
        }
    }

    /// Whether a file has it.
    #[must_use]
    pub const fn is_given(self, details: &FileDetails) -> bool {
        match self {
            Self::Title => details.title.is_some(),
            Self::Description => details.description.is_some(),
            Self::Link => details.link.is_some(),
            Self::UserTags => !details.user_tags.is_empty(),
            Self::Focus => details.focus.is_some(),
            Self::Spoiler => matches!(details.spoiler, Some(true)),
        }
    }
}
