//! The scripts for shells.

use std::process::Command;

use crate::running::run;

fn bash(script: &str) -> Option<std::process::Output> {
    // Not every machine has one.
    Command::new("bash").args(["--norc", "-c", script]).output().ok()
}

#[test]
fn every_shell_has_a_script() {
    let folder = tempfile::tempdir().unwrap();
    for (shell, sign) in [
        ("bash", "complete -F _scheduler"),
        ("zsh", "#compdef scheduler"),
        ("fish", "complete -c scheduler"),
        ("elvish", "edit:completion:arg-completer[scheduler]"),
        ("powershell", "Register-ArgumentCompleter"),
    ] {
        let ran = run(folder.path(), &["completions", shell]);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{shell}");
        assert!(ran.stdout.contains(sign), "{shell}");
        assert!(!ran.stdout.contains("\\t\\t"), "{shell}: nothing is written otherwise");
        let document = run(folder.path(), &["completions", shell, "--json"]).json();
        assert_eq!(document["script"], ran.stdout.as_str(), "{shell}");
    }
    let wrong = run(folder.path(), &["completions", "bsh"]);
    assert_eq!(wrong.code, Some(2), "{wrong:?}");
    assert!(wrong.stderr.contains("a similar value exists: 'bash'"), "{wrong:?}");
}

#[test]
fn bash_completes_commands_options_and_networks() {
    let folder = tempfile::tempdir().unwrap();
    let script = run(folder.path(), &["completions", "bash"]).stdout;
    let path = folder.path().join("scheduler.bash");
    std::fs::write(&path, script).unwrap();
    let path = path.display();
    let Some(checked) = bash(&format!("bash -n {path}")) else { return };
    assert!(checked.status.success() && checked.stderr.is_empty(), "{checked:?}");
    for (words, want, others) in [
        (&["po"][..], &["post", "posts"][..], &["platforms"][..]),
        (&["posts", "t"], &["take-down"], &["retry"]),
        (&["posts", "list", "--st"], &["--status"], &["--days"]),
        (&["posts", "list", "--status", "d"], &["draft", "done"], &["canceled"]),
        (&["platforms", "blu"], &["bluesky"], &["mastodon"]),
        (&["completions", "f"], &["fish"], &["bash"]),
        (&["accounts", "connect", "ma"], &["mastodon"], &["bluesky"]),
    ] {
        let word = words.last().unwrap();
        let line = words.join(" ");
        let found = bash(&format!(
            "source {path}; COMP_WORDS=(scheduler {line}); COMP_CWORD={}; \
             _scheduler scheduler {word} {}; printf '%s\\n' \"${{COMPREPLY[@]}}\"",
            words.len(),
            words.iter().rev().nth(1).unwrap_or(&"scheduler"),
        ));
        let found = found.unwrap();
        let found = String::from_utf8(found.stdout).unwrap();
        let found: Vec<&str> = found.lines().map(str::trim).collect();
        for name in want {
            assert!(found.contains(name), "{line}: {found:?}");
        }
        for name in others {
            assert!(!found.contains(name), "{line}: {found:?}");
        }
    }
}
