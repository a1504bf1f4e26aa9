//! What commands leave behind in the folder in which they are given: nothing, but for those that
//! are there to make something in it.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use serde_json::Value;

use crate::files::{picture, put};
use crate::running::{Ran, run, scheduler};
use crate::tree::leaves;
use crate::walking::{SERVING, shell};

/// Commands that are there to make a database. `demo` makes one elsewhere, and serves on it.
const MAKING: [&str; 4] = ["demo", "migrate", "serve", "workspace create"];

/// How commands end under a login to a server that is not there, in a folder without a database. All
/// others end with 3: they have asked that server.
const UNASKED: [(&str, i32); 23] = [
    // They tell of this program, or of what is on this machine.
    ("completions", 0),
    ("config check", 0),
    ("config example", 0),
    ("config keys", 0),
    ("config show", 0),
    ("man", 0),
    ("profiles", 0),
    ("profiles list", 0),
    ("profiles use", 0),
    // It forgets the session, and warns that it could not be ended.
    ("logout", 0),
    // Nobody has written to it.
    ("mcp", 0),
    // They work on the server's machine alone.
    ("backup", 2),
    ("export", 2),
    ("migrate", 2),
    ("move", 2),
    ("secrets forget", 2),
    ("secrets rotate", 2),
    ("workspace create", 2),
    // It lacks a passphrase.
    ("restore", 2),
    // No sandbox is named.
    ("sandbox clock", 2),
    ("sandbox fault", 2),
    ("sandbox faults", 2),
    // It looks at this machine unless a profile is named.
    ("doctor", 0),
];

/// Commands that ask a server whose address they are given, whoever is logged in.
const BY_ADDRESS: [&str; 2] = ["health", "login"];

/// Everything below a folder, with when it was changed last and its bytes.
fn contents(folder: &Path) -> BTreeMap<PathBuf, (SystemTime, Vec<u8>)> {
    let mut found = BTreeMap::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            let changed = fs::metadata(&path).unwrap().modified().unwrap();
            let bytes = if path.is_dir() {
                folders.push(path.clone());
                Vec::new()
            } else {
                fs::read(&path).unwrap()
            };
            found.insert(path, (changed, bytes));
        }
    }
    found
}

fn names(folder: &Path) -> Vec<PathBuf> {
    contents(folder).into_keys().collect()
}

/// True when a command that has failed says what is wrong, and what to do.
fn says_what_to_do(ran: &Ran) -> bool {
    ran.code == Some(0) || ["error: ", "next: "].iter().all(|part| ran.stderr.contains(part))
}

#[test]
fn without_a_login_no_command_makes_a_file_in_an_empty_folder() {
    let folder = tempfile::tempdir().unwrap();
    let mut faults = Vec::new();
    for leaf in leaves(folder.path()) {
        let name = leaf.name();
        if MAKING.contains(&&*name) || SERVING.contains(&&*name) {
            continue;
        }
        let folder = tempfile::tempdir().unwrap();
        let mut command = scheduler(folder.path(), &[]);
        let ran = shell(&mut command, folder.path(), &leaf.example());
        let made = names(folder.path());
        if !made.is_empty() || !says_what_to_do(&ran) {
            faults.push(format!("{name} has made {made:?}: {ran:?}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Logs in to a server that is not there.
fn log_in(configuration: &Path) {
    let profiles = r#"
        current = "home"
        [profiles.home]
        url = "http://127.0.0.1:1"
        session = "ses_0"
        workspace = "default"
        role = "owner"
        expires_at = "2099-01-01T00:00:00Z"
    "#;
    fs::create_dir_all(configuration.join("scheduler")).unwrap();
    put(&configuration.join("scheduler"), "profiles.toml", profiles.as_bytes());
}

/// An example, with what is there in place of what it names.
fn fitted(example: &str) -> String {
    [
        ("https://posts.example.com", "http://127.0.0.1:1"),
        ("posts.example.com", "home"),
        ("acme", "default"),
        (" --database postgres://scheduler@db.example/scheduler", ""),
    ]
    .iter()
    .fold(example.to_owned(), |line, (named, there)| line.replace(named, there))
}

#[test]
fn under_a_login_no_command_touches_the_database_of_the_folder_or_makes_one() {
    let configuration = tempfile::tempdir().unwrap();
    let [planted, empty] = [(); 2].map(|()| tempfile::tempdir().unwrap());
    let ran = run(planted.path(), &["workspace", "create", "default"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let csv = "content,to,at\nHello,bluesky,2099-01-01T09:00:00Z\n";
    for folder in [&planted, &empty] {
        put(folder.path(), "posts.csv", csv.as_bytes());
        for name in ["new.png", "cover.png", "clip.mp4"] {
            put(folder.path(), name, &picture());
        }
    }
    let data = planted.path().join("data");
    let given = |folder: &Path, line: &str| {
        log_in(configuration.path());
        let mut command = scheduler(folder, &[]);
        command.env("XDG_CONFIG_HOME", configuration.path());
        // Where `health` looks for a server of this machine.
        command.env("SCHEDULER_LISTEN", "127.0.0.1:1");
        shell(&mut command, folder, line)
    };
    let untouched = contents(&data);
    let mut faults = Vec::new();
    let leaves = leaves(empty.path());
    for (name, _) in UNASKED {
        assert!(leaves.iter().any(|leaf| leaf.name() == name), "{name}: there is no such command");
    }
    for leaf in leaves {
        let name = leaf.name();
        if SERVING.contains(&&*name) || name == "demo" {
            continue;
        }
        let wanted = UNASKED.iter().find(|(unasked, _)| *unasked == name).map_or(3, |one| one.1);
        let line = fitted(&leaf.example());
        // To look at the database of this machine is what it is for.
        if name != "doctor" {
            let ran = given(planted.path(), &line);
            if contents(&data) != untouched {
                faults.push(format!("{line} has touched the database: {ran:?}"));
            }
            let would_ask = wanted == 3 || name == "mcp";
            let is_unclear = would_ask && !BY_ADDRESS.contains(&&*name);
            let here = if is_unclear { 2 } else { wanted };
            if ran.code != Some(here) || !says_what_to_do(&ran) {
                faults.push(format!("{line} does not end with {here}: {ran:?}"));
            }
            if is_unclear {
                let more = if line.contains("--json") { "" } else { " --json" };
                let ran = given(planted.path(), &format!("{line}{more}"));
                let told: Value = serde_json::from_str(&ran.stdout).unwrap_or_default();
                if told["error"]["code"] != "which_server" {
                    faults.push(format!("{line} does not ask which server is meant: {ran:?}"));
                }
            }
        }
        let ran = given(empty.path(), &line);
        if empty.path().join("data").exists() {
            faults.push(format!("{line} has made a database: {ran:?}"));
        }
        if wanted == 3 && (ran.code != Some(3) || !says_what_to_do(&ran)) {
            faults.push(format!("{line} has not asked the server: {ran:?}"));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
