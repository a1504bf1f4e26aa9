//! `config`: what is in force, where it comes from, and that no secret is shown.

use serde_json::{Value, json};

use crate::running::{Ran, run, scheduler};

/// Stands in every secret of these tests.
const SECRET: &str = "hunter2";

fn setting<'a>(report: &'a Value, key: &str) -> &'a Value {
    let mut settings = report["settings"].as_array().unwrap().iter();
    settings.find(|setting| setting["key"] == key).unwrap_or_else(|| panic!("{key}: {report}"))
}

#[test]
fn each_value_is_shown_with_where_it_comes_from() {
    let folder = tempfile::tempdir().unwrap();
    let toml = "listen = '127.0.0.1:3'\nrole = 'api'\n\n[plans.free]\nchannels = 9\n";
    std::fs::write(folder.path().join("scheduler.toml"), toml).unwrap();
    let arguments = ["config", "show", "--listen", "127.0.0.1:1", "--data", "d"];
    let with = |more: &[&str]| {
        let mut command = scheduler(folder.path(), &[&arguments[..], more].concat());
        command.env("SCHEDULER_LISTEN", "127.0.0.1:2").env("SCHEDULER_LOG", "warn");
        Ran::of(&mut command)
    };
    let ran = with(&["--json"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.stderr, "");
    let report = ran.json();
    let file = |line: u32| json!({"kind": "file", "path": "scheduler.toml", "line": line});
    let variable = |name: &str| json!({"kind": "variable", "name": name});
    for (key, value, from, instead_of) in [
        (
            "listen",
            "127.0.0.1:1",
            json!({"kind": "option", "name": "--listen"}),
            json!([variable("SCHEDULER_LISTEN"), file(1)]),
        ),
        ("role", "api", file(2), json!([])),
        ("plans.free.channels", "9", file(5), json!([])),
        ("log", "warn", variable("SCHEDULER_LOG"), json!([])),
        ("database", "sqlite:d/scheduler.db", json!({"kind": "default"}), json!([])),
        ("rate_limit_burst", "100", json!({"kind": "default"}), json!([])),
    ] {
        let shown = setting(&report, key);
        assert_eq!(shown["value"], value, "{key}");
        assert_eq!(shown["from"], from, "{key}");
        assert_eq!(shown["insteadOf"], instead_of, "{key}");
    }
    assert_eq!(report["file"], "scheduler.toml");

    let ran = with(&[]);
    for line in [
        "listen --listen (not SCHEDULER_LISTEN, scheduler.toml:1)",
        "role scheduler.toml:2",
        "plans.free.channels scheduler.toml:5",
        "log SCHEDULER_LOG",
        "data --data",
    ] {
        let (key, from) = line.split_once(' ').unwrap();
        let found = ran.stdout.lines().any(|line| {
            line.split_whitespace().next() == Some(key) && line.trim_end().ends_with(from)
        });
        assert!(found, "{line}: {}", ran.stdout);
    }
    assert!(!ran.stdout.contains("plans.pro"), "what is not set of plans is left out");
    assert!(with(&["--all"]).stdout.contains("plans.pro.channels"));
    assert!(!folder.path().join("d").exists(), "nothing was started");
}

/// Whatever the place of a secret, nothing of it is printed, also where it makes a setting
/// unusable.
#[test]
fn no_secret_is_shown() {
    let keys = run(tempfile::tempdir().unwrap().path(), &["config", "keys", "--json"]).json();
    let secrets: Vec<String> = keys["data"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|key| key["isSecret"] == true)
        .map(|key| key["key"].as_str().unwrap().to_owned())
        .collect();
    assert!(secrets.len() > 20, "{secrets:?}");
    let addresses = [
        ("database", format!("postgres://me:{SECRET}@db/x?password={SECRET}")),
        ("database", format!("postgres://me:1/{SECRET}@db/x")),
        ("database", format!("mysql://me:{SECRET}@db/x")),
        ("files", format!("s3://key:{SECRET}@bucket")),
        ("files", format!("s3://bucket?secret_access_key={SECRET}")),
        ("files", format!("s3://bucket?endpoint=https://me:{SECRET}@s3.example")),
        ("files", format!("s3://bucket/me:{SECRET}@x")),
        ("ai_url", format!("https://me:{SECRET}@e.com/v1?api_key={SECRET}")),
        ("url", format!("https://me:{SECRET}@e.com")),
        ("youtube_api_base", format!("https://{SECRET}@e.com")),
        ("public_url", format!("https://me:{SECRET}@e.com")),
    ];
    let secrets = secrets.into_iter().map(|key| (key, format!("a{SECRET}b")));
    let addresses = addresses.into_iter().map(|(key, value)| (key.to_owned(), value));
    for (key, value) in secrets.chain(addresses) {
        for place in ["variable", "file", "option"] {
            let folder = tempfile::tempdir().unwrap();
            for json in [false, true] {
                let mut command = scheduler(folder.path(), &["config", "show", "--all"]);
                command.args(json.then_some("--json"));
                match place {
                    "variable" => {
                        command.env(format!("SCHEDULER_{}", key.to_uppercase()), &value);
                    }
                    "file" => {
                        let toml = format!("{key} = {value:?}\n");
                        std::fs::write(folder.path().join("scheduler.toml"), toml).unwrap();
                    }
                    _ if ["database", "files"].contains(&key.as_str()) => {
                        command.args([format!("--{key}"), value.clone()]);
                    }
                    _ => continue,
                }
                let ran = Ran::of(&mut command);
                let name = format!("{key} {value} by {place}, json {json}: {ran:?}");
                assert!(!ran.stdout.contains(SECRET) && !ran.stderr.contains(SECRET), "{name}");
                assert!(matches!(ran.code, Some(0 | 1)), "{name}");
                if json {
                    let report = ran.json();
                    assert_eq!(setting(&report, &key)["isSet"], true, "{name}");
                } else {
                    let line = ran
                        .stdout
                        .lines()
                        .find(|line| line.split_whitespace().next() == Some(key.as_str()));
                    let line = line.unwrap();
                    assert!(line.contains("***") || line.contains("characters)"), "{line}");
                }
            }
        }
    }
}

#[test]
fn everything_that_is_wrong_is_told_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let toml = "databse = 'x'\nlisten = 'here'\nai_model = 'm'\n[plans.free]\nchanels = 1\n";
    std::fs::write(folder.path().join("scheduler.toml"), toml).unwrap();
    let wanted = [
        "unknown key \"databse\"; did you mean \"database\"?",
        "listen in scheduler.toml must be an address and a port",
        "ai_model in scheduler.toml is set, but there is no ai_url",
        "unknown key \"plans.free.chanels\"; did you mean \"plans.free.channels\"?",
        "SCHEDULER_LOG_FORMAT must be pretty or json",
        "SCHEDULER_AI_KEY_FILE names nowhere, which cannot be read",
        "cannot read the secret key missing.key",
    ];
    for command in ["check", "show"] {
        let mut text = scheduler(folder.path(), &["config", command]);
        let mut document = scheduler(folder.path(), &["config", command, "--json"]);
        for command in [&mut text, &mut document] {
            command.env("SCHEDULER_LOG_FORMAT", "xml").env("SCHEDULER_AI_KEY_FILE", "nowhere");
            command.env("SCHEDULER_SECRET_KEY_FILE", "missing.key");
            command.env("SCHEDULER_LISTENS", "1");
        }
        let ran = Ran::of(&mut text);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        for want in wanted {
            assert!(ran.stderr.contains(want), "{command}: {want}: {}", ran.stderr);
        }
        let warning = "warning: no setting has the variable SCHEDULER_LISTENS; did you mean SCHEDULER_LISTEN?";
        assert!(ran.stderr.contains(warning), "{}", ran.stderr);
        let ran = Ran::of(&mut document);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(1), ""), "{ran:?}");
        let report = ran.json();
        assert_eq!(report["faults"].as_array().unwrap().len(), wanted.len(), "{report}");
        let unknown = json!([{"name": "SCHEDULER_LISTENS", "near": "SCHEDULER_LISTEN"}]);
        assert_eq!(report["unknownVariables"], unknown);
    }
}

