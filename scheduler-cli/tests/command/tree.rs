//! The tree of commands, as the help of the built command tells it.

use std::path::Path;

use crate::running::run;

/// A command that can be given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Leaf {
    /// Its name and that of its subcommand.
    pub(crate) path: Vec<String>,
    /// What its help says.
    pub(crate) help: String,
}

impl Leaf {
    /// Its names with spaces between.
    pub(crate) fn name(&self) -> String {
        self.path.join(" ")
    }

    /// The first example of its help that is its own, up to a pipe or a redirection.
    pub(crate) fn example(&self) -> String {
        let own = format!("scheduler {}", self.name());
        let (_, examples) = self.help.split_once("\nExample").unwrap();
        let line = examples.lines().map(str::trim).find(|line| line.starts_with(&own)).unwrap();
        let end = [" | ", " > ", " >> "].iter().filter_map(|end| line.find(end)).min();
        // Nothing is read or written outside of the folder that a test works in.
        line[..end.unwrap_or(line.len())].replace(" /", " ./")
    }
}

/// Every command that can be given.
pub(crate) fn leaves(folder: &Path) -> Vec<Leaf> {
    let mut leaves = Vec::new();
    walk(folder, &[], &mut |path, help, is_leaf| {
        if is_leaf {
            leaves.push(Leaf { path: path.to_vec(), help: help.to_owned() });
        }
    });
    leaves
}

/// The headings of a help that have no commands below them.
const OTHER_HEADINGS: [&str; 5] = ["Arguments", "Options", "Common options", "Example", "Examples"];

/// Visits the command itself, and then each command with everything below it.
pub(crate) fn walk(folder: &Path, path: &[String], visit: &mut impl FnMut(&[String], &str, bool)) {
    let words: Vec<&str> = path.iter().map(String::as_str).chain(["--help"]).collect();
    let ran = run(folder, &words);
    assert_eq!((ran.code, ran.stderr.as_str()), (Some(0), ""), "{path:?}: {ran:?}");
    let usage = ran.stdout.lines().find(|line| line.starts_with("Usage:")).unwrap();
    visit(path, &ran.stdout, !usage.contains("<COMMAND>"));
    let mut lists_commands = false;
    for line in ran.stdout.lines() {
        if let Some(heading) = line.strip_suffix(':').filter(|line| !line.starts_with(' ')) {
            lists_commands = !OTHER_HEADINGS.contains(&heading);
        }
        if !lists_commands {
            continue;
        }
        let Some(name) = line.strip_prefix("  ").filter(|name| !name.starts_with(' ')) else {
            continue;
        };
        let name = name.split(' ').next().unwrap();
        if name != "help" {
            walk(folder, &[path, &[name.to_owned()]].concat(), visit);
        }
    }
}
