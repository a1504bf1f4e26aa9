//! Importing and exporting.

use std::fs;
use std::path::Path;

use serde_json::{Value, json};

use crate::running::{PNG, Serving, run};

/// The examples of the page about importing, by their names.
fn examples() -> Vec<(String, String)> {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/importing.md");
    let page = fs::read_to_string(page).unwrap();
    let examples = page.split("<!-- example: ").skip(1).map(|part| {
        let (name, rest) = part.split_once(" -->\n").unwrap();
        let text = rest.split_once('\n').unwrap().1.split_once("\n```").unwrap().0;
        (name.to_owned(), format!("{text}\n"))
    });
    examples.collect()
}

fn posts(serving: &Serving) -> Vec<Value> {
    let listed = serving.run(&["posts", "list", "--limit", "500", "--json"]).json();
    listed["data"].as_array().unwrap().clone()
}

fn write(serving: &Serving, name: &str, text: &str) {
    fs::write(serving.folder.path().join(name), text).unwrap();
}

fn import(serving: &Serving, arguments: &[&str]) -> (Option<i32>, Value, String) {
    let ran = serving.run(&[&["import", "--json"], arguments].concat());
    (ran.code, ran.json(), ran.stderr)
}

fn numbers(document: &Value) -> [u64; 4] {
    ["created", "known", "alreadyImported", "faultyLines"]
        .map(|name| document[name].as_u64().unwrap())
}

#[test]
fn the_examples_of_the_page() {
    let serving = Serving::start();
    fs::write(serving.folder.path().join("street.png"), PNG).unwrap();
    let examples = examples();
    assert_eq!(examples.len(), 2);
    for ((name, text), count) in examples.iter().zip([6, 3]) {
        write(&serving, name, text);
        let dry = serving.run(&["import", name, "--dry-run"]);
        assert_eq!(dry.code, Some(0), "{dry:?}");
        assert!(dry.stdout.contains(&format!("{count} posts would be created")), "{dry:?}");
        let (code, document, _) = import(&serving, &[name]);
        assert_eq!((code, numbers(&document)), (Some(0), [count, 0, 0, 0]), "{document}");
        let (code, document, said) = import(&serving, &[name]);
        assert_eq!((code, numbers(&document)), (Some(0), [0, 0, count, 0]), "{document}");
        assert!(said.contains("made by an earlier run"), "{said}");
        let (_, document, _) = import(&serving, &[name, "--fresh"]);
        assert_eq!(numbers(&document), [0, count, 0, 0], "the server knows the keys");
    }
    let posts = posts(&serving);
    assert_eq!(posts.len(), 9);
    let post = |text: &str| posts.iter().find(|post| post["content"] == text).unwrap().clone();
    assert_eq!(post("Not decided yet")["status"], "draft");
    assert_eq!(post("A series")["targets"][0]["options"]["thread"][1], "The third");
    assert_eq!(post("A series")["scheduledAt"], "2031-12-03T11:00:00Z");
    assert_eq!(post("With a picture")["altTexts"][0], "A street at night");
    assert_eq!(post("Two lines,\nand a comma")["status"], "scheduled");
}

#[test]
fn a_file_that_many_lines_name_is_uploaded_once() {
    let serving = Serving::start();
    fs::create_dir(serving.folder.path().join("sub")).unwrap();
    fs::write(serving.folder.path().join("sub/a.png"), PNG).unwrap();
    let line = |number: u8| format!("text {number},sub/a.png,bluesky,true\n");
    let lines: String = (0..4).map(line).collect();
    write(&serving, "posts.csv", &format!("content,media,to,draft\n{lines}"));
    let (code, document, _) = import(&serving, &["posts.csv"]);
    assert_eq!((code, numbers(&document)), (Some(0), [4, 0, 0, 0]), "{document}");
    write(&serving, "posts.csv", &format!("content,media,to,draft\n{lines}{}", line(5)));
    let (code, document, _) = import(&serving, &["posts.csv"]);
    assert_eq!((code, numbers(&document)), (Some(0), [1, 0, 4, 0]), "{document}");
    let files = serving.run(&["media", "list", "--json"]).json();
    assert_eq!(files["data"].as_array().unwrap().len(), 1, "{files}");
    assert_eq!(files["data"][0]["postCount"], 5);
}