#[test]
fn a_file_that_is_no_toml_and_one_that_is_missing_are_told() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("scheduler.toml"), "listen = ").unwrap();
    for (arguments, said) in [
        (&["config", "check"][..], "scheduler.toml, line 1:"),
        (&["config", "check", "--config", "missing.toml"], "cannot read missing.toml"),
    ] {
        let ran = run(folder.path(), arguments);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.stderr.contains(said), "{}", ran.stderr);
    }
    let ran = run(folder.path(), &["config", "keys", "listen"]);
    assert_eq!(ran.code, Some(0), "what a broken file needs is told all the same: {ran:?}");
}

#[test]
fn settings_that_can_be_used_are_said_to() {
    let folder = tempfile::tempdir().unwrap();
    let ran = run(folder.path(), &["config", "check"]);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{ran:?}");
    assert_eq!(ran.stdout, "every setting can be used; there is no settings file\n");
    let ran = run(folder.path(), &["config", "check", "--json"]);
    assert_eq!(ran.json()["ok"], true);
    assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0, "nothing was made");
}

#[test]
fn a_setting_is_explained_by_each_of_its_names() {
    let folder = tempfile::tempdir().unwrap();
    for name in ["public_url", "SCHEDULER_PUBLIC_URL", "--public-url"] {
        let ran = run(folder.path(), &["config", "keys", name]);
        assert_eq!(ran.code, Some(0), "{ran:?}");
        for part in ["public_url\n", "an http or https address", "SCHEDULER_PUBLIC_URL"] {
            assert!(ran.stdout.contains(part), "{name}: {part}: {}", ran.stdout);
        }
    }
    for (name, near) in [
        ("publik_url", "public_url"),
        ("SCHEDULER_DATABSE", "database"),
        ("plans.fre.channels", "plans.free.channels"),
        ("youtube_clientid", "youtube_client_id"),
    ] {
        let ran = run(folder.path(), &["config", "keys", name]);
        assert_eq!(ran.code, Some(2), "{ran:?}");
        assert!(ran.stderr.contains(&format!("did you mean \"{near}\"?")), "{}", ran.stderr);
    }
    let all = run(folder.path(), &["config", "keys"]);
    assert!(all.stdout.contains("NETWORK_client_id") && all.stdout.contains("plans.PLAN.channels"));
}

