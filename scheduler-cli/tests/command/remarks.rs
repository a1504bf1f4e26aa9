//! `scheduler comments`, `reply`, `comment`, `posts edit-live`, `posts take-down`: what is asked,
//! and how it is shown.

use std::io::{BufRead as _, BufReader};

use serde_json::{Value, json};

use crate::running::run;
use crate::scripted::{Asked, Scripted};

const POST: &str = "01993b5c-2b7e-7000-8000-000000000001";
const TARGET: &str = "01993b5c-2b7e-7000-8000-000000000002";

/// An id with everything that a path changes, and how it is written in one.
const ID: (&str, &str) = ("did:plc:a/b%2F 100%~😀", "did%3Aplc%3Aa%2Fb%252F%20100%25~%F0%9F%98%80");

fn comments() -> String {
    format!("/posts/{POST}/targets/{TARGET}/comments")
}

#[test]
fn comments_are_listed_with_what_may_be_done() {
    let comment = |own: bool, hidden: bool| {
        json!({
            "id": ID.0, "author": "bob\u{1b}[2J", "text": "100% “ok”\n👍", "own": own,
            "createdAt": "2026-11-22T01:02:03Z", "hidden": hidden, "likeCount": 1_234,
        })
    };
    let answer = json!({
        "data": [comment(false, false), comment(true, true)], "supported": true,
        "can": {"reply": true, "edit": false, "hide": true, "like": false, "delete": true},
    });
    let server = Scripted::start(&[(&format!("GET {}", comments()), 200, answer.clone())]);
    let ran = server.run(&["comments", POST, TARGET]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
    let lines: Vec<&str> = ran.stdout.lines().collect();
    let headings: Vec<&str> = lines[0].split_whitespace().collect();
    assert_eq!(headings, ["ID", "AUTHOR", "TEXT", "WHEN", "LIKES", "IS"]);
    for part in [ID.0, "bob\\u{1b}[2J", "100% “ok” 👍", "Sun 2026-11-22 01:02 UTC", "1,234"] {
        assert!(lines[1].contains(part), "{part}: {ran:?}");
    }
    assert!(lines[2].ends_with("own, hidden"), "{ran:?}");
    assert_eq!(lines[3..], ["", "This account can: reply, hide, delete."]);
    assert!(!ran.stdout.contains('\u{1b}'), "{ran:?}");
    assert_eq!(server.run(&["comments", POST, TARGET, "--json"]).json(), answer);
}

#[test]
fn comments_that_cannot_be_read() {
    let can = json!({"reply": false, "edit": false, "hide": false, "like": false, "delete": false});
    let answer = json!({"data": [], "supported": false, "can": can});
    let server = Scripted::start(&[(&format!("GET {}", comments()), 200, answer)]);
    let ran = server.run(&["comments", POST, TARGET]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("cannot be read"), "{ran:?}");
}

#[test]
fn every_act_sends_the_id_as_one_segment_and_the_text_as_it_is() {
    let line = format!("POST {}/{}", comments(), ID.1);
    let text = "100% / “thanks” 😀\nsecond line";
    let server = Scripted::start(&[(&line, 200, json!({"id": "new/1", "text": text}))]);
    for (arguments, body, said) in [
        (
            &["reply", POST, TARGET, ID.0, text][..],
            json!({"action": "reply", "text": text}),
            "replied: new/1",
        ),
        (
            &["comment", "edit", POST, TARGET, ID.0, text],
            json!({"action": "edit", "text": text}),
            "changed",
        ),
        (&["comment", "hide", POST, TARGET, ID.0], json!({"action": "hide"}), "hidden"),
        (&["comment", "unhide", POST, TARGET, ID.0], json!({"action": "unhide"}), "shown again"),
        (&["comment", "like", POST, TARGET, ID.0], json!({"action": "like"}), "liked"),
        (&["comment", "unlike", POST, TARGET, ID.0], json!({"action": "unlike"}), "not liked"),
        (&["comment", "delete", POST, TARGET, ID.0], json!({"action": "delete"}), "deleted"),
        (
            &["comment", "delete", POST, TARGET, ID.0, "--yes"],
            json!({"action": "delete"}),
            "deleted",
        ),
    ] {
        let ran = server.run(arguments);
        assert_eq!(ran.code, Some(0), "{arguments:?}: {ran:?}");
        assert_eq!(ran.stdout, format!("{said}\n"), "{arguments:?}");
        assert_eq!(server.asked(), [Asked { line: line.clone(), body }], "{arguments:?}");
    }
    let json = server.run(&["reply", POST, TARGET, ID.0, text, "--json"]);
    assert_eq!(json.json(), json!({"id": "new/1", "text": text}));
    server.asked();
    for id in ["", ".", ".."] {
        let ran = server.run(&["comment", "hide", POST, TARGET, id]);
        assert_eq!(ran.code, Some(2), "{id:?}: {ran:?}");
        assert!(ran.stderr.contains("is not an id"), "{id:?}: {ran:?}");
    }
    assert_eq!(server.asked(), []);
}

#[test]
fn refusals_say_what_to_do() {
    let path = format!("POST {}/1", comments());
    for (code, next) in [
        ("unsupported", "see what each network offers with `scheduler platforms`"),
        ("not_published", "see which targets are live with `scheduler posts show`"),
        ("network_error", "try again in a moment"),
        ("in_doubt", "look on the network whether it is done before you try again"),
    ] {
        let refusal = json!({"error": {"code": code, "message": "No."}});
        let server = Scripted::start(&[(&path, 409, refusal)]);
        let ran = server.run(&["comment", "hide", POST, TARGET, "1"]);
        assert_eq!(ran.code, Some(1), "{code}: {ran:?}");
        assert_eq!(ran.stderr, format!("error: No.\nnext: {next}\n"), "{code}");
    }
}

#[test]
fn a_reply_without_an_answer_is_not_repeated_blindly() {
    // Takes the connection and closes it without an answer.
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let received = std::thread::spawn(move || {
        let (stream, _) = listener.accept().unwrap();
        BufReader::new(stream)
            .lines()
            .map_while(Result::ok)
            .take_while(|line| !line.is_empty())
            .count()
    });
    let folder = tempfile::tempdir().unwrap();
    let server = ["--url", &url, "--api-key", "sk_test"];
    let ran = run(folder.path(), &[&["reply", POST, TARGET, "1", "Thanks"], &server[..]].concat());
    assert_eq!(ran.code, Some(3), "{ran:?}");
    assert!(ran.stderr.starts_with("no answer has come, so the reply may be there"), "{ran:?}");
    assert!(received.join().unwrap() > 0);
}

fn target(status: &str) -> Value {
    json!({
        "id": TARGET, "platform": "youtube", "accountId": POST, "status": status, "remoteId": "1",
        "remoteUrl": "https://youtu.be/1", "publishedAt": null, "error": null, "errorCode": null,
        "errorPermanent": false, "attempts": 1, "nextAttemptAt": null, "canEditRemote": true,
        "canDeleteRemote": true, "options": {}, "metrics": null,
    })
}

#[test]
fn a_live_post_is_changed() {
    let line = format!("PATCH /posts/{POST}/targets/{TARGET}/remote");
    let server = Scripted::start(&[(&line, 200, target("published"))]);
    for (options, body) in [
        (&["--text", "100% new 😀"][..], json!({"content": "100% new 😀"})),
        (&["--content", "new"], json!({"content": "new"})),
        (&["--title", "New"], json!({"title": "New"})),
        (&["--text", "", "--title", "New"], json!({"content": "", "title": "New"})),
    ] {
        let ran = server.run(&[&["posts", "edit-live", POST, TARGET], options].concat());
        assert_eq!(ran.code, Some(0), "{options:?}: {ran:?}");
        assert_eq!(ran.stdout, "changed on youtube: https://youtu.be/1\n", "{options:?}");
        assert_eq!(server.last(), Asked { line: line.clone(), body }, "{options:?}");
    }
    let ran = server.run(&["posts", "edit-live", POST, TARGET]);
    assert_eq!((ran.code, server.asked()), (Some(2), vec![]), "{ran:?}");
    assert!(ran.stderr.contains("--text <TEXT>"), "{ran:?}");
}

#[test]
fn a_live_post_is_taken_down() {
    let line = format!("DELETE /posts/{POST}/targets/{TARGET}/remote");
    let server = Scripted::start(&[(&line, 200, target("skipped"))]);
    for options in [&[][..], &["--yes"]] {
        let ran = server.run(&[&["posts", "take-down", POST, TARGET], options].concat());
        assert_eq!(ran.code, Some(0), "{options:?}: {ran:?}");
        assert_eq!(ran.stdout, "taken down from youtube; its record stays\n", "{options:?}");
        assert_eq!(server.last(), Asked { line: line.clone(), body: Value::Null }, "{options:?}");
    }
    let ran = server.run(&["posts", "take-down", POST, TARGET, "--yes", "--json"]);
    assert_eq!(ran.json()["status"], "skipped");
}
