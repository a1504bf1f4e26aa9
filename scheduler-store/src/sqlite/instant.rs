//! Instants as SQLite keeps them: whole microseconds since 1970.

use chrono::DateTime;
use sqlx::encode::IsNull;
use sqlx::error::BoxDynError;
use sqlx::sqlite::{SqliteArgumentsBuffer, SqliteTypeInfo, SqliteValueRef};
use sqlx::{Decode, Encode, Sqlite, Type};

use crate::instant::Instant;

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
