//! What goes over the wire, in Mastodon's own names.
//!
//! Source: <https://docs.joinmastodon.org/entities/>.

use chrono::{DateTime, Utc};
use scheduler_core::platform::{AccountLimits, PollLimits};
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

/// The input of `POST /api/v1/statuses`.
///
/// The language is left to the account's own setting, and so is who may quote, unless the post says
/// them.
#[derive(Debug, Serialize)]
pub(super) struct NewStatus<'a> {
    pub(super) status: &'a str,
    pub(super) visibility: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) spoiler_text: Option<&'a str>,
    /// Left out unless it is true. Mastodon takes a content warning for it, other software does not.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub(super) sensitive: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) in_reply_to_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub(super) media_ids: Vec<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) language: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) quote_approval_policy: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) quoted_status_id: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) poll: Option<&'a Poll>,
}

/// A poll of a status, which ends so many seconds after the call.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Poll {
    pub(super) options: Vec<String>,
    pub(super) expires_in: u64,
    pub(super) multiple: bool,
    pub(super) hide_totals: bool,
}

/// A file, as far as it is read.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub(super) struct MediaAttachment {
    pub(super) id: String,
}

/// A status, as far as it is read.
#[derive(Debug, Deserialize)]
pub(super) struct Status {
    pub(super) id: String,
    pub(super) url: Option<String>,
    pub(super) uri: Option<String>,
}

/// A status of our own in a list.
#[derive(Debug, Deserialize)]
pub(super) struct ListedStatus {
    #[serde(flatten)]
    pub(super) status: Status,
    pub(super) created_at: DateTime<Utc>,
    /// When a person or an application has changed it last.
    pub(super) edited_at: Option<DateTime<Utc>>,
    pub(super) in_reply_to_id: Option<String>,
    pub(super) application: Option<Application>,
    /// The text as HTML.
    #[serde(default)]
    pub(super) content: String,
    #[serde(default)]
    pub(super) media_attachments: Vec<MediaAttachment>,
}

/// The app that something was done with.
#[derive(Debug, Deserialize)]
pub(super) struct Application {
    pub(super) name: String,
    /// What it may be allowed, where that is asked for; since 4.3.
    pub(super) scopes: Option<Vec<String>>,
}

/// A status as it was written.
#[derive(Debug, Deserialize)]
pub(super) struct StatusSource {
    pub(super) text: String,
    #[serde(default)]
    pub(super) spoiler_text: String,
}

/// The account that a token opens.
#[derive(Debug, Deserialize)]
pub(super) struct CredentialAccount {
    pub(super) id: String,
    pub(super) acct: String,
    pub(super) display_name: Option<String>,
    pub(super) avatar: Option<String>,
}

/// An application that was just registered.
#[derive(Debug, Deserialize)]
pub(super) struct RegisteredApp {
    pub(super) client_id: String,
    pub(super) client_secret: SecretString,
}

/// A token that was just given.
#[derive(Debug, Deserialize)]
pub(super) struct GivenToken {
    pub(super) access_token: SecretString,
    /// What it allows, separated by spaces.
    pub(super) scope: Option<String>,
}

/// What is kept of an account.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Tokens {
    pub(super) access_token: SecretString,
    /// The account's id on its server.
    pub(super) account_id: String,
    /// The app that the token belongs to, by which our own statuses are known, where the server
    /// tells.
    pub(super) app_name: Option<String>,
    /// True when the server is Mastodon itself, which knows a repeated call by its key.
    pub(super) is_mastodon: bool,
}

impl Tokens {
    /// The text to keep.
    pub(super) fn to_text(&self) -> String {
        json!({
            "accessToken": self.access_token.expose_secret(),
            "accountId": self.account_id,
            "appName": self.app_name,
            "isMastodon": self.is_mastodon,
        })
        .to_string()
    }
}

/// What a server says of itself, in either version of the call.
#[derive(Debug, Deserialize)]
pub(super) struct Instance {
    version: String,
    #[serde(default)]
    configuration: Configuration,
    /// Of servers that are older than `configuration`.
    max_toot_chars: Option<u32>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Configuration {
    statuses: StatusLimits,
    media_attachments: MediaLimits,
    polls: PollFigures,
}

/// What a poll may be; times in seconds.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct PollFigures {
    max_options: Option<u32>,
    max_characters_per_option: Option<u32>,
    min_expiration: Option<u32>,
    max_expiration: Option<u32>,
}

