//! The opaque text that says where the next page of a list begins.

use base64::Engine as _;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, Utc};
use sha2::{Digest, Sha256};
use uuid::Uuid;

use crate::ids::{AuditId, CommentId, MediaId, PostId};
use crate::post::{ListOrder, Post};

/// The place of a post in the order of a list: an instant, then its id. In
/// [`ListOrder::Recent`] that is its [`Post::sort_at`], both descending.
///
/// ```
/// use scheduler_core::cursor::Cursor;
/// use scheduler_core::ids::PostId;
///
/// let place = Cursor {
///     sort_at: "2026-11-21T12:00:00Z".parse()?,
///     id: "019d3608-3200-7000-8000-000000000001".parse::<PostId>()?,
/// };
/// let text = place.encode();
/// assert_eq!(Cursor::decode(&text)?, place);
/// assert!(Cursor::decode(&text[1..]).is_err());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Cursor {
    /// The instant of the last post of the page before; whole microseconds.
    pub sort_at: DateTime<Utc>,
    /// Its id.
    pub id: PostId,
}

/// The text is not a cursor that [`Cursor::encode`] made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a cursor of this list")]
pub struct CursorError;

const PLACE_BYTES: usize = 24;
const CHECK_BYTES: usize = 4;

impl Cursor {
    /// The place of a post in [`ListOrder::Recent`].
    #[must_use]
    pub fn of(post: &Post) -> Self {
        Self { sort_at: post.sort_at(), id: post.id }
    }

    /// Writes the cursor of [`ListOrder::Recent`] as 38 characters that are safe in a query.
    #[must_use]
    pub fn encode(self) -> String {
        self.encode_in(ListOrder::Recent)
    }

    /// Writes the cursor of an order, which no other order takes.
    #[must_use]
    pub fn encode_in(self, order: ListOrder) -> String {
        write_place(name_of(order), self.sort_at, self.id.0)
    }

    /// Reads what [`Cursor::encode`] wrote.
    ///
    /// # Errors
    /// [`CursorError`] for any other text. The check keeps out accidents, such as a cut-off
    /// cursor; a cursor holds nothing that its reader may not see.
    pub fn decode(text: &str) -> Result<Self, CursorError> {
        Self::decode_in(ListOrder::Recent, text)
    }

    /// Reads what [`Cursor::encode_in`] wrote for this order.
    ///
    /// # Errors
    /// [`CursorError`] for any other text.
    pub fn decode_in(order: ListOrder, text: &str) -> Result<Self, CursorError> {
        let (sort_at, id) = read_place(name_of(order), text)?;
        Ok(Self { sort_at, id: PostId(id) })
    }
}

/// An id by which things are listed that have an instant.
pub trait ListedId: Copy {
    /// What the check of a cursor of their list is made with, so that no other list takes it.
    const LIST: &'static [u8];

    /// The id as a UUID.
    fn uuid(self) -> Uuid;

    /// The id that a UUID is.
    fn of_uuid(uuid: Uuid) -> Self;
}

macro_rules! listed {
    ($($id:ident by $list:literal;)*) => {
        $(impl ListedId for $id {
            const LIST: &'static [u8] = $list;

            fn uuid(self) -> Uuid {
                self.0
            }

            fn of_uuid(uuid: Uuid) -> Self {
                Self(uuid)
            }
        })*
    };
}

listed! {
    MediaId by b"cursor of files";
    CommentId by b"cursor of comments";
    AuditId by b"cursor of the audit log";
}

/// The place of a thing in a list that is newest first: its instant, then its id, both descending.
///
/// ```
/// use scheduler_core::cursor::TimeCursor;
/// use scheduler_core::ids::{CommentId, MediaId};
///
/// let id = "019d3608-3200-7000-8000-000000000001".parse::<MediaId>()?;
/// let place = TimeCursor { at: "2026-11-21T12:00:00Z".parse()?, id };
/// let text = place.encode();
/// assert_eq!(TimeCursor::<MediaId>::decode(&text)?, place);
/// assert!(TimeCursor::<CommentId>::decode(&text).is_err(), "it is of another list");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct TimeCursor<Id> {
    /// The instant of the last thing of the page before; whole microseconds.
    pub at: DateTime<Utc>,
    /// Its id.
    pub id: Id,
}

