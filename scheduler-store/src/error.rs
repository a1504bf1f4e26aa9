//! What can go wrong inside an operation, and how a store tells of it.

use scheduler_core::ports::StoreError;
use sqlx::error::{DatabaseError, ErrorKind};

/// Why an operation, or a part of one, did not go through.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The database said so.
    Database(sqlx::Error),
    /// Something else did.
    Store(StoreError),
}

impl From<sqlx::Error> for Failure {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(error)
    }
}

impl From<StoreError> for Failure {
    fn from(error: StoreError) -> Self {
        Self::Store(error)
    }
}

impl From<Failure> for StoreError {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Database(error) => store_error(error),
            Failure::Store(error) => error,
        }
    }
}

/// Ends an operation, and undoes whatever it has written.
#[derive(Debug)]
pub(crate) enum Abort<T> {
    /// This is its outcome all the same.
    Outcome(T),
    /// It failed.
    Failure(Failure),
}

impl<T> From<Failure> for Abort<T> {
    fn from(failure: Failure) -> Self {
        Self::Failure(failure)
    }
}

impl<T> From<sqlx::Error> for Abort<T> {
    fn from(error: sqlx::Error) -> Self {
        Self::Failure(error.into())
    }
}

impl<T> From<StoreError> for Abort<T> {
    fn from(error: StoreError) -> Self {
        Self::Failure(error.into())
    }
}

#[cfg(feature = "sqlite")]
impl<T> Abort<T> {
    /// The outcome of an operation that was undone.
    pub(crate) fn into_result(self) -> Result<T, StoreError> {
        match self {
            Self::Outcome(outcome) => Ok(outcome),
            Self::Failure(failure) => Err(failure.into()),
        }
    }
}

/// What is known of a fault without the words of the database, which may quote stored values.
#[derive(Debug, thiserror::Error)]
#[error("{what} (code {code})")]
pub(crate) struct Fault {
    what: &'static str,
    code: String,
}

impl Fault {
    /// The code that the database has given.
    pub(crate) fn code(&self) -> &str {
        &self.code
    }
}

/// What was read has not the form that this version writes. Never quotes it.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub(crate) struct Unreadable(pub(crate) &'static str);

/// A stored thing that cannot be read; `what` names it, such as `posts.status`.
pub(crate) fn corrupt(what: &'static str, why: &'static str) -> StoreError {
    StoreError::Corrupt { what, source: Box::new(Unreadable(why)) }
}

/// Words an error of the database without SQL text and without values.
pub(crate) fn store_error(error: sqlx::Error) -> StoreError {
    let unavailable =
        |what, code: &str| StoreError::Unavailable(Box::new(Fault { what, code: code.to_owned() }));
    let refused =
        |what, code: &str| StoreError::Refused(Box::new(Fault { what, code: code.to_owned() }));
    match error {
        sqlx::Error::Database(error) => database_error(error.as_ref()),
        sqlx::Error::Io(error) if is_full_disk(&error) => StoreError::Full(Box::new(error)),
        sqlx::Error::Io(error) => StoreError::Unavailable(Box::new(error)),
        sqlx::Error::PoolTimedOut => unavailable("no connection became free in time", "pool"),
        sqlx::Error::PoolClosed => unavailable("the store is closed", "pool"),
        sqlx::Error::WorkerCrashed => unavailable("the connection's thread has ended", "worker"),
        sqlx::Error::Tls(_) => unavailable("the connection could not be encrypted", "tls"),
        sqlx::Error::Protocol(_) => unavailable("the connection broke", "protocol"),
        sqlx::Error::ColumnDecode { .. } | sqlx::Error::Decode(_) => {
            corrupt("row", "a column has another type or form than expected")
        }
        sqlx::Error::ColumnNotFound(_) | sqlx::Error::ColumnIndexOutOfBounds { .. } => {
            corrupt("row", "a column is missing")
        }
        sqlx::Error::RowNotFound => refused("a row is missing", "row"),
        // The enum is open; what is left cannot come from a statement of ours.
        _ => refused("the statement could not be run", "other"),
    }
}

/// What a driver takes a code for; `None` when the error is of another database.
type KindOf = fn(&dyn DatabaseError, &str) -> Option<Kind>;

/// Those of every driver that is built.
const KINDS: &[KindOf] = &[
    #[cfg(feature = "sqlite")]
    crate::sqlite::fault_kind,
    #[cfg(feature = "postgres")]
    crate::postgres::fault_kind,
];

fn is_full_disk(error: &std::io::Error) -> bool {
    use std::io::ErrorKind;
    matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded)
}

fn database_error(error: &dyn DatabaseError) -> StoreError {
    let code = error.code().unwrap_or_default().into_owned();
    let what = match error.kind() {
        ErrorKind::UniqueViolation => "something unique exists already",
        ErrorKind::ForeignKeyViolation => "something that is referred to is missing",
        ErrorKind::NotNullViolation => "something required is missing",
        ErrorKind::CheckViolation => "a value is not allowed",
        // Open as well; the code says the rest.
        _ => "the database reported a fault",
    };
    let kind = KINDS.iter().find_map(|kind| kind(error, &code)).unwrap_or(Kind::Refused);
    let fault = Box::new(Fault { what, code });
    match kind {
        Kind::Full => StoreError::Full(fault),
        Kind::Unavailable => StoreError::Unavailable(fault),
        Kind::Refused => StoreError::Refused(fault),
    }
}

/// Which error of a store a code of a database stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// There is no room left.
    Full,
    /// A fault of the database and not of the statement.
    Unavailable,
    /// A fault of the statement.
    Refused,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_disk_is_told() {
        let full = std::io::Error::from(std::io::ErrorKind::StorageFull);
        assert!(matches!(store_error(sqlx::Error::Io(full)), StoreError::Full(_)));
    }
}
