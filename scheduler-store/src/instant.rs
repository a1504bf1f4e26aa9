//! An instant as each database keeps it.

use chrono::{DateTime, Utc};

/// An instant: whole microseconds since 1970 in SQLite, `timestamptz` in PostgreSQL.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Instant(pub(crate) DateTime<Utc>);

/// The start of the year 1: before every instant that is stored, and inside the range of both
/// databases.
pub(crate) const EARLIEST: Instant = match DateTime::from_timestamp_micros(-62_135_596_800_000_000)
{
    Some(at) => Instant(at),
    None => Instant(DateTime::UNIX_EPOCH),
};

/// The end of what [`DateTime`] holds: after every instant that is stored.
pub(crate) const LATEST: Instant = Instant(DateTime::<Utc>::MAX_UTC);
