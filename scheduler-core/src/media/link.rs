//! Signed links to the server's own file store.
//!
//! The signature covers the method, the key, the size, the number and the place of the part, and
//! the time at which the link ends, so that a link opens nothing but what it was made for.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use hmac::{Hmac, KeyInit, Mac};
use sha2::Sha256;

use super::FileKey;

/// What a link allows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Grant {
    /// What may be done.
    pub action: Action,
    /// With which bytes.
    pub key: FileKey,
    /// Until when.
    pub expires_at: DateTime<Utc>,
}

/// What a link may be used for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// To send the whole file, which has so many bytes.
    Put {
        /// Bytes of the file.
        size_bytes: u64,
    },
    /// To send one part, which has so many bytes.
    PutPart {
        /// What the file store calls the upload.
        upload: String,
        /// The number of the part, from 1.
        part_number: u32,
        /// Where the part begins in the file, in bytes.
        offset_bytes: u64,
        /// Bytes of the part.
        size_bytes: u64,
    },
    /// To read the file, which is of this type.
    Get {
        /// The media type that it is answered with.
        media_type: String,
    },
}

/// Why a link is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LinkError {
    /// It was not made by this server, or changed since.
    #[error("the link is not valid")]
    Forged,
    /// Its time is over.
    #[error("the link has expired")]
    Expired,
}

/// The key that links are signed with.
///
/// ```
/// use scheduler_core::ids::{MediaId, WorkspaceId};
/// use scheduler_core::media::FileKey;
/// use scheduler_core::media::link::{Action, Grant, LinkError, LinkSigner};
/// use uuid::Uuid;
///
/// let (signer, now) = (LinkSigner::new([7; 32]), "2026-11-21T12:00:00Z".parse()?);
/// let key = FileKey::folder(WorkspaceId(Uuid::nil()), MediaId(Uuid::nil())).sent();
/// let grant = Grant { action: Action::Put { size_bytes: 1_000 }, key: key.clone(), expires_at: now };
/// let query = signer.query(&grant);
/// assert_eq!(signer.verify("PUT", key.as_str(), &query, now), Ok(grant));
/// let larger = query.replace("1000", "9999");
/// assert_eq!(signer.verify("PUT", key.as_str(), &larger, now), Err(LinkError::Forged));
/// # Ok::<(), chrono::ParseError>(())
/// ```
#[derive(Clone)]
pub struct LinkSigner([u8; 32]);

impl std::fmt::Debug for LinkSigner {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("LinkSigner([redacted])")
    }
}

const EXPIRES: &str = "expires";
const SIZE: &str = "size";
const UPLOAD: &str = "upload";
const PART: &str = "part";
const OFFSET: &str = "offset";
const MEDIA_TYPE: &str = "type";
const SIGNATURE: &str = "signature";

impl LinkSigner {
    /// A signer over a secret of the server.
    #[must_use]
    pub const fn new(secret: [u8; 32]) -> Self {
        Self(secret)
    }

    /// The query of a link, its signature last.
    #[must_use]
    pub fn query(&self, grant: &Grant) -> String {
        let mut query = url::form_urlencoded::Serializer::new(String::new());
        for (name, value) in fields(grant) {
            query.append_pair(name, &value);
        }
        query.append_pair(SIGNATURE, &hex::encode(self.tag(grant).finalize().into_bytes()));
        query.finish()
    }

    /// Reads and verifies a link: its method (`PUT` or `GET`), its key and its query.
    ///
    /// # Errors
    /// [`LinkError::Forged`] for anything that this signer has not made, [`LinkError::Expired`]
    /// for what it has made and is over at `now`.
    pub fn verify(
        &self,
        method: &str,
        key: &str,
        query: &str,
        now: DateTime<Utc>,
    ) -> Result<Grant, LinkError> {
        let mut pairs = BTreeMap::new();
        for (name, value) in url::form_urlencoded::parse(query.as_bytes()) {
            // A field that stands twice could be read in two ways.
            if pairs.insert(name.into_owned(), value.into_owned()).is_some() {
                return Err(LinkError::Forged);
            }
        }
        let grant = parse(method, key, &pairs).ok_or(LinkError::Forged)?;
        let tag = pairs.get(SIGNATURE).and_then(|tag| hex::decode(tag).ok());
        let tag = tag.ok_or(LinkError::Forged)?;
        self.tag(&grant).verify_slice(&tag).map_err(|_| LinkError::Forged)?;
        if grant.expires_at < now { Err(LinkError::Expired) } else { Ok(grant) }
    }

    fn tag(&self, grant: &Grant) -> Hmac<Sha256> {
        #[expect(clippy::expect_used, reason = "HMAC takes a key of any length")]
        let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(&self.0).expect("any key");
        let method = match grant.action {
            Action::Put { .. } => "PUT",
            Action::PutPart { .. } => "PUT-PART",
            Action::Get { .. } => "GET",
        };
        let mut add = |text: &str| {
            // The length before each field keeps one from reaching into the next.
            mac.update(&u64::try_from(text.len()).unwrap_or(u64::MAX).to_be_bytes());
            mac.update(text.as_bytes());
        };
        add(method);
        add(grant.key.as_str());
        for (name, value) in fields(grant) {
            add(name);
            add(&value);
        }
        mac
    }
}

