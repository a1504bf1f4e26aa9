//! What one network owns, and that its name stands nowhere else: the table of ARCHITECTURE.md.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use scheduler_core::platform::Platform;

/// Files that speak of networks by name outside of what one network owns, and why. The list only
/// shrinks: one that speaks of none any more is an error as well.
const SHARED: &[&str] = &[
    // Rules that several networks share, each with conditions of its own.
    "scheduler-core/src/rules/alt_text_of_network.rs",
    "scheduler-core/src/rules/draft.rs",
    "scheduler-core/src/rules/link.rs",
    "scheduler-core/src/rules/option_values.rs",
    "scheduler-core/src/rules/phrase/texts.rs",
    "scheduler-core/src/rules/text_content.rs",
    "scheduler-core/src/rules/thread.rs",
    // X charges for what is posted, so that an operator has to allow it.
    "scheduler-core/src/app/accounts/mod.rs",
    // A line for each.
    "scheduler-networks/src/registry.rs",
    "scheduler-sandbox/src/registry.rs",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap().to_owned()
}

#[test]
fn every_network_has_what_one_network_owns() {
    let root = root();
    for platform in Platform::ALL {
        for place in [
            format!("scheduler-core/src/platform/{platform}.rs"),
            format!("scheduler-networks/src/{platform}/mod.rs"),
            format!("scheduler-networks/src/{platform}/errors.rs"),
            format!("scheduler-sandbox/src/{platform}/mod.rs"),
        ] {
            assert!(root.join(&place).is_file(), "{place} is missing");
        }
        for tests in ["scheduler-networks/tests/sandbox", "scheduler-sandbox/tests/http"] {
            let folder = root.join(tests).join(platform.as_str());
            let file = folder.with_extension("rs");
            assert!(folder.is_dir() || file.is_file(), "{tests}/{platform} is missing");
        }
    }
}

#[test]
fn no_network_is_named_outside_its_own_places() {
    let root = root();
    let mut found = BTreeSet::new();
    for crate_name in
        ["core", "networks", "sandbox", "store", "worker", "http", "media", "cli", "web", "mcp"]
    {
        for file in files(&root.join(format!("scheduler-{crate_name}/src"))) {
            let place = file.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
            if !is_of_tests(&place) && !is_of_one_network(&place) && names_one(&file) {
                found.insert(place);
            }
        }
    }
    let shared: BTreeSet<String> = SHARED.iter().map(|place| (*place).to_owned()).collect();
    let new: Vec<&String> = found.difference(&shared).collect();
    assert_eq!(new, Vec::<&String>::new(), "these belong into a file of one network");
    let gone: Vec<&String> = shared.difference(&found).collect();
    assert_eq!(gone, Vec::<&String>::new(), "these name no network any more");
}

fn is_of_tests(place: &str) -> bool {
    ["/tests.rs", "/tests/", "_tests.rs", "/testing.rs", "/testing/"]
        .iter()
        .any(|end| place.contains(end))
}

/// True for `<network>/…`, `<network>.rs` and, among the rules, `<network>_….rs`.
fn is_of_one_network(place: &str) -> bool {
    Platform::ALL.iter().any(|platform| {
        [format!("/{platform}/"), format!("/{platform}.rs"), format!("/rules/{platform}_")]
            .iter()
            .any(|own| place.contains(own))
    })
}

/// True when code outside of comments and tests uses the module of a network or decides by one.
fn names_one(file: &Path) -> bool {
    let text = fs::read_to_string(file).unwrap();
    let code = text.split("#[cfg(test)]").next().unwrap_or_default();
    let lines = code.lines().filter(|line| !line.trim_start().starts_with("//"));
    lines.into_iter().any(|line| {
        Platform::ALL.iter().any(|platform| {
            let module = platform.as_str();
            let variant = format!("{platform:?}");
            line.contains(&format!("crate::{module}"))
                || line.contains(&format!("Platform::{variant}"))
        })
    })
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let found = entries.flat_map(|path| match path.is_dir() {
        true => files(&path),
        false => vec![path],
    });
    found.filter(|path| path.extension().is_some_and(|extension| extension == "rs")).collect()
}
