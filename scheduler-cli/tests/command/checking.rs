//! `scheduler check`: files of this machine, with a server and without.

use std::path::Path;

use serde_json::{Value, json};

use crate::running::{Ran, Serving, run};

/// An atom of an MP4.
fn atom(name: &[u8; 4], parts: &[&[u8]]) -> Vec<u8> {
    let body = parts.concat();
    [&(body.len() as u32 + 8).to_be_bytes()[..], name, &body].concat()
}

fn longs(numbers: &[u32]) -> Vec<u8> {
    numbers.iter().flat_map(|number| number.to_be_bytes()).collect()
}

/// A film of two seconds, held upright: 1080 by 1920 pixels, 30 pictures a second, H.264.
fn film() -> Vec<u8> {
    let mvhd = atom(b"mvhd", &[&longs(&[0, 0, 0, 1_000, 2_000]), &[0; 80]]);
    let matrix = [0, 1 << 16, 0, (-1_i32 << 16) as u32, 0, 0, 0, 0, 1 << 30];
    let sides = [1920 << 16, 1080 << 16];
    let times = [1, 0, 0, 1, 0, 2_000, 0, 0, 0, 0];
    let tkhd = atom(b"tkhd", &[&longs(&times), &longs(&matrix), &longs(&sides)]);
    let mdhd = atom(b"mdhd", &[&longs(&[0, 0, 0, 30, 60, 0])]);
    let hdlr = atom(b"hdlr", &[&longs(&[0, 0]), b"vide", &[0; 13]]);
    let sides = [1920_u16.to_be_bytes(), 1080_u16.to_be_bytes()].concat();
    let stsd = atom(b"stsd", &[&longs(&[0, 1]), &atom(b"avc1", &[&[0; 24], &sides, &[0; 50]])]);
    let stts = atom(b"stts", &[&longs(&[0, 1, 60, 1])]);
    let minf = atom(b"minf", &[&atom(b"stbl", &[&stsd, &stts])]);
    let trak = atom(b"trak", &[&tkhd, &atom(b"mdia", &[&mdhd, &hdlr, &minf])]);
    let ftyp = atom(b"ftyp", &[b"isom", &[0; 4]]);
    [ftyp, atom(b"moov", &[&mvhd, &trak]), atom(b"mdat", &[b"pictures"])].concat()
}

/// A GIF of one picture.
fn picture() -> Vec<u8> {
    let mut file = b"GIF89a".to_vec();
    file.extend([640_u16.to_le_bytes(), 640_u16.to_le_bytes()].concat());
    file.extend([0, 0, 0, 0x2c, 0, 0, 0, 0, 1, 0, 1, 0, 0, 2, 2, 0x44, 1, 0, 0x3b]);
    file
}

fn put(folder: &Path) {
    std::fs::write(folder.join("clip.mp4"), film()).unwrap();
    std::fs::write(folder.join("named-wrongly.png"), picture()).unwrap();
    std::fs::write(folder.join("notes.txt"), "not a picture").unwrap();
    std::fs::write(folder.join("half.mp4"), &film()[..200]).unwrap();
}

