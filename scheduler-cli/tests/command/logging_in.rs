//! Working on a server from elsewhere: a code, a session, a profile.

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::running::{Ran, Serving, asked_with, run, scheduler};

/// A folder of a laptop, logged in to a server.
struct Laptop {
    folder: TempDir,
}

impl Laptop {
    /// Logs in; the code is confirmed on the server.
    fn logged_in(server: &Serving, role: &str) -> Self {
        let laptop = Self { folder: tempfile::tempdir().unwrap() };
        let ended = laptop.log_in(server, role);
        assert_eq!(ended.code, Some(0), "{ended:?}");
        laptop
    }

    fn log_in(&self, server: &Serving, role: &str) -> Ran {
        let url = server.told("Listening on ").unwrap();
        let mut login = scheduler(self.folder.path(), &["login", url, "--name", "home", "--json"]);
        let mut child = login.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let line = lines.next().unwrap().unwrap();
        let code = line.split('`').nth(1).unwrap().rsplit(' ').next().unwrap();
        let confirmed = on(server, &["sessions", "confirm", code, "--as", role, "--json"]);
        assert_eq!(confirmed.code, Some(0), "{confirmed:?}");
        let asks = "who asks: scheduler on ";
        assert!(confirmed.stderr.starts_with(asks), "it says who asks: {confirmed:?}");
        let output = child.wait_with_output().unwrap();
        Ran {
            code: output.status.code(),
            stdout: String::from_utf8(output.stdout).unwrap(),
            stderr: lines.map(Result::unwrap).collect(),
        }
    }

    fn run(&self, arguments: &[&str]) -> Ran {
        run(self.folder.path(), arguments)
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let ran = self.run(&[arguments, &["--json"]].concat());
        assert_eq!(ran.code, Some(0), "{arguments:?}: {ran:?}");
        ran.json()
    }

    fn profiles(&self) -> std::path::PathBuf {
        self.folder.path().join("config/scheduler/profiles.toml")
    }
}

/// A command on the machine of the server, next to its database.
fn on(server: &Serving, arguments: &[&str]) -> Ran {
    run(server.folder.path(), arguments)
}

fn ids(document: &Value) -> Vec<&str> {
    document["data"].as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect()
}

#[test]
fn every_command_works_on_the_server_that_one_is_logged_in_to() {
    let server = Serving::start();
    let laptop = Laptop::logged_in(&server, "owner");
    let there = |arguments: &[&str]| on(&server, &[arguments, &["--json"]].concat()).json();

    let accounts = laptop.json(&["accounts", "list"]);
    assert_eq!(accounts, there(&["accounts", "list"]));
    let post = laptop.json(&["post", "From afar", "--to", "bluesky", "--queue"]);
    let id = post["id"].as_str().unwrap();
    assert_eq!(ids(&laptop.json(&["posts"])), [id]);

    let queue = laptop.json(&["queue", "list", "bluesky"]);
    let slots = queue["data"].as_array().unwrap();
    assert_eq!(slots[0]["postId"], json!(id), "the first free slot");
    assert_eq!(slots[1]["postId"], Value::Null);
    let local = slots[1]["local"].as_str().unwrap();
    let moved = laptop.json(&["queue", "move", id, local]);
    assert_eq!(moved["scheduledAt"], slots[1]["instant"]);

    laptop.json(&["workspace", "rename", "default", "The bakery"]);
    let listed = there(&["workspace", "list"]);
    assert_eq!(listed["data"][0]["name"], "The bakery");
    assert_eq!(laptop.json(&["workspace", "list"]), listed);
    // What works on a database makes none here, where it would be taken for that of the server.
    for local in [&["export"][..], &["workspace", "create", "other"]] {
        let ran = laptop.run(local);
        assert_eq!(ran.code, Some(2), "{local:?}: {ran:?}");
        assert!(ran.stderr.contains("on the server's machine"), "{local:?}: {ran:?}");
    }
    laptop.json(&["schedule", "set", "bluesky,mastodon", "mon 08:00", "--zone", "Europe/Berlin"]);
    assert_eq!(there(&["schedule", "show", "mastodon"])["schedule"], "mon 08:00");
    let key = laptop.json(&["keys", "create", "--name", "ci", "--preset", "read"]);
    assert!(ids(&there(&["keys", "list"])).contains(&key["id"].as_str().unwrap()));

    laptop.json(&["accounts", "disconnect", "bluesky", "--due", "cancel"]);
    assert_eq!(laptop.json(&["posts", "show", id])["status"], "canceled");
    assert!(!laptop.folder.path().join("data").exists(), "nothing is made on the laptop");
}

