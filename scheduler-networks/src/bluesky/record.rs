//! What is kept of a live post, and where posts are.

use scheduler_core::platform::Platform;
use scheduler_core::ports::{LivePost, NetworkError};
use scheduler_core::target::Remote;
use scheduler_core::text::compose;
use serde::{Deserialize, Serialize};

use super::tid;
use super::wire::{POSTS, Reference};

/// What is kept of a live post besides its address.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct Record {
    /// The addresses of all parts of a thread, from the first on.
    parts: Vec<String>,
}

/// What we call a post whose parts are at these addresses; one that is no thread has none besides
/// its own.
pub(super) fn remote(root: &Reference, parts: &[String]) -> Remote {
    let remote = Remote::new(root.uri.clone(), Address::of_uri(&root.uri).map(|at| at.page()));
    if parts.len() < 2 {
        return remote;
    }
    let record = serde_json::to_value(Record { parts: parts.to_vec() });
    Remote { record: record.unwrap_or_default(), ..remote }
}

/// Where the parts of a live post are, from the first on.
///
/// A post of which no parts were kept may be a thread all the same: the keys of its parts follow
/// that of the first.
///
/// # Errors
/// [`NetworkErrorKind::Permanent`] when the post is at no address of this network.
pub(super) fn parts(post: &LivePost) -> Result<Vec<Address>, NetworkError> {
    let first = root(post)?;
    let kept = Record::deserialize(&post.remote.record).unwrap_or_default();
    let kept: Option<Vec<Address>> =
        kept.parts.iter().map(|uri| Address::of_uri(uri)).collect::<Option<_>>();
    if let Some(kept) = kept.filter(|kept| !kept.is_empty()) {
        return Ok(kept);
    }
    let link = post.link_url.as_deref();
    let has_files = post.file_count > 0;
    let composed = compose(&post.content, link, has_files, Platform::Bluesky, &post.options);
    let following = (1..composed.parts.len()).map_while(|part| {
        Some(Address { did: first.did.clone(), key: tid::following(&first.key, part)? })
    });
    let following: Vec<Address> = following.collect();
    Ok([vec![first], following].concat())
}

/// Where a live post begins.
///
/// # Errors
/// [`NetworkErrorKind::Permanent`] when it is at no address of this network.
pub(super) fn root(post: &LivePost) -> Result<Address, NetworkError> {
    Address::of_uri(&post.remote.id).ok_or_else(|| {
        let message = "It is not known where on Bluesky this post is.";
        NetworkError::permanent(message)
    })
}

/// Where a post is: its account's DID and its key.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Address {
    pub(super) did: String,
    pub(super) key: String,
}

impl Address {
    /// The post of an at-uri.
    pub(super) fn of_uri(uri: &str) -> Option<Self> {
        let (did, rest) = uri.strip_prefix("at://")?.split_once('/')?;
        let key = rest.strip_prefix(POSTS)?.strip_prefix('/')?;
        Self::checked(did, key)
    }

    /// The post of the id of a comment, which fits into one segment of a path.
    pub(super) fn of_comment(id: &str) -> Option<Self> {
        let (did, key) = id.split_once('~')?;
        Self::checked(did, key)
    }

    fn checked(did: &str, key: &str) -> Option<Self> {
        let is_plain = |text: &str, signs: &str| {
            let is_sign =
                |byte: u8| byte.is_ascii_alphanumeric() || signs.as_bytes().contains(&byte);
            !text.is_empty() && text.bytes().all(is_sign)
        };
        let is_address = did.starts_with("did:") && is_plain(did, ":._%-") && is_plain(key, ":._-");
        is_address.then(|| Self { did: did.to_owned(), key: key.to_owned() })
    }

    /// Its at-uri.
    pub(super) fn uri(&self) -> String {
        format!("at://{}/{POSTS}/{}", self.did, self.key)
    }

    /// What we call it as a comment.
    pub(super) fn comment_id(&self) -> String {
        format!("{}~{}", self.did, self.key)
    }

    /// Its page. By DID and not by handle: it stays right when the handle changes.
    fn page(&self) -> String {
        format!("https://bsky.app/profile/{}/post/{}", self.did, self.key)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::bluesky::testing::live_post;
    use scheduler_core::ports::NetworkErrorKind;

    #[test]
    fn addresses_of_posts_and_of_nothing() {
        for (uri, want) in [
            ("at://did:plc:a/app.bsky.feed.post/3m", Some("did:plc:a~3m")),
            ("at://did:web:a.example/app.bsky.feed.post/3m", Some("did:web:a.example~3m")),
            ("at://ana.test/app.bsky.feed.post/3m", None),
            ("at://did:plc:a/app.bsky.feed.like/3m", None),
            ("at://did:plc:a/app.bsky.feed.post/", None),
            ("at://did:plc:a/app.bsky.feed.post/3m/x", None),
            ("at://did:plc:a/app.bsky.feed.post/3m~x", None),
            ("https://bsky.app/profile/a/post/3m", None),
            ("", None),
        ] {
            let address = Address::of_uri(uri);
            assert_eq!(address.as_ref().map(Address::comment_id).as_deref(), want, "{uri}");
            if let Some(address) = address {
                assert_eq!(address.uri(), uri);
                assert_eq!(Address::of_comment(&address.comment_id()), Some(address), "{uri}");
            }
        }
        for id in ["", "~", "did:plc:a", "did:plc:a~", "a~3m", "did:plc:a~3m~3n", "did:plc:a/~x"] {
            assert_eq!(Address::of_comment(id), None, "{id}");
        }
    }

    #[test]
    fn parts_are_those_that_were_kept_or_those_whose_keys_follow() {
        let keys = |post: &LivePost| -> Vec<String> {
            parts(post).unwrap().into_iter().map(|part| part.key).collect()
        };
        let mut post = live_post(&["3mabcdefghi2k", "3mabcdefghz2k"]);
        assert_eq!(keys(&post), ["3mabcdefghi2k", "3mabcdefghz2k"]);
        post.remote.record = json!({ "later": true });
        assert_eq!(keys(&post), ["3mabcdefghi2k"]);
        let options = json!({ "thread": ["two", "three"] });
        post.options = options.as_object().cloned().unwrap();
        assert_eq!(keys(&post), ["3mabcdefghi2k", "3mabcdefghj2k", "3mabcdefghk2k"]);
        post.remote.id = "https://bsky.app/".to_owned();
        assert_eq!(parts(&post).unwrap_err().kind, NetworkErrorKind::Permanent);
    }
}
