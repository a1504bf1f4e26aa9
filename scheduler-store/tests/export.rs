//! An export holds every column of the schema, or names it as left out; and no secret.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::{BTreeMap, BTreeSet};

use scheduler_core::ids::WorkspaceId;
use scheduler_store::testing::{Durability, TestPostgres};
use scheduler_store::{
    Database, SealingKey, export_workspace, held_by_exports, left_out_of_exports,
};
use serde_json::Value;
use sqlx::{AssertSqlSafe, Connection as _, Executor as _, PgConnection, SqliteConnection};
use uuid::Uuid;

/// The tables in an order in which none refers to a later one.
const TABLES: [&str; 28] = [
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
    "snippets",
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
const CERTAIN: [(&str, &str, &str); 17] = [
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
    ("events", "kind", "'post.published'"),
    ("deliveries", "status", "'pending'"),
    ("work", "kind", "'publish'"),
    ("assistant_counts", "call", "'review'"),
];

/// A column of the schema: its table, its name, its type.
type Column = (String, String, String);

fn marker(world: &str, table: &str, column: &str) -> String {
    format!("{world}-{table}-{column}")
}

/// The id of the row of a table; of the two worlds one has odd numbers.
fn id(world: &str, table: &str) -> Uuid {
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

async fn columns(url: &str) -> Vec<Column> {
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
async fn plant(url: &str, world: &str, columns: &[Column]) {
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

async fn export(url: &str, world: &str) -> Vec<Value> {
    let mut lines = Vec::new();
    let workspace = WorkspaceId(id(world, "workspaces"));
    let take = |line: &Value| {
        lines.push(line.clone());
        Ok(())
    };
    export_workspace(url, workspace, take).await.unwrap();
    lines
}

async fn check(url: &str) {
    let columns = columns(url).await;
    let left = left_out_of_exports();
    let tables_left: BTreeSet<&str> =
        left.keys().filter(|(_, column)| column.is_empty()).map(|(table, _)| *table).collect();
    let mut named: BTreeSet<(&str, &str)> = left.keys().copied().collect();
    named.extend(held_by_exports());
    named.retain(|(_, column)| !column.is_empty());
    let schema: BTreeSet<(&str, &str)> = columns
        .iter()
        .map(|(table, column, _)| (table.as_str(), column.as_str()))
        .filter(|(table, _)| !tables_left.contains(table))
        .collect();
    assert_eq!(named, schema, "every column is exported, or left out with a reason");
    assert!(left.values().all(|reason| !reason.is_empty()));
    let mut there: BTreeSet<&str> = columns.iter().map(|column| column.0.as_str()).collect();
    // SQLite loses no answer of a commit.
    there.insert("last_writes");
    assert!(tables_left.is_subset(&there), "{tables_left:?}");

    for world in ["planted", "other"] {
        plant(url, world, &columns).await;
    }
    let lines = export(url, "planted").await;
    let text: Vec<String> = lines.iter().map(Value::to_string).collect();
    let text = text.join("\n");
    assert!(!text.contains("other-"), "nothing of another workspace");
    for (table, column, kind) in &columns {
        let marker = marker("planted", table, column);
        let pair = (table.as_str(), column.as_str());
        let is_text = ["text", "TEXT"].contains(&kind.as_str());
        if left.contains_key(&pair) || left.contains_key(&(table.as_str(), "")) {
            let hex = marker.bytes().map(|byte| format!("{byte:02x}")).collect::<String>();
            assert!(!text.contains(&format!("{marker}\"")) && !text.contains(&hex), "{pair:?}");
        } else if is_text && !CERTAIN.iter().any(|known| (known.0, known.1) == pair) {
            assert!(text.contains(&marker), "{pair:?} is exported");
        }
    }
    let mut kinds: BTreeMap<&str, usize> = BTreeMap::new();
    for line in &lines {
        *kinds.entry(line["type"].as_str().unwrap()).or_default() += 1;
    }
    assert!(kinds.values().all(|count| *count == 1) && kinds.len() == 20, "{kinds:?}");
    let post = lines.iter().find(|line| line["type"] == "post").unwrap();
    assert_eq!(post["targets"].as_array().unwrap().len(), 1);
    assert_eq!(post["targets"][0]["platform"], "planted-targets-platform");
    assert_eq!(lines, export(url, "planted").await, "the order is the same every time");
}

#[tokio::test]
async fn in_sqlite() {
    let folder = tempfile::tempdir().unwrap();
    let url = format!("sqlite:{}", folder.path().join("scheduler.db").display());
    Database::open(&url, &SealingKey::from_bytes([1; 32])).await.unwrap().close().await;
    check(&url).await;
}

#[tokio::test]
async fn in_postgres() {
    let Some(postgres) = TestPostgres::create(Durability::None).await else { return };
    check(postgres.url()).await;
}
