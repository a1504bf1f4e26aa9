//! `scheduler channels`: what is asked, and how it is shown.

use serde_json::{Value, json};

use crate::scripted::{Asked, Scripted};

const ID: &str = "01993b5c-2b7e-7000-8000-000000000001";
const OTHER: &str = "01993b5c-2b7e-7000-8000-000000000002";

fn accounts() -> Value {
    let account = |id: &str, platform: &str, username: &str, paused: bool| {
        json!({
            "id": id, "platform": platform, "username": username, "displayName": "Ann",
            "avatarUrl": null, "connection": null, "canDeleteRemote": true,
            "needsReconnect": false, "paused": paused, "timezone": null,
        })
    };
    json!({"data": [account(ID, "youtube", "ann", false), account(OTHER, "youtube", "bob", true)]})
}

#[test]
fn accounts_are_listed_without_the_database() {
    let server = Scripted::start(&[("GET /oauth/accounts", 200, accounts())]);
    let ran = server.run(&["channels", "list"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let rows: Vec<Vec<&str>> =
        ran.stdout.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(rows[1], [ID, "youtube", "ann", "Ann", "connected"]);
    assert_eq!(rows[2], [OTHER, "youtube", "bob", "Ann", "paused", "by", "the", "plan"]);
    assert_eq!(server.run(&["channels", "list", "--json"]).json(), accounts());
}

#[test]
fn audiences_in_short_and_day_by_day() {
    let day = |date: &str, followers: u64| json!({"date": date, "followers": followers});
    let audience = json!({"data": [{
        "accountId": ID, "platform": "youtube", "username": "ann", "displayName": null,
        "readings": [day("2026-11-20", 1_000), day("2026-11-21", 12_345)],
    }]});
    let server = Scripted::start(&[("GET /oauth/audience", 200, audience.clone())]);
    let ran = server.run(&["channels", "audience", "--days", "90"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(server.last().line, "GET /oauth/audience?days=90");
    let row: Vec<&str> = ran.stdout.lines().nth(1).unwrap().split_whitespace().collect();
    assert_eq!(row, ["youtube", "@ann", "12,345", "+11,345", "2026-11-20", "2026-11-21"]);
    let ran = server.run(&["channels", "audience", "--daily"]);
    assert_eq!(server.last().line, "GET /oauth/audience", "the default is the server's");
    assert_eq!(ran.stdout.lines().count(), 3, "{ran:?}");
    assert_eq!(server.run(&["channels", "audience", "--json"]).json(), audience);
    let ran = server.run(&["channels", "audience", "--days", "731"]);
    assert_eq!(ran.code, Some(2), "{ran:?}");
}

#[test]
fn what_networks_tell_of_an_account() {
    let path = |rest: &str| format!("/oauth/accounts/{ID}/{rest}");
    let list = |entry: Value| json!({ "data": [entry] });
    let creator = json!({
        "privacyLevels": ["SELF_ONLY"], "commentDisabled": false, "duetDisabled": true,
        "stitchDisabled": false, "maxVideoDurationSeconds": 600,
    });
    let playlist = json!({"id": "PL1", "title": "Harbours", "privacy": "unlisted"});
    let answers = [
        (format!("GET {}", path("boards")), list(json!({"id": "7", "name": "Boats"}))),
        (format!("GET {}", path("youtube/playlists")), list(playlist)),
        (format!("GET {}", path("tiktok/creator")), creator),
        (format!("GET {}", path("mentions")), list(json!({"handle": "@eve", "name": "Eve"}))),
        ("GET /oauth/accounts".to_owned(), accounts()),
    ];
    let answers: Vec<(&str, u16, Value)> =
        answers.iter().map(|(line, body)| (line.as_str(), 200, body.clone())).collect();
    let server = Scripted::start(&answers);
    for (arguments, line, last) in [
        (&["boards", ID][..], path("boards"), "7 Boats"),
        (&["playlists", "youtube:@ann"], path("youtube/playlists"), "PL1 unlisted Harbours"),
        (&["creator", ID], path("tiktok/creator"), "longest video 600 s"),
        (&["mentions", ID, "a&b %😀"], path("mentions?q=a%26b+%25%F0%9F%98%80"), "@eve Eve"),
    ] {
        let arguments = [&["channels"], arguments].concat();
        let ran = server.run(&arguments);
        assert_eq!(ran.code, Some(0), "{arguments:?}: {ran:?}");
        assert_eq!(server.last().line, format!("GET {line}"), "{arguments:?}");
        let words: Vec<&str> = ran.stdout.lines().last().unwrap().split_whitespace().collect();
        assert_eq!(words.join(" "), last, "{arguments:?}");
        let document = server.run(&[&arguments[..], &["--json"]].concat()).json();
        assert!(answers.iter().any(|(_, _, body)| *body == document), "{arguments:?}: {document}");
    }
    let vague = server.run(&["channels", "playlists", "youtube"]);
    assert_eq!(vague.code, Some(2), "{vague:?}");
    let said = "several youtube accounts are connected: youtube:@ann, youtube:@bob\n";
    assert!(vague.stderr.contains(said), "{vague:?}");
}

#[test]
fn a_playlist_is_made_or_was_there() {
    let line = format!("POST /oauth/accounts/{ID}/youtube/playlists");
    let answer = |duplicate: bool| json!({"id": "PL1", "title": "Harbours", "privacy": "private", "duplicate": duplicate});
    for (duplicate, said) in
        [(false, "PL1  private\n"), (true, "PL1  private  (was there already)\n")]
    {
        let server = Scripted::start(&[(&line, 201, answer(duplicate))]);
        let create = ["channels", "create-playlist", ID, "Harbours", "--privacy", "private"];
        let ran = server.run(&create);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), said), "{ran:?}");
        let body = json!({"title": "Harbours", "privacy": "private"});
        assert_eq!(server.last(), Asked { line: line.clone(), body });
        server.run(&create[..4]);
        assert_eq!(server.last().body["privacy"], "public", "the default");
    }
}
