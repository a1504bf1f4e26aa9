//! Rows with every column of every table, in either database.

use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection, SqliteConnection};
use uuid::Uuid;

/// The tables in an order in which none refers to a later one.
pub(crate) const TABLES: [&str; 35] = [
    "workspaces",
    "keys",
    "accounts",
    "media",
    "posts",
    "targets",
    "approvals",
    "reviews",
    "reading_plans",
    "comments",
    "readings",
    "reading_states",
    "reading_refreshes",
    "followers",
    "call_budgets",
    "webhooks",
    "recurrences",
    "entry_uses",
    "snippets",
    "account_sets",
    "calendar_feeds",
    "feeds",
    "short_links",
    "short_link_clicks",
    "audit",
    "notifiers",
    "events",
    "deliveries",
    "delivery_attempts",
    "post_counts",
    "media_counts",
    "assistant_counts",
    "post_files",
    "work",
    "pending_connections",
];

/// Columns that take certain values only.
pub(crate) const CERTAIN: [(&str, &str, &str); 19] = [
    ("recurrences", "state", "'active'"),
    ("reading_states", "mode", "'one_by_one'"),
    ("workspaces", "plan", "'pro'"),
    ("accounts", "connection", "'direct'"),
    ("accounts", "disconnected_at", "NULL"),
    ("media", "kind", "'image'"),
    ("media", "status", "'ready'"),
    ("media", "video_codec", "'h264'"),
    ("posts", "status", "'scheduled'"),
    ("posts", "approval_state", "'pending'"),
    ("targets", "status", "'pending'"),
    ("targets", "failure_code", "'in_doubt'"),
    ("notifiers", "channel", "'email'"),
    ("audit", "actor_kind", "'key'"),
    ("keys", "confirmation", "'live'"),
    ("events", "kind", "'post.published'"),
    ("deliveries", "status", "'pending'"),
    ("work", "kind", "'publish'"),
    ("assistant_counts", "call", "'review'"),
];

/// A column of the schema: its table, its name, its type.
pub(crate) type Column = (String, String, String);

pub(crate) fn marker(world: &str, table: &str, column: &str) -> String {
    // Clicks name the code of their link.
    let table = if table == "short_link_clicks" { "short_links" } else { table };
    format!("{world}-{table}-{column}")
}

/// The id of the row of a table; of the two worlds one has odd numbers.
pub(crate) fn id(world: &str, table: &str) -> Uuid {
    let index = TABLES.iter().position(|name| *name == table).unwrap() as u128;
    Uuid::from_u128(1_000 + 2 * index + u128::from(world == "planted"))
}

/// Which table an id of a column is of.
fn refers_to(table: &str, column: &str) -> &'static str {
    match column {
        "workspace_id" => "workspaces",
        "post_id" | "subject" => "posts",
        "account_id" => "accounts",
        "target_id" => "targets",
        "event_id" | "until_event_id" => "events",
        "webhook_id" => "webhooks",
        "delivery_id" => "deliveries",
        "recurrence_id" => "recurrences",
        "media_id" | "picture_id" => "media",
        _ => TABLES.into_iter().find(|name| *name == table).unwrap(),
    }
}

fn literal(world: &str, (table, column, kind): &Column, is_sqlite: bool) -> String {
    let certain = CERTAIN.iter().find(|known| known.0 == table && known.1 == column);
    if let Some((_, _, value)) = certain {
        return (*value).to_owned();
    }
    let text = marker(world, table, column);
    let is_id = column == "id"
        || column.ends_with("_id") && !["network_id", "remote_id"].contains(&column.as_str());
    let is_id = is_id || (column == "subject" && table == "work");
    if is_id {
        let id = id(world, refers_to(table, column));
        return if is_sqlite { format!("X'{}'", id.simple()) } else { format!("'{id}'") };
    }
    match kind.to_ascii_lowercase().as_str() {
        "text" => format!("'{text}'"),
        "blob" => format!("CAST('{text}' AS BLOB)"),
        "bytea" => format!("'{text}'::bytea"),
        "boolean" => "true".to_owned(),
        "timestamp with time zone" => "'2026-01-01T00:00:00Z'".to_owned(),
        _ => "1".to_owned(),
    }
}

pub(crate) async fn columns(url: &str) -> Vec<Column> {
    if url.starts_with("sqlite:") {
        let mut connection = SqliteConnection::connect(url).await.unwrap();
        let columns = "SELECT m.name, p.name, p.type FROM sqlite_schema m \
            JOIN pragma_table_info(m.name) p WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite%' \
            AND m.name NOT LIKE 'post_words_index%'";
        sqlx::query_as(columns).fetch_all(&mut connection).await.unwrap()
    } else {
        let mut connection = PgConnection::connect(url).await.unwrap();
        let columns = "SELECT table_name::text, column_name::text, data_type::text \
            FROM information_schema.columns WHERE table_schema = 'public'";
        sqlx::query_as(columns).fetch_all(&mut connection).await.unwrap()
    }
}

/// Fills every column of every table.
pub(crate) async fn plant(url: &str, world: &str, columns: &[Column]) {
    let is_sqlite = url.starts_with("sqlite:");
    for table in TABLES {
        let of_table: Vec<&Column> = columns.iter().filter(|column| column.0 == table).collect();
        let names: Vec<&str> = of_table.iter().map(|column| column.1.as_str()).collect();
        let values: Vec<String> =
            of_table.iter().map(|column| literal(world, column, is_sqlite)).collect();
        let (names, values) = (names.join(", "), values.join(", "));
        let insert = AssertSqlSafe(format!("INSERT INTO {table} ({names}) VALUES ({values})"));
        if is_sqlite {
            let mut connection = SqliteConnection::connect(url).await.unwrap();
            connection.execute(insert).await.unwrap_or_else(|error| panic!("{table}: {error}"));
        } else {
            let mut connection = PgConnection::connect(url).await.unwrap();
            connection.execute(insert).await.unwrap_or_else(|error| panic!("{table}: {error}"));
        }
    }
}
