//! The crates may depend on each other along the edges that ARCHITECTURE.md draws, and no others.

#![expect(clippy::expect_used, reason = "a test")]

use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

use serde_json::Value;

/// Every allowed edge between crates of this workspace, development dependencies left out.
const EDGES: [(&str, &[&str]); 13] = [
    ("scheduler-workspace", &[]),
    ("scheduler-core", &[]),
    ("scheduler-sandbox", &[]),
    ("scheduler-media", &["scheduler-core"]),
    ("scheduler-store", &["scheduler-core"]),
    ("scheduler-conformance", &["scheduler-core"]),
    ("scheduler-networks", &["scheduler-core"]),
    ("scheduler-worker", &["scheduler-core"]),
    ("scheduler-http", &["scheduler-core", "scheduler-worker"]),
    ("scheduler-web", &["scheduler-core", "scheduler-http"]),
    ("scheduler-mcp", &["scheduler-core", "scheduler-http"]),
    ("scheduler-client", &["scheduler-core"]),
    (
        "scheduler-cli",
        &[
            "scheduler-client",
            "scheduler-core",
            "scheduler-http",
            "scheduler-mcp",
            "scheduler-media",
            "scheduler-networks",
            "scheduler-sandbox",
            "scheduler-store",
            "scheduler-web",
            "scheduler-worker",
        ],
    ),
];

/// What the pure crate may never pull in, directly or through another crate; the last is for those
/// who describe an API, under a feature.
const IMPURE: [&str; 9] = [
    "tokio",
    "reqwest",
    "hyper",
    "warp",
    "sqlx",
    "getrandom",
    "rustls",
    "tracing-subscriber",
    "schemars",
];

fn metadata() -> Value {
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version", "1", "--no-deps", "--offline"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).expect("cargo prints JSON")
}

/// What a store with SQLite alone does not need.
const NOT_FOR_SQLITE: [&str; 7] =
    ["sqlx-macros", "sqlx-postgres", "object_store", "reqwest", "hyper", "rustls", "ring"];

fn normal_dependencies(package: &Value) -> BTreeSet<String> {
    let dependencies = package["dependencies"].as_array().expect("a list");
    dependencies
        .iter()
        .filter(|dependency| dependency["kind"].is_null())
        .filter_map(|dependency| dependency["name"].as_str().map(str::to_owned))
        .collect()
}

#[test]
fn no_edge_beyond_the_map() {
    let metadata = metadata();
    let packages = metadata["packages"].as_array().expect("a list");
    let found: BTreeMap<String, BTreeSet<String>> = packages
        .iter()
        .map(|package| {
            let name = package["name"].as_str().expect("a name").to_owned();
            let inner = normal_dependencies(package)
                .into_iter()
                .filter(|name| name.starts_with("scheduler-"))
                .collect();
            (name, inner)
        })
        .collect();
    let allowed: BTreeMap<String, BTreeSet<String>> = EDGES
        .iter()
        .map(|(name, to)| ((*name).to_owned(), to.iter().map(|to| (*to).to_owned()).collect()))
        .collect();
    assert_eq!(found, allowed);
}

/// The names of everything that is compiled for a crate with its default features.
fn compiled_for(name: &str) -> BTreeSet<String> {
    let output = Command::new(env!("CARGO"))
        .args(["tree", "--offline", "-p", name, "-e", "normal,build", "--prefix", "none"])
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .output()
        .expect("cargo runs");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let tree = String::from_utf8(output.stdout).expect("text");
    tree.lines().filter_map(|line| Some(line.split_whitespace().next()?.to_owned())).collect()
}

#[test]
fn nothing_is_pulled_in_that_is_not_needed() {
    for (name, unwanted) in
        [("scheduler-core", &IMPURE[..]), ("scheduler-store", &NOT_FOR_SQLITE[..])]
    {
        let names = compiled_for(name);
        assert!(names.contains(name), "{name} is among what is compiled for it");
        for unwanted in unwanted {
            assert!(!names.contains(*unwanted), "{name} reaches {unwanted}");
        }
    }
}
