//! Scripts that need Node.js or packages of npm leave that out aloud where it cannot be had, and fail
//! where nothing may be left out.

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use crate::support::scheduler;

/// What is not there.
const MISSING: [&str; 3] = ["node", "npm", "npx"];

/// The variables that name what a script would build otherwise.
const BUILT: [&str; 6] = [
    "CLIENTS_BINARY",
    "INTEGRATIONS_BINARY",
    "MCP_CONFORMANCE_BINARY",
    "MCP_CONFORMANCE_EXAMPLE",
    "REAL_SERVERS_BINARY",
    "STANDARD_WEBHOOKS_BINARY",
];

/// A folder with every program of this machine but those; and a Python that makes no environment.
fn programs(folder: &Path) -> PathBuf {
    let programs = folder.join("bin");
    fs::create_dir(&programs).unwrap();
    let python = programs.join("python3");
    fs::write(&python, "#!/bin/sh\nexit 1\n").unwrap();
    fs::set_permissions(&python, fs::Permissions::from_mode(0o755)).unwrap();
    let path = std::env::var_os("PATH").expect("a path");
    let folders = std::env::split_paths(&path).filter_map(|folder| fs::read_dir(folder).ok());
    for entry in folders.flatten().filter_map(Result::ok) {
        let name = entry.file_name();
        if !MISSING.iter().any(|missing| name == *missing) {
            // The first of a name is the one that is run.
            let _ = symlink(entry.path(), programs.join(name));
        }
    }
    programs
}

fn run(script: &Path, folder: &Path, required: Option<&str>) -> Output {
    let mut command = Command::new("bash");
    command
        .arg(script)
        .env_clear()
        .env("PATH", folder.join("bin"))
        .env("HOME", folder)
        .env("TMPDIR", folder)
        .envs(BUILT.map(|name| (name, scheduler())))
        .stdin(Stdio::null());
    if let Some(required) = required {
        command.env("SCHEDULER_REQUIRE_NPM", required);
    }
    command.output().expect("bash is there")
}

#[test]
fn what_needs_npm_is_left_out_aloud_or_fails() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folder = tempfile::tempdir().unwrap();
    programs(folder.path());
    let mut scripts = BTreeSet::new();
    for entry in fs::read_dir(root.join("scripts")).unwrap() {
        let path = entry.unwrap().path();
        let Ok(text) = fs::read_to_string(&path) else { continue };
        for line in text.lines().filter(|line| line.trim_start().starts_with("leave_out ")) {
            let names_it = ["npm", "Node.js"].iter().any(|name| line.contains(name));
            assert!(!names_it, "{}: leave_out_npm has it fail: {line}", path.display());
        }
        if text.contains("leave_out_npm \"") {
            scripts.insert(path);
        }
    }
    assert!(scripts.len() >= 7, "{scripts:?}");
    for script in &scripts {
        for (required, code) in [(None, 0), (Some("0"), 0), (Some("1"), 1)] {
            let output = run(script, folder.path(), required);
            let case = format!("{} with {required:?}: {output:?}", script.display());
            assert_eq!(output.status.code(), Some(code), "{case}");
            assert!(String::from_utf8_lossy(&output.stdout).contains("LEFT OUT: "), "{case}");
            let says_why =
                String::from_utf8_lossy(&output.stderr).contains("SCHEDULER_REQUIRE_NPM");
            assert_eq!(says_why, code == 1, "{case}");
        }
    }
    let checks = fs::read_to_string(root.join(".ci/run")).unwrap();
    assert!(checks.contains("\nexport SCHEDULER_REQUIRE_NPM=1\n"), "CI asks for all of it");
}
