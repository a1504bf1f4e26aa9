//! What is looked at before a database is opened, and what keeps it from being opened, in words.

use std::path::PathBuf;

use scheduler_store::{
    Inspection, MoveState, Obstacle, OpenError, SchemaState, SealingKey, Seals, move_state_of,
};
use secrecy::ExposeSecret as _;

use crate::config::StorageSettings;
use crate::failure::advised;

/// Why the secrets of a database cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum KeyFault {
    /// The file of the key is gone, and there are secrets that were sealed with it.
    Gone(PathBuf),
    /// Secrets were sealed with another key.
    Wrong {
        /// How many do not open.
        closed: usize,
        /// How many were tried.
        tried: usize,
    },
}

impl KeyFault {
    /// What was found, for a person.
    pub(crate) fn found(&self) -> String {
        match self {
            Self::Gone(path) => {
                format!("{} is gone, and the database holds secrets sealed with it", path.display())
            }
            Self::Wrong { closed, tried } => {
                format!("it does not open {closed} of {tried} secrets of the database")
            }
        }
    }

    /// What to do about it.
    pub(crate) const fn advice(&self) -> &'static str {
        match self {
            Self::Gone(_) => {
                "bring the file back before the next start; when it is lost for good, `scheduler \
                 secrets forget` discards the sealed secrets, and every account has to be \
                 connected again"
            }
            Self::Wrong { .. } => {
                "bring back the key that they were sealed with; when it is lost for good, \
                 `scheduler secrets forget` discards those secrets; then their accounts have to be \
                 reconnected and their webhooks recreated"
            }
        }
    }
}

/// The key that seals, made on the first start, after a look whether it opens what the database
/// holds.
///
/// Never makes a key where there are secrets already. Where it opens some secrets and others not,
/// the work of those others is put off again and again, and a line of the log says so.
///
/// # Errors
/// When there is no key, when it opens none of the secrets, and when the database cannot be read.
pub(crate) async fn sealing_key(storage: &StorageSettings) -> anyhow::Result<SealingKey> {
    let inspection = Inspection::of_secrets(storage.database.expose_secret());
    let inspection = inspection.await.map_err(cannot_open)?;
    let is_sealed = inspection.as_ref().is_some_and(Inspection::has_secrets);
    let refuse =
        |what: &str, fault: &KeyFault| advised(format!("{what}{}", fault.found()), fault.advice());
    if let Some(path) = storage.made_key_file().filter(|path| is_sealed && !path.exists()) {
        return Err(refuse("the secret key ", &KeyFault::Gone(path.to_owned())));
    }
    let key = storage.sealing_key()?;
    match inspection.map(|inspection| inspection.seals(&key)) {
        Some(Seals::Closed { closed, tried }) if closed == tried => {
            Err(refuse("the secret key is the wrong one: ", &KeyFault::Wrong { closed, tried }))
        }
        Some(Seals::Closed { closed, tried }) => {
            tracing::warn!(
                closed,
                tried,
                "the secret key does not open all secrets of the database"
            );
            Ok(key)
        }
        Some(Seals::None | Seals::Open) | None => Ok(key),
    }
}

/// Refuses to work on a database that is not there. Whoever names the wrong folder would otherwise
/// find a new and empty one in it, with a new key.
///
/// # Errors
/// When there is no database yet, or it cannot be looked at.
pub(crate) async fn refuse_missing(storage: &StorageSettings) -> anyhow::Result<()> {
    if !is_missing(storage).await? {
        return Ok(());
    }
    Err(advised(
        format!(
            "there is no database of the scheduler yet; the data folder is {}",
            storage.data.display()
        ),
        "name the folder or the database of your server with --data or --database (or \
         SCHEDULER_DATA, SCHEDULER_DATABASE); `scheduler serve` and `scheduler workspace create` \
         make a new one, and `scheduler login` works on one that runs elsewhere",
    ))
}

/// Whether there is no database of the scheduler at a place.
///
/// # Errors
/// When it cannot be looked at.
pub(crate) async fn is_missing(storage: &StorageSettings) -> anyhow::Result<bool> {
    let inspection = Inspection::of_secrets(storage.database.expose_secret());
    let inspection = inspection.await.map_err(cannot_open)?;
    Ok(inspection.is_none_or(|found| found.schema == SchemaState::Empty))
}

/// Refuses to work on a database that was moved elsewhere, or that a move has not filled yet: two
/// that publish the same posts would publish them twice.
///
/// # Errors
/// When it is one of these, or cannot be looked at.
pub(crate) async fn refuse_moved(url: &str) -> anyhow::Result<()> {
    let (what, next) = match move_state_of(url).await? {
        MoveState::None => return Ok(()),
        MoveState::Left => (
            "this installation was moved to another database",
            "set `database` (or SCHEDULER_DATABASE) to where it is now",
        ),
        MoveState::Leaving => (
            "this installation is being moved to another database",
            "run `scheduler move --to URL` again to go on, or `scheduler move --cancel` to go back",
        ),
        MoveState::Arriving => (
            "a move into this database has not come to its end",
            "run `scheduler move --to URL` on the old database again: it goes on where it was",
        ),
    };
    Err(advised(what, next))
}

/// Why a database cannot be opened, in words, and what to do about it.
pub(crate) fn cannot_open(error: OpenError) -> anyhow::Error {
    let obstacle = error.obstacle();
    match words(obstacle) {
        Some(words) => {
            tracing::debug!(error = format!("{:#}", anyhow::Error::new(error)), "cannot open");
            advised(format!("cannot use the database: {words}"), advice(obstacle))
        }
        None => {
            anyhow::Error::new(error).context("cannot use the database; see --database and --data")
        }
    }
}

/// What keeps a database from being used; `None` where only the error itself says it.
const fn words(obstacle: Obstacle) -> Option<&'static str> {
    Some(match obstacle {
        Obstacle::Unreachable => "its server cannot be reached or takes no connection",
        Obstacle::Login => "its server does not let this user in",
        Obstacle::NoDatabase => "its server has no database of this name",
        Obstacle::Rights => "the user of the database may not do what is needed",
        Obstacle::NotWritable => "its file or folder cannot be opened for writing",
        Obstacle::Full => "there is no room left on its disk",
        Obstacle::Locked => "another program is writing to it and does not end",
        Obstacle::Damaged => "the file is no database of SQLite, or is damaged",
        Obstacle::Other => return None,
    })
}

/// What to do about an obstacle.
pub(crate) const fn advice(obstacle: Obstacle) -> &'static str {
    match obstacle {
        Obstacle::Unreachable => {
            "see that its server runs, and that the host and the port of --database are right"
        }
        Obstacle::Login => {
            "correct the user and the password of --database, and see that pg_hba.conf lets this \
             user in from here"
        }
        Obstacle::NoDatabase => {
            "create it with `createdb`, or correct the name at the end of --database"
        }
        Obstacle::Rights => {
            "make the user of --database the owner of the tables, or give it all rights on them"
        }
        Obstacle::NotWritable => {
            "let the user that the server runs as write to it, or name another by --database"
        }
        Obstacle::Full => "make room on its disk; nothing is lost meanwhile",
        Obstacle::Locked => {
            "another program holds it: end that (`fuser` and `lsof` tell which), or wait until it \
             is done"
        }
        Obstacle::Damaged => {
            "stop the server, put the file aside with its -wal, and bring back a copy, or correct \
             --database"
        }
        Obstacle::Other => "see the log of its server, and that --database names the right one",
    }
}
