//! What one network owns, and that its name stands nowhere else: the table of ARCHITECTURE.md.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use scheduler_core::platform::Platform;

/// Files of the adapters and of the imitations that speak of networks by name, and why.
const SHARED: &[&str] = &[
    // A line for each.
    "scheduler-networks/src/lib.rs",
    "scheduler-networks/src/registry.rs",
    "scheduler-sandbox/src/lib.rs",
    "scheduler-sandbox/src/registry.rs",
    // Tokens that stand in paths.
    "scheduler-sandbox/src/redact.rs",
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
    for source in ["scheduler-networks/src", "scheduler-sandbox/src"] {
        let is_of_tests = |file: &PathBuf| {
            file.ends_with("testing.rs") || file.to_string_lossy().ends_with("_tests.rs")
        };
        for file in files(&root.join(source)).into_iter().filter(|file| !is_of_tests(file)) {
            let place = file.strip_prefix(&root).unwrap().to_string_lossy().replace('\\', "/");
            let is_own = Platform::ALL
                .iter()
                .any(|platform| place.starts_with(&format!("{source}/{platform}/")));
            if !is_own && !SHARED.contains(&place.as_str()) && names_one(&file) {
                found.insert(place);
            }
        }
    }
    assert_eq!(found, BTreeSet::new(), "these belong into the folder of a network");
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
