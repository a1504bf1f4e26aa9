//! Wrong usage ends with 2, a server that is not there with 3.

use crate::files::picture;
use crate::running::{Ran, run, scheduler};

const ID: &str = "01993b5c-2b7e-7000-8000-000000000001";

#[test]
fn wrong_usage_ends_with_2() {
    let folder = tempfile::tempdir().unwrap();
    let timing = "say when the post goes out: --now, --at, --in, --local, --queue, or --draft";
    for (arguments, said) in [
        (&[][..], "Usage: scheduler"),
        (&["nothing"], "unrecognized subcommand"),
        (&["serve", "--listen", "here"], "invalid value 'here' for '--listen <ADDR>'"),
        (&["serve", "--role", "boss"], "must be api, worker, or api,worker"),
        (
            &["serve", "--database", "mysql://x"],
            "--database must begin with sqlite: or postgres://",
        ),
        (&["post", "text", "--now"], "--to <TARGETS>"),
        (&["post", "--to", "bluesky", "--now"], "<TEXT>"),
        (&["post", "text", "--to", "bluesky"], timing),
        (&["post", "text", "--to", "blusky", "--now"], "\"blusky\" is not a network"),
        (&["post", "text", "--to", "bluesky", "--now", "--queue"], "cannot be used with"),
        (&["post", "text", "--to", "bluesky", "--draft", "--wait"], "cannot be used with"),
        (&["post", "text", "--to", "bluesky", "--at", "tomorrow"], "say at what time of day"),
        (&["post", "text", "--to", "bluesky", "--at", "soon"], "write a time such as"),
        (&["post", "text", "--to", "bluesky", "--in", "soon"], "write a length of time"),
        (&["post", "text", "--to", "bluesky", "--at", "12/1/2099 9:00"], "can be read in two ways"),
        (&["post", "text", "--to", "bluesky", "--local", "2026-12-01"], "YYYY-MM-DDTHH:MM"),
        (&["post", "text", "--to", "bluesky", "--now", "--key", "short"], "8 to 200 characters"),
        (&["post", "text", "--file", "post.json"], "cannot be used with"),
        (&["post", "--file", "missing.json"], "cannot read missing.json"),
        (&["post", "text", "--to", "bluesky", "--now"], "no API key"),
        (
            &["post", "text", "--to", "bluesky", "--now", "--media", "a.png"],
            "--media a.png cannot be read",
        ),
        (&["post", "text", "--to", "bluesky", "--now", "--alt", "A cat"], "--media <FILE|ID>"),
        (&["posts", "edit", ID, "--media", "a.png"], "--media a.png cannot be read"),
        (&["posts", "edit", ID, "--media", "a.png", "--no-media"], "cannot be used with"),
        (&["media", "upload"], "<FILE>"),
        (&["media", "upload", "a.png"], "error: a.png cannot be read"),
        (&["media", "upload", "."], "error: . is not a file"),
        (&["media", "upload", "a.png", "--parallel", "17"], "17 is not in 1..=16"),
        (&["media", "upload", "a.png", "--source-url", "https://a.example/a.png"], "cannot be"),
        (
            &["media", "upload", "--source-url", "https://a.example/a"],
            "--kind video or --kind document",
        ),
        (&["media", "list", "--limit", "201"], "201 is not in 1..=200"),
        (&["media", "show", "1"], "invalid value '1' for '<ID>'"),
        (&["check", "--to", "bluesky"], "<TEXT>"),
        (&["check", "text", "--to", "bluesky", "--alt", "A cat"], "--media <FILE|ID>"),
        (&["check", "--to", "bluesky", "--media", "a.png"], "--media a.png cannot be read"),
        (&["check", "--to", "bluesky", "--media", "."], "--media . is not a file"),
        (
            &["check", "text", "--to", "bluesky", "--offline", "--url", "http://127.0.0.1"],
            "cannot be used with",
        ),
        (&["check", "text", "--to", "bluesky:@me", "--offline"], "no account is known"),
        (&["posts", "show", "1"], "invalid value '1' for '<ID>'"),
        (&["posts", "--limit", "501"], "501 is not in 1..=500"),
        (&["posts", "--from", "soon"], "write a time such as"),
        (
            &["keys", "create", "--name", "a", "--preset", "all"],
            "[possible values: full, publish, drafts, agent, read]",
        ),
        (
            &["keys", "create", "--name", "a", "--preset", "full", "--expires", "2y"],
            "30d, 90d or 1y",
        ),
        (&["workspace", "set-timezone", "default", "Berlin"], "is not an IANA time zone"),
        (&["schedule", "set", "bluesky", "noon"], "is not a part of a schedule"),
        (&["schedule", "set", "bluesky", ""], "--none takes the slots away"),
        (&["schedule", "set", "bluesky", "mon 9:00", "--none"], "cannot be used with"),
        (&["schedule", "set", "bluesky"], "<SCHEDULE>"),
        (&["login", "127.0.0.1:40751"], "write http:// or https:// before the address"),
        (&["login", "localhost:8080"], "write http:// or https:// before the address"),
        (&["login", "ftp://127.0.0.1"], "<URL> must be an address such as http"),
        (&["post", "-", "--to", "bluesky", "--draft", "--api-key", "x"], "standard input is empty"),
        (&["accounts", "connect", "friendster"], "unrecognized subcommand"),
        (&["accounts", "connect", "bluesky"], "--identifier <IDENTIFIER>"),
        (
            &["accounts", "connect", "bluesky", "--identifier", "me.test"],
            "give --app-password, or set SCHEDULER_BLUESKY_APP_PASSWORD",
        ),
        (
            &["accounts", "connect", "mastodon", "--instance", "a.example"],
            "give --token, or set SCHEDULER_MASTODON_TOKEN",
        ),
        (&["accounts", "connect", "mastodon", "--sandbox"], "set SCHEDULER_SANDBOX_URL"),
        (
            &["accounts", "connect", "telegram", "--chat", "-100123"],
            "give --bot-token, or set SCHEDULER_TELEGRAM_BOT_TOKEN",
        ),
        (&["accounts", "connect", "discord"], "give --webhook-url, or set"),
        (&["accounts", "connect", "discord", "--channel", "1"], "give --bot-token, or set"),
        (&["accounts", "connect", "tiktok"], "set SCHEDULER_PUBLIC_URL to the https address"),
        (&["accounts", "connect", "youtube", "--sandbox", "--no-wait"], "cannot be used with"),
        (&["platforms", "friendster"], "[possible values: youtube, tiktok,"),
        (&["metrics"], "<POST>"),
        (&["metrics", "1"], "invalid value '1' for '<POST>'"),
        (&["metrics", ID, "--live", "--history"], "cannot be used with"),
        (&["metrics", ID, "--since", "2026-12-01T09:00:00Z"], "--history"),
        (&["metrics", ID, "--history", "--since", "noon"], "invalid value 'noon' for '--since"),
        (&["metrics", ID], "no API key"),
        (&["insights", ID], "<TARGET>"),
        (&["comments", ID, "blusky"], "\"blusky\" is not a network"),
        (&["comments", ID, "all"], "name one: its id, its network, or NETWORK:@HANDLE"),
        (&["reply", ID, ID, "1"], "<TEXT>"),
        (&["comment", "edit", ID, ID, "1"], "<TEXT>"),
        (&["comment", "hide", ID, ID], "<COMMENT>"),
        (&["posts", "edit-live", ID, ID], "--text <TEXT>"),
        (&["posts", "take-down", ID], "<TARGET>"),
        (&["panic"], "--since <TIME>"),
        (&["panic", ID, "--label", "spring"], "cannot be used with"),
        (&["channels", "boards"], "<ACCOUNT>"),
        (&["channels", "audience", "--days", "0"], "0 is not in 1..=730"),
        (&["channels", "mentions", "bluesky"], "<QUERY>"),
        (
            &["channels", "create-playlist", "youtube", "Title", "--privacy", "secret"],
            "[possible values: public, unlisted, private]",
        ),
    ] {
        let mut command = scheduler(folder.path(), arguments);
        let needs_no_key = said.starts_with("cannot read");
        if needs_no_key {
            command.env("SCHEDULER_API_KEY", "sk_x");
        }
        let ran = Ran::of(&mut command);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {ran:?}");
        assert!(ran.stderr.contains(said), "{arguments:?}: {}", ran.stderr);
        assert_eq!(ran.stdout, "", "{arguments:?}");
    }
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing was made");
}

