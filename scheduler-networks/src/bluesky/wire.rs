//! What goes over the wire, in Bluesky's own names.
//!
//! Source: the lexicons of <https://github.com/bluesky-social/atproto/tree/main/lexicons>.

use secrecy::SecretString;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use url::Url;

use super::tokens::SessionTokens;

/// The collection that posts are in.
pub(super) const POSTS: &str = "app.bsky.feed.post";

/// The collection that likes are in.
pub(super) const LIKES: &str = "app.bsky.feed.like";

/// The collection that the rules of threads are in.
pub(super) const GATES: &str = "app.bsky.feed.threadgate";

/// The collection that the rules of quotes are in.
pub(super) const QUOTE_GATES: &str = "app.bsky.feed.postgate";

/// The record of a post, as far as it is known before its thread has begun.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "$type", rename = "app.bsky.feed.post", rename_all = "camelCase")]
pub(super) struct PostRecord {
    pub(super) text: String,
    pub(super) created_at: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) facets: Vec<Facet>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) embed: Option<Embed>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) reply: Option<Reply>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) langs: Vec<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) labels: Option<SelfLabels>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) tags: Vec<String>,
}

/// What a post says itself of what it shows.
///
/// Source: lexicons/com/atproto/label/defs.json, `selfLabels`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "$type", rename = "com.atproto.label.defs#selfLabels")]
pub(super) struct SelfLabels {
    pub(super) values: Vec<SelfLabel>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct SelfLabel {
    pub(super) val: String,
}

/// What a stretch of a text is, beside the text.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Facet {
    pub(super) index: ByteSlice,
    pub(super) features: Vec<Feature>,
}

/// A range of UTF-8 bytes, its end exclusive.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct ByteSlice {
    pub(super) byte_start: usize,
    pub(super) byte_end: usize,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "$type")]
pub(super) enum Feature {
    #[serde(rename = "app.bsky.richtext.facet#link")]
    Link { uri: String },
    #[serde(rename = "app.bsky.richtext.facet#mention")]
    Mention { did: String },
    #[serde(rename = "app.bsky.richtext.facet#tag")]
    Tag { tag: String },
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "$type")]
pub(super) enum Embed {
    #[serde(rename = "app.bsky.embed.external")]
    External { external: External },
    #[serde(rename = "app.bsky.embed.images")]
    Images { images: Vec<EmbeddedImage> },
    #[serde(rename = "app.bsky.embed.gallery")]
    Gallery { items: Vec<GalleryItem> },
    #[serde(rename = "app.bsky.embed.video")]
    #[serde(rename_all = "camelCase")]
    Video {
        video: Value,
        alt: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        aspect_ratio: Option<AspectRatio>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        captions: Vec<NamedCaption>,
    },
    #[serde(rename = "app.bsky.embed.record")]
    Record { record: Reference },
    #[serde(rename = "app.bsky.embed.recordWithMedia")]
    RecordWithMedia { record: EmbeddedRecord, media: Box<Embed> },
}

/// Captions of a video.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct NamedCaption {
    pub(super) lang: String,
    /// The blob that the server answered for them.
    pub(super) file: Value,
}

/// A quoted post beside something else.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct EmbeddedRecord {
    pub(super) record: Reference,
}

/// An image of a post, under the blob that the server answered for it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct EmbeddedImage {
    pub(super) image: Value,
    pub(super) alt: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) aspect_ratio: Option<AspectRatio>,
}

/// An image of a gallery, which has to tell its shape.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "$type", rename = "app.bsky.embed.gallery#image", rename_all = "camelCase")]
pub(super) struct GalleryItem {
    pub(super) image: Value,
    pub(super) alt: String,
    pub(super) aspect_ratio: AspectRatio,
}

/// Width to height.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct AspectRatio {
    pub(super) width: u32,
    pub(super) height: u32,
}

/// What `com.atproto.repo.uploadBlob` answers. The blob is kept and sent as it came.
#[derive(Debug, Deserialize)]
pub(super) struct UploadedBlob {
    pub(super) blob: Value,
}

/// What `com.atproto.server.getServiceAuth` answers.
#[derive(Debug, Deserialize)]
pub(super) struct ServiceAuth {
    pub(super) token: SecretString,
}

/// What `app.bsky.video.getUploadLimits` answers.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct UploadLimits {
    pub(super) can_upload: bool,
    pub(super) remaining_daily_videos: Option<u64>,
    pub(super) remaining_daily_bytes: Option<u64>,
    pub(super) message: Option<String>,
}

/// What is known of a video that is being converted.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct JobStatus {
    pub(super) job_id: Option<String>,
    #[serde(default)]
    pub(super) state: String,
    pub(super) blob: Option<Value>,
    pub(super) failure_code: Option<String>,
    pub(super) message: Option<String>,
}

impl JobStatus {
    /// The job in an answer, in its wrapper or without.
    pub(super) fn read(body: &Value) -> Option<Self> {
        let status: Self = Self::deserialize(body.get("jobStatus").unwrap_or(body)).ok()?;
        let says_something = status.job_id.is_some() || status.blob.is_some();
        says_something.then_some(status)
    }
}

