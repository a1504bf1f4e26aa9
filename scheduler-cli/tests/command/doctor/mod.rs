//! `doctor`: what is well, what each fault that is planted looks like, and that nothing changes.

mod buckets;
mod confined;
mod contents;
mod databases;
mod planted;
mod settings;
mod stand_in;

use std::collections::BTreeSet;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use scheduler_store::testing::{Durability, TestPostgres};
use serde_json::Value;
use tempfile::TempDir;

use crate::running::{Ran, Serving, scheduler};
use buckets::Bucket;
use databases::Extras;
use planted::{Fault, Told};

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

/// Data of a server that has been killed, in a folder of its own: accounts of every network, a
/// zone, and a webhook.
fn used() -> TempDir {
    let serving = Serving::start();
    for arguments in [
        &["workspace", "set-timezone", "default", "Europe/Berlin"][..],
        &["webhooks", "add", "http://127.0.0.1:9/hunter2"],
    ] {
        let ran = serving.run(arguments);
        assert_eq!(ran.code, Some(0), "{ran:?}");
    }
    let id = serving.child_id();
    let killed = Command::new("kill").args(["-KILL", &id]).status();
    assert!(killed.unwrap().success());
    copied(&serving.folder.path().join("data"))
}

#[test]
fn before_the_first_start_nothing_is_wrong_and_nothing_is_made() {
    let folder = tempfile::tempdir().unwrap();
    let mut command = scheduler(folder.path(), &["doctor", "--json"]);
    let ran = Ran::of(command.env("SCHEDULER_LISTEN", free_address()));
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
            let ok = format!("ok       file links     http://{address} takes and gives files");
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

/// Where nobody listens.
fn free_address() -> String {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().to_string()
}

/// The settings of a command that finds nothing wrong with the data of [`used`].
fn well(folder: &Path, command: &mut Command) {
    let tool = folder.join("tool");
    std::fs::write(&tool, "#!/bin/sh\necho tool version 1\n").unwrap();
    std::fs::set_permissions(&tool, PermissionsExt::from_mode(0o755)).unwrap();
    command.env("SCHEDULER_FFMPEG", &tool).env("SCHEDULER_FFPROBE", &tool);
    command.env("SCHEDULER_SANDBOX", "true").env("SCHEDULER_WEBHOOKS_ALLOW_PRIVATE", "true");
    command.env("SCHEDULER_LISTEN", free_address());
    command.env_remove("AWS_ACCESS_KEY_ID").env_remove("AWS_SECRET_ACCESS_KEY");
}

/// The files below a folder, but those that SQLite makes and removes as it likes.
fn files(folder: &Path) -> BTreeSet<PathBuf> {
    let mut found = BTreeSet::new();
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            found.extend(files(&path));
        } else if !path.to_string_lossy().contains("scheduler.db-") {
            found.insert(path);
        }
    }
    found
}

/// Plants a fault and says what is wrong with the line that is then told to a person.
fn try_line(fault: &Fault, used: &Path) -> Result<(), String> {
    let folder = copied(&used.join("data"));
    let mut command = scheduler(folder.path(), &["doctor"]);
    well(folder.path(), &mut command);
    let planted = fault.plant(folder.path(), &mut command);
    let ran = Ran::of(&mut command);
    drop(planted);
    let Told { check, id, verdict, found, advice } = fault.told;
    let (beginning, end) = (format!("{verdict:<8} {check:<14} "), format!(" [{id}]"));
    let is_it = |line: &str| {
        let said = line.strip_prefix(&beginning).and_then(|rest| rest.strip_suffix(&end));
        said.is_some_and(|said| said.contains(found) && said.contains(advice))
    };
    if ran.stdout.lines().any(is_it) {
        Ok(())
    } else {
        Err(format!("no such line: {}", ran.stdout))
    }
}

