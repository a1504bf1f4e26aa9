//! Moving a whole installation from one database into another of the other kind.
//!
//! The database that is left is closed for writing first, by triggers, so that whoever still uses it
//! reads on and publishes nothing. Then every table is copied by its key, which is how a move that
//! was broken off goes on; at the end both are compared row by row. The new database is opened for
//! use only once the old one is closed for good, so that never both publish.

mod schema;
mod side;

use chrono::{DateTime, Utc};
use futures_util::TryStreamExt as _;
use scheduler_core::ports::StoreError;

use crate::database::{Database, OpenError};
use crate::error::store_error;
use crate::sealing::SealingKey;
use schema::{Table, matched, tables};
use side::{Side, Texts};

/// Rows that are stored in one transaction.
///
/// Source: our decision.
const AT_ONCE: usize = 1_000;

/// Values of one statement at most.
///
/// Source: <https://www.sqlite.org/limits.html#max_variable_number>, 32 766; PostgreSQL takes more.
const VALUES_MAX: usize = 32_000;

/// Why a move did not come to its end. It can be run again, and goes on where it was.
#[derive(Debug, thiserror::Error)]
pub enum MoveError {
    /// One of the databases cannot be opened.
    #[error("the {0} database cannot be opened")]
    Open(&'static str, #[source] OpenError),
    /// Both are of the same kind, for which that database's own tools are better.
    #[error("both databases are of the same kind; a move goes from SQLite to PostgreSQL or back")]
    SameKind,
    /// There is something in the new database that no move has brought there.
    #[error("the new database is not empty: there are rows in {0}")]
    NotEmpty(String),
    /// The old database was moved already, into another one.
    #[error("this installation was moved into another database before")]
    Elsewhere,
    /// A move into the old database has not come to its end.
    #[error("a move into the old database has not come to its end")]
    Unfinished,
    /// The two have no common form of a table or a column.
    #[error("{0} is not the same in both databases")]
    Form(String),
    /// A row is not in the new database as it is in the old one.
    #[error("a row of {table} differs: {key}")]
    Differs {
        /// The table.
        table: String,
        /// The key of the row.
        key: String,
    },
    /// A database failed.
    #[error("a database failed")]
    Store(#[source] StoreError),
}

impl From<sqlx::Error> for MoveError {
    fn from(error: sqlx::Error) -> Self {
        Self::Store(store_error(error))
    }
}

/// What a database has to do with moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MoveState {
    /// Nothing, or a move into it has come to its end.
    None,
    /// A move out of it has begun: nothing can be written to it any more.
    Leaving,
    /// It was left for good.
    Left,
    /// A move into it has not come to its end.
    Arriving,
}

/// What was moved.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Moved {
    /// Rows that were copied by this run.
    pub copied: u64,
    /// Rows that were compared.
    pub compared: u64,
}

/// Moves everything from the database of one URL into that of another, which is made where there is
/// none. Run again, it goes on where it was broken off.
///
/// # Errors
/// [`MoveError`] by cause; the old database stays closed for writing until the move has come to its
/// end, or [`cancel_move`] opens it again.
pub async fn move_database(
    from: &str,
    to: &str,
    key: &SealingKey,
    now: DateTime<Utc>,
) -> Result<Moved, MoveError> {
    for (name, url) in [("old", from), ("new", to)] {
        if name == "new" || move_state_of(from).await? == MoveState::None {
            let opened = Database::open(url, key).await;
            opened.map_err(|error| MoveError::Open(name, error))?.close().await;
        }
    }
    let mut old = Side::open(from).await.map_err(|error| MoveError::Open("old", error))?;
    let mut new = Side::open(to).await.map_err(|error| MoveError::Open("new", error))?;
    if old.is_sqlite() == new.is_sqlite() {
        return Err(MoveError::SameKind);
    }
    let old_tables = tables(&mut old).await?;
    let new_tables = matched(&old_tables, &tables(&mut new).await?)?;
    begin(&mut old, &mut new, &old_tables, &new_tables, now).await?;
    let mut moved = Moved::default();
    for (of_old, of_new) in old_tables.iter().zip(&new_tables) {
        moved.copied += copy(&mut old, of_old, &mut new, of_new).await?;
    }
    for (of_old, of_new) in old_tables.iter().zip(&new_tables) {
        moved.compared += compare(&mut old, of_old, &mut new, of_new).await?;
    }
    end(&mut old, "source", now).await?;
    end(&mut new, "target", now).await?;
    // What is made anew: the words that posts are found by.
    let opened = Database::open(to, key).await;
    opened.map_err(|error| MoveError::Open("new", error))?.close().await;
    Ok(moved)
}

