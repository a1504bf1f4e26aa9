//! A look at a file of SQLite that changes nothing in it.

use std::path::PathBuf;

use sqlx::sqlite::SqliteConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _, SqliteConnection};

use super::is_in_memory;
use crate::database::OpenError;
use crate::inspect::{
    APPLIED, CREDENTIALS, Inspection, SchemaState, WEBHOOK_SECRETS, both, compare, has_tables,
};
use crate::migrations;

/// The file of a URL such as `sqlite:scheduler.db`; `None` for another database, and for one in
/// memory.
#[must_use]
pub fn sqlite_file(url: &str) -> Option<PathBuf> {
    let is_file = url.starts_with("sqlite:") && !is_in_memory(url);
    let options: SqliteConnectOptions = if is_file { url.parse().ok()? } else { return None };
    Some(options.get_filename().to_owned())
}

pub(crate) async fn inspect(
    url: &str,
    checked_bytes: u64,
) -> Result<Option<Inspection>, OpenError> {
    let options: SqliteConnectOptions = url.parse().map_err(|_| OpenError::Address)?;
    if !options.get_filename().exists() {
        return Ok(None);
    }
    let bytes = std::fs::metadata(options.get_filename()).map_or(0, |data| data.len());
    let options = options.create_if_missing(false).read_only(true);
    let mut connection = options.connect().await.map_err(OpenError::unavailable)?;
    let mut inspection = look(&mut connection).await.map_err(OpenError::unavailable)?;
    if bytes <= checked_bytes {
        // In SQLite's own words, which quote no value; the first is "ok" when there is no fault.
        let said: String = sqlx::query_scalar("PRAGMA quick_check(1)")
            .fetch_one(&mut connection)
            .await
            .map_err(OpenError::unavailable)?;
        inspection.is_damaged = said != "ok";
    }
    connection.close().await.map_err(OpenError::unavailable)?;
    Ok(Some(inspection))
}

async fn look(connection: &mut SqliteConnection) -> Result<Inspection, sqlx::Error> {
    const TABLES: &str = "SELECT count(*) FROM sqlite_schema WHERE name = '_sqlx_migrations'";
    let tables: i64 = sqlx::query_scalar(TABLES).fetch_one(&mut *connection).await?;
    if tables == 0 {
        return Ok(Inspection::new(SchemaState::Empty, Vec::new()));
    }
    let applied = sqlx::query_as(APPLIED).fetch_all(&mut *connection).await?;
    let schema = compare(&migrations::SQLITE, applied);
    let (mut credentials, mut secrets) = (Vec::new(), Vec::new());
    if has_tables(schema) {
        credentials = sqlx::query_as(CREDENTIALS).fetch_all(&mut *connection).await?;
        secrets = sqlx::query_as(WEBHOOK_SECRETS).fetch_all(&mut *connection).await?;
    }
    Ok(Inspection::new(schema, both(credentials, secrets)))
}