impl PollFigures {
    /// The figures, in whole minutes within those of the server; `None` where it names none.
    fn limits(&self) -> Option<PollLimits> {
        let limits = PollLimits {
            max_items: self.max_options,
            max_length: self.max_characters_per_option,
            min_minutes: self.min_expiration.map(|seconds| seconds.div_ceil(60)),
            max_minutes: self.max_expiration.map(|seconds| seconds / 60),
        };
        (limits != PollLimits::default()).then_some(limits)
    }
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct StatusLimits {
    max_characters: Option<u32>,
    max_media_attachments: Option<u32>,
    characters_reserved_per_url: Option<u32>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct MediaLimits {
    supported_mime_types: Option<Vec<String>>,
    description_limit: Option<u32>,
    image_size_limit: Option<u64>,
    image_matrix_limit: Option<u64>,
    video_size_limit: Option<u64>,
    video_frame_rate_limit: Option<u32>,
    video_matrix_limit: Option<u64>,
}

impl Instance {
    /// True for Mastodon itself. Other servers name themselves in their version, behind that of
    /// the Mastodon whose API they speak; Mastodon and its close forks give a bare number.
    pub(super) fn is_mastodon(&self) -> bool {
        let mut numbers = self.version.splitn(3, '.');
        let is_number = |part: Option<&str>| {
            part.and_then(|part| part.parse::<u32>().ok()).filter(|number| *number < 1_000)
        };
        let major = is_number(numbers.next());
        let minor = is_number(numbers.next());
        let rest = numbers.next().unwrap_or_default();
        let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b".+-".contains(&byte);
        // Before 3.0 nobody runs it any more, and numbers below belong to other programs.
        major.is_some_and(|major| major >= 3)
            && minor.is_some()
            && rest.starts_with(|first: char| first.is_ascii_digit())
            && rest.bytes().all(is_plain)
    }

    /// What it allows. A file must be smaller than the size that it names.
    ///
    /// Source: <https://github.com/mastodon/mastodon/blob/v4.6.5/app/models/media_attachment.rb>.
    pub(super) fn limits(&self) -> AccountLimits {
        let Configuration { statuses, media_attachments: media, polls } = &self.configuration;
        AccountLimits {
            text_limit: statuses.max_characters.or(self.max_toot_chars),
            characters_reserved_per_url: statuses.characters_reserved_per_url,
            max_media: statuses.max_media_attachments,
            alt_text_limit: media.description_limit,
            max_image_bytes: media.image_size_limit.map(|limit| limit.saturating_sub(1)),
            max_video_bytes: media.video_size_limit.map(|limit| limit.saturating_sub(1)),
            max_video_fps: media.video_frame_rate_limit.map(f64::from),
            max_image_pixels: media.image_matrix_limit,
            max_video_pixels: media.video_matrix_limit,
            media_types: media.supported_mime_types.clone(),
            poll: polls.limits(),
            ..AccountLimits::default()
        }
    }
}

/// The instance in an answer; `None` when it is something else.
pub(super) fn instance(body: &Value) -> Option<Instance> {
    Instance::deserialize(body).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_mastodon_itself_is_taken_for_it() {
        for (version, want) in [
            ("4.6.5", true),
            ("4.7.0-alpha.2", true),
            ("4.3.0+glitch", true),
            ("4.2.1+hometown-1.1.1", true),
            ("4.4.0-nightly.2025-06-01", true),
            ("4.1.2rc1", true),
            ("3.5.3", true),
            ("2.7.2 (compatible; Pleroma 2.5.0)", false),
            ("2.7.2 (compatible; Akkoma 3.10.4-0-gebfb617)", false),
            ("4.0.0 (not true; compatible; snac/2.96)", false),
            ("3.5.3 (compatible; Pixelfed 0.12.4)", false),
            ("4.2.1 (compatible; Iceshrimp.NET/2025.1)", false),
            ("0.17.3+git-abc1234", false),
            ("0.20.0", false),
            ("1.0.0", false),
            ("takahe/0.11.0", false),
            ("2025.4.1", false),
            ("4", false),
            ("4.6", false),
            ("", false),
        ] {
            let instance = instance(&json!({ "version": version })).unwrap();
            assert_eq!(instance.is_mastodon(), want, "{version}");
        }
    }

    #[test]
    fn what_a_poll_may_be_is_read_in_whole_minutes() {
        let of = |polls: Value| {
            let about = json!({ "version": "4.6.5", "configuration": { "polls": polls } });
            instance(&about).unwrap().limits().poll
        };
        let limits = |max_items, max_length, min_minutes, max_minutes| {
            Some(PollLimits { max_items, max_length, min_minutes, max_minutes })
        };
        for (name, polls, want) in [
            (
                "all",
                json!({
                    "max_options": 5, "max_characters_per_option": 100,
                    "min_expiration": 301, "max_expiration": 2_629_746,
                }),
                limits(Some(5), Some(100), Some(6), Some(43_829)),
            ),
            ("some", json!({ "max_options": 20 }), limits(Some(20), None, None, None)),
            ("none", json!({}), None),
        ] {
            assert_eq!(of(polls), want, "{name}");
        }
    }

    #[test]
    fn what_is_kept_prints_no_token() {
        let tokens = Tokens {
            access_token: SecretString::from("secret"),
            account_id: "1".to_owned(),
            app_name: None,
            is_mastodon: true,
        };
        assert!(!format!("{tokens:?}").contains("secret"));
        let read: Tokens = serde_json::from_str(&tokens.to_text()).unwrap();
        assert_eq!(read.access_token.expose_secret(), "secret");
    }
}