/// Opens a database for writing again that a move out of it has closed; `false`, and nothing is
/// changed, when there is no such move, or it has come to its end.
///
/// # Errors
/// [`MoveError`] by cause.
pub async fn cancel_move(url: &str) -> Result<bool, MoveError> {
    let mut side = Side::open(url).await.map_err(|error| MoveError::Open("old", error))?;
    if state(&mut side).await? != MoveState::Leaving {
        return Ok(false);
    }
    let names = names(&tables(&mut side).await?);
    let mut statements = side.opening(&names);
    statements.push("DELETE FROM moves WHERE role = 'source'".to_owned());
    side.together(statements).await?;
    Ok(true)
}

/// What a database has to do with moves; nothing where there is no database yet.
///
/// # Errors
/// [`MoveError`] by cause.
pub async fn move_state_of(url: &str) -> Result<MoveState, MoveError> {
    match Side::open(url).await {
        Ok(mut side) => state(&mut side).await,
        Err(OpenError::Unavailable(_)) => Ok(MoveState::None),
        Err(error) => Err(MoveError::Open("old", error)),
    }
}

async fn state(side: &mut Side) -> Result<MoveState, MoveError> {
    let exists = if side.is_sqlite() {
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name = 'moves'"
    } else {
        "SELECT to_regclass('moves')::text WHERE to_regclass('moves') IS NOT NULL"
    };
    if side.all(exists).await?.is_empty() {
        return Ok(MoveState::None);
    }
    let rows = side
        .all("SELECT role, CASE WHEN ended_at IS NULL THEN 'begun' ELSE 'ended' END FROM moves")
        .await?;
    let has = |role: &str, stage: &str| {
        rows.iter().any(|row| row[0].as_deref() == Some(role) && row[1].as_deref() == Some(stage))
    };
    Ok(if has("source", "ended") {
        MoveState::Left
    } else if has("source", "begun") {
        MoveState::Leaving
    } else if has("target", "begun") {
        MoveState::Arriving
    } else {
        MoveState::None
    })
}

/// Begins a move, or goes on with one: marks the new database, and closes the old one for writing.
async fn begin(
    old: &mut Side,
    new: &mut Side,
    old_tables: &[Table],
    new_tables: &[Table],
    now: DateTime<Utc>,
) -> Result<(), MoveError> {
    let of_old = state(old).await?;
    if of_old == MoveState::Arriving {
        return Err(MoveError::Unfinished);
    }
    if state(new).await? != MoveState::Arriving {
        if of_old == MoveState::Left {
            return Err(MoveError::Elsewhere);
        }
        for table in new_tables {
            let first = format!("SELECT '1' FROM {} LIMIT 1", table.name);
            if !new.all(&first).await?.is_empty() {
                return Err(MoveError::NotEmpty(table.name.clone()));
            }
        }
        mark(new, "target", now).await?;
    }
    if of_old == MoveState::None {
        mark(old, "source", now).await?;
    }
    if of_old != MoveState::Left {
        let statements = old.closing(&names(old_tables));
        old.together(statements).await?;
    }
    Ok(())
}

