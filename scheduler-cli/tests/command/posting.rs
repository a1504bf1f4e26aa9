//! The posting commands against a running server.

use std::io::{BufRead as _, BufReader, Write as _};
use std::process::Stdio;

use serde_json::{Value, json};

use crate::running::{Ran, Serving, scheduler};

/// Networks that take a post of text alone.
const TWO: &str = "bluesky,mastodon";

#[test]
fn a_post_from_its_check_to_its_end() {
    let server = Serving::start();
    let json = |arguments: &[&str], code: i32| {
        let ran = server.run(&[arguments, &["--json"]].concat());
        assert_eq!(ran.code, Some(code), "{arguments:?}: {ran:?}");
        ran.json()
    };

    let report = json(&["check", "short", "--to", TWO, "--at", "2030-01-01T09:00:00Z"], 0);
    assert_eq!((&report["ok"], &report["issues"]), (&json!(true), &json!([])));
    assert_eq!(report["times"][0]["instant"], "2030-01-01T09:00:00Z");
    let report = json(&["check", &"x".repeat(600), "--to", TWO], 1);
    let rules: Vec<&Value> =
        report["issues"].as_array().unwrap().iter().map(|issue| &issue["rule"]).collect();
    assert_eq!(rules, ["bluesky.text.too_long", "mastodon.text.too_long"]);

    let refused = json(&["post", &"x".repeat(600), "--to", "bluesky", "--now"], 1);
    assert_eq!(refused["error"]["code"], "validation_failed");
    let ran = server.run(&["post", &"x".repeat(600), "--to", "bluesky", "--now"]);
    assert!(ran.stderr.contains("(bluesky.text.too_long)"), "{}", ran.stderr);

    let done = json(&["post", "out at once", "--to", TWO, "--now", "--wait"], 0);
    assert_eq!(done["status"], "done");
    let targets = done["targets"].as_array().unwrap();
    assert!(targets.len() == 2 && targets.iter().all(|target| target["status"] == "published"));

    let options = ["--to", "mastodon", "--option", "mastodon.visibility=unlisted", "--draft"];
    let draft =
        json(&[&["post", "parked", "--link", "https://example.com/a"], &options[..]].concat(), 0);
    assert_eq!(draft["status"], "draft");
    assert_eq!(draft["targets"][0]["options"], json!({"visibility": "unlisted"}));
    let id = draft["id"].as_str().unwrap();
    let edited = json(&["posts", "edit", id, "--text", "changed", "--no-link", "--queue"], 0);
    assert_eq!(edited["status"], "scheduled");
    assert_eq!((&edited["content"], &edited["linkUrl"]), (&json!("changed"), &Value::Null));
    assert_eq!(json(&["posts", "show", id], 0), edited);
    let canceled = json!({"id": id, "status": "canceled"});
    assert_eq!(json(&["posts", "cancel", id], 0), canceled);
    assert_eq!(json(&["posts", "retry", id], 1)["error"]["code"], "nothing_to_retry");
    assert_eq!(json(&["posts", "cancel", id], 0), canceled, "again, which changes nothing");
    assert_eq!(json(&["posts", "delete", id], 0), json!({"id": id, "status": "removed"}));
    assert_eq!(json(&["posts", "show", id], 1)["error"]["code"], "not_found");

    let due = json(&["post", "due", "--to", "mastodon", "--at", "2099-01-01T00:00:00Z"], 0);
    for (arguments, advice) in [
        (["posts", "cancel", done["id"].as_str().unwrap()], "has gone out"),
        (["posts", "delete", due["id"].as_str().unwrap()], "cancel it first"),
    ] {
        let ran = server.run(&arguments);
        assert!(ran.code == Some(2) && ran.stderr.contains(advice), "{ran:?}");
    }

    let page = json(&["posts", "--status", "done"], 0);
    assert_eq!(page["data"].as_array().unwrap().len(), 1);
    assert_eq!(page["nextCursor"], Value::Null);
    assert_eq!(json(&["posts", "list", "--limit", "1"], 0)["data"][0]["id"], due["id"]);
}