/// Plants a fault and says what is wrong with what is then told.
fn try_fault(fault: &Fault, used: &Path) -> Result<(), String> {
    let folder = copied(&used.join("data"));
    let mut command = scheduler(folder.path(), &["doctor", "--json"]);
    well(folder.path(), &mut command);
    let planted = fault.plant(folder.path(), &mut command);
    let before = files(folder.path());
    let ran = Ran::of(&mut command);
    let after = files(folder.path());
    drop(planted);
    // So that the folder can be removed again.
    let _ = Command::new("chmod").args(["-R", "u+w"]).arg(folder.path()).status();
    let report: Value =
        serde_json::from_str(&ran.stdout).map_err(|error| format!("{error}: {ran:?}"))?;
    let found = report["checks"].as_array().unwrap();
    let ill: Vec<&Value> = found.iter().filter(|it| it["verdict"] != "ok").collect();
    if !found.iter().any(|finding| fault.is_told_by(finding)) {
        return Err(format!("it is not told: {ill:#?} {}", ran.stderr));
    }
    let problems = with_verdict(&report, "problem");
    if ran.code != Some(i32::from(!problems.is_empty())) {
        return Err(format!("the exit code is {:?} with {problems:?}", ran.code));
    }
    if fault.told.verdict == "warning" && fault.is_alone && !problems.is_empty() {
        return Err(format!("there are problems, and not warnings alone: {ill:#?}"));
    }
    if before != after {
        return Err(format!("files were made or removed: {before:?} {after:?}"));
    }
    let key = std::fs::read_to_string(used.join("data/secret.key")).unwrap();
    for secret in ["hunter2", key.trim(), "an example of a secret", "X-Amz-Signature"] {
        if ran.stdout.contains(secret) || ran.stderr.contains(secret) {
            return Err(format!("a secret is told: {ran:?}"));
        }
    }
    Ok(())
}

/// The names that `docs/troubleshooting.md` explains, each in a row of its own.
fn explained() -> BTreeSet<String> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/troubleshooting.md");
    let page = std::fs::read_to_string(page).unwrap();
    let rows = page.lines().filter_map(|line| line.strip_prefix("| `"));
    let names = rows.filter_map(|row| row.split('`').next());
    names.filter(|name| name.contains('-')).map(str::to_owned).collect()
}

/// What is explained but not planted: none of it can be made here without harm.
const UNPLANTED: [(&str, &str); 3] = [
    ("database-unusable", "every fault of a database that is known has a name of its own"),
    ("figures-old", "it comes with time alone"),
    ("network-tls", "the system's own certificates would have to be broken"),
];

