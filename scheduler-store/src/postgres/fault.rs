//! What the codes of PostgreSQL's errors stand for.

use sqlx::error::DatabaseError;
use sqlx::postgres::PgDatabaseError;

use crate::error::Kind;

/// What a code stands for; `None` when the error is of another database.
pub(crate) fn fault_kind(error: &dyn DatabaseError, code: &str) -> Option<Kind> {
    error.try_downcast_ref::<PgDatabaseError>().map(|_| of_code(code))
}

/// Source: <https://www.postgresql.org/docs/current/errcodes-appendix.html>: 53100 (disk full);
/// then classes 08 (connection), 40 (given up for another transaction), 53 (resources), 57P
/// (operator), 58 (system), 55P03 (a lock took too long), 57014 (a statement took too long) and
/// 25006 (the server takes no writes, such as a standby).
fn of_code(code: &str) -> Kind {
    const UNAVAILABLE: [&str; 8] = ["08", "25006", "40", "53", "55P03", "57014", "57P", "58"];
    if code == "53100" {
        Kind::Full
    } else if UNAVAILABLE.iter().any(|class| code.starts_with(class)) {
        Kind::Unavailable
    } else {
        Kind::Refused
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes() {
        for (code, want) in [
            ("53100", Kind::Full),
            ("53300", Kind::Unavailable),
            ("08006", Kind::Unavailable),
            ("25006", Kind::Unavailable),
            ("57P01", Kind::Unavailable),
            ("57014", Kind::Unavailable),
            ("40001", Kind::Unavailable),
            ("23505", Kind::Refused),
        ] {
            assert_eq!(of_code(code), want, "{code}");
        }
    }
}
