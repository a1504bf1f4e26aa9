//! The pages that a person reads, and their fenced blocks.

use std::fs;
use std::path::{Path, PathBuf};

/// A page.
pub(crate) struct Page {
    /// Its path below the root of the repository.
    pub(crate) path: PathBuf,
    /// What it says.
    pub(crate) text: String,
}

/// A fenced block of a page.
pub(crate) struct Fence {
    /// The line on which it begins, from 1 on.
    pub(crate) line: usize,
    /// What stands behind the backticks.
    pub(crate) tag: String,
    /// What stands between them.
    pub(crate) text: String,
}

/// README and everything in `docs/`.
pub(crate) fn pages(root: &Path) -> Vec<Page> {
    let mut paths = vec![root.join("README.md")];
    collect(&root.join("docs"), &mut paths);
    paths.sort();
    let read = |path: PathBuf| Page {
        text: fs::read_to_string(&path).expect("a page can be read"),
        path: path.strip_prefix(root).expect("it is below the root").to_owned(),
    };
    paths.into_iter().map(read).collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder can be read") {
        let path = entry.expect("it can be read").path();
        if path.is_dir() {
            collect(&path, paths);
        } else if path.extension().is_some_and(|extension| extension == "md") {
            paths.push(path);
        }
    }
}

impl Page {
    /// Its fenced blocks, in order.
    pub(crate) fn fences(&self) -> Vec<Fence> {
        let mut fences = Vec::new();
        let mut open: Option<(usize, Fence)> = None;
        for (number, line) in self.text.lines().enumerate() {
            let trimmed = line.trim_start();
            let ticks = trimmed.len() - trimmed.trim_start_matches('`').len();
            match &mut open {
                None if ticks >= 3 => {
                    let tag = trimmed[ticks..].trim().to_owned();
                    open = Some((ticks, Fence { line: number + 1, tag, text: String::new() }));
                }
                None => {}
                Some((opened, _)) if ticks >= *opened && trimmed[ticks..].trim().is_empty() => {
                    fences.extend(open.take().map(|(_, fence)| fence));
                }
                Some((_, fence)) => {
                    fence.text.push_str(line);
                    fence.text.push('\n');
                }
            }
        }
        assert!(open.is_none(), "{} ends within a block", self.path.display());
        fences
    }
}
