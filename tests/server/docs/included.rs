//! Code that a page shows is the code of a file, which other tests run.

use std::fs;
use std::path::Path;

use super::tags::all;

/// A block after this comment shows a file.
const INCLUDE: &str = "<!-- include ";

/// Renews what the pages show, instead of comparing it.
const RENEW: &str = "SCHEDULER_RENEW";

#[test]
fn shown_code_is_that_of_its_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let renew = std::env::var_os(RENEW).is_some();
    let mut count = 0;
    for page in all() {
        let lines: Vec<&str> = page.text.lines().collect();
        let mut renewed = page.text.clone();
        for fence in page.fences() {
            let above = lines.get(fence.line.wrapping_sub(2)).copied().unwrap_or_default();
            let Some(named) = above.strip_prefix(INCLUDE) else { continue };
            let name = named.trim_end_matches("-->").trim();
            let file = fs::read_to_string(root.join(name)).expect("the file is there");
            renewed = renewed.replace(&fence.text, &file);
            assert!(
                renew || fence.text == file,
                "{}:{}: the block differs from {name}; {RENEW}=1 renews it",
                page.path.display(),
                fence.line,
            );
            count += 1;
        }
        if renewed != page.text {
            fs::write(root.join(&page.path), renewed).unwrap();
        }
    }
    assert!(count >= 3, "only {count} blocks show a file");
}
