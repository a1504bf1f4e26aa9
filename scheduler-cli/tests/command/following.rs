//! Following a post, and leaving it.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};

use serde_json::json;

use crate::running::Serving;

#[test]
fn a_post_is_followed_line_by_line_and_left_alone() {
    let server = Serving::start();
    let later = ["post", "later", "--to", "bluesky", "--at", "2099-01-01T00:00:00Z", "--json"];
    let post = server.run(&later).json();
    let id = post["id"].as_str().unwrap();
    for arguments in [
        &["posts", "show", id, "--wait", "--json"][..],
        &["post", "too", "--to", "bluesky", "--at", "2099-01-01T00:00:00Z", "--wait"],
    ] {
        let mut command = server.command(arguments);
        let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut stderr = BufReader::new(child.stderr.take().unwrap());
        let mut said = String::new();
        while !said.contains("pending, due Thu 2099-01-01 00:00 UTC\n") {
            assert!(stderr.read_line(&mut said).unwrap() > 0, "{said}");
        }
        assert!(said.contains("bluesky:@sandbox-1.test: pending, due"), "{said}");
        let told = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
        assert!(told.success());
        while stderr.read_line(&mut said).unwrap() > 0 {}
        let ended = child.wait_with_output().unwrap();
        assert_eq!(ended.status.code(), Some(1), "{said}");
        assert!(said.contains("the post goes on by itself"), "{said}");
        assert!(said.contains("next: follow it again with `scheduler posts show "), "{said}");
        if arguments.contains(&"--json") {
            let document: serde_json::Value = serde_json::from_slice(&ended.stdout).unwrap();
            assert_eq!(document["error"]["code"], "interrupted");
            assert!(said.contains(&format!("`scheduler posts show {id} --wait`")), "{said}");
        }
    }
    assert_eq!(server.run(&["posts", "show", id, "--json"]).json()["status"], "scheduled");
}

#[test]
fn a_post_that_somebody_cancels_is_followed_no_longer() {
    let server = Serving::start();
    let later = ["post", "later", "--to", "bluesky", "--at", "2099-01-01T00:00:00Z", "--json"];
    let post = server.run(&later).json();
    let id = post["id"].as_str().unwrap();
    let canceled = server.run(&["posts", "cancel", id, "--json"]).json();
    assert_eq!(canceled, json!({"id": id, "status": "canceled"}));
    let ran = server.run(&["posts", "show", id, "--wait"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("the post was canceled"), "{ran:?}");
}

#[test]
fn a_post_that_is_over_is_shown_at_once_with_its_links() {
    let server = Serving::start();
    let waited = server.run(&["post", "out", "--to", "bluesky,mastodon", "--now", "--wait"]);
    assert_eq!(waited.code, Some(0), "{waited:?}");
    let id = waited.stdout.lines().next().unwrap().strip_prefix("post     ").unwrap();
    for network in ["bluesky", "mastodon"] {
        let line = waited.stderr.lines().rfind(|line| line.starts_with(network)).unwrap();
        assert!(line.contains(": published http"), "{waited:?}");
    }
    let again = server.run(&["posts", "show", id, "--wait"]);
    assert_eq!((again.code, &again.stdout), (Some(0), &waited.stdout));
    let page = server.run(&["posts", "list", "--all", "--limit", "1", "--json"]).json();
    assert_eq!(page["nextCursor"], json!(null));
}