impl<Id: ListedId> TimeCursor<Id> {
    /// Writes it as 38 characters that are safe in a query.
    #[must_use]
    pub fn encode(self) -> String {
        write_place(Id::LIST, self.at, self.id.uuid())
    }

    /// Reads what [`Self::encode`] wrote.
    ///
    /// # Errors
    /// [`CursorError`] for any other text.
    pub fn decode(text: &str) -> Result<Self, CursorError> {
        let (at, id) = read_place(Id::LIST, text)?;
        Ok(Self { at, id: Id::of_uuid(id) })
    }
}

const fn name_of(order: ListOrder) -> &'static [u8] {
    match order {
        ListOrder::Recent => b"cursor of posts",
        ListOrder::Due => b"cursor of posts by due time",
    }
}

/// Writes a place of a list as 38 characters, which no list of another name takes.
fn write_place(list: &[u8], at: DateTime<Utc>, id: Uuid) -> String {
    let mut bytes = [0_u8; PLACE_BYTES + CHECK_BYTES];
    bytes[..8].copy_from_slice(&at.timestamp_micros().to_be_bytes());
    bytes[8..PLACE_BYTES].copy_from_slice(id.as_bytes());
    let check = check(list, &bytes[..PLACE_BYTES]);
    bytes[PLACE_BYTES..].copy_from_slice(&check);
    URL_SAFE_NO_PAD.encode(bytes)
}

/// Reads what [`write_place`] wrote for a list of this name.
///
/// # Errors
/// [`CursorError`] for any other text.
fn read_place(list: &[u8], text: &str) -> Result<(DateTime<Utc>, Uuid), CursorError> {
    let bytes = URL_SAFE_NO_PAD.decode(text).map_err(|_| CursorError)?;
    let (place, sum) = bytes.split_at_checked(PLACE_BYTES).ok_or(CursorError)?;
    let (micros, id) = place.split_first_chunk::<8>().ok_or(CursorError)?;
    if sum != check(list, place) {
        return Err(CursorError);
    }
    let at = DateTime::from_timestamp_micros(i64::from_be_bytes(*micros)).ok_or(CursorError)?;
    Ok((at, Uuid::from_slice(id).map_err(|_| CursorError)?))
}

fn check(list: &[u8], place: &[u8]) -> [u8; CHECK_BYTES] {
    let digest = Sha256::new().chain_update(list).chain_update(place).finalize();
    std::array::from_fn(|index| digest[index])
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn comes_back(micros in -8_000_000_000_000_000_i64..8_000_000_000_000_000, id in any::<u128>()) {
            let cursor = Cursor {
                sort_at: DateTime::from_timestamp_micros(micros).unwrap(),
                id: PostId(Uuid::from_u128(id)),
            };
            prop_assert_eq!(Cursor::decode(&cursor.encode()), Ok(cursor));
        }

        #[test]
        fn any_other_text_is_refused(text in ".{0,60}") {
            prop_assert_eq!(Cursor::decode(&text), Err(CursorError));
        }

        #[test]
        fn a_changed_character_is_refused(micros in 0_i64..2_000_000_000_000_000, id in any::<u128>(), at in 0_usize..38, by in 1_usize..64) {
            let alphabet = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
            let cursor = Cursor { sort_at: DateTime::from_timestamp_micros(micros).unwrap(), id: PostId(Uuid::from_u128(id)) };
            let mut text = cursor.encode().into_bytes();
            let old = alphabet.iter().position(|c| *c == text[at]).unwrap();
            text[at] = alphabet[(old + by) % 64];
            prop_assert_eq!(Cursor::decode(std::str::from_utf8(&text).unwrap()), Err(CursorError));
        }
    }
}
