//! The rows of a workspace in SQLite, as lines.

use futures_util::TryStreamExt as _;
use scheduler_core::ids::WorkspaceId;
use serde_json::Value;
use sqlx::sqlite::{SqliteConnectOptions, SqliteRow};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _};

use crate::database::OpenError;
use crate::export::{ExportError, Gathered, line_kinds};

pub(crate) async fn export(
    url: &str,
    workspace: WorkspaceId,
    take: &mut impl FnMut(&Value) -> std::io::Result<()>,
) -> Result<(), ExportError> {
    let options: SqliteConnectOptions = url.parse().map_err(|_| OpenError::Address)?;
    let options = options.create_if_missing(false).read_only(true);
    let mut connection = options.connect().await.map_err(OpenError::unavailable)?;
    let mut snapshot = connection.begin().await?;
    for kind in line_kinds() {
        let query = sqlx::query(AssertSqlSafe(kind.statement.clone())).bind(workspace.0);
        let mut rows = query.fetch(&mut *snapshot);
        let mut gathered = Gathered::new(&kind);
        while let Some(row) = rows.try_next().await? {
            gathered.take::<SqliteRow>(&row, take)?;
        }
        gathered.finish(take)?;
    }
    snapshot.rollback().await?;
    Ok(connection.close().await?)
}