#[test]
fn a_role_allows_what_it_says() {
    let server = Serving::start();
    let laptop = Laptop::logged_in(&server, "reader");
    laptop.json(&["accounts", "list"]);
    for (arguments, role) in [
        (&["keys", "list"][..], "owner"),
        (&["schedule", "set", "bluesky", "mon 08:00"], "owner"),
        (&["workspace", "rename", "default", "mine"], "owner"),
    ] {
        let ran = laptop.run(arguments);
        assert_eq!(ran.code, Some(1), "{arguments:?}: {ran:?}");
        let advice = format!("`scheduler sessions confirm CODE --as {role}`");
        assert!(ran.stderr.contains(&advice), "{arguments:?}: {ran:?}");
    }
    let ran = laptop.run(&["post", "hello", "--to", "bluesky", "--draft"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
}

#[test]
fn a_logout_ends_the_session_and_forgets_it() {
    let server = Serving::start();
    let laptop = Laptop::logged_in(&server, "editor");
    let profiles = laptop.json(&["profiles"]);
    assert_eq!(profiles["data"][0]["name"], "home");
    assert_eq!(profiles["data"][0]["role"], "editor");
    let file = std::fs::read_to_string(laptop.profiles()).unwrap();
    let session = file.split('"').find(|text| text.starts_with("ses_")).unwrap().to_owned();
    assert!(!profiles.to_string().contains(&session), "a session is printed nowhere");
    is_private(&laptop.profiles());

    let as_before = |folder: &Path| {
        let mut command = scheduler(folder, &["posts", "--json"]);
        command.env("SCHEDULER_URL", server.told("Listening on ").unwrap());
        Ran::of(command.env("SCHEDULER_API_KEY", &session))
    };
    assert_eq!(as_before(server.folder.path()).code, Some(0), "the session is good as a key");
    laptop.json(&["logout"]);
    assert_eq!(as_before(server.folder.path()).json()["error"]["code"], "unauthorized");
    assert_eq!(on(&server, &["sessions", "list", "--json"]).json(), json!({"data": []}));
    let ran = laptop.run(&["accounts", "list"]);
    assert!(ran.stderr.contains("`scheduler login`"), "{ran:?}");
    assert_eq!(laptop.run(&["logout"]).code, Some(2));
}

#[test]
fn a_session_ended_on_the_server_is_refused_and_says_what_to_do() {
    let server = Serving::start();
    let laptop = Laptop::logged_in(&server, "owner");
    let sessions = on(&server, &["sessions", "list", "--json"]).json();
    let ended = on(&server, &["sessions", "end", ids(&sessions)[0], "--json"]);
    assert_eq!(ended.code, Some(0), "{ended:?}");
    let ran = laptop.run(&["accounts", "list"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("log in with `scheduler login`"), "{ran:?}");
}

#[test]
fn what_is_named_comes_before_a_profile() {
    let server = Serving::start();
    let laptop = Laptop::logged_in(&server, "owner");
    let other = run(laptop.folder.path(), &["accounts", "list", "--data", "elsewhere"]);
    assert!(other.stderr.contains("no database"), "an option names a database: {other:?}");
    let mut by_setting = scheduler(laptop.folder.path(), &["posts"]);
    let by_setting = Ran::of(by_setting.env("SCHEDULER_URL", "http://127.0.0.1:9"));
    assert_ne!(by_setting.code, Some(0), "a setting names a server: {by_setting:?}");
    let mut with_both = scheduler(laptop.folder.path(), &["posts", "--profile", "home"]);
    let with_both = Ran::of(with_both.env("SCHEDULER_URL", "http://127.0.0.1:9"));
    assert_eq!(with_both.code, Some(0), "a profile that is named comes first: {with_both:?}");
    let unknown = laptop.run(&["posts", "--profile", "homme"]);
    assert_eq!(unknown.code, Some(2));
    assert!(unknown.stderr.contains("home"), "{unknown:?}");
}

#[test]
fn a_folder_with_a_database_is_not_taken_for_the_server_that_one_is_logged_in_to() {
    let server = Serving::start();
    let laptop = Laptop::logged_in(&server, "owner");
    let made = laptop.run(&["workspace", "create", "own", "--data", "./data"]);
    assert_eq!(made.code, Some(0), "{made:?}");
    let url = server.told("Listening on ").unwrap();
    for arguments in [
        &["post", "Live by mistake", "--to", "bluesky", "--now"][..],
        &["posts"],
        &["accounts", "list"],
        &["queue", "list"],
        &["workspace", "list"],
    ] {
        let ran = laptop.run(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {ran:?}");
        for said in [url, "--profile home", "--data ./data"] {
            assert!(ran.stderr.contains(said), "{arguments:?}: no {said}: {ran:?}");
        }
    }
    let ran = laptop.run(&["posts", "--json"]);
    assert_eq!(ran.json()["error"]["code"], "which_server", "{ran:?}");
    let local = laptop.run(&["export"]);
    assert!(local.code == Some(2) && local.stderr.contains("with --data"), "{local:?}");

    let there = laptop.json(&["workspace", "list", "--profile", "home"]);
    assert_eq!(there, on(&server, &["workspace", "list", "--json"]).json());
    assert_eq!(laptop.json(&["posts", "--profile", "home"])["data"], json!([]), "nothing went out");
    let here = laptop.json(&["workspace", "list", "--data", "./data"]);
    assert_eq!(here["data"][0]["name"], "own");
}

fn is_private(file: &Path) {
    let listed = Command::new("ls").arg("-l").arg(file).output().unwrap();
    assert!(listed.stdout.starts_with(b"-rw-------"), "{listed:?}");
}

/// What the application answers to the session of a laptop.
fn asked(server: &Serving, laptop: &Laptop, path: &str) -> (String, Value) {
    let profiles = std::fs::read_to_string(laptop.profiles()).unwrap();
    let session = profiles.split('"').find(|part| part.starts_with("ses_")).unwrap();
    asked_with(
        server.told("Listening on ").unwrap(),
        &format!("GET {path}"),
        &[("authorization", &format!("Bearer {session}"))],
        "",
    )
}

#[test]
fn an_owner_has_the_server_examined() {
    let server = Serving::start();
    let [laptop, reader] = ["owner", "reader"].map(|role| Laptop::logged_in(&server, role));
    let made = on(&server, &["workspace", "create", "elsewhere"]);
    assert_eq!(made.code, Some(0), "{made:?}");
    let (status, report) = asked(&server, &laptop, "/app/v1/doctor");
    assert_eq!(status, "HTTP/1.1 200 OK", "{report}");
    let checks = report["checks"].as_array().unwrap();
    let verdict = |name: &str| {
        let found = checks.iter().find(|check| check["check"] == name);
        found.unwrap_or_else(|| panic!("no {name}: {report}"))["verdict"].clone()
    };
    for name in ["configuration", "data folder", "secret key", "database", "work"] {
        assert_eq!(verdict(name), "ok", "{name}: {report}");
    }
    assert!(!report.to_string().contains("elsewhere"), "it tells of one workspace: {report}");
    let told = laptop.run(&["doctor", "--profile", "home", "--json"]);
    // A busy machine may keep a check waiting too long in one of the two.
    assert_eq!(told.code, Some(i32::from(told.json()["ok"] == false)), "{told:?}");
    let names = |report: &Value| -> Vec<Value> {
        let checks = report["checks"].as_array().unwrap().iter();
        checks.map(|check| check["check"].clone()).collect()
    };
    assert_eq!(names(&told.json()), names(&report), "the command asks the same");
    let lines = laptop.run(&["doctor", "--profile", "home"]).stdout;
    assert!(lines.contains("ok       database"), "{lines}");
    let (status, refused) = asked(&server, &reader, "/app/v1/doctor");
    assert_eq!(
        (&*status, &refused["error"]["code"]),
        ("HTTP/1.1 403 Forbidden", &json!("forbidden"))
    );
}