#[test]
fn wrong_usage_is_one_document_where_json_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    for (arguments, message) in [
        (&["--json", "posts", "show", "1"][..], "invalid value '1' for '<ID>'"),
        (&["posts", "show", "--json"], "required arguments were not provided: <ID>"),
        (&["--json", "media"], "a command is missing"),
        (&["media", "--json"], "requires a subcommand"),
        (&["nothing", "--json"], "unrecognized subcommand 'nothing'"),
        (&["platforms", "blusky", "--json"], "; did you mean bluesky?"),
        (&["platforms", "twiter", "--json"], "; did you mean twitter?"),
        (&["metrics", "rfresh", "--json"], "an id looks like"),
        (&["posts", "lsit", "--json"], "; did you mean list?"),
        (&["posts", "--stauts", "done", "--json"], "; did you mean --status?"),
        (&["completions", "bsh", "--json"], "; did you mean bash?"),
        (&["keys", "create", "--name", "a", "--preset", "ful", "--json"], "; did you mean full?"),
        (&["workspace", "set-plan", "a", "stduio", "--json"], "; did you mean studio?"),
        (&["accounts", "connect", "blusky", "--json"], "; did you mean bluesky?"),
        (&["webhooks", "remove", "my hook", "--json"], "`scheduler webhooks list` shows them"),
        (&["metrics", ID, "--live", "--history", "--json"], "cannot be used with"),
    ] {
        let ran = run(folder.path(), arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {ran:?}");
        let error = &ran.json()["error"];
        assert_eq!(error["code"], "usage", "{arguments:?}");
        let said = error["message"].as_str().unwrap();
        assert!(said.contains(message) && !said.contains("Usage:"), "{arguments:?}: {said}");
        assert!(!ran.stderr.is_empty(), "{arguments:?}: {ran:?}");
    }
    let text = run(folder.path(), &["posts", "show", "--", "--json"]);
    assert_eq!((text.code, text.stdout.as_str()), (Some(2), ""), "{text:?}");
    let help = run(folder.path(), &["posts", "--help", "--json"]);
    assert_eq!((help.code, help.stderr.as_str()), (Some(0), ""), "{help:?}");
}

