//! The `scheduler` command, built for the profile of the tests.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::OnceLock;
use std::time::SystemTime;

/// The path of the built command, built first when a source is newer.
///
/// A run of all tests builds it anyway. Building it here, by itself, would choose other features
/// for its dependencies and compile them a second time.
pub(crate) fn scheduler() -> &'static PathBuf {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        let arguments = ["--package", "scheduler-cli", "--bin", "scheduler"];
        built("scheduler", &arguments, newest_source())
    })
}

/// The path of a built example, built first when a source is newer.
pub(crate) fn example(name: &str) -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let own = root.join(format!("examples/{name}.rs")).metadata().and_then(|data| data.modified());
    let core = newest_in(&root.join("scheduler-core/src"));
    let newest = own.map_or(core, |own| own.max(core));
    built(&format!("examples/{name}"), &["--example", name], newest)
}

/// A file in the folder of the profile, built first when it is older than its sources.
fn built(path: &str, arguments: &[&str], newest: SystemTime) -> PathBuf {
    // This test is in <target>/<profile>/deps.
    let test = std::env::current_exe().expect("a test has a path");
    let profile = test.parent().and_then(Path::parent).expect("in a profile's folder");
    let binary = profile.join(format!("{path}{}", std::env::consts::EXE_SUFFIX));
    let built = binary.metadata().and_then(|data| data.modified()).ok();
    if built.is_none_or(|built| newest > built) {
        build(arguments);
    }
    binary
}

fn build(arguments: &[&str]) {
    let mut build = Command::new(env!("CARGO"));
    build.args(["build", "--quiet"]).args(arguments);
    if !cfg!(debug_assertions) {
        build.arg("--release");
    }
    let status = build.current_dir(env!("CARGO_MANIFEST_DIR")).status().expect("cargo runs");
    assert!(status.success(), "{arguments:?} do not build");
}

/// Folders of a crate that the command is made of.
const PARTS: [&str; 4] = ["src", "migrations", "templates", "assets"];

fn newest_source() -> SystemTime {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let entries = std::fs::read_dir(root).expect("the workspace").filter_map(Result::ok);
    let crates =
        entries.filter(|entry| entry.file_name().to_string_lossy().starts_with("scheduler-"));
    let folders = crates.flat_map(|entry| PARTS.map(|name| entry.path().join(name)));
    folders.map(|folder| newest_in(&folder)).max().unwrap_or(SystemTime::UNIX_EPOCH)
}

fn newest_in(folder: &Path) -> SystemTime {
    let Ok(entries) = std::fs::read_dir(folder) else { return SystemTime::UNIX_EPOCH };
    let times = entries.filter_map(Result::ok).filter_map(|entry| {
        let path = entry.path();
        if path.is_dir() { Some(newest_in(&path)) } else { entry.metadata().ok()?.modified().ok() }
    });
    times.max().unwrap_or(SystemTime::UNIX_EPOCH)
}