fn fields(grant: &Grant) -> Vec<(&'static str, String)> {
    let mut fields = vec![(EXPIRES, grant.expires_at.timestamp().to_string())];
    match &grant.action {
        Action::Put { size_bytes } => fields.push((SIZE, size_bytes.to_string())),
        Action::PutPart { upload, part_number, offset_bytes, size_bytes } => {
            fields.push((SIZE, size_bytes.to_string()));
            fields.push((UPLOAD, upload.clone()));
            fields.push((PART, part_number.to_string()));
            fields.push((OFFSET, offset_bytes.to_string()));
        }
        Action::Get { media_type } => fields.push((MEDIA_TYPE, media_type.clone())),
    }
    fields
}

fn parse(method: &str, key: &str, pairs: &BTreeMap<String, String>) -> Option<Grant> {
    let text = |name: &str| pairs.get(name).cloned();
    let number = |name: &str| pairs.get(name)?.parse::<u64>().ok();
    let action = match (method, pairs.contains_key(PART)) {
        ("PUT", false) => Action::Put { size_bytes: number(SIZE)? },
        ("PUT", true) => Action::PutPart {
            upload: text(UPLOAD)?,
            part_number: u32::try_from(number(PART)?).ok()?,
            offset_bytes: number(OFFSET)?,
            size_bytes: number(SIZE)?,
        },
        ("GET" | "HEAD", false) => Action::Get { media_type: text(MEDIA_TYPE)? },
        _ => return None,
    };
    let seconds = i64::try_from(number(EXPIRES)?).ok()?;
    let expires_at = DateTime::from_timestamp(seconds, 0)?;
    Some(Grant { action, key: FileKey::parse(key)?, expires_at })
}

#[cfg(test)]
mod tests {
    use super::*;

    const KEY: &str =
        "0192f0c1-7e4b-7c3a-9d2e-5b6a7c8d9e0f/0192f0c1-7e4b-7c3a-9d2e-5b6a7c8d9e0f/original";

    fn at(text: &str) -> DateTime<Utc> {
        text.parse().unwrap()
    }

    fn grant(action: Action) -> Grant {
        let key = FileKey::parse(KEY).unwrap();
        Grant { action, key, expires_at: at("2026-11-21T13:00:00Z") }
    }

    fn part() -> Action {
        Action::PutPart {
            upload: "u 1/ä".to_owned(),
            part_number: 3,
            offset_bytes: 32 << 20,
            size_bytes: 16 << 20,
        }
    }

    fn get() -> Action {
        Action::Get { media_type: "image/webp".to_owned() }
    }

    const NOW: &str = "2026-11-21T12:59:59Z";

    #[test]
    fn a_link_is_read_back() {
        let signer = LinkSigner::new([7; 32]);
        for (method, action) in
            [("PUT", Action::Put { size_bytes: 5 }), ("PUT", part()), ("GET", get())]
        {
            let grant = grant(action);
            let query = signer.query(&grant);
            assert_eq!(signer.verify(method, KEY, &query, at(NOW)), Ok(grant));
        }
    }

    #[test]
    fn whatever_is_changed_breaks_it() {
        let signer = LinkSigner::new([7; 32]);
        let of = |action| signer.query(&grant(action));
        let put = of(Action::Put { size_bytes: 5 });
        let other_key = KEY.replace("original", "preview");
        for (name, method, key, query) in [
            ("another method", "GET", KEY, put.clone()),
            ("delete", "DELETE", KEY, put.clone()),
            ("another key", "PUT", other_key.as_str(), put.clone()),
            ("another size", "PUT", KEY, put.replace("size=5", "size=6")),
            ("a later end", "PUT", KEY, put.replace("expires=1", "expires=2")),
            ("another part", "PUT", KEY, of(part()).replace("part=3", "part=4")),
            ("another place", "PUT", KEY, of(part()).replace("offset=3", "offset=4")),
            ("a part made whole", "PUT", KEY, of(part()).replace("&part=3", "")),
            ("another upload", "PUT", KEY, of(part()).replace("upload=u", "upload=v")),
            ("another type", "GET", KEY, of(get()).replace("webp", "html")),
            ("a field twice", "PUT", KEY, format!("size=6&{put}")),
            ("no signature", "PUT", KEY, put.split("&signature").next().unwrap().to_owned()),
            ("an empty query", "PUT", KEY, String::new()),
            ("another server", "PUT", KEY, LinkSigner::new([8; 32]).query(&grant(part()))),
        ] {
            let verified = signer.verify(method, key, &query, at(NOW));
            assert_eq!(verified, Err(LinkError::Forged), "{name}");
        }
    }

    #[test]
    fn a_link_ends() {
        let signer = LinkSigner::new([7; 32]);
        let query = signer.query(&grant(get()));
        assert!(signer.verify("HEAD", KEY, &query, at("2026-11-21T13:00:00Z")).is_ok());
        let late = signer.verify("GET", KEY, &query, at("2026-11-21T13:00:01Z"));
        assert_eq!(late, Err(LinkError::Expired));
    }
}