/// The tables that are closed for writing: all that are copied.
fn names(tables: &[Table]) -> Vec<String> {
    tables.iter().map(|table| table.name.clone()).collect()
}

async fn mark(side: &mut Side, role: &str, now: DateTime<Utc>) -> Result<(), MoveError> {
    let at = instant(side, 2);
    let statement = format!(
        "INSERT INTO moves (role, begun_at) VALUES ($1, {at}) ON CONFLICT (role) DO UPDATE SET \
         begun_at = excluded.begun_at, ended_at = NULL"
    );
    side.execute(statement, &[Some(role.to_owned()), Some(micros(now))]).await?;
    Ok(())
}

async fn end(side: &mut Side, role: &str, now: DateTime<Utc>) -> Result<(), MoveError> {
    let at = instant(side, 2);
    let statement =
        format!("UPDATE moves SET ended_at = {at} WHERE role = $1 AND ended_at IS NULL");
    side.execute(statement, &[Some(role.to_owned()), Some(micros(now))]).await?;
    Ok(())
}

/// The instant whose microseconds stand at a place.
fn instant(side: &Side, place: usize) -> String {
    side.write(&schema::Column::instant(), place)
}

fn micros(at: DateTime<Utc>) -> String {
    at.timestamp_micros().to_string()
}

/// Copies the rows of a table that are not there yet; how many.
async fn copy(
    old: &mut Side,
    of_old: &Table,
    new: &mut Side,
    of_new: &Table,
) -> Result<u64, MoveError> {
    let statement = new.last_key(of_new);
    let last = new.all(&statement).await?.into_iter().next();
    let select = old.select(of_old, last.is_some());
    let mut rows = old.rows(select, last.unwrap_or_default());
    let mut waiting: Vec<Texts> = Vec::with_capacity(AT_ONCE);
    let mut copied = 0;
    loop {
        let next = rows.try_next().await?;
        let is_last = next.is_none();
        waiting.extend(next.map(|row| of_old.alike(row)));
        if waiting.len() == AT_ONCE || (is_last && !waiting.is_empty()) {
            store(new, of_new, &waiting).await?;
            copied += waiting.len() as u64;
            waiting.clear();
        }
        if is_last {
            return Ok(copied);
        }
    }
}

/// Stores rows of a table in one transaction.
async fn store(new: &mut Side, table: &Table, rows: &[Texts]) -> Result<(), MoveError> {
    let at_once = (VALUES_MAX / table.columns.len()).clamp(1, rows.len());
    new.execute("BEGIN".to_owned(), &[]).await?;
    for rows in rows.chunks(at_once) {
        let values: Vec<Option<String>> = rows.iter().flatten().cloned().collect();
        if let Err(error) = new.execute(new.insert(table, rows.len()), &values).await {
            new.execute("ROLLBACK".to_owned(), &[]).await?;
            return Err(error.into());
        }
    }
    new.execute("COMMIT".to_owned(), &[]).await?;
    Ok(())
}

/// Compares a table row by row; how many there are.
async fn compare(
    old: &mut Side,
    of_old: &Table,
    new: &mut Side,
    of_new: &Table,
) -> Result<u64, MoveError> {
    let (select_old, select_new) = (old.select(of_old, false), new.select(of_new, false));
    let mut these = old.rows(select_old, Vec::new());
    let mut those = new.rows(select_new, Vec::new());
    let mut compared = 0;
    loop {
        let one = these.try_next().await?.map(|row| of_old.alike(row));
        let other = those.try_next().await?.map(|row| of_old.alike(row));
        if one != other {
            let row = one.or(other).unwrap_or_default();
            let key = row.into_iter().take(of_old.key_width()).flatten();
            let key = key.collect::<Vec<_>>().join(" ");
            return Err(MoveError::Differs { table: of_old.name.clone(), key });
        }
        if one.is_none() {
            return Ok(compared);
        }
        compared += 1;
    }
}
