//! The excerpts of `docs/embedding.md` stand in the examples that they name; its other code runs as
//! doc tests of `scheduler-core`.

use std::fs;
use std::path::Path;

fn read(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The lines without their indentation, which an excerpt has less of.
fn lines(text: &str) -> Vec<&str> {
    text.lines().map(str::trim).collect()
}

#[test]
fn every_excerpt_stands_in_its_example() {
    let page = read("docs/embedding.md");
    let mut excerpts = 0;
    for block in page.split("```rust,ignore\n").skip(1) {
        let (block, _) = block.split_once("\n```").expect("a block ends");
        let (place, excerpt) = block.split_once('\n').expect("a block names its example");
        let file = read(place.strip_prefix("// ").expect("a block names its example"));
        let (file, excerpt) = (lines(&file), lines(excerpt));
        let is_there = file.windows(excerpt.len()).any(|window| window == excerpt);
        assert!(is_there, "{place} has changed; the page still says\n{}", excerpt.join("\n"));
        excerpts += 1;
    }
    assert!(excerpts >= 5, "{excerpts}");
}

#[test]
fn every_example_is_named_and_run() {
    let page = read("docs/embedding.md");
    let gate = read(".ci/run");
    for name in [
        "dry_run",
        "axum_dry_run",
        "embedded",
        "custom_network",
        "custom_store",
        "custom_rule",
        "typed_post",
    ] {
        assert!(page.contains(&format!("](../examples/{name}.rs)")), "{name}");
        assert!(gate.contains(&format!(" {name}")), "{name} is not run");
    }
}
