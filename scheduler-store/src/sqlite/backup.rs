//! A copy of a database that is in use, and the proof that it is one.

use std::collections::BTreeMap;
use std::path::Path;

use futures_util::TryStreamExt as _;
use scheduler_core::ids::{MediaId, WorkspaceId};
use scheduler_core::media::{FileFolder, FileKey};
use scheduler_core::ports::StoreError;
use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _, SqliteConnection};
use uuid::Uuid;

use super::files::create_for_sqlite;
use crate::database::OpenError;

/// A copy of a database could not be made, or is none.
#[derive(Debug, thiserror::Error)]
pub enum CopyError {
    /// The database could not be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// There is no room left where the copy is written.
    #[error("there is no room left where the copy is written")]
    Full(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The copy could not be written or read.
    #[error("the copy could not be made")]
    Database(#[source] Box<dyn std::error::Error + Send + Sync>),
    /// The copy is not whole.
    #[error("the copy is damaged: {0}")]
    Damaged(String),
}

impl From<sqlx::Error> for CopyError {
    fn from(error: sqlx::Error) -> Self {
        match crate::error::store_error(error) {
            StoreError::Full(source) => Self::Full(source),
            other => Self::Database(Box::new(other)),
        }
    }
}

/// What is in a copy.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CopyContents {
    /// How many rows each table has.
    pub rows: BTreeMap<String, i64>,
    /// How many files are ready, of which `is_there` knows nothing.
    pub missing_files: u64,
}

/// Writes a copy of an SQLite database into a new file, as of one moment: whatever was answered
/// before the call is in it. Others may read and write meanwhile; nothing is changed in the
/// original.
///
/// # Errors
/// [`CopyError::Open`] when there is no such database, [`CopyError::Full`], [`CopyError::Database`].
pub async fn copy_sqlite(url: &str, to: &Path) -> Result<(), CopyError> {
    let options: SqliteConnectOptions = url.parse().map_err(|_| OpenError::Address)?;
    let options = options.create_if_missing(false).read_only(true);
    let mut connection = options.connect().await.map_err(OpenError::unavailable)?;
    // Source: https://www.sqlite.org/lang_vacuum.html, VACUUM INTO.
    create_for_sqlite(to);
    let target = to.to_string_lossy().into_owned();
    sqlx::query("VACUUM INTO $1").bind(target).execute(&mut connection).await?;
    Ok(connection.close().await?)
}

/// Reads a copy whole, and proves that it is one: every page, every reference, every file that
/// should be beside it.
///
/// # Errors
/// [`CopyError::Damaged`] by what was found, [`CopyError::Open`], [`CopyError::Database`].
pub async fn verify_sqlite(
    copy: &Path,
    is_there: impl Fn(&FileFolder) -> bool,
) -> Result<CopyContents, CopyError> {
    let options = SqliteConnectOptions::new().filename(copy).read_only(true);
    let mut connection = options.connect().await.map_err(OpenError::unavailable)?;
    let said: Vec<String> =
        sqlx::query_scalar("PRAGMA integrity_check(5)").fetch_all(&mut connection).await?;
    if said != ["ok"] {
        return Err(CopyError::Damaged(said.join("; ")));
    }
    let broken = sqlx::query("PRAGMA foreign_key_check").fetch_optional(&mut connection).await?;
    if broken.is_some() {
        return Err(CopyError::Damaged("a row refers to one that is not there".to_owned()));
    }
    let mut contents = CopyContents { rows: rows(&mut connection).await?, missing_files: 0 };
    let ready = "SELECT workspace_id, id FROM media WHERE status = 'ready'";
    let mut files = sqlx::query_as::<_, (Uuid, Uuid)>(ready).fetch(&mut connection);
    while let Some((workspace, id)) = files.try_next().await? {
        let folder = FileKey::folder(WorkspaceId(workspace), MediaId(id));
        contents.missing_files += u64::from(!is_there(&folder));
    }
    drop(files);
    connection.close().await?;
    Ok(contents)
}

async fn rows(connection: &mut SqliteConnection) -> Result<BTreeMap<String, i64>, sqlx::Error> {
    const TABLES: &str = "SELECT name FROM sqlite_schema WHERE type = 'table' \
        AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'";
    let names: Vec<String> = sqlx::query_scalar(TABLES).fetch_all(&mut *connection).await?;
    let mut rows = BTreeMap::new();
    for name in names {
        let count = AssertSqlSafe(format!("SELECT count(*) FROM \"{name}\""));
        let count: i64 = sqlx::query_scalar(count).fetch_one(&mut *connection).await?;
        rows.insert(name, count);
    }
    Ok(rows)
}
