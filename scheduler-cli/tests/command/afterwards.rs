//! What comes after publishing, from the command line to the imitated networks and back.

use serde_json::{Value, json};

use crate::running::Serving;

/// What a comment says in these tests: signs that paths, bodies and terminals change.
const TEXT: &str = "100% / “more” 😀";

#[test]
fn what_is_live_is_read_answered_changed_and_taken_down() {
    let server = Serving::start();
    let json = |arguments: &[&str], code: i32| {
        let ran = server.run(&[arguments, &["--json"]].concat());
        assert_eq!(ran.code, Some(code), "{arguments:?}: {ran:?}");
        ran.json()
    };
    let first = format!("facebook.firstComment={TEXT}");
    let to = ["--to", "bluesky,mastodon,facebook", "--option", &first];
    let post = json(&[&["post", "out at last"], &to[..], &["--now", "--wait"]].concat(), 0);
    let id = post["id"].as_str().unwrap();

    let read = json(&["metrics", id, "--live"], 0);
    let read = read["data"].as_array().unwrap();
    assert_eq!(read.len(), 3);
    for figures in read {
        assert!(figures["metrics"]["fetchedAt"].is_string(), "{figures}");
        let platform = figures["platform"].as_str().unwrap();
        let stored = json(&["metrics", id, "--target", platform], 0);
        assert_eq!(stored, figures["metrics"], "{platform}");
        let history = json(&["metrics", id, "--target", platform, "--history"], 0);
        assert_eq!(history["data"].as_array().unwrap().last(), Some(&stored), "{platform}");
    }
    let shown = server.run(&["metrics", id]);
    assert_eq!((shown.code, shown.stdout.lines().count()), (Some(0), 4), "{shown:?}");
    assert_eq!(json(&["metrics", "refresh"], 0), json!({"queued": 3}));
    assert_eq!(json(&["metrics", "refresh"], 1)["error"]["code"], "rate_limited");
    assert_eq!(json(&["insights", id, "mastodon"], 0), json!({"supported": false}));

    // The first comment follows the post.
    let comments = || json(&["comments", id, "facebook"], 0)["data"].as_array().unwrap().clone();
    let found = (0..200).map(|_| comments()).find(|found| !found.is_empty()).unwrap();
    assert_eq!((&found[0]["text"], &found[0]["own"]), (&json!(TEXT), &json!(true)));
    let comment = found[0]["id"].as_str().unwrap();
    let listed = server.run(&["comments", id, "facebook"]);
    assert!(listed.stdout.contains(TEXT) && listed.stdout.contains("This account can: reply"));
    let reply = json(&["reply", id, "facebook", comment, TEXT], 0);
    assert_eq!(reply["text"], TEXT);
    let edited = format!("{TEXT} again");
    json(&["comment", "edit", id, "facebook", comment, &edited], 0);
    json(&["comment", "like", id, "facebook", comment], 0);
    json(&["comment", "unlike", id, "facebook", comment], 0);
    assert!(comments().iter().any(|comment| comment["text"] == edited.as_str()));
    json(&["comment", "delete", id, "facebook", comment], 0);
    assert!(!comments().iter().any(|comment| comment["text"] == edited.as_str()));
    let unknown = json(&["comment", "like", id, "facebook", "no/such%2F😀"], 1);
    assert_eq!(unknown["error"]["code"], "not_found", "{unknown}");

    let changed = json(&["posts", "edit-live", id, "mastodon", "--text", "out, and better"], 0);
    assert_eq!(
        (&changed["platform"], &changed["status"]),
        (&json!("mastodon"), &json!("published"))
    );
    let refused = json(&["posts", "edit-live", id, "bluesky", "--text", "better"], 1);
    assert_eq!(refused["error"]["code"], "unsupported");
    let down = json(&["posts", "take-down", id, "bluesky", "--yes"], 0);
    assert_eq!(down["status"], "skipped");
    assert_eq!(json(&["posts", "take-down", id, "bluesky"], 1)["error"]["code"], "not_published");
    let again = server.run(&["metrics", id, "--live", "--target", "bluesky"]);
    assert_eq!(again.code, Some(1), "{again:?}");
    assert!(again.stderr.ends_with("with `scheduler posts show`\n"), "{again:?}");
    assert_eq!(server.run(&["metrics", id]).stdout.lines().count(), 3, "two are left");
}

#[test]
fn channels_tell_what_their_networks_offer() {
    let server = Serving::start();
    let json = |arguments: &[&str], code: i32| {
        let ran = server.run(&[&["channels"], arguments, &["--json"]].concat());
        assert_eq!(ran.code, Some(code), "{arguments:?}: {ran:?}");
        ran.json()
    };
    assert_eq!(json(&["list"], 0)["data"].as_array().unwrap().len(), 13);
    let audience = json(&["audience", "--days", "7"], 0);
    assert!(audience["data"].as_array().unwrap().len() > 1, "{audience}");
    assert!(json(&["boards", "pinterest"], 0)["data"][0]["name"].is_string());
    assert!(json(&["creator", "tiktok"], 0)["privacyLevels"].is_array());
    assert!(json(&["mentions", "bluesky", "a b%/😀"], 0)["data"].is_array());

    let create = ["create-playlist", "youtube", TEXT, "--privacy", "unlisted"];
    let made = json(&create, 0);
    assert_eq!((&made["title"], &made["duplicate"]), (&json!(TEXT), &json!(false)));
    let again = json(&create, 0);
    assert_eq!((&again["id"], &again["duplicate"]), (&made["id"], &json!(true)));
    let lists = json(&["playlists", "youtube"], 0);
    let same = |list: &&Value| list["id"] == made["id"] && list["privacy"] == "unlisted";
    assert!(lists["data"].as_array().unwrap().iter().any(|list| same(&list)), "{lists}");

    for arguments in [["boards", "mastodon"], ["playlists", "tiktok"], ["creator", "youtube"]] {
        assert_eq!(json(&arguments, 1)["error"]["code"], "unsupported", "{arguments:?}");
    }
    for arguments in
        [&["list"][..], &["audience"], &["audience", "--daily"], &["creator", "tiktok"]]
    {
        let ran = server.run(&[&["channels"], arguments].concat());
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{arguments:?}: {ran:?}");
        assert!(!ran.stdout.trim().is_empty(), "{arguments:?}");
    }
}
