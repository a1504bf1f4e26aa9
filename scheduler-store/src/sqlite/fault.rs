//! What the codes of SQLite's errors stand for.

use sqlx::error::DatabaseError;
use sqlx::sqlite::SqliteError;

use crate::error::Kind;

/// What a code stands for; `None` when the error is of another database.
pub(crate) fn fault_kind(error: &dyn DatabaseError, code: &str) -> Option<Kind> {
    error.try_downcast_ref::<SqliteError>().map(|_| of_code(code.parse().unwrap_or_default()))
}

/// Source: <https://www.sqlite.org/rescode.html>: 13 (full) and 4874, with which the memory map
/// beside the log could not grow; then the primary codes 5 (busy), 6 (locked), 8 (read-only),
/// 10 (I/O) and 14 (cannot open); and 1811, the trigger of a database that was moved.
fn of_code(code: u32) -> Kind {
    match (code & 0xff, code) {
        (13, _) | (10, 4874) => Kind::Full,
        (5 | 6 | 8 | 10 | 14, _) | (_, 1811) => Kind::Unavailable,
        _ => Kind::Refused,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes() {
        for (code, want) in [
            (13, Kind::Full),
            (4874, Kind::Full),
            (5, Kind::Unavailable),
            (8, Kind::Unavailable),
            (1544, Kind::Unavailable),
            (778, Kind::Unavailable),
            (14, Kind::Unavailable),
            (1811, Kind::Unavailable),
            (787, Kind::Refused),
        ] {
            assert_eq!(of_code(code), want, "{code}");
        }
    }
}
