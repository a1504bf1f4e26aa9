//! `scheduler approvals` and `scheduler deliveries`, beside a server that runs.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::Stdio;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::running::Serving;

fn told(server: &Serving, arguments: &[&str]) -> Value {
    let ran = server.run(&[arguments, &["--json"]].concat());
    assert_eq!(ran.code, Some(0), "{arguments:?}: {ran:?}");
    ran.json()
}

/// What the server answers a browser.
fn browse(server: &Serving, method: &str, path: &str, body: &str) -> String {
    let address = server.told("Listening on http://").unwrap();
    let mut stream = TcpStream::connect(address.trim_end_matches('/')).unwrap();
    let length = body.len();
    write!(
        stream,
        "{method} {path} HTTP/1.0\r\nhost: {address}\r\ncontent-type: \
         application/x-www-form-urlencoded\r\ncontent-length: {length}\r\n\r\n{body}"
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}

/// Looks at a post until it is so.
fn wait_for(server: &Serving, id: &str, is_so: impl Fn(&Value) -> bool) -> Value {
    let end = Instant::now() + Duration::from_secs(30);
    loop {
        let post = told(server, &["posts", "show", id]);
        if is_so(&post) {
            return post;
        }
        assert!(Instant::now() < end, "{post}");
    }
}

#[test]
fn a_client_approves_a_post_that_has_waited() {
    let server = Serving::start();
    let draft = told(&server, &["post", "To the fair", "--to", "bluesky", "--draft"]);
    let id = draft["id"].as_str().unwrap();
    let refused = server.run(&["approvals", "show", id, "--json"]);
    assert_eq!(refused.json()["error"]["code"], "not_found");
    let create = ["approvals", "create", id, "--expires", "2d", "--client", "Ana"];
    let note = ["--note", "Our plan for the fair", "--json"];
    let mut command = server.command(&[&create[..], &note].concat());
    let made = command.env("SCHEDULER_PUBLIC_URL", "https://s.example/").output().unwrap();
    let made: Value = serde_json::from_slice(&made.stdout).unwrap();
    assert_eq!(made["data"][0]["approvalState"], "pending");
    let url = made["url"].as_str().unwrap();
    let path = url.strip_prefix("https://s.example").unwrap();
    assert_eq!(path.strip_prefix("/approve/").map(str::len), Some(43), "{url}");

    for shown in [&["approvals", "list"][..], &["approvals", "show", id]] {
        let ran = server.run(shown);
        assert!(ran.stdout.contains("Our plan for the fair"), "what they were told: {ran:?}");
    }

    told(&server, &["posts", "edit", id, "--now"]);
    let waits = wait_for(&server, id, |post| !post["targets"][0]["error"].is_null());
    let target = &waits["targets"][0];
    assert!(target["error"].as_str().unwrap().contains("has not approved"), "{target}");
    assert_eq!((&target["status"], &target["attempts"]), (&json!("pending"), &json!(0)));
    assert_eq!(target["errorCode"], Value::Null);

    let page = browse(&server, "GET", path, "");
    assert!(page.starts_with("HTTP/1.1 200") || page.starts_with("HTTP/1.0 200"), "{page}");
    assert!(page.contains("To the fair"), "{page}");
    let (_, rest) = page.split_once("name=\"seen\" value=\"").unwrap();
    let seen = rest.split('"').next().unwrap();
    let no = format!("post={id}&seen={seen}&decision=changes&note=No%21");
    assert!(browse(&server, "POST", path, &no).contains(" 303 "));
    let shown = told(&server, &["approvals", "show", id]);
    assert_eq!((&shown["approvalState"], &shown["note"]), (&json!("changes"), &json!("No!")));
    assert!(!shown["decidedAt"].is_null());
    assert_eq!(told(&server, &["approvals", "list"])["data"], json!([shown]));
    told(&server, &["approvals", "reply", id, "Please look <again>."]);
    assert!(browse(&server, "GET", path, "").contains("Please look &#60;again&#62;."));

    let yes = format!("post={id}&seen={seen}&decision=approve");
    assert!(browse(&server, "POST", path, &yes).contains(" 303 "));
    let done = wait_for(&server, id, |post| post["status"] == "done");
    assert_eq!(done["approvalState"], "approved");
    assert_eq!(done["targets"][0]["status"], "published");
    let late = server.run(&["approvals", "withdraw", id, "--json"]);
    assert_eq!(late.json()["error"]["code"], "already_started");
}

#[test]
fn a_week_is_shown_under_one_link() {
    let server = Serving::start();
    for text in ["Monday", "Tuesday"] {
        let at = if text == "Monday" { "2031-06-02T09:00:00Z" } else { "2031-06-03T09:00:00Z" };
        told(&server, &["post", text, "--to", "bluesky", "--at", at]);
    }
    told(&server, &["post", "A week later", "--to", "bluesky", "--at", "2031-06-12T09:00:00Z"]);
    let made = told(&server, &["approvals", "create", "--week", "2031-06-04", "--note", "A plan"]);
    assert_eq!(made["data"].as_array().unwrap().len(), 2);
    let url = made["url"].as_str().unwrap();
    let page = browse(&server, "GET", &url[url.find("/approve/").unwrap()..], "");
    for want in ["A plan", "Monday", "Tuesday", "Approve all 2"] {
        assert!(page.contains(want), "{want}: {page}");
    }
    assert!(!page.contains("A week later"), "{page}");
    let ran = server.run(&["approvals", "create", "--week", "2031-07-01"]);
    assert_ne!(ran.code, Some(0));
    assert!(ran.stderr.contains("No post that is due then"), "{}", ran.stderr);
}

#[test]
fn a_withdrawn_link_lets_the_post_go_and_a_new_one_replaces_the_old() {
    let server = Serving::start();
    let draft = told(&server, &["post", "Hello", "--to", "mastodon", "--draft"]);
    let id = draft["id"].as_str().unwrap();
    let path = |made: &Value| {
        let url = made["url"].as_str().unwrap();
        url[url.find("/approve/").unwrap()..].to_owned()
    };
    let first = path(&told(&server, &["approvals", "create", id]));
    let second = path(&told(&server, &["approvals", "create", id]));
    assert!(browse(&server, "GET", &first, "").contains(" 404 "));
    assert!(browse(&server, "GET", &second, "").contains(" 200 "));
    told(&server, &["posts", "edit", id, "--now"]);
    wait_for(&server, id, |post| !post["targets"][0]["error"].is_null());
    let gone = told(&server, &["approvals", "withdraw", id]);
    assert_eq!(gone, json!({"postId": id, "withdrawn": true}));
    let done = wait_for(&server, id, |post| post["status"] == "done");
    assert_eq!(done["approvalState"], Value::Null);
    assert!(browse(&server, "GET", &second, "").contains(" 404 "));
    for expires in ["30m", "366d", "soon"] {
        let ran = server.run(&["approvals", "create", id, "--expires", expires]);
        assert_ne!(ran.code, Some(0), "{expires}");
    }
}

#[test]
fn a_delivery_is_sent_again_under_the_same_id() {
    let server = Serving::start();
    let mut command = server.command(&["webhooks", "listen", "--port", "0", "--json"]);
    let mut listening = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut said = BufReader::new(listening.stderr.take().unwrap()).lines();
    assert!(said.next().unwrap().unwrap().starts_with("Listening on http://127.0.0.1:"));
    told(&server, &["post", "told of", "--to", "bluesky", "--now"]);
    let mut events = BufReader::new(listening.stdout.take().unwrap()).lines();
    let mut next = || -> Value { serde_json::from_str(&events.next().unwrap().unwrap()).unwrap() };
    let first = next();
    assert_eq!((&first["verified"], &first["repeat"]), (&json!(true), &json!(false)));

    let end = Instant::now() + Duration::from_secs(30);
    let delivered = loop {
        let listed = told(&server, &["deliveries", "list", "--status", "delivered"]);
        if let Some(delivery) = listed["data"].get(0) {
            break delivery.clone();
        }
        assert!(Instant::now() < end);
    };
    assert_eq!(delivered["eventId"], first["event"]["id"]);
    assert_eq!(delivered["event"], "post.published");
    assert_eq!(delivered["attempts"].as_array().unwrap().len(), 1);
    assert!(delivered["url"].as_str().unwrap().starts_with("http://127.0.0.1:"));
    assert_eq!(told(&server, &["deliveries", "list", "--status", "failed"]), json!({"data": []}));

    let id = delivered["id"].as_str().unwrap();
    let again = told(&server, &["deliveries", "redeliver", id]);
    assert_eq!(again["status"], "pending");
    let second = next();
    assert_eq!((&second["verified"], &second["repeat"]), (&json!(true), &json!(true)));
    assert_eq!(second["event"], first["event"], "the same id and the same body");

    let process = listening.id().to_string();
    assert!(std::process::Command::new("kill").arg(&process).status().unwrap().success());
    listening.wait().unwrap();
    let gone = server.run(&["deliveries", "redeliver", id, "--json"]);
    assert_eq!(gone.code, Some(1));
    assert_eq!(gone.json()["error"]["code"], "not_found", "its webhook is removed");
}
