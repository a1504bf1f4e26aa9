//! What is listed, and for whom.

use std::collections::BTreeSet;

use scheduler_core::key::{Confirmation, Preset, Scope, Scopes};
use serde_json::Value;

use crate::catalogue::{entries, listed, tools_for};

/// Bytes that a list takes at most.
const MAX_BYTES: usize = 16 << 10;

fn written(scopes: Scopes, confirmation: Confirmation) -> String {
    serde_json::to_string(&tools_for(scopes, confirmation)).unwrap()
}

#[test]
fn a_whole_list_is_short_and_always_the_same() {
    let all = Preset::Full.scopes();
    for confirmation in Confirmation::ALL {
        let first = written(all, confirmation);
        assert!(first.len() <= MAX_BYTES, "{} bytes", first.len());
        for _ in 0..100 {
            assert_eq!(written(all, confirmation), first);
        }
    }
}

#[test]
fn what_takes_a_confirmation_for_each_key() {
    let going_out: BTreeSet<&str> =
        ["schedule_post", "publish_now", "retry_targets", "reply_to_comment", "take_down"].into();
    for confirmation in Confirmation::ALL {
        let all = tools_for(Preset::Full.scopes(), confirmation);
        let takes =
            all.iter().filter(|tool| tool.input_schema["properties"].get("confirm").is_some());
        let takes: BTreeSet<&str> = takes.map(|tool| tool.name.as_ref()).collect();
        let changes = all
            .iter()
            .filter(|tool| tool.input_schema["properties"].get("idempotencyKey").is_some());
        let changes: BTreeSet<&str> = changes.map(|tool| tool.name.as_ref()).collect();
        match confirmation {
            Confirmation::Always => assert_eq!(takes, changes),
            Confirmation::Live | Confirmation::Never => assert_eq!(takes, going_out),
        }
    }
}

#[test]
fn tools_and_presets_as_a_matrix() {
    let of = |preset: Preset| -> BTreeSet<String> {
        tools_for(preset.scopes(), Confirmation::Live)
            .into_iter()
            .map(|tool| tool.name.into_owned())
            .collect()
    };
    let set = |names: &[&str]| -> BTreeSet<String> {
        names.iter().map(|name| (*name).to_owned()).collect()
    };
    let reading = set(&[
        "list_accounts",
        "get_network_rules",
        "check_post",
        "find_slot",
        "list_posts",
        "get_post",
        "list_media",
        "get_results",
        "list_comments",
    ]);
    let writing = set(&[
        "create_draft",
        "update_post",
        "add_media_from_url",
        "make_upload_link",
        "write_captions",
        "request_approval",
        "cancel_post",
    ]);
    let publishing =
        set(&["schedule_post", "publish_now", "retry_targets", "reply_to_comment", "take_down"]);
    let drafting: BTreeSet<String> = reading.union(&writing).cloned().collect();
    let all: BTreeSet<String> = drafting.union(&publishing).cloned().collect();
    assert_eq!(of(Preset::Read), reading);
    assert_eq!(of(Preset::Agent), drafting);
    assert_eq!(of(Preset::Drafts), drafting);
    assert_eq!(of(Preset::Publish), all);
    assert_eq!(of(Preset::Full), all);
}

#[test]
fn every_tool_says_what_the_protocol_asks_for() {
    for entry in entries() {
        let (tool, name) = (&entry.tool, entry.definition.name);
        assert!(tool.title.is_some() && tool.description.is_some(), "{name}");
        let hints = tool.annotations.as_ref().unwrap();
        let told = [
            hints.read_only_hint,
            hints.destructive_hint,
            hints.idempotent_hint,
            hints.open_world_hint,
        ];
        assert!(told.iter().all(Option::is_some), "{name} has four hints");
        assert_eq!(hints.read_only_hint, Some(entry.definition.hints.reads), "{name}");
        for schema in [&tool.input_schema, tool.output_schema.as_ref().unwrap()] {
            assert_eq!(schema["type"], "object", "{name}");
            let fields = schema.get("properties").and_then(Value::as_object);
            for (field, schema) in fields.into_iter().flatten() {
                assert!(schema.is_object(), "{name}: the API has no {field}");
            }
        }
        let is_writing = entry.definition.scopes.iter().any(|scope| {
            matches!(scope, Scope::PostsWrite | Scope::PostsPublish | Scope::MediaWrite)
        });
        let stores = is_writing && name != "write_captions";
        assert_eq!(entry.definition.is_repeatable, stores, "{name} takes an idempotency key");
        let required = tool.input_schema.get("required").map(Value::to_string).unwrap_or_default();
        assert_eq!(required.contains("idempotencyKey"), stores, "{name}");
        let publishes = entry.definition.scopes.contains(&Scope::PostsPublish);
        let confirms = tool.input_schema["properties"].get("confirm").is_some();
        assert_eq!(confirms, publishes, "{name} asks the person");
    }
}

#[test]
fn the_documentation_lists_every_tool() {
    let page = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/agents.md");
    let page = std::fs::read_to_string(page).unwrap();
    let rows: Vec<&str> = page.lines().filter(|line| line.starts_with("| `")).collect();
    let want: Vec<String> = listed()
        .iter()
        .map(|tool| {
            let scopes: Vec<String> =
                tool.scopes.split_whitespace().map(|scope| format!("`{scope}`")).collect();
            let scopes = if scopes.is_empty() { String::new() } else { scopes.join(" ") + " " };
            format!("| `{}` | {} | {scopes}|", tool.name, tool.title)
        })
        .collect();
    assert_eq!(rows, want);
}