/// A card for a link.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct External {
    pub(super) uri: String,
    pub(super) title: String,
    pub(super) description: String,
    /// The blob of its picture.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) thumb: Option<Value>,
}

/// A record and the version of it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Reference {
    pub(super) uri: String,
    pub(super) cid: String,
}

/// Where in a thread a post stands.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Reply {
    pub(super) root: Reference,
    pub(super) parent: Reference,
}

/// The input of `com.atproto.repo.putRecord`.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct PutRecord<'a> {
    pub(super) repo: &'a str,
    pub(super) collection: &'a str,
    pub(super) rkey: &'a str,
    /// Always `null`: only if nothing is there.
    pub(super) swap_record: Option<&'a str>,
    pub(super) record: &'a PostRecord,
}

/// What `com.atproto.repo.getRecord` says of a post.
#[derive(Debug, Deserialize)]
pub(super) struct StoredPost {
    #[serde(flatten)]
    pub(super) reference: Reference,
    pub(super) value: StoredValue,
}

/// What of a stored post tells whose it is.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct StoredValue {
    pub(super) text: String,
    pub(super) created_at: String,
    pub(super) reply: Option<Reply>,
}

/// A record of any kind, as the server has it.
#[derive(Debug, Deserialize)]
pub(super) struct StoredRecord {
    pub(super) uri: String,
    pub(super) cid: Option<String>,
    pub(super) value: Value,
}

/// What `com.atproto.repo.listRecords` answers.
#[derive(Debug, Deserialize)]
pub(super) struct Listed {
    pub(super) records: Vec<StoredRecord>,
}

#[derive(Debug, Deserialize)]
pub(super) struct ResolvedHandle {
    pub(super) did: String,
}

/// What `createSession` and `refreshSession` answer.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Session {
    pub(super) did: String,
    pub(super) handle: String,
    #[serde(flatten)]
    pub(super) tokens: SessionTokens,
    pub(super) active: Option<bool>,
    pub(super) status: Option<String>,
}

/// What `app.bsky.actor.getProfile` says of a person.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct Profile {
    pub(super) display_name: Option<String>,
    pub(super) avatar: Option<String>,
}

/// What a DID stands for.
///
/// Source: <https://atproto.com/specs/did>.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
pub(super) struct DidDocument {
    pub(super) id: String,
    #[serde(default)]
    also_known_as: Vec<String>,
    #[serde(default)]
    service: Vec<Service>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct Service {
    id: String,
    // Documents of other programs may hold services of other shapes.
    service_endpoint: Value,
}

impl DidDocument {
    /// The address of the account's server.
    pub(super) fn pds(&self) -> Option<&str> {
        let service = self.service.iter().find(|service| {
            service.id == "#atproto_pds" || service.id == format!("{}#atproto_pds", self.id)
        })?;
        service.service_endpoint.as_str()
    }

    /// True when the document confirms a handle.
    pub(super) fn names(&self, handle: &str) -> bool {
        self.also_known_as.iter().any(|name| {
            name.strip_prefix("at://").is_some_and(|known| known.eq_ignore_ascii_case(handle))
        })
    }
}

/// What a server says of who gives access to it.
///
/// Source: RFC 9728, section 2.
#[derive(Debug, Deserialize)]
pub(super) struct ProtectedResource {
    pub(super) authorization_servers: Vec<String>,
}

/// What a server that gives access says of itself.
///
/// Source: RFC 8414, section 2, and RFC 9126, section 5.
#[derive(Debug, Deserialize)]
pub(super) struct AuthorizationServer {
    pub(super) issuer: String,
    pub(super) authorization_endpoint: Url,
    pub(super) token_endpoint: Url,
    pub(super) pushed_authorization_request_endpoint: Url,
}

/// A request that was laid down before the person comes.
///
/// Source: RFC 9126, section 2.2.
#[derive(Debug, Deserialize)]
pub(super) struct PushedRequest {
    pub(super) request_uri: String,
}

/// What is given for a code or a refresh token.
///
/// Source: <https://atproto.com/specs/oauth>, "Token Requests".
#[derive(Debug, Deserialize)]
pub(super) struct GivenTokens {
    pub(super) access_token: SecretString,
    pub(super) refresh_token: SecretString,
    pub(super) scope: String,
    /// The DID of the account.
    pub(super) sub: String,
    pub(super) expires_in: Option<i64>,
}

/// What `getSession` says of whom a token speaks for.
#[derive(Debug, Deserialize)]
pub(super) struct SpokenFor {
    pub(super) did: String,
    pub(super) handle: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_session_prints_no_token() {
        let session: Session =
            serde_json::from_str(include_str!("fixtures/create_session.json")).unwrap();
        let printed = format!("{session:?}");
        assert!(!printed.contains("eyJ"), "{printed}");
        assert!(printed.contains("ana.example.com"), "{printed}");
    }

    #[test]
    fn documents_name_server_and_handle() {
        let document: DidDocument =
            serde_json::from_str(include_str!("fixtures/did_document.json")).unwrap();
        assert_eq!(document.pds(), Some("https://pds.example.com"));
        assert!(document.names("Ana.Example.com"));
        assert!(!document.names("example.com"));
    }
}
