//! What goes over the wire, in LinkedIn's own names.

use std::collections::BTreeMap;

use crate::oauth_tokens::Tokens;
use crate::redacted::Redacted;
use chrono::{DateTime, Utc};
use scheduler_core::account::Account;
use serde::Deserialize;

/// The beginning of the name of a page.
pub(super) const PAGE: &str = "urn:li:organization:";

/// The beginning of the name of a member.
pub(super) const MEMBER: &str = "urn:li:person:";

/// True when posts and comments of the author may be read.
pub(super) fn may_read(tokens: &Tokens, author: &str) -> bool {
    tokens.may(if is_page(author) { PAGE_READING } else { MEMBER_READING })
}

/// Permissions with which posts and comments are read.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/comments-api>.
pub(super) const PAGE_READING: &[&str] = &["r_organization_social", "r_organization_social_feed"];
pub(super) const MEMBER_READING: &[&str] = &["r_member_social", "r_member_social_feed"];

/// Permissions with which comments and likes are made.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/comments-api>,
/// which names these alone since August 2026; tokens with `w_member_social` are answered 403.
pub(super) const PAGE_COMMENTING: &[&str] = &["w_organization_social_feed"];
pub(super) const MEMBER_COMMENTING: &[&str] = &["w_member_social_feed"];

/// True for the name of a page.
pub(super) fn is_page(urn: &str) -> bool {
    urn.starts_with(PAGE)
}

/// The name under which an account posts.
pub(super) fn author(account: &Account) -> &str {
    &account.network_id
}

/// An answer that holds one value.
#[derive(Debug, Deserialize)]
pub(super) struct Valued<T> {
    pub(super) value: T,
}

/// Where an image or a document goes, and its name.
///
/// Source: <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/images-api>,
/// <https://learn.microsoft.com/en-us/linkedin/marketing/community-management/shares/documents-api>.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct WholeUpload {
    pub(super) upload_url_expires_at: Option<i64>,
    pub(super) upload_url: Redacted<String>,
    #[serde(alias = "image", alias = "document")]
    pub(super) urn: String,
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
    /// Where its cover goes, where one was announced.
    ///
    /// Source: <https://github.com/ebx/ebx-linkedin-sdk/pull/332>; the page shows no answer with it.
    pub(super) thumbnail_upload_url: Option<Redacted<String>>,
}

/// Where one piece goes, and which bytes it has, the last included.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct UploadInstruction {
    pub(super) upload_url: Redacted<String>,
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
    use secrecy::SecretString;

    use super::*;

    #[test]
    fn permissions_that_are_not_known_may_have_been_given() {
        for (name, scopes, page, member) in [
            ("unknown", None, true, true),
            ("none", Some("openid profile"), false, false),
            ("a page's", Some("r_organization_social"), true, false),
            ("a member's, newer", Some("openid,r_member_social_feed"), false, true),
        ] {
            let tokens = Tokens {
                access_token: SecretString::from("a"),
                refresh_token: None,
                scopes: scopes.map(crate::oauth_tokens::scopes),
            };
            assert_eq!(may_read(&tokens, "urn:li:organization:1"), page, "{name}");
            assert_eq!(may_read(&tokens, "urn:li:person:a"), member, "{name}");
        }
    }
}