#[test]
fn the_body_of_the_api_from_standard_input_and_a_key() {
    let server = Serving::start();
    let body = json!({
        "content": "from a file", "saveAsDraft": true, "targets": [{"platform": "bluesky"}],
    });
    let post_body = |key: &str, body: &Value| {
        let mut command = server.command(&["post", "--file", "-", "--key", key, "--json"]);
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(body.to_string().as_bytes()).unwrap();
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success(), "{output:?}");
        let stderr = String::from_utf8(output.stderr).unwrap();
        (serde_json::from_slice::<Value>(&output.stdout).unwrap(), stderr)
    };
    let post = |key: &str| post_body(key, &body);
    let (first, said) = post("key-number-1");
    assert!(!said.contains("exists already"));
    let (again, said) = post("key-number-1");
    assert!(said.contains("exists already") && !said.contains("warning"), "{said}");
    assert_eq!(first["id"], again["id"]);
    let mut changed = body.clone();
    changed["content"] = json!("something else");
    let (unchanged, said) = post_body("key-number-1", &changed);
    assert_eq!(unchanged, first, "one document, and the first post");
    let edit = format!("`scheduler posts edit {}`", first["id"].as_str().unwrap());
    for words in ["warning: the key key-number-1 was first used", "another --key", edit.as_str()] {
        assert!(said.contains(words), "{words}: {said}");
    }
    let (other, _) = post("key-number-2");
    assert_ne!(first["id"], other["id"]);

    let path = server.folder.path().join("post.json");
    std::fs::write(&path, body.to_string()).unwrap();
    let checked = server.run(&["check", "--file", "post.json", "--json"]);
    let report = checked.json();
    assert_eq!((&report["ok"], &report["issues"]), (&json!(true), &json!([])));
    assert_eq!(report["times"], Value::Null, "a draft has none");
}

#[test]
fn what_was_created_is_known_before_it_is_waited_for() {
    let server = Serving::start();
    let waited = ["post", "out at once", "--to", "bluesky", "--now", "--wait", "--json"];
    let ran = server.run(&waited);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let first = format!("post {}", ran.json()["id"].as_str().unwrap());
    assert!(ran.stderr.lines().next().unwrap().ends_with(&first), "{ran:?}");
}

#[test]
fn a_draft_is_not_waited_for() {
    let server = Serving::start();
    let body = json!({
        "content": "parked", "saveAsDraft": true, "targets": [{"platform": "bluesky"}],
    });
    std::fs::write(server.folder.path().join("post.json"), body.to_string()).unwrap();
    let ran = server.run(&["post", "--file", "post.json", "--wait", "--json"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
    assert_eq!(ran.json()["error"]["code"], "usage");
    assert!(ran.stderr.contains("the post would be a draft"), "{ran:?}");
    let posts = server.run(&["posts", "--json"]).json();
    assert_eq!(posts["data"], json!([]), "nothing was created");

    let draft = server.run(&["post", "--file", "post.json", "--json"]).json();
    let id = draft["id"].as_str().unwrap();
    let ran = server.run(&["posts", "show", id, "--wait"]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(2), ""), "{ran:?}");
    assert!(ran.stderr.contains(&format!("`scheduler posts edit {id} --now`")), "{ran:?}");
}

#[test]
fn a_call_without_an_answer_names_a_key_that_repeats_it() {
    // Takes the connection and closes it without an answer.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let url = format!("http://{address}");
    let received = std::thread::spawn(move || {
        let (stream, _) = listener.accept().unwrap();
        let lines = BufReader::new(stream).lines().map_while(Result::ok);
        lines.take_while(|line| !line.is_empty()).collect::<Vec<String>>()
    });
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("post.json"), "{}").unwrap();
    let arguments = ["post", "--file", "post.json", "--url", &url, "--api-key", "sk_test"];
    // A proxy is not asked for what is on this machine.
    let mut command = scheduler(folder.path(), &arguments);
    let ran = Ran::of(command.env("http_proxy", "http://127.0.0.1:9").env_remove("no_proxy"));
    assert_eq!(ran.code, Some(3), "{ran:?}");
    // Ends the wait of the listener if the call has gone elsewhere.
    drop(std::net::TcpStream::connect(address));
    let headers = received.join().unwrap();
    let key = headers.iter().find_map(|line| line.strip_prefix("idempotency-key: ")).unwrap();
    assert!(ran.stderr.contains(&format!("the same command with --key {key} ")), "{ran:?}");
}

