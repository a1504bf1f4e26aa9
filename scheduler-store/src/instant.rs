//! An instant as each database keeps it.

use chrono::{DateTime, Utc};
use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::postgres::{PgArgumentBuffer, PgHasArrayType, PgTypeInfo, PgValueRef};
use sqlx::sqlite::{SqliteArgumentsBuffer, SqliteTypeInfo, SqliteValueRef};
use sqlx::{Decode, Encode, Postgres, Sqlite, Type};

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

/// The number in the database is outside of what an instant can be.
#[derive(Debug, thiserror::Error)]
#[error("the number is not an instant")]
struct NotAnInstant;

impl Type<Sqlite> for Instant {
    fn type_info() -> SqliteTypeInfo {
        <i64 as Type<Sqlite>>::type_info()
    }

    fn compatible(info: &SqliteTypeInfo) -> bool {
        <i64 as Type<Sqlite>>::compatible(info)
    }
}

impl Encode<'_, Sqlite> for Instant {
    fn encode_by_ref(&self, buffer: &mut SqliteArgumentsBuffer) -> Result<IsNull, BoxDynError> {
        Encode::<Sqlite>::encode(self.0.timestamp_micros(), buffer)
    }
}

impl<'r> Decode<'r, Sqlite> for Instant {
    fn decode(value: SqliteValueRef<'r>) -> Result<Self, BoxDynError> {
        let micros = <i64 as Decode<'r, Sqlite>>::decode(value)?;
        Ok(Self(DateTime::from_timestamp_micros(micros).ok_or(NotAnInstant)?))
    }
}

impl Type<Postgres> for Instant {
    fn type_info() -> PgTypeInfo {
        <DateTime<Utc> as Type<Postgres>>::type_info()
    }
}

impl PgHasArrayType for Instant {
    fn array_type_info() -> PgTypeInfo {
        <DateTime<Utc> as PgHasArrayType>::array_type_info()
    }
}

impl Encode<'_, Postgres> for Instant {
    fn encode_by_ref(&self, buffer: &mut PgArgumentBuffer) -> Result<IsNull, BoxDynError> {
        Encode::<Postgres>::encode_by_ref(&self.0, buffer)
    }
}

impl<'r> Decode<'r, Postgres> for Instant {
    fn decode(value: PgValueRef<'r>) -> Result<Self, BoxDynError> {
        <DateTime<Utc> as Decode<'r, Postgres>>::decode(value).map(Self)
    }
}
