//! What can go wrong inside an act, and how a store tells of it.

use scheduler_core::ports::StoreError;
use sqlx::error::{DatabaseError, ErrorKind};

/// Why an act, or a part of one, did not go through.
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

/// Ends an act, and undoes whatever it has written.
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

impl<T> Abort<T> {
    /// The outcome of an act that was undone.
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
    let is_unavailable = is_unavailable(error, &code);
    let fault = Box::new(Fault { what, code });
    if is_unavailable { StoreError::Unavailable(fault) } else { StoreError::Refused(fault) }
}

/// True for faults of the database and not of the statement.
///
/// Sources: <https://www.postgresql.org/docs/current/errcodes-appendix.html>, classes 08
/// (connection), 40 (given up for another transaction), 53 (resources), 57P (operator), 58 (system)
/// and 55P03 (a lock took too long); <https://www.sqlite.org/rescode.html>, the primary codes 5 (busy), 6 (locked), 8 (read-only), 10 (I/O), 13 (full), 14 (cannot open).
fn is_unavailable(error: &dyn DatabaseError, code: &str) -> bool {
    if error.try_downcast_ref::<sqlx::sqlite::SqliteError>().is_some() {
        let primary = code.parse::<u32>().unwrap_or_default() & 0xff;
        return matches!(primary, 5 | 6 | 8 | 10 | 13 | 14);
    }
    ["08", "40", "53", "55P03", "57P", "58"].iter().any(|class| code.starts_with(class))
}