fn rules(ran: &Ran) -> Vec<String> {
    let issues = ran.json()["issues"].as_array().unwrap().clone();
    issues.iter().map(|issue| issue["rule"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn every_network_without_a_server_and_a_key() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path());
    let check = |arguments: &[&str]| run(folder.path(), &[&["check"], arguments].concat());

    let ran = check(&["short", "--to", "all", "--offline", "--json"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert_eq!(ran.json()["ok"], json!(false));
    for rule in ["youtube.media.required", "tiktok.media.required", "instagram.media.required"] {
        assert!(rules(&ran).iter().any(|found| found == rule), "{rule}: {ran:?}");
    }
    assert_eq!(ran.stderr, "");

    let fine = check(&["short", "--to", "bluesky,mastodon", "--offline"]);
    assert_eq!(fine.code, Some(0), "{fine:?}");
    let lengths = "bluesky: 5 of 300 characters\nmastodon: 5 of 500 characters\n";
    assert_eq!(fine.stdout, format!("{lengths}bluesky and mastodon would take the post\n"));
    assert_eq!(fine.stderr, "");
    let told = ["short", "--to", "bluesky", "--disclose", "aiGenerated", "--offline", "--json"];
    assert_eq!(rules(&check(&told)), ["bluesky.disclosure.no_label"]);
    let json = check(&["short", "--to", "bluesky", "--offline", "--json"]);
    let report = json.json();
    assert_eq!((&report["ok"], &report["issues"]), (&json!(true), &json!([])));
    assert_eq!(report["counts"][0]["used"], 5);

    let warned = ["short", "--to", "bluesky", "--option", "bluesky.zebra=x", "--offline"];
    let warned = check(&warned);
    assert_eq!(warned.code, Some(0), "a warning stops nothing: {warned:?}");
    assert!(warned.stdout.ends_with("\n1 warning; bluesky would take the post\n"), "{warned:?}");

    let long = check(&[&"x".repeat(400), "--to", "all", "--media", "clip.mp4", "--offline"]);
    assert_eq!(long.code, Some(1));
    assert!(long.stdout.trim_start().starts_with("SEVERITY  NETWORK"), "{}", long.stdout);
    let of_bluesky = long.stdout.lines().find(|line| line.contains("bluesky.text.too_long"));
    assert!(of_bluesky.unwrap().trim_start().starts_with("error     bluesky "), "{}", long.stdout);
    let summary = long.stdout.lines().last().unwrap();
    assert!(summary.ends_with(" others would take the post"), "{summary}");
    let said: Vec<&str> = long.stderr.lines().collect();
    assert_eq!(said[0], "clip.mp4: video/mp4, 1080×1920, 2.0 s, 30 fps, H.264, 463 bytes");
    assert!(
        said.contains(&"next: set pinterest.boardId with --option pinterest.boardId=…"),
        "{said:?}"
    );
}

#[test]
fn files_are_known_by_their_bytes() {
    let folder = tempfile::tempdir().unwrap();
    put(folder.path());
    let check = |arguments: &[&str]| {
        let offline: &[&str] = &["--offline", "--json"];
        run(folder.path(), &[&["check"], arguments, offline].concat())
    };
    let many = ["--to", "mastodon", "--media", "clip.mp4", "--media", "named-wrongly.png"];
    let ran = check(&many);
    assert_eq!(rules(&ran), ["mastodon.media.mixed"], "a text is not needed");
    let gif = check(&["--to", "tiktok", "--media", "named-wrongly.png"]);
    assert!(rules(&gif).contains(&"tiktok.media.converted".to_owned()), "{gif:?}");
    let short = check(&["--to", "pinterest", "--media", "clip.mp4"]);
    assert!(rules(&short).contains(&"pinterest.media.too_short".to_owned()), "{short:?}");
    let texts = ["--to", "mastodon", "--media", "named-wrongly.png", "--alt", "a", "--alt", "b"];
    assert_eq!(rules(&check(&texts)), ["post.alt_texts.too_many"]);

    for (name, said) in [
        ("notes.txt", "--media notes.txt is neither a picture, a video nor a document"),
        ("half.mp4", "--media half.mp4 is cut off: it ends before its pictures do"),
    ] {
        let ran = check(&["--to", "mastodon", "--media", "clip.mp4", "--media", name]);
        assert_eq!(ran.code, Some(2), "{name}: {ran:?}");
        assert_eq!(ran.json()["error"], json!({"code": "usage", "message": said}));
    }
}

#[test]
fn the_body_of_the_api_without_a_server() {
    let folder = tempfile::tempdir().unwrap();
    let check = |body: Value| {
        std::fs::write(folder.path().join("post.json"), body.to_string()).unwrap();
        run(folder.path(), &["check", "--file", "post.json", "--offline", "--json"])
    };
    let id = "00000000-0000-0000-0000-000000000000";
    let ran = check(json!({
        "content": "a", "publishNow": true, "targets": [{"platform": "bluesky", "accountId": id}],
    }));
    let report = ran.json();
    assert_eq!((ran.code, &report["ok"], &report["issues"]), (Some(0), &json!(true), &json!([])));
    let uploaded = check(json!({"mediaIds": [id], "targets": [{"platform": "bluesky"}]}));
    assert_eq!(uploaded.code, Some(1));
    assert_eq!(uploaded.json()["error"]["field"], "mediaIds");
    let wrong = check(json!({"contents": "a", "targets": [{"platform": "bluesky"}]}));
    assert_eq!(wrong.code, Some(2));
    assert!(wrong.stderr.contains("unknown field `contents`"), "{wrong:?}");
}

#[test]
fn a_server_gets_what_was_measured() {
    let server = Serving::start();
    put(server.folder.path());
    let check = |arguments: &[&str]| server.run(&[&["check"], arguments].concat());
    let post = ["--to", "bluesky,mastodon", "--media", "clip.mp4", "--alt", "A clip"];
    let ran = check(&[&post[..], &["--json"]].concat());
    let offline =
        run(server.folder.path(), &[&["check"], &post[..], &["--offline", "--json"]].concat());
    assert_eq!((ran.code, ran.json()), (offline.code, offline.json()));

    let added = server.run(&["accounts", "connect", "mastodon", "--sandbox", "--json"]).json();
    let name = added["username"].as_str().unwrap();
    let long = check(&[&"x".repeat(600), "--to", "all"]);
    assert_eq!(long.code, Some(1));
    let of_account = long.stdout.lines().find(|line| line.contains(&format!("mastodon:@{name} ")));
    assert!(of_account.is_some_and(|line| line.ends_with("mastodon.text.too_long")), "{long:?}");
    let last = long.stdout.lines().last().unwrap();
    assert!(last.contains(" errors") && last.ends_with(" would take the post"), "{long:?}");
}

#[test]
fn what_does_nothing_in_a_check_is_taken_and_not_offered() {
    let folder = tempfile::tempdir().unwrap();
    let help = run(folder.path(), &["check", "--help"]).stdout;
    for argument in ["--draft", "--key ", "--wait "] {
        assert!(!help.contains(&format!("  {argument}")), "{argument}: {help}");
    }
    for argument in ["--at ", "--local", "--queue", "--now"] {
        assert!(help.contains(&format!("  {argument}")), "{argument}: {help}");
    }
    assert!(help.contains("--media <FILE|ID>"), "{help}");
    let post = ["check", "short", "--to", "bluesky", "--now", "--wait", "--offline"];
    assert_eq!(run(folder.path(), &post).code, Some(0));
}

#[test]
fn a_message_names_the_command_and_not_the_request() {
    let serving = Serving::start();
    let asked: [&[&str]; 3] = [
        &["check", "Hi", "--to", "pinterest", "--offline"],
        &["check", "Hi", "--to", "pinterest"],
        &["post", "Hi", "--to", "pinterest", "--now"],
    ];
    for arguments in asked {
        let ran = serving.run(arguments);
        assert_eq!(ran.code, Some(1), "{arguments:?}: {ran:?}");
        let said = format!("{}{}", ran.stdout, ran.stderr);
        assert!(said.contains("`scheduler channels boards pinterest` lists them"), "{said}");
        assert!(!said.contains("GET /"), "{said}");
    }
    // LinkedIn tells no handle.
    let listed = run(serving.folder.path(), &["accounts", "list"]);
    let linkedin = listed.stdout.lines().find(|line| line.contains("linkedin")).unwrap();
    assert!(linkedin.contains("Sandbox Member 1"), "{linkedin}");
}
