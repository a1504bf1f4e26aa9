//! What goes over the wire, in YouTube's own names.

use std::ops::Deref;

use chrono::{DateTime, Utc};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::oauth_tokens;

/// What every name of a permission begins with.
pub(super) const SCOPE: &str = "https://www.googleapis.com/auth/";

/// Permissions with which videos are published.
///
/// Source: <https://developers.google.com/youtube/v3/docs/videos/insert>.
pub(super) const PUBLISHING: &[&str] = &["youtube.upload", "youtube", "youtube.force-ssl"];

/// Permissions with which videos are changed and deleted, and playlists kept.
///
/// Source: <https://developers.google.com/youtube/v3/docs/videos/update>.
pub(super) const MANAGING: &[&str] = &["youtube", "youtube.force-ssl"];

/// The permission for comments and captions.
///
/// Source: <https://developers.google.com/youtube/v3/docs/comments/insert>.
pub(super) const COMMENTING: &[&str] = &["youtube.force-ssl"];

/// Permissions with which a channel and its videos are read.
///
/// Source: <https://developers.google.com/youtube/v3/docs/channels/list>.
pub(super) const READING: &[&str] = &["youtube.readonly", "youtube", "youtube.force-ssl"];

/// The permission for reports.
///
/// Source: <https://developers.google.com/youtube/analytics/reference/reports/query>.
pub(super) const REPORTS: &[&str] = &["yt-analytics.readonly"];

/// What is kept of an account.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Tokens {
    #[serde(flatten)]
    pub(super) oauth: oauth_tokens::Tokens,
    /// The playlist that holds every upload of the channel.
    pub(super) uploads: Option<String>,
}

impl Deref for Tokens {
    type Target = oauth_tokens::Tokens;

    fn deref(&self) -> &Self::Target {
        &self.oauth
    }
}

impl Tokens {
    /// The text to keep.
    pub(super) fn to_text(&self) -> String {
        let mut stored = self.oauth.to_json();
        stored["uploads"] = json!(self.uploads);
        stored.to_string()
    }

    /// True when one of the permissions was given, or may have been.
    pub(super) fn may(&self, scopes: &[&str]) -> bool {
        let known = self.scopes.as_deref();
        known.is_none_or(|known| {
            known.iter().any(|scope| {
                let name = scope.strip_prefix(SCOPE).unwrap_or(scope);
                scopes.contains(&name)
            })
        })
    }
}

/// A page of a list.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Items<T> {
    #[serde(default = "Vec::new")]
    pub(super) items: Vec<T>,
    pub(super) next_page_token: Option<String>,
}

/// What was made, by its id.
#[derive(Debug, Deserialize)]
pub(super) struct Made {
    pub(super) id: String,
}

/// A channel, as far as it is read.
///
/// Source: <https://developers.google.com/youtube/v3/docs/channels>.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Channel {
    pub(super) id: String,
    pub(super) snippet: Option<ChannelSnippet>,
    pub(super) content_details: Option<ChannelContent>,
}

/// What a channel is called.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChannelSnippet {
    pub(super) title: Option<String>,
    pub(super) custom_url: Option<String>,
    #[serde(default)]
    pub(super) thumbnails: Value,
}

/// What a channel holds.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ChannelContent {
    pub(super) related_playlists: RelatedPlaylists,
}

/// The playlists that every channel has.
#[derive(Debug, Deserialize)]
pub(super) struct RelatedPlaylists {
    pub(super) uploads: Option<String>,
}

/// A comment, as far as it is read.
///
/// Source: <https://developers.google.com/youtube/v3/docs/comments>.
#[derive(Debug, Deserialize)]
pub(super) struct ListedComment {
    pub(super) id: String,
    pub(super) snippet: CommentSnippet,
}

/// What a comment says.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CommentSnippet {
    pub(super) author_display_name: Option<String>,
    pub(super) author_channel_id: Option<AuthorChannel>,
    pub(super) text_original: Option<String>,
    pub(super) text_display: Option<String>,
    pub(super) like_count: Option<u64>,
    pub(super) moderation_status: Option<String>,
    pub(super) published_at: Option<DateTime<Utc>>,
}