#[test]
fn every_planted_fault_is_found() {
    let used = used();
    let other = Serving::start();
    let other_url = other.told("Listening on ").unwrap();
    let bucket = Bucket::start();
    let postgres = planted::block_on(TestPostgres::create(Durability::None));
    let extras = postgres.as_ref().map(Extras::new);
    let mut faults = settings::faults(used.path());
    faults.extend(databases::faults(extras.as_ref()));
    faults.extend(buckets::faults(&bucket, other_url));
    faults.extend(contents::faults());

    let names: BTreeSet<&str> = faults.iter().map(|fault| fault.name).collect();
    assert_eq!(names.len(), faults.len(), "each has a name of its own");
    // Names those that are looked at, while one writes another.
    let wanted = std::env::var("SCHEDULER_TEST_FAULT").unwrap_or_default();
    let chosen: Vec<&Fault> = faults.iter().filter(|fault| fault.name.contains(&wanted)).collect();
    // Several wait for somebody who does not answer.
    let next = AtomicUsize::new(0);
    let wrong: Mutex<Vec<String>> = Mutex::default();
    // The lines for a person are looked at once a check.
    let lines: Mutex<BTreeSet<&str>> = Mutex::default();
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while let Some(fault) = chosen.get(next.fetch_add(1, Ordering::SeqCst)) {
                    let is_first = lines.lock().unwrap().insert(fault.told.check);
                    let line = if is_first { try_line(fault, used.path()) } else { Ok(()) };
                    if let Err(reason) = line.and_then(|()| try_fault(fault, used.path())) {
                        wrong.lock().unwrap().push(format!("{}: {reason}", fault.name));
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    assert!(wrong.is_empty(), "{} of {}:\n{}", wrong.len(), chosen.len(), wrong.join("\n\n"));
    eprintln!("{} planted faults are found, each with its remedy", chosen.len());
    assert_eq!(bucket.left(), 0, "nothing is left in the bucket");

    let planted: BTreeSet<&str> = faults.iter().map(|fault| fault.told.id).collect();
    let explained = explained();
    for id in &planted {
        assert!(explained.contains(*id), "docs/troubleshooting.md does not explain {id}");
    }
    let unplanted = UNPLANTED.map(|(id, _)| id);
    let is_left_out = postgres.is_none() || !confined::can_do_everything(used.path());
    for id in &explained {
        let is_planted = planted.contains(id.as_str()) || unplanted.contains(&id.as_str());
        assert!(is_planted || is_left_out, "nobody plants {id}");
    }
}

#[test]
fn nothing_is_wrong_with_what_the_faults_are_planted_in() {
    let used = used();
    // Zones of the machine change nothing.
    for zone in ["UTC", "Asia/Kolkata", "America/St_Johns", "nonsense"] {
        let folder = copied(&used.path().join("data"));
        let mut command = scheduler(folder.path(), &["doctor", "--json"]);
        well(folder.path(), &mut command);
        let ran = Ran::of(command.env("TZ", zone));
        assert_eq!(ran.code, Some(0), "{zone}: {ran:?}");
        let report = ran.json();
        assert_eq!(with_verdict(&report, "problem"), [""; 0], "{zone}: {report:#}");
        // The data lie wherever there is room for tests, which may run long after the last check.
        let mut warnings = with_verdict(&report, "warning");
        warnings.retain(|check| check != "disk space" && check != "figures");
        assert_eq!(warnings, [""; 0], "{zone}: {report:#}");
    }
}

#[test]
fn nobody_who_does_not_answer_keeps_a_person_waiting() {
    let used = used();
    let folder = copied(&used.path().join("data"));
    let silent = stand_in::silent();
    let mut command = scheduler(folder.path(), &["doctor", "--json"]);
    well(folder.path(), &mut command);
    command.env_remove("SCHEDULER_SANDBOX");
    command.env("SCHEDULER_DATABASE", format!("postgres://me:hunter2@{silent}/d"));
    command.env("SCHEDULER_FILES", format!("s3://media?endpoint=http://{silent}"));
    command.env("AWS_ACCESS_KEY_ID", "id").env("AWS_SECRET_ACCESS_KEY", "hunter2");
    command.env("SCHEDULER_PUBLIC_URL", format!("http://{silent}"));
    command.env("SCHEDULER_LISTEN", &silent);
    command.env("SCHEDULER_AI_URL", format!("http://{silent}/v1")).env("SCHEDULER_AI_MODEL", "m");
    command.env("SCHEDULER_AI_TIMEOUT_SECONDS", "600");
    for network in ["BLUESKY", "MASTODON", "THREADS", "TUMBLR"] {
        command.env(format!("SCHEDULER_{network}_API_BASE"), format!("http://{silent}"));
    }
    let begin = Instant::now();
    let ran = Ran::of(&mut command);
    let took = begin.elapsed();
    assert_eq!(ran.code, Some(1), "{ran:?}");
    let report = ran.json();
    let ill = report["checks"].as_array().unwrap().iter();
    let ids: BTreeSet<&str> = ill.filter_map(|found| found["id"].as_str()).collect();
    for id in ["database-silent", "bucket-unreachable", "network-unreachable", "listen-taken"] {
        assert!(ids.contains(id), "{id}: {report:#}");
    }
    eprintln!("told within {:.1} s", took.as_secs_f64());
    // 5 s for the database, and 6 s for what is then looked at side by side.
    assert!(took < Duration::from_secs(15), "{took:?}");
}
