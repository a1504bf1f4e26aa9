//! Commands on the server's own machine, in its folder, without a key or a login.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::files::{picture, put};
use crate::running::{Ran, Serving, run, scheduler};

/// Runs a command to its end, which has to be a good one, and reads its document.
fn json_of(folder: &Path, arguments: &[&str]) -> Value {
    let ran = run(folder, &[arguments, &["--json"]].concat());
    assert_eq!(ran.code, Some(0), "{arguments:?}: {ran:?}");
    ran.json()
}

#[test]
fn a_post_with_a_picture_goes_out_and_is_in_the_log_at_once() {
    let server = Serving::start();
    let folder = server.folder.path();
    put(folder, "cake.png", &picture());

    let post = ["post", "Fresh", "--to", "mastodon", "--media", "cake.png", "--now", "--wait"];
    let post = json_of(folder, &post);
    assert_eq!(post["targets"][0]["status"], "published", "{post}");
    let id = post["id"].as_str().unwrap();
    assert_eq!(json_of(folder, &["posts"])["data"][0]["id"], id);
    let media = &json_of(folder, &["media", "list"])["data"][0];
    assert_eq!((&media["status"], &media["postCount"]), (&json!("ready"), &json!(1)), "{media}");

    let entries = json_of(folder, &["log"])["data"].clone();
    let of = |entry: &Value| (entry["operation"].clone(), entry["by"]["kind"].clone());
    assert_eq!(of(&entries[0]), (json!("create_post"), json!("server")), "{entries}");
}

#[test]
fn what_a_network_is_asked_goes_to_the_sandbox_of_the_server() {
    let server = Serving::start();
    let folder = server.folder.path();
    let post = json_of(folder, &["post", "Hello", "--to", "bluesky", "--now", "--wait"]);
    let id = post["id"].as_str().unwrap();

    let figures = json_of(folder, &["metrics", id, "--live"]);
    assert_eq!(figures["data"][0]["platform"], "bluesky", "{figures}");
    let written = json_of(folder, &["captions", "A cake", "--to", "bluesky"]);
    assert!(written["captions"]["bluesky"].is_string(), "{written}");
    assert_eq!(json_of(folder, &["accounts", "list"])["data"][0]["needsReconnect"], false);
}

#[test]
fn links_lead_to_where_the_server_listens() {
    let server = Serving::start();
    let folder = server.folder.path();
    let address = server.told("Listening on ").unwrap();
    let post = json_of(folder, &["post", "Hello", "--to", "bluesky", "--draft"]);
    let id = post["id"].as_str().unwrap();
    for arguments in [&["approvals", "create", id][..], &["web", "open"]] {
        let ran = run(folder, arguments);
        assert!(ran.stdout.starts_with(&format!("{address}/")), "{arguments:?}: {ran:?}");
    }
    let log = run(folder, &["log"]);
    assert!(!log.stdout.contains("/approve/"), "{log:?}");
}

#[test]
fn one_key_makes_one_post_and_a_revision_is_minded() {
    let server = Serving::start();
    let folder = server.folder.path();
    let post = ["post", "Once", "--to", "mastodon", "--draft", "--key", "order-1234"];
    let (first, again) = (json_of(folder, &post), run(folder, &post));
    assert!(again.stderr.contains("nothing was created"), "{again:?}");
    assert!(again.stdout.contains(&first["id"].as_str().unwrap()[..8]), "{again:?}");
    assert_eq!(json_of(folder, &["posts"])["data"].as_array().unwrap().len(), 1);
}

#[test]
fn which_installation_and_which_workspace_is_meant() {
    let folder = tempfile::tempdir().unwrap();
    let there = folder.path().join("there");
    std::fs::create_dir(&there).unwrap();
    json_of(&there, &["workspace", "create", "bakery"]);
    json_of(&there, &["workspace", "create", "café"]);
    let data = there.join("data");
    let data = data.to_str().unwrap();
    let refused = |ran: &Ran, code: i32, said: &str| {
        assert_eq!(ran.code, Some(code), "{ran:?}");
        assert!(ran.stderr.contains(said), "{ran:?}");
    };

    refused(&run(folder.path(), &["posts"]), 2, "name its folder with --data");
    refused(&run(&there, &["posts"]), 1, "Say which workspace: bakery, café.");
    let named = ["posts", "--workspace", "bakery"];
    assert_eq!(json_of(&there, &named)["data"], json!([]));
    let elsewhere = [&named[..], &["--data", data]].concat();
    assert_eq!(json_of(folder.path(), &elsewhere)["data"], json!([]));
    let mut by_variable = scheduler(folder.path(), &[&named[..], &["--json"]].concat());
    let ran = Ran::of(by_variable.env("SCHEDULER_DATA", data));
    assert_eq!(ran.json()["data"], json!([]));

    let both = ["posts", "--data", data, "--url", "http://127.0.0.1:9"];
    refused(&run(folder.path(), &both), 2, "cannot be used with");
    let mut of_a_server = scheduler(&there, &["posts"]);
    let ran = Ran::of(of_a_server.env("SCHEDULER_URL", "http://127.0.0.1:9"));
    refused(&ran, 2, "no API key");
}

#[test]
fn a_command_has_to_be_told_the_address_that_readers_reach() {
    let folder = tempfile::tempdir().unwrap();
    json_of(folder.path(), &["workspace", "create", "bakery"]);
    let shorten = ["links", "rules", "set", "--shorten", "--json"];
    let ran = run(folder.path(), &shorten);
    assert_eq!((ran.code, &ran.json()["error"]["field"]), (Some(1), &json!("shorten")), "{ran:?}");
    assert!(ran.stderr.contains("or from SCHEDULER_PUBLIC_URL"), "{ran:?}");
    let mut told = scheduler(folder.path(), &shorten);
    let ran = Ran::of(told.env("SCHEDULER_PUBLIC_URL", "https://go.example.com"));
    assert_eq!(ran.json()["shorten"], true, "{ran:?}");
    assert!(!ran.stderr.contains("SCHEDULER_PUBLIC_URL"), "{ran:?}");
}

#[test]
fn whoever_posts_where_no_server_runs_is_told() {
    const SAID: &str = "no server is running here: the post goes out once one does";
    let server = Serving::start();
    let post = |folder: &Path, when: &[&str]| {
        run(folder, &[&["post", "Hello", "--to", "bluesky"], when].concat())
    };
    let later = ["--at", "2099-01-01T09:00:00Z"];
    let served = post(server.folder.path(), &later);
    assert!(served.code == Some(0) && !served.stderr.contains(SAID), "{served:?}");

    let folder = server.stop_in_place();
    for (name, when, is_said) in [
        ("later", &later[..], true),
        ("at once", &["--now"], true),
        ("in a slot", &["--queue"], true),
        ("as a draft", &["--draft"], false),
    ] {
        let ran = post(folder.path(), when);
        assert_eq!(ran.code, Some(0), "{name}: {ran:?}");
        assert_eq!(ran.stderr.contains(SAID), is_said, "{name}: {ran:?}");
    }

    let mut waiting =
        scheduler(folder.path(), &["post", "Hello again", "--to", "bluesky", "--now", "--wait"]);
    let mut waiting = waiting.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
    let mut lines = BufReader::new(waiting.stderr.take().unwrap()).lines();
    assert!(lines.any(|line| line.unwrap().contains(SAID)), "before it waits");
    waiting.kill().unwrap();
    waiting.wait().unwrap();
}
