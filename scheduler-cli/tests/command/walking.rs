//! Every command of the tree prints one JSON document and nothing else, whatever becomes of it.

use std::fs::File;
use std::io::Seek as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::running::{Ran, Serving, scheduler};
use crate::tree::{Leaf, leaves};

/// Commands that serve until they are told to stop; what they print is tested where they run.
pub(crate) const SERVING: [&str; 3] = ["sandbox", "serve", "webhooks listen"];

/// Commands with a life of their own, tested elsewhere.
const APART: [&str; 2] = ["demo", "mcp"];

/// How each command is given in this world, and how it ends. A command that is not here is given
/// as its first example, and may end as it likes.
const LINES: [(&str, i32); 107] = [
    ("doctor", 0),
    ("migrate", 0),
    ("workspace create acme", 0),
    ("workspace list", 0),
    ("workspace show acme", 0),
    ("workspace rename acme acme", 0),
    ("workspace set-plan acme pro", 0),
    ("workspace set-timezone acme Europe/Berlin", 0),
    ("keys create --name other --preset read --workspace acme", 0),
    ("keys list --workspace acme", 0),
    ("keys revoke {none}", 1),
    ("login http://127.0.0.1:9", 3),
    ("logout", 2),
    ("profiles", 0),
    ("profiles use posts.example.com", 2),
    ("sessions confirm WDJB-MJHT --workspace default", 1),
    ("sessions list --workspace default", 0),
    ("sessions end {none} --workspace default", 1),
    ("grants list --workspace default", 0),
    ("grants remove {none} --workspace default", 1),
    ("web open --workspace default", 0),
    ("accounts connect youtube --sandbox --workspace default", 0),
    ("accounts connect tiktok --sandbox --workspace default", 0),
    ("accounts connect instagram --sandbox --workspace default", 0),
    ("accounts connect facebook --sandbox --workspace default", 0),
    ("accounts connect threads --sandbox --workspace default", 0),
    ("accounts connect twitter --sandbox --workspace default", 0),
    ("accounts connect linkedin --sandbox --workspace default", 0),
    ("accounts connect pinterest --sandbox --workspace default", 0),
    ("accounts connect bluesky --sandbox --workspace default", 0),
    ("accounts connect mastodon --sandbox --workspace default", 0),
    ("accounts connect telegram --sandbox --workspace default", 0),
    ("accounts connect discord --sandbox --workspace default", 0),
    ("accounts connect tumblr --sandbox --workspace default", 0),
    ("accounts list --workspace default", 0),
    ("accounts disconnect {tumblr} --workspace default", 0),
    ("accounts set-timezone {bluesky} Europe/Berlin --workspace default", 0),
    ("accounts defaults {bluesky} --signature Ana --workspace default", 0),
    ("accounts sets save Clients {bluesky} --workspace default", 0),
    ("accounts sets rename Clients Customers --workspace default", 0),
    ("accounts sets list --workspace default", 0),
    ("accounts sets remove Clients --workspace default", 2),
    ("schedule show {bluesky} --workspace default", 0),
    ("schedule set {bluesky} 'mon 09:00' --workspace default", 0),
    ("queue list --workspace default", 0),
    ("queue move {none} 2026-12-05T11:00 --workspace default", 1),
    ("queue reorder {none} {post} --workspace default", 1),
    ("post text --to mastodon:{mastodon} --draft", 0),
    ("check text --to mastodon:{mastodon}", 0),
    ("posts", 0),
    ("posts list --all", 0),
    ("posts show {post} --wait", 0),
    ("posts edit {draft} --text changed", 0),
    ("posts cancel {none}", 1),
    ("posts delete {none}", 1),
    ("posts retry {post}", 1),
    ("posts edit-live {post} mastodon --text changed", 0),
    ("posts take-down {none} mastodon", 1),
    ("upcoming --network mastodon", 0),
    ("calendar 2026-12 --label spring", 0),
    ("undo --list --workspace default", 0),
    ("undo {none} --workspace default", 1),
    ("panic --label nothing --yes", 1),
    ("retry --all", 0),
    ("log --workspace default", 0),
    ("move --cancel", 0),
    ("inbox --unread --network mastodon --workspace default", 0),
    ("inbox read --all --workspace default", 0),
    ("inbox unread {none} --workspace default", 0),
    ("captions text --to bluesky", 0),
    ("review {none}", 1),
    ("metrics {post} --live", 0),
    ("metrics refresh", 0),
    ("insights {post} mastodon", 0),
    ("comments {post} mastodon", 0),
    ("reply {post} mastodon 1 text", 1),
    ("comment hide {post} mastodon 1", 1),
    ("snippets list", 0),
    ("snippets save tags '#bread'", 0),
    ("snippets remove tags", 0),
    ("media upload {picture}", 0),
    ("media list", 0),
    ("media show {none}", 1),
    ("media edit {none} --name x", 1),
    ("media delete {none}", 1),
    ("channels list", 0),
    ("channels audience", 0),
    ("channels mentions {bluesky} a", 0),
    ("platforms", 0),
    ("platforms x --options", 0),
    ("webhooks add http://127.0.0.1:9/", 0),
    ("webhooks list", 0),
    ("webhooks test {none}", 1),
    ("webhooks remove {none}", 1),
    ("deliveries list --workspace default", 0),
    ("deliveries redeliver {none} --workspace default", 1),
    ("notifications add slack https://192.0.2.1/x --workspace default", 1),
    ("notifications list --workspace default", 0),
    ("notifications test {none} --workspace default", 1),
    ("notifications remove {none} --workspace default", 1),
    ("approvals list --workspace default", 0),
    ("approvals reply {none} hello --workspace default", 1),
    ("workspace set-picture default --none", 0),
    ("workspace set-second-pair default on", 0),
    ("workspace set-second-pair default off", 0),
    ("completions bash", 0),
    ("man --out {folder}/man", 0),
];

