//! The rows of a workspace in PostgreSQL, as lines.

use futures_util::TryStreamExt as _;
use scheduler_core::ids::WorkspaceId;
use serde_json::Value;
use sqlx::postgres::{PgConnectOptions, PgRow};
use sqlx::{AssertSqlSafe, ConnectOptions as _, Connection as _};

use crate::database::OpenError;
use crate::export::{ExportError, Gathered, line_kinds};

pub(crate) async fn export(
    url: &str,
    workspace: WorkspaceId,
    take: &mut impl FnMut(&Value) -> std::io::Result<()>,
) -> Result<(), ExportError> {
    let options: PgConnectOptions = url.parse().map_err(|_| OpenError::Address)?;
    let options = options.application_name("scheduler export");
    let mut connection = options.connect().await.map_err(OpenError::unavailable)?;
    let begin = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";
    let mut snapshot = connection.begin_with(begin).await?;
    for kind in line_kinds() {
        let query = sqlx::query(AssertSqlSafe(kind.statement.clone())).bind(workspace.0);
        let mut rows = query.fetch(&mut *snapshot);
        let mut gathered = Gathered::new(&kind);
        while let Some(row) = rows.try_next().await? {
            gathered.take::<PgRow>(&row, take)?;
        }
        gathered.finish(take)?;
    }
    snapshot.rollback().await?;
    Ok(connection.close().await?)
}