#[test]
fn equal_lines_are_as_many_posts_and_changed_lines_new_ones() {
    let serving = Serving::start();
    let at = "2031-12-01T09:00:00Z";
    let header = "content,to,at,key\n";
    let same = format!("the same,bluesky,{at},\n");
    write(&serving, "posts.csv", &format!("{header}{same}{same}named,bluesky,{at},my-own-key\n"));
    assert_eq!(numbers(&import(&serving, &["posts.csv"]).1), [3, 0, 0, 0]);
    assert_eq!(posts(&serving).len(), 3);
    // A line above moves all others; the second is changed, and the text of the key.
    write(
        &serving,
        "posts.csv",
        &format!("{header}{same}another,bluesky,{at},\nrenamed,bluesky,{at},my-own-key\n"),
    );
    let (code, document, _) = import(&serving, &["posts.csv"]);
    assert_eq!((code, numbers(&document)), (Some(0), [1, 0, 2, 0]), "{document}");
    let warned: Vec<(u64, &str, &str)> = document["faults"]
        .as_array()
        .unwrap()
        .iter()
        .map(|fault| {
            let text = |name: &str| fault[name].as_str().unwrap();
            (fault["line"].as_u64().unwrap(), text("field"), text("severity"))
        })
        .collect();
    assert_eq!(warned, [(3, "line", "warning"), (4, "key", "warning")], "{document}");
    assert_eq!(posts(&serving).len(), 4);
    // Without its journal it is the server that knows.
    let (code, document, said) = import(&serving, &["posts.csv", "--fresh"]);
    assert_eq!((code, numbers(&document)), (Some(0), [0, 3, 0, 0]), "{document}");
    assert!(said.contains("line 4: its key was first used for a post with another text"), "{said}");
    assert_eq!(said.matches("its key was first used").count(), 1, "{said}");
}

#[test]
fn faulty_lines_stop_everything_unless_they_are_to_be_skipped() {
    let serving = Serving::start();
    write(
        &serving,
        "posts.csv",
        "content,to,draft\ngood,bluesky,x\n,bluesky,x\nelsewhere,mastodon:@nobody,x\nlast,mastodon,x\n",
    );
    let ran = serving.run(&["import", "posts.csv"]);
    assert_eq!(ran.code, Some(1));
    assert!(ran.stdout.contains("2 errors in 2 lines; nothing was created"), "{ran:?}");
    assert!(ran.stderr.contains("--skip-faulty"), "{ran:?}");
    assert_eq!(posts(&serving).len(), 0);
    let (code, document, _) = import(&serving, &["posts.csv", "--skip-faulty"]);
    assert_eq!((code, numbers(&document)), (Some(0), [2, 0, 0, 2]), "{document}");
    write(&serving, "posts.csv", "content,to,draftt\ngood,bluesky,x\n");
    let (code, document, _) = import(&serving, &["posts.csv", "--skip-faulty"]);
    assert_eq!((code, numbers(&document)[0]), (Some(1), 0), "{document}");
    assert_eq!(
        document["faults"][0]["advice"].as_str().unwrap().split('?').next(),
        Some("did you mean draft")
    );
}

#[test]
fn a_server_that_wants_a_rest_gets_it() {
    let folder = tempfile::tempdir().unwrap();
    let settings = "rate_limit_per_minute = 600\nrate_limit_burst = 4\n";
    fs::write(folder.path().join("scheduler.toml"), settings).unwrap();
    let serving = Serving::start_in(folder, &["--sandbox"]);
    let lines: String =
        (0..20).map(|number| format!("{{\"content\":\"{number}\",\"saveAsDraft\":true,\"targets\":[{{\"platform\":\"bluesky\"}}]}}\n")).collect();
    write(&serving, "posts.jsonl", &lines);
    let (code, document, said) = import(&serving, &["posts.jsonl"]);
    assert_eq!((code, numbers(&document)), (Some(0), [20, 0, 0, 0]), "{document} {said}");
}