/// Longer than any of these commands takes.
const TIMEOUT: Duration = Duration::from_secs(60);

#[test]
fn every_command_prints_one_document() {
    let server = Serving::start();
    let document = |arguments: &[&str]| server.run(&[arguments, &["--json"]].concat()).json();
    let id = |document: &Value| document["id"].as_str().unwrap().to_owned();
    let post = document(&["post", "out", "--to", "mastodon", "--now", "--wait"]);
    let draft = document(&["post", "parked", "--to", "mastodon", "--draft"]);
    let accounts = document(&["accounts", "list"]);
    let account = |platform: &str| {
        let accounts = accounts["data"].as_array().unwrap();
        id(accounts.iter().find(|account| account["platform"] == platform).unwrap())
    };
    std::fs::write(server.folder.path().join("a.png"), crate::files::picture()).unwrap();
    let fill = |line: &str| {
        [
            ("{post}", id(&post)),
            ("{draft}", id(&draft)),
            ("{none}", "01993b5c-2b7e-7000-8000-000000000001".to_owned()),
            ("{bluesky}", account("bluesky")),
            ("{mastodon}", account("mastodon")),
            ("{tumblr}", account("tumblr")),
            ("{picture}", "a.png".to_owned()),
            ("{folder}", server.folder.path().display().to_string()),
        ]
        .iter()
        .fold(line.to_owned(), |line, (name, value)| line.replace(name, value))
    };
    let leaves = leaves(server.folder.path());
    for (line, _) in LINES {
        let found = leaves.iter().any(|leaf| is_of(line, leaf, &leaves));
        assert!(found, "{line}: there is no such command");
    }
    let given = LINES.iter().map(|(line, code)| (format!("scheduler {}", fill(line)), Some(*code)));
    let is_given = |leaf: &Leaf| LINES.iter().any(|(line, _)| is_of(line, leaf, &leaves));
    let others = leaves.iter().filter(|leaf| is_walked(leaf) && !is_given(leaf));
    for (line, code) in given.chain(others.map(|leaf| (leaf.example(), None))) {
        let ran = shell(&mut server.command(&[]), server.folder.path(), &format!("{line} --json"));
        is_one_document(&line, &ran);
        assert!(code.is_none() || ran.code == code, "{line}: {ran:?}");
    }
}