#[test]
fn a_server_that_is_not_there_ends_with_3() {
    let folder = tempfile::tempdir().unwrap();
    let server = ["--url", "http://127.0.0.1:1", "--api-key", "sk_x"];
    std::fs::write(folder.path().join("cover.png"), picture()).unwrap();
    for arguments in [
        &["post", "text", "--to", "bluesky", "--now"][..],
        &["check", "text", "--to", "bluesky"],
        &["media", "upload", "cover.png"],
        &["posts"],
        &["posts", "show", "00000000-0000-0000-0000-000000000001"],
        &["platforms"],
        &["webhooks", "list"],
        &["media", "list"],
        &["media", "delete", ID],
        &["metrics", ID],
        &["metrics", "refresh"],
        &["insights", ID, ID],
        &["comments", ID, "bluesky"],
        &["comment", "like", ID, ID, "1"],
        &["posts", "take-down", ID, ID],
        &["panic", ID],
        &["channels", "audience"],
        &["channels", "boards", ID],
    ] {
        let ran = run(folder.path(), &[arguments, &server[..]].concat());
        assert_eq!(ran.code, Some(3), "{arguments:?}: {ran:?}");
        assert!(ran.stderr.contains("error: cannot reach http://127.0.0.1:1"), "{}", ran.stderr);
        assert!(ran.stderr.contains("next: see that the server runs there (`scheduler serve`"));
        assert_eq!(ran.stdout, "", "{arguments:?}");
    }
    let ran = run(folder.path(), &[&["posts", "--json"], &server[..]].concat());
    assert_eq!(ran.json()["error"]["code"], "unreachable");
}

#[test]
fn help_and_version_end_with_0() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in [&["--help"][..], &["--version"], &["post", "--help"], &["serve", "--help"]] {
        let ran = run(folder.path(), arguments);
        assert_eq!(ran.code, Some(0), "{arguments:?}");
        assert!(!ran.stdout.is_empty() && ran.stderr.is_empty(), "{ran:?}");
    }
}

#[test]
fn the_help_shows_an_example() {
    let folder = tempfile::tempdir().unwrap();
    for command in [
        &["media", "upload"][..],
        &["media", "list"],
        &["media", "show"],
        &["media", "delete"],
        &["post"],
        &["posts", "edit"],
        &["posts", "edit-live"],
        &["posts", "take-down"],
        &["panic"],
        &["metrics"],
        &["metrics", "refresh"],
        &["insights"],
        &["comments"],
        &["reply"],
        &["comment", "edit"],
        &["comment", "hide"],
        &["comment", "unhide"],
        &["comment", "like"],
        &["comment", "unlike"],
        &["comment", "delete"],
        &["import"],
        &["export"],
        &["backup"],
        &["channels", "list"],
        &["channels", "audience"],
        &["channels", "boards"],
        &["channels", "playlists"],
        &["channels", "create-playlist"],
        &["channels", "creator"],
        &["channels", "mentions"],
    ] {
        let help = run(folder.path(), &[command, &["--help"]].concat()).stdout;
        let example = format!("\n  scheduler {}", command.join(" "));
        let (_, examples) = help.split_once("Example").unwrap();
        assert!(examples.contains(&example), "{command:?}: {help}");
    }
}
