//! A look at a database of PostgreSQL that changes nothing in it.

use sqlx::postgres::PgConnectOptions;
use sqlx::{ConnectOptions as _, Connection as _, PgConnection};

use crate::database::OpenError;
use crate::inspect::{
    APPLIED, CREDENTIALS, Inspection, SchemaState, WEBHOOK_SECRETS, both, compare, has_tables,
};
use crate::migrations;

/// Never searches for damage, which the server does by itself.
pub(crate) async fn inspect(url: &str, _: u64) -> Result<Option<Inspection>, OpenError> {
    let options: PgConnectOptions = url.parse().map_err(|_| OpenError::Address)?;
    let options = options.application_name("scheduler doctor");
    let mut connection = options.connect().await.map_err(OpenError::unavailable)?;
    let inspection = look(&mut connection).await.map_err(OpenError::unavailable)?;
    connection.close().await.map_err(OpenError::unavailable)?;
    Ok(Some(inspection))
}

async fn look(connection: &mut PgConnection) -> Result<Inspection, sqlx::Error> {
    const HAS_TABLE: &str = "SELECT to_regclass('_sqlx_migrations') IS NOT NULL";
    let has_table: bool = sqlx::query_scalar(HAS_TABLE).fetch_one(&mut *connection).await?;
    const TAKES_TABLES: &str =
        "SELECT coalesce(has_schema_privilege(current_schema(), 'CREATE'), FALSE)";
    let takes_tables: bool = sqlx::query_scalar(TAKES_TABLES).fetch_one(&mut *connection).await?;
    let (mut schema, mut sealed) = (SchemaState::Empty, Vec::new());
    if has_table {
        let applied = sqlx::query_as(APPLIED).fetch_all(&mut *connection).await?;
        schema = compare(&migrations::POSTGRES, applied);
        if has_tables(schema) {
            let credentials = sqlx::query_as(CREDENTIALS).fetch_all(&mut *connection).await?;
            let secrets = sqlx::query_as(WEBHOOK_SECRETS).fetch_all(&mut *connection).await?;
            sealed = both(credentials, secrets);
        }
    }
    // Last, so that the time it takes to ask is short.
    let now = sqlx::query_scalar("SELECT clock_timestamp()").fetch_one(connection).await?;
    let seen = Inspection::new(schema, sealed);
    Ok(Inspection { now: Some(now), takes_tables: Some(takes_tables), ..seen })
}