#[test]
fn every_command_prints_one_document_when_it_fails_or_is_wrong() {
    let folder = tempfile::tempdir().unwrap();
    // A file where a folder should be: no command of the application can work on it.
    std::fs::write(folder.path().join("file"), "").unwrap();
    for leaf in leaves(folder.path()).iter().filter(|leaf| is_walked(leaf)) {
        let mut command = scheduler(folder.path(), &[]);
        command
            .env("SCHEDULER_URL", "http://127.0.0.1:1")
            .env("SCHEDULER_API_KEY", "sk_x")
            .env("SCHEDULER_DATA", "file/data");
        let line = format!("{} --json", leaf.example());
        let ran = shell(&mut command, folder.path(), &line);
        is_one_document(&line, &ran);
        if ran.code != Some(0) {
            assert!(
                ran.stderr.contains("next: ") || ran.stdout.contains("\"ok\":false"),
                "{line}: {ran:?}"
            );
        }
        let line = format!("scheduler {} --no-such-option --json", leaf.name());
        let ran = shell(&mut scheduler(folder.path(), &[]), folder.path(), &line);
        assert_eq!(ran.code, Some(2), "{line}: {ran:?}");
        assert_eq!(ran.json()["error"]["code"], json!("usage"), "{line}");
    }
}

fn is_walked(leaf: &Leaf) -> bool {
    let name = leaf.name();
    !SERVING.contains(&&*name) && !APART.contains(&&*name)
}

/// True when a line gives this command, and not one below it.
fn is_of(line: &str, leaf: &Leaf, leaves: &[Leaf]) -> bool {
    let gives = |leaf: &Leaf| format!("{line} ").starts_with(&format!("{} ", leaf.name()));
    let is_longest = |other: &Leaf| other.path.len() <= leaf.path.len() || !gives(other);
    gives(leaf) && leaves.iter().all(is_longest)
}

fn is_one_document(line: &str, ran: &Ran) {
    let documents = serde_json::Deserializer::from_str(&ran.stdout).into_iter::<Value>();
    let documents: Result<Vec<Value>, _> = documents.collect();
    match documents {
        Ok(documents) if documents.len() == 1 => {}
        other => panic!("{line}: {other:?}: {ran:?}"),
    }
    assert_eq!(ran.stdout.lines().count(), 1, "{line}: {ran:?}");
}

/// Has a shell run a line in which `scheduler` is the built command, with the settings of another
/// command.
pub(crate) fn shell(command: &mut Command, folder: &Path, line: &str) -> Ran {
    let built = Path::new(command.get_program()).parent().unwrap().to_owned();
    let path = std::env::join_paths(
        std::iter::once(built).chain(std::env::split_paths(&std::env::var_os("PATH").unwrap())),
    );
    let mut shell = Command::new("sh");
    shell.args(["-c", &format!("exec {line}")]).current_dir(folder).stdin(Stdio::null());
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("SCHEDULER_") {
            shell.env_remove(name);
        }
    }
    for (name, value) in command.get_envs() {
        match value {
            Some(value) => shell.env(name, value),
            None => shell.env_remove(name),
        };
    }
    shell.env("PATH", path.unwrap()).env("HOME", folder);
    let (out, err) = (tempfile::tempfile().unwrap(), tempfile::tempfile().unwrap());
    shell.stdout(out.try_clone().unwrap()).stderr(err.try_clone().unwrap());
    let mut child = shell.spawn().unwrap();
    let begun = Instant::now();
    let code = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status.code();
        }
        if begun.elapsed() > TIMEOUT {
            let _ = child.kill();
            let _ = child.wait();
            panic!("{line} does not end");
        }
        std::thread::sleep(Duration::from_millis(10));
    };
    let read = |mut file: File| {
        file.rewind().unwrap();
        std::io::read_to_string(file).unwrap()
    };
    Ran { code, stdout: read(out), stderr: read(err) }
}
