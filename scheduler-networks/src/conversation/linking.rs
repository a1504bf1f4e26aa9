//! Bodies that name files by links, for networks that fetch them.

use std::fmt;

use chrono::{DateTime, TimeDelta, Utc};
use serde_json::Value;

use super::FileBody;

/// How long a network may take to fetch a file by its link: as long as a container of Instagram
/// or Threads lives.
///
/// Source: <https://developers.facebook.com/documentation/instagram-platform/>, "Content
/// publishing".
pub const FETCH_TIMEOUT: TimeDelta = TimeDelta::hours(24);

/// A file that a network fetches by a link, which anybody may follow until it ends.
#[derive(Clone, PartialEq)]
pub struct LinkedFile {
    /// The file.
    pub file: FileBody,
    /// When the link ends.
    pub expires_at: DateTime<Utc>,
}

impl LinkedFile {
    /// A file whose link lives for [`FETCH_TIMEOUT`] from `now` on.
    #[must_use]
    pub fn new(file: FileBody, now: DateTime<Utc>) -> Self {
        Self { file, expires_at: now + FETCH_TIMEOUT }
    }
}

/// The file without its place, which is part of a link.
impl fmt::Debug for LinkedFile {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "LinkedFile({} until {})", self.file.media_type, self.expires_at)
    }
}

/// A form of which some fields are links to files.
#[derive(Clone, PartialEq)]
pub struct FormWithLinks {
    /// The other fields.
    pub fields: Vec<(&'static str, String)>,
    /// The fields that the driver adds, each with its link, in their order.
    pub links: Vec<(&'static str, LinkedFile)>,
}

/// JSON of which some values are links to files.
#[derive(Clone, PartialEq)]
pub struct JsonWithLinks {
    /// The JSON, with any value at the places of the links.
    pub value: Value,
    /// JSON pointers (RFC 6901) to the values that the driver replaces by a link.
    pub links: Vec<(String, LinkedFile)>,
}
