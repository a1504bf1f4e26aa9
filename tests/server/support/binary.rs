//! The `scheduler` command, built for the profile of the tests.

use std::path::PathBuf;
use std::process::Command;
use std::sync::OnceLock;

/// The path of the built command. Building is a matter of milliseconds when it is up to date.
pub(crate) fn scheduler() -> &'static PathBuf {
    static BINARY: OnceLock<PathBuf> = OnceLock::new();
    BINARY.get_or_init(|| {
        let mut build = Command::new(env!("CARGO"));
        build.args(["build", "--quiet", "--package", "scheduler-cli", "--bin", "scheduler"]);
        if !cfg!(debug_assertions) {
            build.arg("--release");
        }
        let status = build.current_dir(env!("CARGO_MANIFEST_DIR")).status().expect("cargo runs");
        assert!(status.success(), "the command does not build");
        // This test is in <target>/<profile>/deps.
        let test = std::env::current_exe().expect("a test has a path");
        let profile = test.parent().and_then(|deps| deps.parent()).expect("in a profile's folder");
        profile.join(format!("scheduler{}", std::env::consts::EXE_SUFFIX))
    })
}
