//! Posts with files: uploaded by the command that creates or changes the post.

use serde_json::{Value, json};

use crate::files::{damaged_picture, picture, put};
use crate::running::{Ran, Serving, states};

fn serving() -> Serving {
    let server = Serving::start();
    put(server.folder.path(), "a.png", &picture());
    put(server.folder.path(), "b.png", &picture());
    server
}

fn file_ids(server: &Serving) -> Vec<Value> {
    let listed = server.run(&["media", "list", "--json"]).json();
    listed["data"].as_array().unwrap().iter().map(|media| media["id"].clone()).collect()
}

fn done(ran: &Ran) -> Value {
    assert_eq!(ran.code, Some(0), "{ran:?}");
    ran.json()
}

#[test]
fn a_post_with_a_file_goes_out() {
    let server = serving();
    let post = ["post", "with a picture", "--to", "bluesky,mastodon", "--media", "a.png"];
    let post = [&post[..], &["--alt", "Two colours", "--now", "--wait", "--json"]].concat();
    let post = done(&server.run(&post));
    assert_eq!((&post["status"], &post["altTexts"]), (&json!("done"), &json!(["Two colours"])));
    assert_eq!(post["mediaIds"], json!(file_ids(&server)));
    let targets = post["targets"].as_array().unwrap();
    assert_eq!(targets.len(), 2);
    assert!(targets.iter().all(|target| target["status"] == "published"), "{targets:?}");
    let uploads = std::fs::read_dir(states(server.folder.path()).join("scheduler/uploads"));
    assert_eq!(uploads.unwrap().count(), 0, "what is over is forgotten");
}

#[test]
fn files_of_this_machine_and_of_the_server_keep_their_order() {
    let server = serving();
    let stored = done(&server.run(&["media", "upload", "b.png", "--json"]))["id"].clone();
    let id = stored.as_str().unwrap();
    let files = ["--media", "a.png", "--media", id, "--alt", "first", "--alt", "second"];
    let post = [&["post", "two", "--to", "mastodon", "--draft", "--json"], &files[..]].concat();
    let post = done(&server.run(&post));
    assert_eq!(post["mediaIds"][1], stored);
    assert_eq!(post["mediaIds"].as_array().unwrap().len(), 2);
    assert_eq!(post["altTexts"], json!(["first", "second"]));
    let checked = [&["check", "two", "--to", "mastodon", "--json"], &files[..]].concat();
    let report = done(&server.run(&checked));
    assert_eq!((&report["ok"], &report["issues"]), (&json!(true), &json!([])));

    let id = post["id"].as_str().unwrap();
    let edit = |arguments: &[&str]| {
        done(&server.run(&[&["posts", "edit", id, "--json"], arguments].concat()))
    };
    let edited = edit(&["--media", "b.png", "--text", "one"]);
    assert_eq!(edited["mediaIds"].as_array().unwrap().len(), 1);
    assert_ne!(edited["mediaIds"][0], stored, "another upload");
    assert_eq!(edited["altTexts"], json!([]), "those of other files go");
    assert_eq!(edited["content"], "one");
    let edited = edit(&["--media", stored.as_str().unwrap(), "--alt", "third"]);
    assert_eq!((&edited["mediaIds"], &edited["altTexts"]), (&json!([stored]), &json!(["third"])));
    assert_eq!(edit(&["--no-media"])["mediaIds"], json!([]));
}

#[test]
fn a_post_that_would_be_refused_uploads_nothing() {
    let server = serving();
    let names = ["a.png", "b.png", "c.png", "d.png", "e.png"];
    names.iter().for_each(|name| put(server.folder.path(), name, &picture()));
    let five: Vec<&str> = names.into_iter().flat_map(|name| ["--media", name]).collect();
    let post = [&["post", "five", "--to", "mastodon", "--now", "--json"], &five[..]].concat();
    let refused = server.run(&post);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert_eq!(refused.json()["error"]["code"], "validation_failed");
    assert_eq!(refused.json()["error"]["issues"][0]["rule"], "mastodon.media.too_many");
    assert!(refused.stderr.contains("(mastodon.media.too_many)"), "{refused:?}");

    let draft = done(&server.run(&["post", "text", "--to", "mastodon", "--draft", "--json"]));
    let id = draft["id"].as_str().unwrap();
    let edited = server.run(&[&["posts", "edit", id, "--json"], &five[..]].concat());
    assert_eq!(edited.json()["error"]["code"], "validation_failed", "{edited:?}");
    let twice = ["post", "--to", "mastodon", "--now", "--media", "a.png", "--media", "./a.png"];
    let twice = server.run(&twice);
    assert_eq!(twice.code, Some(2), "{twice:?}");
    assert!(twice.stderr.contains("--media ./a.png is named twice"), "{twice:?}");
    assert_eq!(file_ids(&server), [] as [Value; 0]);
}

#[test]
fn a_file_that_cannot_be_used_creates_no_post() {
    let server = serving();
    put(server.folder.path(), "damaged.png", &damaged_picture());
    let post = ["post", "broken", "--to", "mastodon", "--now", "--media", "damaged.png", "--json"];
    let refused = server.run(&post);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    assert_eq!(refused.json()["error"]["code"], "media_unusable");
    assert!(refused.stderr.contains("damaged.png cannot be used: "), "{refused:?}");
    assert_eq!(server.run(&["posts", "--json"]).json()["data"], json!([]));
}

#[test]
fn a_body_of_the_api_takes_files_unless_it_has_some() {
    let server = serving();
    let body = json!({"content": "b", "saveAsDraft": true, "targets": [{"platform": "mastodon"}]});
    put(server.folder.path(), "post.json", body.to_string().as_bytes());
    let post = ["post", "--file", "post.json", "--media", "a.png", "--alt", "A", "--json"];
    let post = done(&server.run(&post));
    assert_eq!((&post["mediaIds"][0], &post["altTexts"]), (&file_ids(&server)[0], &json!(["A"])));

    let body = json!({
        "content": "b", "saveAsDraft": true, "mediaIds": post["mediaIds"],
        "targets": [{"platform": "mastodon"}],
    });
    put(server.folder.path(), "post.json", body.to_string().as_bytes());
    let clash = server.run(&["post", "--file", "post.json", "--media", "a.png"]);
    assert_eq!(clash.code, Some(2), "{clash:?}");
    assert!(clash.stderr.contains("cannot be used with a body that has mediaIds"), "{clash:?}");
    assert_eq!(file_ids(&server).len(), 1);
}

#[test]
fn a_refused_post_does_not_cost_a_second_upload() {
    let server = serving();
    let post = |to: &str| {
        let post = ["post", "again", "--to", to, "--now", "--media", "a.png", "--json"];
        server.run(&post)
    };
    let disconnected = server.run(&["accounts", "disconnect", "tumblr"]);
    assert_eq!(disconnected.code, Some(0), "{disconnected:?}");
    // A dry run warns of an account that is not connected; creating the post is refused.
    let refused = post("bluesky,mastodon,tumblr");
    assert_eq!(refused.json()["error"]["code"], "account_not_connected", "{refused:?}");
    let ids = file_ids(&server);
    assert_eq!(ids.len(), 1);
    let created = done(&post("bluesky,mastodon"));
    assert_eq!((created["mediaIds"].clone(), file_ids(&server)), (json!(ids), ids));
}
