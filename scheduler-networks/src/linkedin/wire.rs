//! What goes over the wire, in LinkedIn's own names.

use std::collections::BTreeMap;
use std::fmt;

use chrono::{DateTime, Utc};
use scheduler_core::account::Account;
use secrecy::{ExposeSecret, SecretString};
use serde::{Deserialize, Serialize};
use serde_json::json;

/// The beginning of the name of a page.
pub(super) const PAGE: &str = "urn:li:organization:";

/// The beginning of the name of a member.
pub(super) const MEMBER: &str = "urn:li:person:";

/// What is kept of an account.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Kept {
    pub(super) access_token: SecretString,
    /// Given to applications that are approved for it.
    pub(super) refresh_token: Option<SecretString>,
    /// What the person has allowed; `None` where it is not known.
    pub(super) scopes: Option<Vec<String>>,
}

impl Kept {
    pub(super) fn read(text: &str) -> Option<Self> {
        serde_json::from_str(text).ok()
    }

    /// The text to keep.
    pub(super) fn to_text(&self) -> String {
        let refresh_token = self.refresh_token.as_ref().map(SecretString::expose_secret);
        json!({
            "accessToken": self.access_token.expose_secret(),
            "refreshToken": refresh_token,
            "scopes": self.scopes,
        })
        .to_string()
    }

    /// True when one of the permissions was given, or may have been.
    pub(super) fn may(&self, scopes: &[&str]) -> bool {
        let known = self.scopes.as_deref();
        known.is_none_or(|known| known.iter().any(|scope| scopes.contains(&scope.as_str())))
    }

    /// True when posts and comments of the author may be read.
    pub(super) fn may_read(&self, author: &str) -> bool {
        self.may(if is_page(author) { PAGE_READING } else { MEMBER_READING })
    }
}

/// Permissions with which posts and comments are read.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/comments-api>.
pub(super) const PAGE_READING: &[&str] = &["r_organization_social", "r_organization_social_feed"];
pub(super) const MEMBER_READING: &[&str] = &["r_member_social", "r_member_social_feed"];

/// True for the name of a page.
pub(super) fn is_page(urn: &str) -> bool {
    urn.starts_with(PAGE)
}

/// The name under which an account posts.
pub(super) fn author(account: &Account) -> &str {
    &account.network_id
}

/// Space or commas between permissions, as the answers have either.
pub(super) fn scopes(text: &str) -> Vec<String> {
    let scopes = text.split([' ', ',']).filter(|scope| !scope.is_empty());
    scopes.map(str::to_owned).collect()
}

/// An answer that holds one value.
#[derive(Debug, Deserialize)]
pub(super) struct Valued<T> {
    pub(super) value: T,
}

/// An address that lets in whoever knows it. Prints as `[redacted]`.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(super) struct UploadUrl(pub(super) String);

impl fmt::Debug for UploadUrl {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("[redacted]")
    }
}

/// Where an image goes.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/images-api>.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ImageUpload {
    pub(super) upload_url_expires_at: Option<i64>,
    pub(super) upload_url: UploadUrl,
    pub(super) image: String,
}

/// Where the pieces of a video go.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/videos-api>.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct VideoUpload {
    pub(super) upload_urls_expire_at: Option<i64>,
    pub(super) video: String,
    pub(super) upload_instructions: Vec<UploadInstruction>,
    #[serde(default)]
    pub(super) upload_token: String,
}

/// Where one piece goes, and which bytes it has, the last included.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct UploadInstruction {
    pub(super) upload_url: UploadUrl,
    pub(super) first_byte: u64,
    pub(super) last_byte: u64,
}

/// How far a file is.
#[derive(Debug, Deserialize)]
pub(super) struct FileStatus {
    pub(super) status: String,
}

/// A list.
#[derive(Debug, Deserialize)]
pub(super) struct Elements<T> {
    #[serde(default = "Vec::new")]
    pub(super) elements: Vec<T>,
}

