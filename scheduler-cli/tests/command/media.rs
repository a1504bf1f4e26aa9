//! `scheduler media`: lists, shows and deletes.

use std::sync::Arc;

use serde_json::{Value, json};
use warp::Filter as _;

use crate::files::{picture, put};
use crate::running::Serving;

fn uploaded(server: &Serving, name: &str) -> String {
    put(server.folder.path(), name, &picture());
    let ran = server.run(&["media", "upload", name, "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.json()["id"].as_str().unwrap().to_owned()
}

#[test]
fn files_are_listed_shown_and_deleted() {
    let server = Serving::start();
    let empty = server.run(&["media", "list"]);
    assert_eq!((empty.code, empty.stdout.as_str()), (Some(0), "No files.\n"));
    let (first, second) = (uploaded(&server, "first.png"), uploaded(&server, "second.png"));

    let listed = server.run(&["media", "list"]);
    let lines: Vec<Vec<&str>> =
        listed.stdout.lines().map(|line| line.split_whitespace().collect()).collect();
    let headings = ["ID", "STATUS", "TYPE", "SIZE", "PIXELS", "LENGTH", "POSTS", "CREATED", "NAME"];
    assert_eq!(lines[0], headings);
    assert_eq!((lines[1][0], lines[2][0]), (second.as_str(), first.as_str()), "newest first");
    assert_eq!(lines[1][1..3], ["ready", "image/png"]);
    assert!(lines[1].contains(&"64×48") && lines[1].contains(&"second.png"), "{listed:?}");
    let one = server.run(&["media", "list", "--limit", "1", "--json"]).json();
    assert_eq!(one["data"].as_array().unwrap().len(), 1);
    assert_eq!((&one["data"][0]["id"], &one["data"][0]["postCount"]), (&json!(second), &json!(0)));

    let shown = server.run(&["media", "show", &first]);
    assert!(shown.stdout.starts_with(&format!("file    {first}\nstatus  ready\n")), "{shown:?}");
    assert!(shown.stdout.ends_with("No post uses it.\n"), "{shown:?}");
    assert_eq!(server.run(&["media", "show", &first, "--json"]).json()["id"], first);

    let deleted = server.run(&["media", "delete", &first]);
    assert_eq!(deleted.stdout, "deleted; its record stays\n", "{deleted:?}");
    assert_eq!(server.run(&["media", "show", &first, "--json"]).json()["status"], "deleted");
    let unknown = server.run(&["media", "delete", "01993b5c-2b7e-7000-8000-000000000001"]);
    assert_eq!(unknown.code, Some(1), "{unknown:?}");
}

#[test]
fn files_are_described_and_found_by_it() {
    let server = Serving::start();
    let (first, second) = (uploaded(&server, "first.png"), uploaded(&server, "second.png"));
    let said = ["--name", "Our cake", "--label", "Spring", "--label", "Bakery", "--alt", "A cake"];
    let edited = server.run(&[&["media", "edit", &first][..], &said].concat());
    assert_eq!(edited.code, Some(0), "{edited:?}");
    for line in
        ["name    Our cake", "came as first.png", "labels  Spring, Bakery", "alt     A cake"]
    {
        assert!(edited.stdout.lines().any(|printed| printed == line), "{line}: {edited:?}");
    }
    let ids = |arguments: &[&str]| {
        let listed = server.run(&[&["media", "list", "--json"], arguments].concat()).json();
        let ids = listed["data"].as_array().unwrap().iter().map(|file| file["id"].clone());
        ids.collect::<Vec<_>>()
    };
    for (arguments, want) in [
        (&["--search", "cak"][..], vec![&first]),
        (&["--label", "spring", "--unused", "--kind", "image"], vec![&first]),
        (&["--label", "none", "--label", "bakery"], vec![&first]),
        (&["--used"], vec![]),
        (&["--kind", "video"], vec![]),
        (&[], vec![&second, &first]),
    ] {
        let want: Vec<Value> = want.into_iter().map(|id| json!(id)).collect();
        assert_eq!(ids(arguments), want, "{arguments:?}");
    }
    let page = server.run(&["media", "list", "--limit", "1"]);
    let cursor = page.stderr.trim().strip_prefix("more with --before ").unwrap();
    assert_eq!(ids(&["--limit", "1", "--before", cursor]), [json!(first)]);
    let cleared =
        server.run(&["media", "edit", &first, "--no-name", "--no-labels", "--json"]).json();
    assert_eq!((&cleared["name"], &cleared["labels"]), (&json!(null), &json!([])));
    assert_eq!(cleared["altText"], "A cake", "not named");
    assert_eq!(server.run(&["media", "edit", &first]).code, Some(2), "nothing to change");
}

#[test]
fn versions_are_made_of_a_picture() {
    let server = Serving::start();
    let id = uploaded(&server, "a.png");
    for (arguments, want) in [
        (&["--crop", "4:5"][..], (38, 48, "image/png")),
        (&["--crop", "20x10+4+38", "--format", "jpeg"], (20, 10, "image/jpeg")),
        (&["--max-side", "32"], (32, 24, "image/png")),
    ] {
        let ran = server.run(&[&["media", "version", &id, "--json"], arguments].concat());
        assert_eq!(ran.code, Some(0), "{ran:?}");
        let made = ran.json();
        let found = (&made["width"], &made["height"], &made["mimeType"]);
        assert_eq!(found, (&json!(want.0), &json!(want.1), &json!(want.2)), "{arguments:?}");
        assert_eq!(made["originalId"], id);
        let shown = server.run(&["media", "show", made["id"].as_str().unwrap()]);
        assert!(shown.stdout.contains(&format!("made of {id}\n")), "{shown:?}");
    }
    for (arguments, code) in [
        (&["--crop", "20x10+50+0"][..], 1),
        (&["--crop", "20"], 2),
        (&["--max-side", "0"], 2),
        (&[], 2),
    ] {
        let ran = server.run(&[&["media", "version", &id], arguments].concat());
        assert_eq!(ran.code, Some(code), "{ran:?}");
    }
    let original = server.run(&["media", "show", &id, "--json"]).json();
    assert_eq!((&original["width"], &original["status"]), (&json!(64), &json!("ready")));
}

#[cfg(unix)]
#[test]
fn a_name_does_nothing_to_the_terminal() {
    let server = Serving::start();
    let name = "a\u{7}\u{1b}[2J\nready.png";
    let shown = "a\\u{7}\\u{1b}[2J\\nready.png";
    put(server.folder.path(), name, &picture());
    let ran = server.run(&["media", "upload", name]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let id = &ran.stdout[..36];
    assert_eq!(ran.stdout, format!("{id}  ready  {shown}\n"));
    let described = server.run(&["media", "show", id]);
    assert!(described.stdout.contains(&format!("name    {shown}\n")), "{described:?}");
    // A list shows every text on one line.
    let listed = server.run(&["media", "list"]);
    assert!(listed.stdout.ends_with("a\\u{7}\\u{1b}[2J ready.png\n"), "{listed:?}");
    let missing = server.run(&["media", "upload", "\u{7}none.png"]);
    assert!(missing.stderr.starts_with("error: \\u{7}none.png cannot be read"), "{missing:?}");
    assert_eq!(server.run(&["media", "show", id, "--json"]).json()["fileName"], name);
}

#[test]
fn a_file_in_use_is_not_deleted_and_the_remedy_is_told() {
    let server = Serving::start();
    let id = uploaded(&server, "a.png");
    let post = server.run(&["post", "--to", "bluesky", "--draft", "--media", &id, "--json"]);
    assert_eq!(post.code, Some(0), "{post:?}");
    let post = post.json()["id"].as_str().unwrap().to_owned();
    let ran = server.run(&["media", "delete", &id]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""), "{ran:?}");
    let said: Vec<&str> = ran.stderr.lines().collect();
    assert_eq!(said[0], format!("needed by post {post} (draft)"));
    assert!(said[1].starts_with("error: A post that has not finished going out"), "{said:?}");
    assert!(said[2].starts_with("next: cancel the post with `scheduler posts cancel`"), "{said:?}");
    let shown = server.run(&["media", "show", &id]);
    assert!(shown.stdout.contains(&format!("{post}  draft")), "{shown:?}");

    assert_eq!(server.run(&["posts", "cancel", &post]).code, Some(0));
    assert_eq!(server.run(&["media", "delete", &id, "--json"]).json()["status"], "deleted");
}

#[test]
fn the_server_fetches_a_file_itself() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path(), "scheduler.toml", b"media_allow_private = true\n");
    let server = Serving::start_in(folder, &["--sandbox"]);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let file = Arc::new(picture());
    let route = warp::path("a.png").map(move || file.to_vec());
    let listener = runtime.block_on(tokio::net::TcpListener::bind("127.0.0.1:0")).unwrap();
    let url = format!("http://{}/a.png", listener.local_addr().unwrap());
    let serving = runtime.spawn(warp::serve(route).incoming(listener).run());
    let ran = server.run(&["media", "upload", "--source-url", &url, "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let media = ran.json();
    assert_eq!((&media["status"], &media["fileName"]), (&json!("ready"), &json!("a.png")));
    let gone = url.replace("a.png", "b.png");
    let ran = server.run(&["media", "upload", "--source-url", &gone]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.starts_with("error: b.png: "), "{ran:?}");
    serving.abort();
}

#[test]
fn what_is_not_public_is_not_fetched() {
    let server = Serving::start();
    let ran = server.run(&["media", "upload", "--source-url", "https://127.0.0.1/a.png", "--json"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!(ran.json()["error"]["field"], Value::from("sourceUrl"));
}
