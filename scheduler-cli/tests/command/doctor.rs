//! `doctor`: what is well, what each fault that is planted looks like, and that nothing changes.

use std::io::{Read as _, Write as _};
use std::net::TcpListener;
use std::path::Path;
use std::process::Command;

use serde_json::Value;
use tempfile::TempDir;

use crate::running::{Ran, Serving, run, scheduler};

/// The checks of a report with a verdict.
fn with_verdict(report: &Value, verdict: &str) -> Vec<String> {
    let checks = report["checks"].as_array().unwrap().iter();
    let found = checks.filter(|check| check["verdict"] == verdict);
    found.map(|check| check["check"].as_str().unwrap().to_owned()).collect()
}

fn of<'a>(report: &'a Value, check: &str) -> &'a Value {
    let mut checks = report["checks"].as_array().unwrap().iter();
    checks.find(|found| found["check"] == check).unwrap()
}

/// A copy of a data folder that a server has used, in a folder of its own.
fn copied(data: &Path) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    let copy = Command::new("cp").arg("-a").arg(data).arg(folder.path()).status();
    assert!(copy.unwrap().success());
    folder
}

/// Data of a server that has been killed, in a folder of its own.
fn used() -> TempDir {
    let serving = Serving::start();
    let id = serving.child_id();
    let killed = Command::new("kill").args(["-KILL", &id]).status();
    assert!(killed.unwrap().success());
    copied(&serving.folder.path().join("data"))
}

#[test]
fn before_the_first_start_nothing_is_wrong_and_nothing_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(folder.path(), &["doctor", "--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let report = ran.json();
    assert_eq!(report["ok"], true);
    assert_eq!(with_verdict(&report, "problem"), [""; 0]);
    for check in ["data folder", "secret key", "database", "file store"] {
        let found = of(&report, check)["found"].as_str().unwrap();
        assert!(found.contains("the first start makes it"), "{check}: {found}");
    }
    let unset = of(&report, "public URL");
    assert_eq!(unset["verdict"], "warning");
    assert!(unset["found"].as_str().unwrap().contains("Instagram"), "{unset}");
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing was made");
}

#[test]
fn a_running_server_is_well_and_its_links_are_followed() {
    let serving = Serving::start();
    let address = serving.told("Listening on http://").unwrap();
    let sandbox = serving.told("Sandbox on ").unwrap();
    let kept = serving.folder.path().join("data/files/kept");
    for json in [false, true] {
        let mut command = serving.command(&["doctor", "--listen", address]);
        command.env("SCHEDULER_SANDBOX_URL", sandbox).args(json.then_some("--json"));
        let ran = Ran::of(&mut command);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        assert_eq!(ran.stderr, "", "{ran:?}");
        if !json {
            assert!(ran.stdout.lines().all(|line| !line.contains('\u{1b}')), "{ran:?}");
            let ok = format!("ok       file links    http://{address} takes and gives files");
            assert!(ran.stdout.lines().any(|line| line == ok), "{ran:?}");
            continue;
        }
        let report = ran.json();
        assert_eq!(with_verdict(&report, "problem"), [""; 0]);
        for check in ["database", "secret key", "file store", "file links", "accounts"] {
            assert_eq!(of(&report, check)["verdict"], "ok", "{report}");
        }
        let opened = of(&report, "secret key")["found"].as_str().unwrap();
        assert_eq!(opened, "it opens the secrets of the database");
    }
    let left = std::fs::read_dir(&kept)
        .unwrap()
        .flat_map(|entry| std::fs::read_dir(entry.unwrap().path()).unwrap());
    assert_eq!(left.count(), 0, "what was written is erased");
}

/// Answers every request with 404, as a web server does that knows nothing of the path.
fn stranger() -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let _ = stream.read(&mut [0; 4096]);
            let _ = stream.write_all(
                b"HTTP/1.1 404 Not Found\r\ncontent-length: 2\r\nconnection: close\r\n\r\n{}",
            );
        }
    });
    url
}

/// What plants a fault in a folder, or in the settings of a command.
trait Plant: Fn(&Path, &mut Command) {}

impl<F: Fn(&Path, &mut Command)> Plant for F {}

/// A fault: the check that tells of it, its verdict, words of what was found and of the advice.
struct Fault<'a> {
    name: &'a str,
    plant: Box<dyn Plant + 'a>,
    check: &'a str,
    verdict: &'a str,
    found: &'a str,
    advice: &'a str,
}