#[test]
fn further_accounts_and_their_names() {
    let server = Serving::start();
    let added = server.run(&["accounts", "connect", "mastodon", "--sandbox", "--json"]);
    assert_eq!(added.code, Some(0), "{added:?}");
    let (id, name) = (added.json()["id"].clone(), added.json()["username"].clone());
    let to = format!("mastodon:@{}", name.as_str().unwrap());
    let post = server.run(&["post", "to one of two", "--to", &to, "--draft", "--json"]);
    assert_eq!(post.json()["targets"][0]["accountId"], id);
    let vague = server.run(&["post", "to which?", "--to", "mastodon", "--draft", "--json"]);
    assert_eq!(vague.json()["error"]["field"], "targets[0].accountId");
    let unknown = server.run(&["post", "to whom?", "--to", "mastodon:@nobody", "--draft"]);
    assert_eq!(unknown.code, Some(2));
    assert!(unknown.stderr.contains("no mastodon account is called @nobody"), "{unknown:?}");

    let set = server.run(&["schedule", "set", &to, "mon-fri 09:00; sat 11:00", "--json"]);
    assert_eq!(set.json()["schedule"], "mon-fri 09:00; sat 11:00");
    assert_eq!(server.run(&["schedule", "show", &to, "--json"]).json(), set.json());
    let zone = server.run(&["accounts", "set-timezone", &to, "Asia/Tokyo", "--json"]);
    assert_eq!(zone.json()["timezone"], "Asia/Tokyo");
    let gone = server.run(&["accounts", "disconnect", &to, "--json"]);
    assert_eq!(gone.json(), json!({"id": id, "disconnected": true, "duePosts": 0}));
}

#[test]
fn events_are_received_and_verified() {
    let server = Serving::start();
    let mut command = server.command(&["webhooks", "listen", "--port", "0", "--json"]);
    let mut listening = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(listening.stderr.take().unwrap()).lines();
    assert!(said.next().unwrap().unwrap().starts_with("Listening on http://127.0.0.1:"));
    let webhooks = server.run(&["webhooks", "list", "--json"]).json();
    assert_eq!(webhooks["data"].as_array().unwrap().len(), 1);

    let post = server.run(&["post", "told of", "--to", "bluesky", "--now", "--json"]).json();
    let mut events = BufReader::new(listening.stdout.take().unwrap()).lines();
    let event: Value = serde_json::from_str(&events.next().unwrap().unwrap()).unwrap();
    assert_eq!((&event["verified"], &event["repeat"]), (&json!(true), &json!(false)));
    assert_eq!(event["event"]["event"], "post.published");
    assert_eq!(event["event"]["data"]["postId"], post["id"]);

    let id = listening.id().to_string();
    assert!(std::process::Command::new("kill").arg(&id).status().unwrap().success());
    assert_eq!(listening.wait().unwrap().code(), Some(0));
    let webhooks = server.run(&["webhooks", "list", "--json"]).json();
    assert_eq!(webhooks, json!({"data": []}), "what was added is removed");

    let added = server.run(&["webhooks", "add", "http://127.0.0.1:9/", "--json"]);
    let added = added.json();
    assert!(added["secret"].as_str().is_some_and(|secret| secret.starts_with("whsec_")));
    let removed = server.run(&["webhooks", "remove", added["id"].as_str().unwrap(), "--json"]);
    assert_eq!(removed.json(), json!({"id": added["id"], "removed": true}));
}

#[test]
fn a_key_that_is_refused_says_what_to_do() {
    let server = Serving::start();
    let mut command = server.command(&["posts"]);
    let ran = Ran::of(command.env("SCHEDULER_API_KEY", "sk_wrong"));
    assert_eq!(ran.code, Some(1));
    assert!(ran.stderr.contains("next: log in with `scheduler login`, or make a key"), "{ran:?}");
    assert!(!ran.stderr.contains("sk_wrong"));
}
