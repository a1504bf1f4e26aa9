//! A look at a database that changes nothing in it, for an operator who asks what is wrong.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use sqlx::migrate::Migrator;
use uuid::Uuid;

use crate::database::{OpenError, of_url};
use crate::rows::row;
use crate::sealing::{Sealed, Sealer, SealingKey};

/// The schema of a database, next to that of this release.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SchemaState {
    /// There is no table yet.
    Empty,
    /// An earlier release has made it; so many migrations are missing.
    Older {
        /// How many.
        missing: usize,
    },
    /// It is that of this release.
    Current,
    /// A newer release has changed it.
    Newer,
    /// A migration was broken off, or is another than that of this release.
    Damaged,
}

/// Whether the secrets of a database open with a key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Seals {
    /// There are none.
    None,
    /// All that were tried open.
    Open,
    /// Some do not.
    Closed {
        /// How many do not.
        closed: usize,
        /// How many were tried.
        tried: usize,
    },
}

/// What was seen in a database.
#[derive(Debug)]
pub struct Inspection {
    /// Its schema.
    pub schema: SchemaState,
    /// What its own clock says; `None` where it has no other than this machine's.
    pub now: Option<DateTime<Utc>>,
    /// Whether tables can be made in it; `None` where only an attempt would tell.
    pub takes_tables: Option<bool>,
    /// Whether it contradicts itself. Looked at in files of up to 64 MiB alone.
    pub is_damaged: bool,
    pub(crate) sealed: Vec<(Sealed, Uuid, Vec<u8>)>,
}

row! {
    /// A migration that was run: its number, whether it went through, and what it was.
    pub(crate) struct Applied {
        version: i64,
        success: bool,
        checksum: Vec<u8>,
    }
}

pub(crate) const APPLIED: &str = "SELECT version, success, checksum FROM _sqlx_migrations";

/// Secrets of each kind that are tried. A key opens all of them or none, unless rows were copied
/// from elsewhere.
pub(crate) const CREDENTIALS: &str = "SELECT id, credentials FROM accounts \
     WHERE credentials IS NOT NULL ORDER BY id DESC LIMIT 100";
pub(crate) const WEBHOOK_SECRETS: &str =
    "SELECT id, secret FROM webhooks ORDER BY id DESC LIMIT 100";

/// Bytes of a file up to which it is read as a whole to see whether it is damaged; a larger one
/// would take longer than a person waits.
///
/// Source: our decision.
const CHECKED_BYTES: u64 = 64 << 20;

impl Inspection {
    pub(crate) const fn new(schema: SchemaState, sealed: Vec<(Sealed, Uuid, Vec<u8>)>) -> Self {
        Self { schema, now: None, takes_tables: None, is_damaged: false, sealed }
    }

    /// Looks at the database of a URL; `None` for a file of SQLite that does not exist.
    ///
    /// # Errors
    /// [`OpenError::Kind`], [`OpenError::Address`], [`OpenError::Unavailable`].
    pub async fn of(url: &str) -> Result<Option<Self>, OpenError> {
        Self::look(url, CHECKED_BYTES).await
    }

    /// The same without a search for damage, for a look at the secrets alone.
    ///
    /// # Errors
    /// As [`Inspection::of`].
    pub async fn of_secrets(url: &str) -> Result<Option<Self>, OpenError> {
        Self::look(url, 0).await
    }

    async fn look(url: &str, checked_bytes: u64) -> Result<Option<Self>, OpenError> {
        of_url!(url, driver => driver::inspect(url, checked_bytes).await)
    }

    /// Whether its secrets open with a key.
    #[must_use]
    pub fn seals(&self, key: &SealingKey) -> Seals {
        let sealer = Sealer::new(key);
        let tried = self.sealed.len();
        let is_closed = |(what, row, stored): &&(Sealed, Uuid, Vec<u8>)| {
            sealer.open(*what, *row, stored).is_err()
        };
        match (tried, self.sealed.iter().filter(is_closed).count()) {
            (0, _) => Seals::None,
            (_, 0) => Seals::Open,
            (tried, closed) => Seals::Closed { closed, tried },
        }
    }

    /// Whether there are secrets in it, which only their key opens.
    #[must_use]
    pub const fn has_secrets(&self) -> bool {
        !self.sealed.is_empty()
    }
}

/// Whether the tables are known to this release: they have been there since its first.
pub(crate) const fn has_tables(schema: SchemaState) -> bool {
    matches!(schema, SchemaState::Older { .. } | SchemaState::Current)
}

pub(crate) fn both(
    credentials: Vec<(Uuid, Vec<u8>)>,
    secrets: Vec<(Uuid, Vec<u8>)>,
) -> Vec<(Sealed, Uuid, Vec<u8>)> {
    let credentials = credentials.into_iter().map(|(row, text)| (Sealed::Credentials, row, text));
    let secrets = secrets.into_iter().map(|(row, text)| (Sealed::WebhookSecret, row, text));
    credentials.chain(secrets).collect()
}

pub(crate) fn compare(ours: &Migrator, applied: Vec<Applied>) -> SchemaState {
    let applied: BTreeMap<i64, Applied> =
        applied.into_iter().map(|applied| (applied.version, applied)).collect();
    let is_ours = |version: &i64| ours.iter().any(|migration| migration.version == *version);
    if !applied.keys().all(is_ours) {
        return SchemaState::Newer;
    }
    let mut missing = 0;
    for migration in ours.iter() {
        match applied.get(&migration.version) {
            None => missing += 1,
            Some(run) if run.success && *run.checksum == *migration.checksum => {}
            Some(_) => return SchemaState::Damaged,
        }
    }
    match (applied.len(), missing) {
        (0, _) => SchemaState::Empty,
        (_, 0) => SchemaState::Current,
        (_, missing) => SchemaState::Older { missing },
    }
}
