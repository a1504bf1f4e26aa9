//! Every rule, without a server or a key.

use std::path::Path;

use scheduler_core::platform::Platform;
use scheduler_core::rules::catalogue;

use crate::running::run;

#[test]
fn the_page_of_rules_is_what_the_command_prints() {
    let folder = tempfile::tempdir().unwrap();
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/rules.md");
    let ran = run(folder.path(), &["platforms", "--rules", "--markdown"]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let is_current = std::fs::read_to_string(page).unwrap_or_default() == ran.stdout;
    assert!(
        is_current,
        "docs/rules.md is not what the rules are; renew it with\n  cargo run -p scheduler-cli -- platforms --rules --markdown > docs/rules.md"
    );
}

#[test]
fn rules_are_shown_without_a_server() {
    let folder = tempfile::tempdir().unwrap();
    let nowhere = ["--rules", "--url", "http://127.0.0.1:1"];
    let all = catalogue();

    let ran = run(folder.path(), &[&["platforms", "--json"], &nowhere[..]].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let shown = ran.json();
    let shown = shown["data"].as_array().unwrap();
    assert_eq!(shown.len(), all.len());
    for (shown, entry) in shown.iter().zip(&all) {
        assert_eq!(shown["rule"], entry.rule.as_str());
        assert_eq!(shown["sentence"], entry.sentence.as_str());
        assert_eq!(shown["platform"].as_str(), entry.platform.map(Platform::as_str));
        assert!(shown["severity"] == "error" || shown["severity"] == "warning", "{shown}");
    }

    let ran = run(folder.path(), &[&["platforms", "bluesky"], &nowhere[..]].concat());
    assert_eq!(ran.code, Some(0), "{ran:?}");
    let of_bluesky = all.iter().filter(|entry| entry.platform == Some(Platform::Bluesky)).count();
    assert_eq!(ran.stdout.lines().count(), 1 + of_bluesky, "{}", ran.stdout);
    assert!(ran.stdout.contains("bluesky.text.too_long"), "{}", ran.stdout);
}

#[test]
fn a_page_is_of_all_rules_and_of_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    for arguments in [
        &["platforms", "--markdown"][..],
        &["platforms", "bluesky", "--rules", "--markdown"],
        &["platforms", "--rules", "--markdown", "--json"],
    ] {
        let ran = run(folder.path(), arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {ran:?}");
    }
}
