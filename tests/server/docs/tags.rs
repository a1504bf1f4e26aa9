//! Every block says what it is, so that none with commands goes unrun by mistake.

use std::path::Path;

use super::pages::{Fence, Page, pages};

/// The tags of shells. What they hold is run as printed, or it is `text`, or `console` with what
/// is printed.
const SHELLS: [&str; 4] = ["sh", "bash", "shell", "zsh"];

/// What may stand behind `sh`: a block that is run to its end, and one that stays open as in
/// another terminal.
const RUN: [&str; 2] = ["sh run", "sh run terminal"];

pub(super) fn all() -> Vec<Page> {
    pages(Path::new(env!("CARGO_MANIFEST_DIR")))
}

/// The first two commands of README stand alone; tests elsewhere run what they name.
fn is_first_command(page: &Page, fence: &Fence) -> bool {
    let commands = ["cargo run --release -- demo\n", "cargo test --workspace\n"];
    page.path == Path::new("README.md")
        && fence.tag == "sh"
        && commands.contains(&fence.text.as_str())
}

#[test]
fn every_block_says_what_it_is() {
    let mut wrong = Vec::new();
    for page in all() {
        for fence in page.fences() {
            let language = fence.tag.split(' ').next().unwrap_or_default();
            let is_shell = SHELLS.contains(&language);
            let is_right = !language.is_empty() && (!is_shell || RUN.contains(&fence.tag.as_str()))
                || is_first_command(&page, &fence);
            if !is_right {
                wrong.push(format!("{}:{} {:?}", page.path.display(), fence.line, fence.tag));
            }
        }
    }
    assert!(wrong.is_empty(), "tag these blocks `sh run` or `text`: {wrong:#?}");
}

#[test]
fn the_first_two_commands_of_readme() {
    let pages = all();
    let readme = pages.iter().find(|page| page.path == Path::new("README.md")).unwrap();
    let fences = readme.fences();
    let commands: Vec<&str> = fences.iter().take(2).map(|fence| fence.text.trim()).collect();
    assert_eq!(commands, ["cargo run --release -- demo", "cargo test --workspace"]);
    let lines = readme.text.lines().count();
    assert!(lines <= 250, "README has {lines} lines");
}
