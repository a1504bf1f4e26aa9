//! What a network says for one account, over its sheet.

use serde::{Deserialize, Serialize};

/// What a network's server allows one account; each field overrides the sheet where it is given.
///
/// It is read when the account is connected. `None` means that the sheet holds.
///
/// ```
/// use scheduler_core::platform::{AccountLimits, Platform};
/// use scheduler_core::rules::{Context, Draft, DraftTarget, check};
///
/// let roomy = AccountLimits { text_limit: Some(5_000), ..AccountLimits::default() };
/// let options = Default::default();
/// let platform = Platform::Mastodon;
/// let target = DraftTarget::new(platform, &options, &roomy);
/// let content = &"a".repeat(501);
/// let draft =
///     Draft { content, link_url: None, media: &[], alt_texts: &[], targets: &[target] };
/// assert!(check(&draft, &Context::default()).is_empty());
/// ```
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct AccountLimits {
    /// Longest text, in the unit of the sheet.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text_limit: Option<u32>,
    /// What a link counts, in characters (Mastodon).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub characters_reserved_per_url: Option<u32>,
    /// Most files in one post.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_media: Option<u32>,
    /// Longest alternative text, in code points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub alt_text_limit: Option<u32>,
    /// Largest image, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_image_bytes: Option<u64>,
    /// Largest video, in bytes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_video_bytes: Option<u64>,
    /// Longest video, in seconds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_video_duration_seconds: Option<f64>,
    /// Highest frame rate, in frames a second.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_video_fps: Option<f64>,
    /// Most pixels of an image, width times height.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_image_pixels: Option<u64>,
    /// Most pixels of a video, width times height.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_video_pixels: Option<u64>,
    /// Media types that the server takes, images and videos together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub media_types: Option<Vec<String>>,
    /// Allowed values of the option `privacy` (TikTok).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub privacy_levels: Option<Vec<String>>,
    /// Whether it takes files, where the operator decides (X).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub takes_files: Option<bool>,
    /// What a poll may be (Mastodon).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub poll: Option<PollLimits>,
    /// Whether live posts can be taken down, where permissions decide (Instagram, Threads).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub takes_down: Option<bool>,
    /// Whether comments are switched off for the account (TikTok).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub comments_disabled: Option<bool>,
    /// Whether duets are switched off for the account (TikTok).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub duets_disabled: Option<bool>,
    /// Whether stitches are switched off for the account (TikTok).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub stitches_disabled: Option<bool>,
    /// Whether the account is a page, and not a person (LinkedIn).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_page: Option<bool>,
    /// Whether the account may write comments, where permissions decide (LinkedIn).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub may_comment: Option<bool>,
    /// Whether posts are those of a bot, and not of a webhook (Discord).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub posts_as_bot: Option<bool>,
    /// Whether other servers can follow the channel (Discord).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_announcement: Option<bool>,
    /// Whether the group has topics (Telegram).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub has_topics: Option<bool>,
    /// Whether it is connected through a Facebook Page, which some options need (Instagram).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub via_page: Option<bool>,
    /// Whether each post of the channel opens a thread and so needs a name (Discord forums).
    /// `false` is for webhooks: a bot can open a thread in any channel, so for its channels that
    /// are no forums nothing is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub is_forum: Option<bool>,
}

/// What a server allows of a poll; each field overrides the sheet where it is given.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PollLimits {
    /// Most options.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_items: Option<u32>,
    /// Longest option, in code points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_length: Option<u32>,
    /// Shortest duration, in minutes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_minutes: Option<u32>,
    /// Longest duration, in minutes.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_minutes: Option<u32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_known_is_an_empty_object() {
        assert_eq!(serde_json::to_string(&AccountLimits::default()).unwrap(), "{}");
        let read: AccountLimits = serde_json::from_str("{}").unwrap();
        assert_eq!(read, AccountLimits::default());
    }

    #[test]
    fn what_was_stored_is_read_back() {
        let limits = AccountLimits {
            text_limit: Some(5000),
            characters_reserved_per_url: Some(25),
            privacy_levels: Some(vec!["SELF_ONLY".to_owned()]),
            ..AccountLimits::default()
        };
        let text = serde_json::to_string(&limits).unwrap();
        assert_eq!(serde_json::from_str::<AccountLimits>(&text).unwrap(), limits);
    }

    #[test]
    fn a_field_of_a_later_release_is_passed_over() {
        let read: AccountLimits = serde_json::from_str(r#"{"textLimit":7,"later":1}"#).unwrap();
        assert_eq!(read.text_limit, Some(7));
    }
}