fn fault<'a>(
    name: &'a str,
    plant: impl Fn(&Path, &mut Command) + 'a,
    [check, verdict]: [&'a str; 2],
    [found, advice]: [&'a str; 2],
) -> Fault<'a> {
    Fault { name, plant: Box::new(plant), check, verdict, found, advice }
}

#[test]
fn every_planted_fault_is_found() {
    let used = used();
    let other = Serving::start();
    let other_url = other.told("Listening on ").unwrap().to_owned();
    let stranger = stranger();
    let set = |name: &'static str, value: &'static str| {
        move |_: &Path, command: &mut Command| {
            command.env(name, value);
        }
    };
    let write = |path: &'static str, text: &'static str| {
        move |folder: &Path, _: &mut Command| {
            let path = folder.join("data").join(path);
            let _ = std::fs::remove_dir_all(&path);
            std::fs::write(path, text).unwrap();
        }
    };
    let faults = [
        fault(
            "a flag that is none",
            set("SCHEDULER_CONNECT_TWITTER", "maybe"),
            ["configuration", "problem"],
            ["SCHEDULER_CONNECT_TWITTER must be true or false", "correct it"],
        ),
        fault(
            "a file store of no kind",
            set("SCHEDULER_FILES", "ftp://x"),
            ["configuration", "problem"],
            ["not with ftp://", "correct it"],
        ),
        fault(
            "a file in place of the data folder",
            |folder: &Path, command: &mut Command| {
                std::fs::write(folder.join("file"), "").unwrap();
                command.env("SCHEDULER_DATA", folder.join("file"));
            },
            ["data folder", "problem"],
            ["is not a folder", "--data"],
        ),
        fault(
            "the key is gone",
            |folder: &Path, _: &mut Command| {
                std::fs::remove_file(folder.join("data/secret.key")).unwrap();
            },
            ["secret key", "problem"],
            ["is gone", "bring the file back"],
        ),
        fault(
            "the key is no key",
            write("secret.key", "nonsense"),
            ["secret key", "problem"],
            ["not 32 bytes", "64 hex digits"],
        ),
        fault(
            "another key",
            set(
                "SCHEDULER_SECRET_KEY",
                "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
            ),
            ["secret key", "problem"],
            ["it does not open", "bring back the key"],
        ),
        fault(
            "another key, by account",
            set(
                "SCHEDULER_SECRET_KEY",
                "00112233445566778899aabbccddeeff00112233445566778899aabbccddeeff",
            ),
            ["accounts", "problem"],
            ["sealed with another key", "connect it again"],
        ),
        fault(
            "a key file that is not there",
            set("SCHEDULER_SECRET_KEY_FILE", "/no/key"),
            ["secret key", "problem"],
            ["/no/key", "give back the key"],
        ),
        fault(
            "others may read the key",
            |folder: &Path, _: &mut Command| {
                use std::os::unix::fs::PermissionsExt as _;
                let mode = std::fs::Permissions::from_mode(0o644);
                std::fs::set_permissions(folder.join("data/secret.key"), mode).unwrap();
            },
            ["secret key", "warning"],
            ["others may read", "chmod 600"],
        ),
        fault(
            "the database is none",
            |folder: &Path, _: &mut Command| {
                for end in ["-wal", "-shm"] {
                    let _ = std::fs::remove_file(folder.join(format!("data/scheduler.db{end}")));
                }
                std::fs::write(folder.join("data/scheduler.db"), "nonsense".repeat(1000)).unwrap();
            },
            ["database", "problem"],
            ["could not be opened", "--database"],
        ),
        fault(
            "no database server",
            set("SCHEDULER_DATABASE", "postgres://me:hunter2@127.0.0.1:1/d"),
            ["database", "problem"],
            ["could not be opened", "--database"],
        ),
        fault(
            "the key of a database that does not answer",
            set("SCHEDULER_DATABASE", "postgres://me:hunter2@127.0.0.1:1/d"),
            ["secret key", "ok"],
            ["whether it is the right one only the database tells", ""],
        ),
        fault(
            "a file in place of the files",
            write("files", "text"),
            ["file store", "problem"],
            ["cannot use the folder", "--files"],
        ),
        fault(
            "no S3 service",
            |_: &Path, command: &mut Command| {
                command.env("SCHEDULER_FILES", "s3://media?endpoint=http://127.0.0.1:1");
                command.env("AWS_ACCESS_KEY_ID", "id").env("AWS_SECRET_ACCESS_KEY", "hunter2");
            },
            ["file store", "problem"],
            ["", "AWS_ACCESS_KEY_ID"],
        ),
        fault(
            "an S3 service that knows no such bucket",
            |_: &Path, command: &mut Command| {
                command.env("SCHEDULER_FILES", format!("s3://media?endpoint={stranger}"));
                command.env("AWS_ACCESS_KEY_ID", "id").env("AWS_SECRET_ACCESS_KEY", "hunter2");
            },
            ["file store", "problem"],
            ["there is no such bucket", "the bucket of --files"],
        ),
        fault(
            "links into a bucket that nobody serves",
            |_: &Path, command: &mut Command| {
                command.env("SCHEDULER_FILES", "s3://media?endpoint=http://127.0.0.1:1");
                command.env("AWS_ACCESS_KEY_ID", "id").env("AWS_SECRET_ACCESS_KEY", "hunter2");
            },
            ["file links", "problem"],
            ["", "the endpoint of --files can be reached"],
        ),
        fault(
            "a public name that leads nowhere",
            set("SCHEDULER_PUBLIC_URL", "https://scheduler.invalid"),
            ["public URL", "problem"],
            ["scheduler.invalid", "DNS"],
        ),
        fault(
            "a public URL of somebody else",
            |_: &Path, command: &mut Command| {
                command.env("SCHEDULER_PUBLIC_URL", &stranger);
            },
            ["public URL", "problem"],
            ["with status 404", "reverse proxy"],
        ),
        fault(
            "nothing behind the public URL",
            set("SCHEDULER_PUBLIC_URL", "http://127.0.0.1:1"),
            ["public URL", "warning"],
            ["cannot reach http://127.0.0.1:1", "start it"],
        ),
        fault(
            "a public URL that networks cannot reach",
            |_: &Path, command: &mut Command| {
                command.env("SCHEDULER_PUBLIC_URL", &other_url);
            },
            ["public URL", "problem"],
            ["cannot fetch files from http://127.0.0.1", "https"],
        ),
        fault(
            "the public URL of another scheduler",
            |_: &Path, command: &mut Command| {
                command.env("SCHEDULER_PUBLIC_URL", &other_url);
            },
            ["file links", "problem"],
            ["is answered with 403", "this very server"],
        ),
        fault(
            "ffmpeg is not where it is said to be",
            set("SCHEDULER_FFMPEG", "/no/ffmpeg"),
            ["video tools", "problem"],
            ["/no/ffmpeg", "SCHEDULER_FFMPEG"],
        ),
        fault(
            "a version of an interface that has ended",
            set("SCHEDULER_LINKEDIN_API_VERSION", "202301"),
            ["API versions", "problem"],
            ["LinkedIn: version 202301", "SCHEDULER_LINKEDIN_API_VERSION"],
        ),
        fault(
            "nothing behind the address of the assistant",
            |_: &Path, command: &mut Command| {
                command.env("SCHEDULER_AI_URL", "http://127.0.0.1:1/v1");
                command.env("SCHEDULER_AI_MODEL", "m").env("SCHEDULER_AI_KEY", "hunter2");
            },
            ["assistant", "problem"],
            ["it cannot be reached", "SCHEDULER_AI_URL"],
        ),
        fault(
            "another server behind the address of the assistant",
            |_: &Path, command: &mut Command| {
                command.env("SCHEDULER_AI_URL", &other_url).env("SCHEDULER_AI_MODEL", "m");
            },
            ["assistant", "warning"],
            ["no list of models", "/v1"],
        ),
        fault(
            "an address of the assistant without a model",
            set("SCHEDULER_AI_URL", "http://127.0.0.1:1/v1"),
            ["configuration", "problem"],
            ["no ai_model", ""],
        ),
    ];
    for Fault { name, plant, check, verdict, found, advice } in faults {
        let folder = copied(&used.path().join("data"));
        let mut command = scheduler(folder.path(), &["doctor", "--json"]);
        // Where nobody listens.
        command.env("SCHEDULER_LISTEN", "127.0.0.1:1");
        plant(folder.path(), &mut command);
        let ran = Ran::of(&mut command);
        let report = ran.json();
        let is_ill = !with_verdict(&report, "problem").is_empty();
        assert_eq!(ran.code, Some(i32::from(is_ill)), "{name}: {ran:?}");
        let is_it = |told: &&Value| {
            told["check"] == check
                && told["verdict"] == verdict
                && told["found"].as_str().is_some_and(|text| text.contains(found))
                && told["advice"].as_str().unwrap_or_default().contains(advice)
        };
        let told = report["checks"].as_array().unwrap().iter().find(is_it);
        assert!(told.is_some(), "{name}: {report:#}");
        assert!(!ran.stdout.contains("hunter2") && !ran.stderr.contains("hunter2"), "{ran:?}");
    }
}
