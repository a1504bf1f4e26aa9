//! `docs/security.md` says something of each risk, and names tests that there are.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// What a line names as shown: a test, and the file in which it is.
fn shown(line: &str) -> Option<(&str, &str)> {
    let (test, rest) = line.strip_prefix("- `")?.split_once("` in `")?;
    Some((test, rest.split_once('`')?.0))
}

/// Whether a file has this test: a function with the attribute of one, or one that is in a list
/// of those that are run.
fn has_test(text: &str, name: &str) -> bool {
    let lines: Vec<&str> = text.lines().map(str::trim).collect();
    let starts = [format!("fn {name}("), format!("async fn {name}(")];
    let at = lines.iter().position(|line| starts.iter().any(|start| line.starts_with(start)));
    let Some(at) = at else { return false };
    let above = lines[..at].iter().rev().take_while(|line| line.starts_with("#["));
    let is_marked = above
        .into_iter()
        .any(|line| line.starts_with("#[test]") || line.starts_with("#[tokio::test"));
    is_marked
        || lines.contains(&format!("{name},").as_str())
        || text.contains(&format!("\"{name}\""))
}

#[test]
fn each_risk_is_spoken_of_and_shown_by_tests_that_there_are() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/security.md")).expect("the page is there");
    let mut sections: Vec<(&str, usize)> = Vec::new();
    for line in page.lines() {
        if let Some(title) = line.strip_prefix("## ") {
            sections.push((title, 0));
        }
        let Some((test, path)) = shown(line) else {
            assert!(!line.starts_with("- "), "no test and its file: {line}");
            continue;
        };
        let text = fs::read_to_string(root.join(path));
        let text = text.unwrap_or_else(|error| panic!("{path}: {error}"));
        assert!(has_test(&text, test), "{path} has no test {test}");
        sections.last_mut().expect("a section").1 += 1;
    }
    for risk in 1..=10 {
        let start = format!("API{risk}: ");
        let section = sections.iter().find(|(title, _)| title.starts_with(&start));
        let (title, tests) = section.unwrap_or_else(|| panic!("nothing of API{risk}"));
        assert!(*tests >= 2, "{title} is shown by {tests} tests");
    }
}

/// What a row of the table of attacks names: the attack, a test, and the file in which it is.
fn attacked(line: &str) -> Option<(&str, &str, &str)> {
    let mut cells = line.strip_prefix("| ")?.strip_suffix(" |")?.split(" | ");
    let (attack, _, shown_by) = (cells.next()?, cells.next()?, cells.next()?);
    let (test, path) = shown_by.strip_prefix('`')?.strip_suffix('`')?.split_once("` in `")?;
    Some((attack, test, path))
}

#[test]
fn each_attack_of_the_table_is_a_test_and_each_attack_is_in_the_table() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(root.join("docs/security.md")).expect("the page is there");
    let (_, section) = page.split_once("\n## Taking more than a share\n").expect("a section");
    let section = section.split("\n## ").next().expect("its text");
    let rows: Vec<_> = section.lines().filter(|line| line.starts_with("| ")).skip(1).collect();
    let mut paths = BTreeSet::new();
    for row in rows {
        let (attack, test, path) = attacked(row).unwrap_or_else(|| panic!("no test: {row}"));
        let text = fs::read_to_string(root.join(path));
        let text = text.unwrap_or_else(|error| panic!("{path}: {error}"));
        assert!(has_test(&text, test), "{path} has no test {test}");
        // Under this name its figures are told, and looked for by the script.
        assert!(text.contains(&format!("\"{attack}\"")), "{path} tells nothing of {attack}");
        paths.insert(path.to_owned());
    }
    let files = fs::read_dir(root.join("tests/server/attack")).expect("the attacks");
    let files = files.map(|file| file.expect("a file").file_name().into_string().expect("a name"));
    for file in files.filter(|file| !["mod.rs", "row.rs"].contains(&file.as_str())) {
        let path = format!("tests/server/attack/{file}");
        assert!(paths.contains(&path), "{path} has no row in the table of docs/security.md");
    }
}

#[test]
fn what_is_no_test_is_not_taken_for_one() {
    for (text, want) in [
        ("#[test]\nfn it_holds() {}", true),
        ("#[tokio::test(flavor = \"multi_thread\")]\nasync fn it_holds() {}", true),
        ("scenarios!(\n    it_holds,\n);\nasync fn it_holds(world: Arc<World>) {}", true),
        ("fn it_holds() {}", false),
        ("#[test]\nfn it_holds_too() {}", false),
        ("// it_holds", false),
    ] {
        assert_eq!(has_test(text, "it_holds"), want, "{text}");
    }
}
