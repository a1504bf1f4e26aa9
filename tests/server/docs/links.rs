//! Every relative link of a page leads to a file that is there, and every anchor to a heading.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

use super::pages::Page;
use super::tags::all;

/// The pages, and those beside them that link to them.
fn linking() -> Vec<Page> {
    let mut pages = all();
    for name in ["ARCHITECTURE.md", "CHANGELOG.md"] {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
        let text = std::fs::read_to_string(path).unwrap();
        pages.push(Page { path: name.into(), text });
    }
    pages
}

/// The lines of a page outside of its blocks, each without its inline code.
fn prose(page: &Page) -> Vec<(usize, String)> {
    let mut lines = Vec::new();
    let mut within: Option<usize> = None;
    for (number, line) in page.text.lines().enumerate() {
        let trimmed = line.trim_start();
        let ticks = trimmed.len() - trimmed.trim_start_matches('`').len();
        match within {
            None if ticks >= 3 => within = Some(ticks),
            None => lines.push((number + 1, line.split('`').step_by(2).collect())),
            Some(opened) if ticks >= opened && trimmed[ticks..].trim().is_empty() => within = None,
            Some(_) => {}
        }
    }
    lines
}

/// Where the links and the pictures of a line lead.
fn targets(line: &str) -> Vec<String> {
    let marked = line.split("](").skip(1).filter_map(|rest| rest.split(')').next());
    let written = line.split("src=\"").skip(1).filter_map(|rest| rest.split('"').next());
    marked.chain(written).map(|target| target.trim().to_owned()).collect()
}

/// The anchors of a page, as GitHub makes them of its headings.
fn anchors(page: &Page) -> BTreeSet<String> {
    let mut seen = BTreeMap::<String, usize>::new();
    let mut anchors = BTreeSet::new();
    let mut within = false;
    for line in page.text.lines() {
        if line.trim_start().starts_with("```") {
            within = !within;
        }
        let title = line.trim_start_matches('#');
        let depth = line.len() - title.len();
        if within || !(1..=6).contains(&depth) || !title.starts_with(' ') {
            continue;
        }
        let kept = title.trim().to_lowercase();
        let kept = kept.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        let anchor: String = kept.map(|c| if c == ' ' { '-' } else { c }).collect();
        let count = seen.entry(anchor.clone()).or_default();
        anchors.insert(if *count == 0 { anchor } else { format!("{anchor}-{count}") });
        *count += 1;
    }
    anchors
}

#[test]
fn every_link_leads_somewhere() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).canonicalize().unwrap();
    let pages = linking();
    let by_path: BTreeMap<PathBuf, BTreeSet<String>> =
        pages.iter().map(|page| (root.join(&page.path), anchors(page))).collect();
    let mut broken = Vec::new();
    let mut count = 0;
    for page in &pages {
        let own = root.join(&page.path);
        for (number, line) in prose(page) {
            for target in targets(&line) {
                if target.contains("://") || target.starts_with("mailto:") {
                    continue;
                }
                count += 1;
                let (file, anchor) = target.split_once('#').unwrap_or((&target, ""));
                let path = if file.is_empty() {
                    Ok(own.clone())
                } else {
                    own.parent().unwrap().join(file).canonicalize()
                };
                let leads = path.is_ok_and(|path| {
                    let known = by_path.get(&path);
                    path.starts_with(&root)
                        && (anchor.is_empty() || known.is_some_and(|known| known.contains(anchor)))
                });
                if !leads {
                    broken.push(format!("{}:{number} {target}", page.path.display()));
                }
            }
        }
    }
    assert!(count > 20, "only {count} links were found");
    assert!(broken.is_empty(), "{broken:#?}");
}

#[test]
fn every_page_is_in_the_index() {
    let pages = linking();
    let index = pages.iter().find(|page| page.path == Path::new("docs/README.md")).unwrap();
    let linked: BTreeSet<String> =
        prose(index).iter().flat_map(|(_, line)| targets(line)).collect();
    let missing: Vec<String> = pages
        .iter()
        .filter_map(|page| page.path.strip_prefix("docs").ok())
        .filter(|path| path.components().count() == 1 && *path != Path::new("README.md"))
        .map(|path| path.display().to_string())
        .filter(|path| !linked.contains(path))
        .collect();
    assert!(missing.is_empty(), "docs/README.md names no {missing:?}");
}

#[test]
fn anchors_are_those_of_the_headings() {
    let text = "# One, two\n## `post --wait`: why?\n```text\n# no\n```\n## One, two\n#no\n";
    let page = Page { path: "x.md".into(), text: text.into() };
    let want = ["one-two", "one-two-1", "post---wait-why"].map(str::to_owned);
    assert_eq!(anchors(&page), BTreeSet::from(want));
}
