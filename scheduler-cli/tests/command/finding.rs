//! Finding posts at the terminal, writing them, and what is shown of them.

use std::io::Write as _;
use std::process::Stdio;

use serde_json::{Value, json};

use crate::running::{Ran, Serving, run};
use crate::scripted::Scripted;

/// Runs a command with a text on standard input.
fn piped(server: &Serving, text: &str, arguments: &[&str]) -> Ran {
    let mut command = server.command(arguments);
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    child.stdin.take().unwrap().write_all(text.as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    Ran {
        code: output.status.code(),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

#[test]
fn a_text_comes_from_standard_input_and_each_network_gets_its_own() {
    let server = Serving::start();
    let ran = piped(
        &server,
        "First line\nsecond line\n",
        &[
            "post",
            "-",
            "--to",
            "bluesky,mastodon",
            "--at",
            "2099-01-01 09:00",
            "--for",
            "mastodon",
            "For Mastodon",
            "--thread",
            "The second post",
            "--label",
            "spring",
            "--label",
            "Food",
            "--note",
            "Ask Ann",
            "--metadata",
            "order=7",
            "--json",
        ],
    );
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let post = ran.json();
    assert_eq!(post["content"], "First line\nsecond line");
    assert_eq!(post["scheduledAt"], "2099-01-01T09:00:00Z", "in the zone of TZ");
    assert_eq!((&post["labels"], &post["note"]), (&json!(["spring", "Food"]), &json!("Ask Ann")));
    assert_eq!(post["metadata"], json!({"order": "7"}));
    let options = |platform: &str| {
        let targets = post["targets"].as_array().unwrap();
        let target = targets.iter().find(|target| target["platform"] == platform).unwrap();
        target["options"].clone()
    };
    assert_eq!(options("bluesky"), json!({"thread": ["The second post"]}));
    let mastodon = json!({"caption": "For Mastodon", "thread": ["The second post"]});
    assert_eq!(options("mastodon"), mastodon);

    let shown = server.run(&["posts", "show", post["id"].as_str().unwrap()]).stdout;
    for part in [
        "goes out Thu 2099-01-01 09:00 UTC, in ",
        "labels   spring, Food\n",
        "metadata order=7\n",
        "note     Ask Ann\n",
        "text     First line\n         second line\n",
        "mastodon @sandbox_1 gets\n  text     For Mastodon\n  post 2   The second post\n",
    ] {
        assert!(shown.contains(part), "{part:?} in\n{shown}");
    }
    let edited = server.run(&[
        "posts",
        "edit",
        post["id"].as_str().unwrap(),
        "--no-labels",
        "--note",
        "Done",
        "--json",
    ]);
    assert_eq!((&edited.json()["labels"], &edited.json()["note"]), (&json!([]), &json!("Done")));
}

#[test]
fn what_is_next_what_failed_and_what_is_found() {
    let server = Serving::start();
    let post = |text: &str, arguments: &[&str]| {
        let ran = server.run(&[&["post", text, "--json"][..], arguments].concat());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        ran.json()["id"].as_str().unwrap().to_owned()
    };
    let later = post("later", &["--to", "bluesky", "--at", "2099-01-02 09:00"]);
    let sooner =
        post("fresh cakes", &["--to", "mastodon", "--at", "2099-01-01 09:00", "--label", "food"]);
    let ids = |arguments: &[&str]| {
        let ran = server.run(&[arguments, &["--json"]].concat());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let found = ran.json();
        let ids = found["data"].as_array().unwrap().iter();
        ids.map(|post| post["id"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    let none: [String; 0] = [];
    assert_eq!(ids(&["upcoming"]), [sooner.clone(), later.clone()]);
    assert_eq!(ids(&["upcoming", "--network", "bluesky"]), std::slice::from_ref(&later));
    assert_eq!(ids(&["upcoming", "--account", "mastodon"]), std::slice::from_ref(&sooner));
    assert_eq!(ids(&["posts", "--search", "cak FRESH"]), std::slice::from_ref(&sooner));
    assert_eq!(ids(&["posts", "--label", "Food"]), std::slice::from_ref(&sooner));
    assert_eq!(ids(&["posts", "--from", "2099-01-02"]), [later]);
    assert_eq!(ids(&["posts", "--until", "2099-01-02"]), [sooner]);
    assert_eq!(ids(&["posts", "--failed"]), none);
    assert_eq!(server.run(&["retry", "--all"]).stdout, "nothing has failed\n");
    let calendar = server.run(&["calendar", "2099-01"]);
    for part in
        ["January 2099, UTC\n", "  1 ·1  ", "Thursday 1 January\n  09:00  fresh cakes  mastodon"]
    {
        assert!(calendar.stdout.contains(part), "{part:?} in\n{}", calendar.stdout);
    }
    let asked = server.run(&["retry"]);
    assert_eq!(asked.code, Some(2), "{asked:?}");
}

#[test]
fn a_draft_is_kept_with_what_is_wrong_with_it() {
    let server = Serving::start();
    let ran = server.run(&["post", "An idea", "--to", "youtube", "--draft"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stdout.contains("status   unfinished draft\n"), "{ran:?}");
    assert!(ran.stdout.contains("next     mend what is wrong with"), "{ran:?}");
    assert!(ran.stderr.contains("YouTube needs a video"), "{ran:?}");
    let odd = ["post", "x", "--to", "mastodon", "--option", "mastodon.zzz=1", "--queue"];
    let odd = server.run(&odd);
    assert_eq!(odd.code, Some(0), "{odd:?}");
    assert!(odd.stderr.contains("mastodon.options.unknown_key"), "warnings are told: {odd:?}");
    let unfinished = server.run(&["posts", "--state", "unfinished", "--json"]).json();
    assert_eq!(unfinished["data"].as_array().map(Vec::len), Some(1));
}

#[test]
fn the_wrong_folder_stays_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in [
        &["accounts", "list"][..],
        &["schedule", "show", "bluesky"],
        &["approvals", "list"],
        &["keys", "list"],
        &["deliveries", "list"],
        &["workspace", "list"],
        &["export"],
    ] {
        let ran = run(folder.path(), arguments);
        assert_eq!(ran.code, Some(1), "{arguments:?}: {ran:?}");
        assert!(ran.stderr.contains("there is no database"), "{arguments:?}: {}", ran.stderr);
        assert!(ran.stderr.contains("--data"), "{arguments:?}: {}", ran.stderr);
        let made: Vec<_> = std::fs::read_dir(folder.path()).unwrap().collect();
        assert!(made.is_empty(), "{arguments:?} made {made:?}");
    }
}

#[test]
fn a_disconnected_account_tells_what_was_due_for_it() {
    let server = Serving::start();
    for at in ["2099-01-01 09:00", "2099-01-02 09:00"] {
        assert_eq!(server.run(&["post", "x", "--to", "tumblr", "--at", at]).code, Some(0));
    }
    let ran = server.run(&["accounts", "disconnect", "tumblr"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.stderr.contains("2 posts to come go through it"), "{ran:?}");
    let needs = server.run(&["posts", "--state", "needs_attention", "--json"]).json();
    assert_eq!(needs["data"].as_array().map(Vec::len), Some(2), "{needs}");
    let again = server.run(&["accounts", "disconnect", "mastodon", "--json"]);
    assert_eq!(again.json()["duePosts"], Value::from(0));
}

#[test]
fn ids_can_be_shortened_to_what_is_unique() {
    let server = Serving::start();
    let ids: Vec<String> = (0..2)
        .map(|_| {
            let made = server.run(&["post", "x", "--to", "bluesky", "--draft", "--json"]).json();
            made["id"].as_str().unwrap().to_owned()
        })
        .collect();
    let shared = ids[0].chars().zip(ids[1].chars()).take_while(|(one, other)| one == other);
    let (shared, short) =
        (shared.count(), |index: usize, more: usize| ids[index][..more].to_owned());
    let unique = short(1, shared + 1);
    let shown = server.run(&["posts", "show", &unique, "--json"]).json();
    assert_eq!(shown["id"], json!(ids[1]), "{shown}");
    let ambiguous = server.run(&["posts", "show", &short(0, shared)]);
    assert_ne!(ambiguous.code, Some(0));
    assert!(ambiguous.stderr.contains("Several posts begin with"), "{}", ambiguous.stderr);
    let asked = server.run(&["approvals", "create", &unique, "--json"]).json();
    assert_eq!(asked["data"][0]["postId"], json!(ids[1]));
    let told = server.run(&["approvals", "show", &unique, "--json"]).json();
    assert_eq!(told["postId"], json!(ids[1]));
    let gone = server.run(&["posts", "cancel", &unique, "--json"]).json();
    assert_eq!((&gone["id"], &gone["status"]), (&json!(ids[1]), &json!("removed")));
    let none = server.run(&["posts", "show", &unique]);
    assert_ne!(none.code, Some(0));
}

#[test]
fn a_live_post_without_a_link_says_why_once() {
    const ID: &str = "01993b5c-2b7e-7000-8000-000000000001";
    let reason = "TikTok gives a link to what everybody may see, some minutes after it is live.";
    let target = |(number, platform, status, url): (u8, &str, &str, Option<&str>)| {
        let id = format!("00000000-0000-0000-0000-0000000000{number:02}");
        json!({
            "id": id, "platform": platform, "accountId": id, "status": status, "remoteId": "1",
            "remoteUrl": url, "publishedAt": null, "error": null, "errorCode": null,
            "errorPermanent": false, "attempts": 1, "nextAttemptAt": null, "canEditRemote": false,
            "canDeleteRemote": false, "options": {}, "metrics": null,
        })
    };
    let (live, failed) = (("tiktok", "published"), ("tiktok", "failed"));
    for (name, targets, count) in [
        ("two without", vec![(live, None), (live, None)], 1),
        ("with a link", vec![(live, Some("https://www.tiktok.com/@a/photo/1"))], 0),
        ("not live", vec![(failed, None)], 0),
        ("another network", vec![(("bluesky", "published"), None)], 0),
    ] {
        let targets = (1..)
            .zip(targets)
            .map(|(number, ((platform, status), url))| target((number, platform, status, url)));
        let post = json!({
            "id": ID, "status": "done", "content": "shown", "linkUrl": null, "mediaIds": [],
            "altTexts": [], "scheduledAt": null, "approvalState": null,
            "createdAt": "2026-11-22T00:00:00Z", "updatedAt": "2026-11-22T00:00:00Z",
            "targets": targets.collect::<Vec<_>>(),
        });
        let path = format!("GET /posts/{ID}");
        let accounts = ("GET /oauth/accounts", 200, json!({"data": []}));
        let shown = Scripted::start(&[(path.as_str(), 200, post), accounts])
            .run(&["posts", "show", ID])
            .stdout;
        assert_eq!(shown.matches(reason).count(), count, "{name}: {shown}");
    }
}