/// A post in a list.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ListedPost {
    pub(super) id: String,
    #[serde(default)]
    pub(super) commentary: String,
    pub(super) created_at: Option<i64>,
    pub(super) published_at: Option<i64>,
}

/// A comment, as far as it is read.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/comments-api>.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ListedComment {
    pub(super) id: Option<String>,
    pub(super) comment_urn: Option<String>,
    #[serde(default)]
    pub(super) actor: String,
    pub(super) object: Option<String>,
    pub(super) message: Option<Message>,
    pub(super) created: Option<Stamp>,
    pub(super) likes_summary: Option<LikesSummary>,
    pub(super) comments_summary: Option<CommentsSummary>,
}

/// What a comment says.
#[derive(Debug, Deserialize)]
pub(super) struct Message {
    #[serde(default)]
    pub(super) text: String,
}

/// When something was done, in milliseconds.
#[derive(Debug, Deserialize)]
pub(super) struct Stamp {
    pub(super) time: Option<i64>,
}

/// How many like a comment; the name differs between versions.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct LikesSummary {
    pub(super) total_likes: Option<u64>,
    pub(super) aggregated_total_likes: Option<u64>,
}

/// How many answer a comment.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct CommentsSummary {
    pub(super) aggregated_total_comments: Option<u64>,
}

/// An answer of the call for tokens.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/shared/authentication/authorization-code-flow>.
#[derive(Debug, Deserialize)]
pub(super) struct Token {
    pub(super) access_token: SecretString,
    pub(super) expires_in: Option<i64>,
    pub(super) refresh_token: Option<SecretString>,
    pub(super) scope: Option<String>,
}

/// Who let us in.
#[derive(Debug, Deserialize)]
pub(super) struct UserInfo {
    pub(super) sub: String,
    pub(super) name: Option<String>,
    pub(super) picture: Option<String>,
}

/// A page that a member has a role on.
#[derive(Debug, Deserialize)]
pub(super) struct Role {
    pub(super) organization: String,
}

/// A page, as far as it is read.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Organization {
    pub(super) localized_name: Option<String>,
    pub(super) vanity_name: Option<String>,
}

/// Values by their ids.
#[derive(Debug, Deserialize)]
pub(super) struct Results<T> {
    pub(super) results: BTreeMap<String, T>,
}

/// An instant in milliseconds.
pub(super) fn instant(milliseconds: i64) -> Option<DateTime<Utc>> {
    DateTime::from_timestamp_millis(milliseconds)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_kept_prints_no_token() {
        let kept = Kept {
            access_token: SecretString::from("secret-a"),
            refresh_token: Some(SecretString::from("secret-b")),
            scopes: Some(vec!["openid".to_owned()]),
        };
        assert!(!format!("{kept:?}").contains("secret-"));
        let read = Kept::read(&kept.to_text()).unwrap();
        assert_eq!(read.access_token.expose_secret(), "secret-a");
        assert_eq!(read.refresh_token.unwrap().expose_secret(), "secret-b");
        assert_eq!(read.scopes, kept.scopes);
        assert_eq!(format!("{:?}", UploadUrl("https://a.example/secret".to_owned())), "[redacted]");
    }

    #[test]
    fn permissions_that_are_not_known_may_have_been_given() {
        for (name, scopes, page, member) in [
            ("unknown", None, true, true),
            ("none", Some("openid profile"), false, false),
            ("a page's", Some("r_organization_social"), true, false),
            ("a member's, newer", Some("openid,r_member_social_feed"), false, true),
        ] {
            let kept = Kept {
                access_token: SecretString::from("a"),
                refresh_token: None,
                scopes: scopes.map(super::scopes),
            };
            assert_eq!(kept.may_read("urn:li:organization:1"), page, "{name}");
            assert_eq!(kept.may_read("urn:li:person:a"), member, "{name}");
        }
    }
}
