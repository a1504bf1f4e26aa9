//! `serve`: what it prints, and how it starts again and stops.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use scheduler_core::media::MediaKind;
use scheduler_core::platform::Platform;
use serde_json::Value;

use crate::running::{Ran, Serving};

#[test]
fn the_first_start_tells_its_key_and_a_later_one_does_not() {
    let first = Serving::start();
    assert!(first.told("Sandbox on http://127.0.0.1:").is_some());
    assert_eq!(first.told("API key in "), first.folder.path().join("data/first-key").to_str());
    assert!(first.key().starts_with("sk_"));
    let mode = std::fs::metadata(first.told("API key in ").unwrap()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert!(first.lines.last().unwrap().starts_with("Listening on http://127.0.0.1:"));
    assert_eq!(first.lines.len(), 3, "{:?}", first.lines);
    let before = first.run(&["accounts", "list", "--json"]).json();
    assert_eq!(networks(&before), networks_of_sandbox(first.told("Sandbox on ").unwrap()));
    let folder = tempfile::tempdir().unwrap();
    let data = first.folder.path().join("data");
    let kept = folder.path().join("data");
    copy(&data, &kept);
    assert_eq!(first.stop(), Some(0));

    // The accounts of the first sandbox have ended with it: there is again one of each network.
    let second = Serving::start_in(folder, &["--sandbox", "--json"]);
    let documents: Vec<Value> =
        second.lines.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let names: Vec<&String> =
        documents.iter().flat_map(|document| document.as_object().unwrap().keys()).collect();
    assert_eq!(names, ["sandbox", "listening"]);
    let after = crate::running::run(second.folder.path(), &["accounts", "list", "--json"]).json();
    assert_eq!(networks(&before), networks(&after));
    let folder = tempfile::tempdir().unwrap();
    copy(&second.folder.path().join("data"), &folder.path().join("data"));
    assert_eq!(second.stop(), Some(0));

    // On the networks themselves what is due for them would fail for good.
    let refused = crate::running::run(folder.path(), &["serve", "--listen", "127.0.0.1:0"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(
        refused.stderr.contains("bluesky @") && refused.stderr.contains("--sandbox"),
        "{refused:?}"
    );
}

fn copy(from: &Path, to: &Path) {
    let copied = std::process::Command::new("cp").arg("-r").args([from, to]).status();
    assert!(copied.unwrap().success());
}

/// The networks that accounts are of, each as often as there are accounts.
fn networks(accounts: &Value) -> Vec<String> {
    let accounts = accounts["data"].as_array().unwrap().iter();
    let mut names: Vec<String> =
        accounts.map(|account| account["platform"].as_str().unwrap().to_owned()).collect();
    names.sort_unstable();
    names
}

/// The networks that a sandbox imitates, as it names them to whoever names another.
fn networks_of_sandbox(url: &str) -> Vec<String> {
    let mut stream = TcpStream::connect(url.strip_prefix("http://").unwrap()).unwrap();
    write!(stream, "GET /_sandbox/posts?platform=none HTTP/1.0\r\nhost: sandbox\r\n\r\n").unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let names = answer.split_once("platform must be one of ").unwrap().1;
    let mut names: Vec<String> =
        names.split_once('.').unwrap().0.split(", ").map(str::to_owned).collect();
    // The sandbox imitates a text model as well, which has no accounts.
    names.retain(|name| name != "assistant");
    names.sort_unstable();
    names
}

#[test]
fn a_sandbox_that_runs_already_keeps_its_accounts() {
    let own = Serving::start();
    let sandbox = own.told("Sandbox on ").unwrap();
    let mut seen = Vec::new();
    let mut folder = tempfile::tempdir().unwrap();
    for start in ["first", "second"] {
        let toml = format!("sandbox = true\nsandbox_url = {sandbox:?}\n");
        std::fs::write(folder.path().join("scheduler.toml"), toml).unwrap();
        let serving = Serving::start_in(folder, &[]);
        assert_eq!(serving.told("Sandbox on "), Some(sandbox), "{start}");
        let list = ["accounts", "list", "--json"];
        seen.push(crate::running::run(serving.folder.path(), &list).json());
        let next = tempfile::tempdir().unwrap();
        let data = serving.folder.path().join("data");
        let copied = std::process::Command::new("cp").arg("-r").arg(data).arg(next.path()).status();
        assert!(copied.unwrap().success());
        folder = next;
    }
    assert_eq!(seen[0], seen[1]);
    assert!(!seen[0]["data"].as_array().unwrap().is_empty());
}

#[test]
fn a_taken_address_is_refused_after_the_key_is_told() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    let folder = tempfile::tempdir().unwrap();
    let ran = crate::running::run(folder.path(), &["serve", "--listen", &address]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let file = ran.stdout.strip_prefix("API key in ").expect("the key must not be lost").trim_end();
    let key = std::fs::read_to_string(file).unwrap();
    for printed in [&ran.stdout, &ran.stderr] {
        assert!(!printed.contains(&key[..12]), "a journal would keep it: {ran:?}");
    }
    let version = env!("CARGO_PKG_VERSION");
    let first = format!("starting version=\"{version}\" roles=api,worker database=\"SQLite\"\n");
    assert!(ran.stderr.lines().next().unwrap().ends_with(first.trim_end()), "{ran:?}");
    assert!(!ran.stderr.contains(file), "it is told once: {ran:?}");
    assert!(ran.stderr.contains(&format!("cannot listen on {address}; see --listen")), "{ran:?}");
}

#[test]
fn the_demo_sends_to_every_network_and_verifies_every_event() {
    let folder = tempfile::tempdir().unwrap();
    let ran = crate::running::run(folder.path(), &["demo", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let report = ran.json();
    assert_eq!(report["ok"], true);
    let targets = report["targets"].as_array().unwrap();
    assert!(!targets.is_empty());
    for target in targets {
        assert_eq!(target["status"], "published", "{target}");
        assert_eq!(target["eventVerified"], true, "{target}");
        let sheet = target["platform"].as_str().unwrap().parse::<Platform>().unwrap().sheet();
        let kind = target["file"]["type"].as_str().and_then(|name| name.split('/').next());
        let want = match (target["post"].as_str(), sheet.supports_image, sheet.supports_video) {
            (Some("poll"), ..) => None,
            (Some("document"), ..) => Some("application"),
            (_, true, _) => Some("image"),
            (_, false, true) => Some("video"),
            (_, false, false) => None,
        };
        assert_eq!(kind, want, "{target}");
        assert!(kind.is_none() || target["file"]["bytes"].as_u64().unwrap() > 500, "{target}");
    }
    let with = |field: &str, value: &str| {
        let path = format!("/{field}");
        targets.iter().filter(|it| it.pointer(&path).is_some_and(|it| it == value)).count()
    };
    let has_polls = |platform: &Platform| platform.sheet().option("poll").is_some();
    assert_eq!(with("post", "poll"), Platform::ALL.into_iter().filter(has_polls).count());
    let takes_documents = |platform: &Platform| platform.sheet().takes(MediaKind::Document);
    let documents = Platform::ALL.into_iter().filter(takes_documents).count();
    assert_eq!(with("file/type", "application/pdf"), documents);
    assert!(with("file/type", "image/png") > 1 && with("file/type", "image/jpeg") > 1, "{report}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing is left behind");
}

#[test]
fn a_sandbox_fails_as_it_is_told_and_its_clock_moves() {
    let server = Serving::start();
    let url = server.told("Sandbox on ").unwrap().to_owned();
    let control = |arguments: &[&str]| {
        server.run(&[&["sandbox"], arguments, &["--sandbox-url", &url]].concat())
    };
    let none = control(&["faults"]);
    assert_eq!((none.code, none.stdout.as_str()), (Some(0), "Nothing waits to go wrong.\n"));
    let armed = control(&[
        "fault",
        "permanent",
        "--network",
        "mastodon",
        "--operation",
        "publish",
        "--containing",
        "refused",
        "--times",
        "2",
    ]);
    assert_eq!(armed.code, Some(0), "{armed:?}");
    let refused = server.run(&["post", "refused", "--to", "mastodon", "--now", "--wait"]);
    assert_eq!(refused.code, Some(1), "{refused:?}");
    let other = server.run(&["post", "fine", "--to", "mastodon", "--now", "--wait"]);
    assert_eq!(other.code, Some(0), "{other:?}");
    let left = control(&["faults", "--json"]).json();
    let left = &left["data"][0];
    assert_eq!((&left["kind"], &left["times"]), (&Value::from("permanent"), &Value::from(1)));
    assert_eq!(control(&["faults", "--clear"]).code, Some(0));
    assert!(control(&["faults"]).stdout.starts_with("Nothing"));

    let now = |ran: Ran| ran.json()["now"].as_str().unwrap().to_owned();
    let before = now(control(&["clock", "--json"]));
    let after = now(control(&["clock", "--advance", "61d", "--json"]));
    assert!(after > before && after[..7] != before[..7], "{before} {after}");

    for (arguments, code, said) in [
        (&["sandbox", "fault", "loud", "--sandbox-url", &url][..], 2, "error500"),
        (&["sandbox", "clock", "--advance", "2y", "--sandbox-url", &url], 2, "length of time"),
        (&["sandbox", "clock", "--sandbox-url", "http://127.0.0.1:1"], 3, "cannot reach"),
        (
            &["sandbox", "faults", "--sandbox-url", server.told("Listening on ").unwrap()],
            1,
            "no sandbox",
        ),
    ] {
        let ran = server.run(arguments);
        assert!(ran.code == Some(code) && ran.stderr.contains(said), "{arguments:?}: {ran:?}");
    }
    let elsewhere = tempfile::tempdir().unwrap();
    let ran = crate::running::run(elsewhere.path(), &["sandbox", "faults"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("SCHEDULER_SANDBOX_URL"), "{ran:?}");
}