#[test]
fn the_example_is_a_settings_file() {
    let folder = tempfile::tempdir().unwrap();
    let example = run(folder.path(), &["config", "example"]);
    assert_eq!(example.code, Some(0));
    std::fs::write(folder.path().join("scheduler.toml"), &example.stdout).unwrap();
    let ran = run(folder.path(), &["config", "check"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert_eq!(ran.stdout, "every setting can be used; the settings file is scheduler.toml\n");
}

/// What `serve` takes, `config show` and `config check` take as well, in the same words.
#[test]
fn the_options_of_serve_are_taken() {
    let folder = tempfile::tempdir().unwrap();
    let options = |arguments: &[&str]| -> Vec<String> {
        let help = run(folder.path(), &[arguments, &["--help"]].concat()).stdout;
        let words = help.split_whitespace().filter(|word| word.starts_with("--"));
        words.map(|word| word.trim_matches(['.', ',']).to_owned()).collect()
    };
    for command in ["show", "check"] {
        let taken = options(&["config", command]);
        for option in options(&["serve"]) {
            assert!(taken.contains(&option), "config {command} {option}");
        }
    }
}

#[test]
fn serve_and_doctor_warn_of_a_variable_that_nobody_reads() {
    let folder = tempfile::tempdir().unwrap();
    let said = "no setting has the variable SCHEDULER_DATABSE; did you mean SCHEDULER_DATABASE?";
    let taken = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = taken.local_addr().unwrap().to_string();
    // A server that cannot listen ends by itself.
    let mut serve = scheduler(folder.path(), &["serve", "--listen", &address]);
    let ran = Ran::of(serve.env("SCHEDULER_DATABSE", "x").env("SCHEDULER_LOG_FORMAT", "json"));
    let documents = |text: &str| -> Vec<Value> {
        let read =
            |line: &str| serde_json::from_str(line).unwrap_or_else(|_| panic!("no JSON: {line}"));
        text.lines().map(read).collect()
    };
    documents(&ran.stdout);
    assert!(ran.stdout.contains("apiKeyFile"), "{ran:?}");
    let logged = documents(&ran.stderr);
    let has = |level: &str, said: &str| {
        logged.iter().any(|line| line["level"] == level && line.to_string().contains(said))
    };
    assert!(has("WARN", said), "{ran:?}");
    // What ends it is told in the log, with what to do.
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(has("ERROR", "cannot listen on") && has("ERROR", "scheduler doctor"), "{ran:?}");

    let mut doctor = scheduler(folder.path(), &["doctor", "--listen", "127.0.0.1:0"]);
    let ran = Ran::of(doctor.env("SCHEDULER_DATABSE", "x"));
    assert!(ran.stdout.contains("SCHEDULER_DATABSE"), "{ran:?}");
    assert!(ran.stdout.contains("did you mean SCHEDULER_DATABASE?"), "{ran:?}");
    // A broken file is a finding of its own, with the rest of the findings.
    std::fs::write(folder.path().join("scheduler.toml"), "databse = 1").unwrap();
    let ran = run(folder.path(), &["doctor", "--listen", "127.0.0.1:0"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stdout.contains("unknown key \"databse\"; did you mean \"database\"?"), "{ran:?}");
}
