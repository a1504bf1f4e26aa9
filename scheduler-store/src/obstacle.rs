//! What keeps a database from being used, as far as an operator can do something about it.

use std::error::Error;

use crate::database::OpenError;
use crate::error::Fault;

/// What keeps a database from being used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Obstacle {
    /// Its server cannot be reached, or takes no connection at present.
    Unreachable,
    /// Its server lets this user in neither with this password nor without one.
    Login,
    /// Its server has no database of this name.
    NoDatabase,
    /// The user may not do what is needed.
    Rights,
    /// The file or its folder cannot be written to.
    NotWritable,
    /// There is no room left.
    Full,
    /// Another process writes, and does not end.
    Locked,
    /// The file is no database, or a damaged one.
    Damaged,
    /// Something else; the error says what is known.
    Other,
}

impl OpenError {
    /// What keeps the database from being used.
    #[must_use]
    pub fn obstacle(&self) -> Obstacle {
        let mut cause: Option<&(dyn Error + 'static)> = Some(self);
        while let Some(error) = cause {
            if let Some(fault) = error.downcast_ref::<Fault>() {
                return of_code(fault.code());
            }
            if error.is::<std::io::Error>() {
                return Obstacle::Unreachable;
            }
            cause = error.source();
        }
        Obstacle::Other
    }
}

/// Sources: <https://www.postgresql.org/docs/current/errcodes-appendix.html>, whose codes have five
/// characters, and <https://www.sqlite.org/rescode.html>, whose codes are shorter numbers with the
/// primary code in the lowest byte.
fn of_code(code: &str) -> Obstacle {
    if code.len() == 5 {
        return match code {
            "3D000" => Obstacle::NoDatabase,
            "42501" => Obstacle::Rights,
            "53100" => Obstacle::Full,
            "55P03" => Obstacle::Locked,
            "25006" => Obstacle::NotWritable,
            "XX001" | "XX002" => Obstacle::Damaged,
            _ if code.starts_with("28") => Obstacle::Login,
            _ if ["08", "53", "57P"].iter().any(|class| code.starts_with(class)) => {
                Obstacle::Unreachable
            }
            _ => Obstacle::Other,
        };
    }
    match code.parse::<u32>().map(|code| code & 0xff) {
        Ok(3 | 8 | 14) => Obstacle::NotWritable,
        Ok(5 | 6) => Obstacle::Locked,
        Ok(11 | 26) => Obstacle::Damaged,
        Ok(13) => Obstacle::Full,
        Ok(_) => Obstacle::Other,
        // Our own words for faults that have no code of a database.
        Err(_) if matches!(code, "pool" | "tls" | "protocol") => Obstacle::Unreachable,
        Err(_) => Obstacle::Other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_both_databases() {
        for (code, want) in [
            ("28P01", Obstacle::Login),
            ("28000", Obstacle::Login),
            ("3D000", Obstacle::NoDatabase),
            // Its number alone would be a lock of SQLite.
            ("42501", Obstacle::Rights),
            ("53300", Obstacle::Unreachable),
            ("57P03", Obstacle::Unreachable),
            ("53100", Obstacle::Full),
            ("42P01", Obstacle::Other),
            ("26", Obstacle::Damaged),
            ("11", Obstacle::Damaged),
            ("267", Obstacle::Damaged),
            ("8", Obstacle::NotWritable),
            ("1544", Obstacle::NotWritable),
            ("14", Obstacle::NotWritable),
            ("13", Obstacle::Full),
            ("5", Obstacle::Locked),
            ("10", Obstacle::Other),
            ("tls", Obstacle::Unreachable),
            ("row", Obstacle::Other),
        ] {
            assert_eq!(of_code(code), want, "{code}");
        }
        let refused = std::io::Error::from(std::io::ErrorKind::ConnectionRefused);
        let refused = OpenError::unavailable(sqlx::Error::Io(refused));
        assert_eq!(refused.obstacle(), Obstacle::Unreachable);
        assert_eq!(OpenError::Address.obstacle(), Obstacle::Other);
    }
}