#[test]
fn a_month_that_is_full_stops_its_own_lines_alone() {
    let folder = tempfile::tempdir().unwrap();
    let settings = "[plans.studio]\nposts_a_month = 1\n";
    fs::write(folder.path().join("scheduler.toml"), settings).unwrap();
    let serving = Serving::start_in(folder, &["--sandbox"]);
    write(
        &serving,
        "posts.csv",
        "content,to,at\na,bluesky,2031-11-01T09:00:00Z\nb,bluesky,2031-11-02T09:00:00Z\nc,bluesky,2031-12-01T09:00:00Z\n",
    );
    let (code, document, said) = import(&serving, &["posts.csv", "--jobs", "1"]);
    assert_eq!((code, numbers(&document)), (Some(1), [2, 0, 0, 0]), "{document} {said}");
    assert_eq!(document["faults"][0]["line"], 3, "{document}");
}

#[test]
fn what_cannot_be_read_or_reached() {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("posts.txt.x"), "to,draft\nbluesky,x\n").unwrap();
    fs::write(folder.path().join("posts.csv"), "to,content,draft\nbluesky,a,x\n").unwrap();
    for (name, arguments, code, said) in [
        ("another end", &["import", "posts.txt.x"][..], 2, "--format"),
        ("no file", &["import", "none.csv"], 2, "cannot read none.csv"),
        ("no key", &["import", "posts.csv"], 2, "SCHEDULER_API_KEY"),
        (
            "no server",
            &["import", "posts.csv", "--url", "http://127.0.0.1:1", "--api-key", "sk_x"],
            3,
            "cannot reach",
        ),
        ("a delimiter", &["import", "posts.csv", "--delimiter", "|"], 2, "comma, semicolon or tab"),
    ] {
        let ran = run(folder.path(), arguments);
        assert_eq!(ran.code, Some(code), "{name}: {ran:?}");
        assert!(ran.stderr.contains(said), "{name}: {ran:?}");
    }
}

#[test]
fn an_export_holds_no_secret_and_its_posts_can_be_imported() {
    let serving = Serving::start();
    write(
        &serving,
        "posts.csv",
        "content,to,at,draft,option.mastodon.visibility\nlater,\"bluesky,mastodon\",2031-12-01T09:00:00Z,,unlisted\nsome day,telegram,,x,\n",
    );
    assert_eq!(numbers(&import(&serving, &["posts.csv"]).1)[0], 2);
    let sent = serving.run(&["post", "now", "--to", "bluesky", "--now", "--wait", "--json"]);
    assert_eq!(sent.code, Some(0), "{sent:?}");
    let hook = serving.run(&["webhooks", "add", "http://127.0.0.1:9/hook", "--json"]).json();
    let exported = run(serving.folder.path(), &["export", "--out", "out.jsonl"]);
    assert_eq!(exported.code, Some(0), "{exported:?}");
    let said = format!("{}{}", exported.stdout, exported.stderr);
    assert_eq!(said.matches(" lines").count(), 1, "{said}");
    let again = run(serving.folder.path(), &["export", "--out", "out.jsonl"]);
    assert_eq!(again.code, Some(2), "{again:?}");
    let text = fs::read_to_string(serving.folder.path().join("out.jsonl")).unwrap();
    for secret in [hook["secret"].as_str().unwrap(), &serving.key()] {
        assert!(!text.contains(secret) && !text.contains(&secret[..12]), "{secret}");
    }
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(
        (&lines[0]["format"], &lines[0]["version"]),
        (&"scheduler-export".into(), &1.into())
    );
    let count = |kind: &str| lines.iter().filter(|line| line["type"] == kind).count();
    assert_eq!(
        [count("workspace"), count("account"), count("post"), count("webhook")],
        [1, 13, 3, 1]
    );
    // What was done within the last second may not be in the log yet.
    let logged = "\"type\":\"change\"";
    let rest = |text: &str| -> Vec<String> {
        text.lines().skip(1).filter(|line| !line.contains(logged)).map(str::to_owned).collect()
    };
    let printed = run(serving.folder.path(), &["export"]);
    assert_eq!(rest(&printed.stdout), rest(&text));

    for (options, is_warned) in [
        (&["out.jsonl", "--dry-run"][..], true),
        (&["out.jsonl", "--dry-run", "--as-drafts"], false),
    ] {
        let (_, _, said) = import(&serving, options);
        assert_eq!(said.contains("of this very workspace"), is_warned, "{options:?}: {said}");
    }

    let other = Serving::start();
    fs::copy(serving.folder.path().join("out.jsonl"), other.folder.path().join("in.jsonl"))
        .unwrap();
    let (code, document, said) = import(&other, &["in.jsonl"]);
    assert_eq!((code, numbers(&document)), (Some(0), [2, 0, 0, 0]), "{document}");
    assert!(said.contains("1 done post") && !said.contains("this very workspace"), "{said}");
    let posts = posts(&other);
    let later = posts.iter().find(|post| post["content"] == "later").unwrap();
    assert_eq!(later["scheduledAt"], "2031-12-01T09:00:00Z");
    assert_eq!(later["targets"][1]["options"]["visibility"], "unlisted");
}

