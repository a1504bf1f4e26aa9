//! `scheduler media upload` against the built server: whole, in parts, and interrupted.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::files::{PART_BYTES, damaged_picture, large_picture, picture, put};
use crate::gate::Gate;
use crate::running::{Ran, Serving, states};

/// A server whose files are sent through a gate.
fn behind(gate: &Gate) -> Serving {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "large.bmp", &large_picture());
    let server = Serving::start_in(folder, &["--sandbox", "--public-url", &gate.url()]);
    gate.leads_to(server.told("Listening on ").unwrap());
    server
}

/// What is remembered of uploads.
fn remembered(folder: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(states(folder).join("scheduler/uploads")) else {
        return Vec::new();
    };
    let paths = entries.map(|entry| entry.unwrap().path());
    paths.filter(|path| path.extension().is_some_and(|ending| ending == "json")).collect()
}

/// Starts an upload and waits until it remembers a part.
fn started(server: &Serving) -> (Child, Value) {
    let mut command =
        server.command(&["media", "upload", "large.bmp", "--parallel", "1", "--json"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let time_limit = Instant::now() + Duration::from_secs(60);
    loop {
        let state = remembered(server.folder.path()).first().map(|path| fs::read(path).unwrap());
        let state: Option<Value> = state.map(|text| serde_json::from_slice(&text).unwrap());
        if let Some(state) = state.filter(|state| state["parts"]["1"].is_string()) {
            return (child, state);
        }
        assert_eq!(child.try_wait().unwrap(), None, "it ended before it was interrupted");
        assert!(Instant::now() < time_limit, "no part was remembered");
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn ids(server: &Serving) -> Vec<Value> {
    let listed = server.run(&["media", "list", "--json"]).json();
    listed["data"].as_array().unwrap().iter().map(|media| media["id"].clone()).collect()
}

#[test]
fn pictures_are_sent_whole_and_can_be_used() {
    let server = Serving::start();
    put(server.folder.path(), "a.png", &picture());
    put(server.folder.path(), "b.png", &picture());
    let ran = server.run(&["media", "upload", "a.png", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.stderr, "");
    let media = ran.json();
    for (field, want) in [
        ("status", json!("ready")),
        ("kind", json!("image")),
        ("mimeType", json!("image/png")),
        ("fileName", json!("a.png")),
        ("width", json!(64)),
        ("height", json!(48)),
        ("sizeBytes", json!(picture().len())),
    ] {
        assert_eq!(media[field], want, "{field}");
    }
    assert!(remembered(server.folder.path()).is_empty(), "what is over is forgotten");

    let two = server.run(&["media", "upload", "a.png", "b.png"]);
    assert_eq!(two.code, Some(0), "{two:?}");
    let ends: Vec<&str> = two.stdout.lines().map(|line| &line[36..]).collect();
    assert_eq!(ends, ["  ready  a.png", "  ready  b.png"]);
    let early = server.run(&["media", "upload", "a.png", "--no-wait", "--json"]);
    assert!(["processing", "ready"].contains(&early.json()["status"].as_str().unwrap()));
    assert_eq!(ids(&server).len(), 4, "each time anew");
}

#[test]
fn who_has_nowhere_to_remember_is_told() {
    let server = Serving::start();
    put(server.folder.path(), "a.png", &picture());
    let mut command = server.command(&["media", "upload", "a.png", "--json"]);
    for variable in ["HOME", "XDG_STATE_HOME", "LOCALAPPDATA"] {
        command.env_remove(variable);
    }
    let ran = Ran::of(&mut command);
    assert_eq!((ran.code, &ran.json()["status"]), (Some(0), &json!("ready")), "{ran:?}");
    assert!(ran.stderr.starts_with("warning: uploads begin anew"), "{ran:?}");
    assert!(ran.stderr.ends_with("see --state\n"), "{ran:?}");
}

#[test]
fn a_file_that_the_server_cannot_use_ends_with_its_reason() {
    let server = Serving::start();
    put(server.folder.path(), "damaged.png", &damaged_picture());
    put(server.folder.path(), "a.png", &picture());
    let ran = server.run(&["media", "upload", "damaged.png", "a.png"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let ends: Vec<&str> = ran.stdout.lines().map(|line| &line[36..]).collect();
    assert_eq!(ends, ["  failed  damaged.png", "  ready  a.png"]);
    assert!(ran.stderr.starts_with("error: damaged.png: "), "{ran:?}");
    let json = server.run(&["media", "upload", "damaged.png", "--json"]);
    assert_eq!((json.code, &json.json()["status"]), (Some(1), &json!("failed")));
}

#[test]
fn a_killed_upload_goes_on_with_what_is_missing() {
    let gate = Gate::new(PART_BYTES + 500_000, false);
    let server = behind(&gate);
    let (mut child, state) = started(&server);
    child.kill().unwrap();
    child.wait().unwrap();
    let path = remembered(server.folder.path()).remove(0);
    let text = fs::read_to_string(&path).unwrap();
    let key = server.key();
    assert!(!text.contains("/files/") && !text.contains(&key), "no link and no key: {text}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }

    gate.open();
    let ran = server.run(&["media", "upload", "large.bmp", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stderr.starts_with("large.bmp: going on, 1 of 3 parts are there\n"), "{ran:?}");
    let media = ran.json();
    assert_eq!((&media["id"], &media["status"]), (&state["mediaId"], &json!("ready")));
    assert_eq!((&media["width"], &media["height"]), (&json!(4_000), &json!(3_000)));
    let left = large_picture().len() as u64 - PART_BYTES;
    let passed = gate.passed_bytes();
    assert!((left..left + 100_000).contains(&passed), "{passed} bytes for {left}");
    assert!(remembered(server.folder.path()).is_empty());
    assert_eq!(ids(&server), [media["id"].clone()], "one file, declared once");
}

#[test]
fn a_changed_file_begins_anew() {
    let gate = Gate::new(PART_BYTES + 500_000, false);
    let server = behind(&gate);
    let (mut child, state) = started(&server);
    child.kill().unwrap();
    child.wait().unwrap();
    // The same size, and a later time.
    put(server.folder.path(), "large.bmp", &large_picture());
    gate.open();
    let ran = server.run(&["media", "upload", "large.bmp", "--json"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
    assert_ne!(ran.json()["id"], state["mediaId"]);
    assert!(gate.passed_bytes() > large_picture().len() as u64, "all of it");
    assert!(remembered(server.folder.path()).is_empty());
}

#[test]
fn an_upload_that_the_server_no_longer_knows_begins_anew() {
    let gate = Gate::new(PART_BYTES + 500_000, false);
    let server = behind(&gate);
    let (mut child, state) = started(&server);
    child.kill().unwrap();
    child.wait().unwrap();
    gate.open();
    let id = state["mediaId"].as_str().unwrap();
    let deleted = server.run(&["media", "delete", id, "--json"]);
    assert_eq!(deleted.json()["status"], "deleted", "{deleted:?}");
    let ran = server.run(&["media", "upload", "large.bmp", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_ne!(ran.json()["id"], state["mediaId"]);
    assert!(remembered(server.folder.path()).is_empty());
}

#[cfg(unix)]
#[test]
fn who_stops_an_upload_is_told_how_it_goes_on() {
    let gate = Gate::new(PART_BYTES + 500_000, false);
    let server = behind(&gate);
    let (child, state) = started(&server);
    let id = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        said,
        "error: interrupted\n\
         next: the same command goes on with what has not arrived yet, for 24 hours\n"
    );
    let document: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(document["error"]["code"], "interrupted");
    gate.open();
    let ran = server.run(&["media", "upload", "large.bmp", "--json"]);
    assert_eq!((ran.code, &ran.json()["id"]), (Some(0), &state["mediaId"]), "{ran:?}");
}

#[test]
fn a_lost_connection_is_no_end() {
    let gate = Gate::new(PART_BYTES + 500_000, true);
    let server = behind(&gate);
    let ran = server.run(&["media", "upload", "large.bmp", "--json"]);
    assert_eq!((ran.code, &ran.json()["status"]), (Some(0), &json!("ready")), "{ran:?}");
    assert!(gate.passed_bytes() > large_picture().len() as u64, "something was sent twice");
}