impl CommentSnippet {
    /// What it says, as it was written where that is told.
    pub(super) fn text(&self) -> &str {
        self.text_original.as_deref().or(self.text_display.as_deref()).unwrap_or_default()
    }

    /// True when the channel wrote it.
    pub(super) fn is_by(&self, channel: &str) -> bool {
        self.author_channel_id.as_ref().is_some_and(|author| author.value == channel)
    }
}

/// The channel that wrote a comment.
#[derive(Debug, Deserialize)]
pub(super) struct AuthorChannel {
    pub(super) value: String,
}

/// A thread of comments.
///
/// Source: <https://developers.google.com/youtube/v3/docs/commentThreads>.
#[derive(Debug, Deserialize)]
pub(super) struct Thread {
    pub(super) snippet: ThreadSnippet,
    pub(super) replies: Option<Replies>,
}

/// The comment that a thread begins with.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ThreadSnippet {
    pub(super) top_level_comment: ListedComment,
    #[serde(default)]
    pub(super) total_reply_count: usize,
}

/// Some of the replies of a thread.
#[derive(Debug, Deserialize)]
pub(super) struct Replies {
    #[serde(default)]
    pub(super) comments: Vec<ListedComment>,
}

/// A number that the interface writes as text.
pub(super) fn number(value: Option<&Value>) -> Option<u64> {
    match value? {
        Value::String(text) => text.parse().ok(),
        value => value.as_u64(),
    }
}

#[cfg(test)]
mod tests {
    use secrecy::{ExposeSecret, SecretString};

    use super::*;

    #[test]
    fn what_is_kept_prints_no_token() {
        let oauth = oauth_tokens::Tokens {
            access_token: SecretString::from("secret-a"),
            refresh_token: Some(SecretString::from("secret-b")),
            scopes: Some(vec!["https://www.googleapis.com/auth/youtube".to_owned()]),
        };
        let tokens = Tokens { oauth, uploads: Some("UU1".to_owned()) };
        assert!(!format!("{tokens:?}").contains("secret-"));
        let read = serde_json::from_str::<Tokens>(&tokens.to_text()).unwrap();
        assert_eq!(read.access_token.expose_secret(), "secret-a");
        assert_eq!(read.refresh_token.as_ref().unwrap().expose_secret(), "secret-b");
        assert_eq!((&read.scopes, &read.uploads), (&tokens.scopes, &tokens.uploads));
        assert_eq!(
            tokens.to_text(),
            r#"{"accessToken":"secret-a","refreshToken":"secret-b","scopes":["https://www.googleapis.com/auth/youtube"],"uploads":"UU1"}"#
        );
    }

    #[test]
    fn permissions_that_are_not_known_may_have_been_given() {
        for (name, scope, publishes, comments) in [
            ("unknown", None, true, true),
            ("none", Some(""), false, false),
            ("uploads", Some("https://www.googleapis.com/auth/youtube.upload"), true, false),
            ("all", Some("openid https://www.googleapis.com/auth/youtube.force-ssl"), true, true),
            ("short", Some("youtube"), true, false),
        ] {
            let oauth = oauth_tokens::Tokens {
                access_token: SecretString::from("a"),
                refresh_token: None,
                scopes: scope.map(oauth_tokens::scopes),
            };
            let tokens = Tokens { oauth, uploads: None };
            assert_eq!(tokens.may(PUBLISHING), publishes, "{name}");
            assert_eq!(tokens.may(COMMENTING), comments, "{name}");
        }
    }

    #[test]
    fn numbers_come_as_text() {
        for (value, want) in [
            (json!("12"), Some(12)),
            (json!(12), Some(12)),
            (json!("x"), None),
            (json!(-1), None),
            (Value::Null, None),
        ] {
            assert_eq!(number(Some(&value)), want, "{value}");
        }
        assert_eq!(number(None), None);
    }
}
