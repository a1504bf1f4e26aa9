//! An option comes before the environment, the environment before `scheduler.toml`.

use crate::running::{Ran, run, scheduler};

#[test]
fn option_then_environment_then_file() {
    // Nobody listens on these ports, and the error names the one that was tried.
    for (name, option, variable, file, tried) in [
        ("the file", None, None, Some(3), 3),
        ("the environment", None, Some(2), Some(3), 2),
        ("the option", Some(1), Some(2), Some(3), 1),
        ("the option without the rest", Some(1), None, None, 1),
    ] {
        let url = |port: Option<u16>| port.map(|port| format!("http://127.0.0.1:{port}/v1"));
        let folder = tempfile::tempdir().unwrap();
        if let Some(url) = url(file) {
            std::fs::write(folder.path().join("scheduler.toml"), format!("url = {url:?}")).unwrap();
        }
        let mut command = scheduler(folder.path(), &["platforms"]);
        if let Some(url) = url(option) {
            command.args(["--url", &url]);
        }
        if let Some(url) = url(variable) {
            command.env("SCHEDULER_URL", url);
        }
        let ran = Ran::of(&mut command);
        assert_eq!(ran.code, Some(3), "{name}: {ran:?}");
        let said = format!("cannot reach http://127.0.0.1:{tried}:");
        assert!(ran.stderr.contains(&said), "{name}: {}", ran.stderr);
    }
}

#[test]
fn a_file_of_another_name_is_named() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("other.toml"), "url = 'http://127.0.0.1:4'").unwrap();
    for (name, arguments, variable) in [
        ("by option", &["platforms", "--config", "other.toml"][..], None),
        ("by variable", &["platforms"], Some("other.toml")),
    ] {
        let mut command = scheduler(folder.path(), arguments);
        command.envs(variable.map(|path| ("SCHEDULER_CONFIG", path)));
        let ran = Ran::of(&mut command);
        assert!(ran.stderr.contains("cannot reach http://127.0.0.1:4:"), "{name}: {ran:?}");
    }
    let ran = run(folder.path(), &["platforms", "--config", "missing.toml"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("cannot read missing.toml"), "{}", ran.stderr);
}

#[test]
fn what_is_wrong_in_a_file_is_named_with_the_nearest_key() {
    for (text, said) in [
        ("databse = 'x'", "scheduler.toml: unknown key \"databse\"; did you mean \"database\"?"),
        (
            "[plans.free]\nchanels = 1",
            "unknown key \"plans.free.chanels\"; did you mean \"plans.free.channels\"?",
        ),
        ("listen = 'here'", "listen in scheduler.toml must be an address and a port"),
        (
            "publish_retry_seconds = [1, 2]",
            "publish_retry_seconds in scheduler.toml must be five numbers",
        ),
        ("log_format = 'xml'", "log_format in scheduler.toml must be pretty or json"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("scheduler.toml"), text).unwrap();
        let ran = run(folder.path(), &["serve"]);
        assert_eq!(ran.code, Some(2), "{text}: {ran:?}");
        assert!(ran.stderr.contains(said), "{text}: {}", ran.stderr);
        assert!(!folder.path().join("data").exists(), "{text}");
    }
}
