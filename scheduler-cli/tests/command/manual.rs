//! The pages of the manual.

use std::process::Command;

use crate::running::run;
use crate::tree::walk;

#[test]
fn there_is_a_page_for_every_command() {
    let folder = tempfile::tempdir().unwrap();
    let out = folder.path().join("pages");
    let made = run(folder.path(), &["man", "--out", "pages", "--json"]).json();
    let mut want = Vec::new();
    walk(folder.path(), &[], &mut |path, _, _| {
        let names = [&["scheduler".to_owned()], path].concat();
        want.push(format!("{}.1", names.join("-")));
    });
    let mut found: Vec<String> = std::fs::read_dir(&out)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    want.sort_unstable();
    found.sort_unstable();
    assert_eq!(found, want);
    assert_eq!(made["pages"].as_array().unwrap().len(), want.len());

    let first = run(folder.path(), &["man"]).stdout;
    assert_eq!(first, std::fs::read_to_string(out.join("scheduler.1")).unwrap());
    assert!(first.contains(".SH NAME\nscheduler"), "{first}");
    let post = std::fs::read_to_string(out.join("scheduler-post.1")).unwrap();
    assert!(post.contains("Examples:") && post.contains("Out now"), "{post}");

    for page in found {
        let page = out.join(page);
        // Not every machine has it.
        let formatted = Command::new("groff")
            .args(["-K", "utf8", "-T", "utf8", "-man", "-ww", "-z"])
            .arg(&page)
            .output();
        let Ok(formatted) = formatted else { return };
        let said = String::from_utf8_lossy(&formatted.stderr);
        assert!(formatted.status.success() && said.is_empty(), "{}: {said}", page.display());
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("file"), "").unwrap();
    let ran = run(folder.path(), &["man", "--out", "file/pages"]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.stderr.contains("cannot make the folder file/pages"), "{ran:?}");
}