#[test]
fn posts_of_another_system() {
    let serving = Serving::start();
    fs::write(serving.folder.path().join("cake.png"), PNG).unwrap();
    let channels = serving.run(&["channels", "list", "--json"]).json();
    let handle = |network: &str| {
        let channels = channels["data"].as_array().unwrap();
        let of_network = channels.iter().find(|channel| channel["platform"] == network).unwrap();
        of_network["username"].as_str().unwrap().to_owned()
    };
    let account = |id: u8, provider: &str, username: &str| json!({"id": id, "name": "Bakery", "username": username, "provider": provider});
    let version = |account: u8, body: &str| json!({"account_id": account, "content": [{"body": body, "media": [{"url": "cake.png"}], "url": ""}]});
    let answer = json!({"data": [
        {
            "id": 1, "uuid": "m1", "status": "scheduled", "scheduled_at": "2031-05-01 09:30:00",
            "accounts": [account(1, "mastodon", "somebody"), account(2, "bluesky", &handle("bluesky"))],
            "versions": [version(0, "<div>Cakes</div><div>today</div>"), version(2, "<div>Cakes!</div>")],
            "tags": [{"name": "release"}],
        },
        {
            "id": 2, "uuid": "m2", "status": "published", "scheduled_at": "2021-05-01 09:30:00",
            "accounts": [account(2, "bluesky", &handle("bluesky"))], "versions": [version(0, "old")],
        },
    ]});
    write(&serving, "mixpost.json", &answer.to_string());
    let (code, document, said) = import(&serving, &["mixpost.json"]);
    assert_eq!((code, numbers(&document)), (Some(1), [0, 0, 0, 1]), "{document}");
    let fault = document["faults"][0]["message"].as_str().unwrap();
    assert!(fault.contains("--account \"mastodon:somebody=@HANDLE\""), "{fault}");
    assert!(said.contains("left out: 1 published post"), "{said}");

    let alias = format!("mastodon:somebody=@{}", handle("mastodon"));
    let arguments = ["mixpost.json", "--account", &alias];
    let (code, document, _) = import(&serving, &arguments);
    assert_eq!((code, numbers(&document)), (Some(0), [1, 0, 0, 0]), "{document}");
    let (_, document, _) = import(&serving, &arguments);
    assert_eq!(numbers(&document), [0, 0, 1, 0], "{document}");
    let posts = posts(&serving);
    assert_eq!(posts.len(), 1);
    let post = &posts[0];
    assert_eq!(post["content"], "Cakes\ntoday");
    assert_eq!(post["scheduledAt"], "2031-05-01T09:30:00Z");
    assert_eq!(post["labels"], json!(["release"]));
    assert_eq!(post["mediaIds"].as_array().unwrap().len(), 1);
    assert_eq!(post["targets"][1]["options"]["caption"], "Cakes!");

    let refused = serving.run(&["import", "mixpost.json", "--account", "mastodon=@me"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.stderr.contains("NETWORK:NAME=@HANDLE"), "{refused:?}");
}
