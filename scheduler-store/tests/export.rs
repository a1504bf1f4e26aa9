//! An export holds every column of the schema, or names it as left out; and no secret.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod planting;

use std::collections::{BTreeMap, BTreeSet};

use scheduler_core::ids::WorkspaceId;
use scheduler_store::testing::{Durability, TestPostgres};
use scheduler_store::{
    Database, SealingKey, export_workspace, held_by_exports, left_out_of_exports,
};
use serde_json::Value;

use planting::{CERTAIN, columns, id, marker, plant};

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
    assert!(kinds.values().all(|count| *count == 1) && kinds.len() == 26, "{kinds:?}");
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
