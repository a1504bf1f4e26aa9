//! `scheduler backup` and `scheduler restore`, run as a person does.

use std::fs;
use std::path::Path;

use crate::running::{PNG, Ran, Serving, run, scheduler};

fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<String> =
        entries.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// A data folder that nobody else can read.
fn are_private(data: &Path) {
    #[cfg(unix)]
    for (path, want) in [("", 0o700), ("secret.key", 0o600), ("scheduler.db", 0o600)] {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = fs::metadata(data.join(path)).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, want, "{path}");
    }
}

#[test]
fn a_backup_is_a_data_folder() {
    let serving = Serving::start();
    let folder = serving.folder.path();
    fs::write(folder.join("a.png"), PNG).unwrap();
    let post = serving.run(&["post", "text", "--to", "bluesky", "--media", "a.png", "--draft"]);
    assert_eq!(post.code, Some(0), "{post:?}");
    fs::create_dir(folder.join("full")).unwrap();
    fs::write(folder.join("full/a"), "").unwrap();
    fs::create_dir(folder.join("half.partial")).unwrap();
    fs::create_dir(folder.join("empty")).unwrap();
    for (name, arguments, code, said) in [
        ("filled", &["backup", "full"][..], 2, "is not empty"),
        ("another run", &["backup", "half"], 2, "another run"),
        ("no database", &["backup", "b", "--data", "none"], 1, "no database"),
        ("with the key", &["backup", "empty", "--with-key"], 0, "can post as the connected"),
        ("without the key", &["backup", "keyless", "--copy-files"], 0, "key is not in the copy"),
        ("sealed over a file", &["backup", "full/a", "--sealed"], 2, "name a new file"),
        ("no passphrase", &["backup", "c", "--sealed"], 2, "SCHEDULER_BACKUP_PASSPHRASE_FILE"),
    ] {
        let ran = run(folder, arguments);
        assert_eq!(ran.code, Some(code), "{name}: {ran:?}");
        assert!(ran.stderr.contains(said), "{name}: {ran:?}");
    }
    assert!(folder.join("half.partial").exists(), "it is of another run");
    for name in ["b", "b.partial", "c", "c.partial"] {
        assert!(!folder.join(name).exists(), "{name}");
    }
    assert!(!folder.join("none").exists(), "nothing is made where there was nothing");
    assert_eq!(names(&folder.join("empty")), ["files", "scheduler.db", "secret.key"]);
    assert_eq!(names(&folder.join("keyless")), ["files", "scheduler.db"]);
    are_private(&folder.join("empty"));
    let inside = Ran::of(&mut scheduler(folder, &["doctor", "--data", "empty", "--json"]));
    assert!(inside.stdout.contains("database"), "{inside:?}");
    let listed = run(folder, &["accounts", "list", "--data", "empty", "--json"]).json();
    assert_eq!(listed["data"].as_array().unwrap().len(), 13);
}

#[test]
fn a_sealed_backup_is_opened_by_its_passphrase_alone() {
    let serving = Serving::start();
    let folder = serving.folder.path();
    fs::write(folder.join("a.png"), PNG).unwrap();
    let post = serving.run(&["post", "text", "--to", "bluesky", "--media", "a.png", "--draft"]);
    assert_eq!(post.code, Some(0), "{post:?}");
    for (name, passphrase) in
        [("right", "a long sentence of mine\n"), ("wrong", "another long sentence"), ("short", "x")]
    {
        fs::write(folder.join(name), passphrase).unwrap();
    }
    let with = |passphrase: &str, arguments: &[&str]| {
        let mut command = scheduler(folder, arguments);
        command.env("SCHEDULER_BACKUP_PASSPHRASE_FILE", passphrase);
        Ran::of(&mut command)
    };
    let refused = with("short", &["backup", "a.age", "--sealed"]);
    assert_eq!(refused.code, Some(2), "{refused:?}");
    assert!(refused.stderr.contains("at least 15 characters"), "{refused:?}");
    let sealed = with("right", &["backup", "a.age", "--sealed", "--json"]);
    assert_eq!(sealed.code, Some(0), "{sealed:?}");
    assert_eq!(sealed.json()["secretKey"], true);
    assert!(!folder.join("a.age.partial").exists());
    let bytes = fs::read(folder.join("a.age")).unwrap();
    assert!(bytes.starts_with(b"age-encryption.org/v1\n-> scrypt "));
    let key = fs::read(folder.join("data/secret.key")).unwrap();
    for secret in [&key[..key.len() - 1], b"SQLite format"] {
        assert!(!bytes.windows(secret.len()).any(|window| window == secret), "sealed");
    }

    fs::write(folder.join("cut.age"), &bytes[..bytes.len() - 1]).unwrap();
    fs::write(folder.join("text"), "no backup").unwrap();
    for (name, passphrase, arguments, code, said) in [
        ("another passphrase", "wrong", ["restore", "a.age", "b"], 1, "does not open"),
        ("no backup", "right", ["restore", "text", "b"], 1, "cannot be opened"),
        ("cut off", "right", ["restore", "cut.age", "b"], 1, "cut off"),
        ("no such file", "right", ["restore", "none", "b"], 1, "cannot open none"),
        ("over something", "right", ["restore", "a.age", "data"], 2, "is not empty"),
        ("right", "right", ["restore", "a.age", "b"], 0, "--role api"),
    ] {
        let ran = with(passphrase, &arguments);
        assert_eq!(ran.code, Some(code), "{name}: {ran:?}");
        assert!(ran.stderr.contains(said), "{name}: {ran:?}");
        assert!(!folder.join("b.partial").exists(), "{name}");
        assert_eq!(folder.join("b").exists(), code == 0, "{name}");
    }
    let opened = folder.join("b");
    are_private(&opened);
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let mode = fs::metadata(folder.join("a.age")).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o600);
    }
    assert_eq!(names(&opened), ["files", "scheduler.db", "secret.key"]);
    assert_eq!(fs::read(opened.join("secret.key")).unwrap(), key);
    let listed = run(folder, &["accounts", "list", "--data", "b", "--json"]).json();
    assert_eq!(listed["data"].as_array().unwrap().len(), 13);
}
