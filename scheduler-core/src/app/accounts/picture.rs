//! The picture of an account, which its network names by an address.

use bytes::Bytes;
use serde::{Serialize, Serializer};

use crate::app::answers::Question;
use crate::app::{Caller, Scheduler};
use crate::error::{AppError, Refusal, Resource};
use crate::ids::AccountId;
use crate::key::Scope;

/// Bytes of the picture of an account at most.
///
/// Source: our decision; networks give pictures of some hundred pixels.
const PICTURE_BYTES_MAX: u64 = 256 << 10;

/// The picture of an account.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct AccountPicture {
    /// Its type, found from its bytes.
    pub media_type: &'static str,
    /// Its bytes.
    #[serde(serialize_with = "as_list")]
    pub bytes: Bytes,
}

/// As a list, for which alone bytes have a form in JSON.
fn as_list<S: Serializer>(bytes: &Bytes, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(bytes)
}

impl Scheduler {
    /// The picture of an account, as its network has it: fetched from the address that the network
    /// has told last, and kept for a minute.
    ///
    /// # Errors
    /// `forbidden` without `posts:read`; `not_found` also where the network names no picture, and
    /// where none can be had from there.
    pub async fn account_picture(
        &self,
        caller: &Caller,
        id: AccountId,
    ) -> Result<AccountPicture, AppError> {
        caller.require(Scope::PostsRead)?;
        let account = self.known_account(caller, id).await?;
        let told = self.told_picture(id).or_else(|| account.avatar_url.clone());
        let missing = || AppError::from(Refusal::not_found(Resource::Picture));
        let address = told.ok_or_else(missing)?;
        let picture = async {
            let fetched = self.ports.fetcher.fetch(&address, PICTURE_BYTES_MAX).await;
            let fetched = fetched.map_err(|_| missing())?;
            let bytes = fetched.bytes.collect().await.map_err(|_| missing())?;
            let media_type = picture_type(&bytes).ok_or_else(missing)?;
            Ok(AccountPicture { media_type, bytes })
        };
        self.answered(&account, Question::Picture, picture).await
    }
}

/// The type of a picture that browsers show, by how it begins; `None` for anything else.
///
/// Source: the signatures of the WHATWG's MIME Sniffing Standard, section 6.1.
fn picture_type(bytes: &[u8]) -> Option<&'static str> {
    match bytes {
        [0xFF, 0xD8, 0xFF, ..] => Some("image/jpeg"),
        [0x89, b'P', b'N', b'G', 0x0D, 0x0A, 0x1A, 0x0A, ..] => Some("image/png"),
        [b'G', b'I', b'F', b'8', b'7' | b'9', b'a', ..] => Some("image/gif"),
        [b'R', b'I', b'F', b'F', _, _, _, _, b'W', b'E', b'B', b'P', b'V', b'P', ..] => {
            Some("image/webp")
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_of_pictures() {
        for (name, bytes, want) in [
            ("a JPEG", &b"\xFF\xD8\xFF\xE0\x00"[..], Some("image/jpeg")),
            ("a PNG", b"\x89PNG\r\n\x1a\n\x00", Some("image/png")),
            ("a GIF", b"GIF89a..", Some("image/gif")),
            ("a WebP", b"RIFF\x01\x02\x03\x04WEBPVP8 ", Some("image/webp")),
            ("a page", b"<html><script>alert(1)</script>", None),
            ("a drawing, which could hold scripts", b"<svg xmlns='...'>", None),
            ("half a signature", b"\x89PNG", None),
            ("nothing", b"", None),
        ] {
            assert_eq!(picture_type(bytes), want, "{name}");
        }
    }
}
