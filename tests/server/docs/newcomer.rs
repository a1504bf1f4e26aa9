//! The commands of every page, run as printed; and what a person sees who has only the pages.

use std::path::Path;

use super::guide::Guide;
use super::pages::Page;
use super::tags::all;

fn page(path: &str) -> Page {
    all().into_iter().find(|page| page.path == Path::new(path)).expect("there is such a page")
}

/// From the clone to a published post and a verified event, by the two pages that say how.
#[tokio::test(flavor = "multi_thread")]
async fn a_new_user_gets_to_a_verified_event() {
    for path in ["README.md", "docs/getting-started.md"] {
        let mut guide = Guide::walk(&page(path)).await;
        let printed = guide.printed();
        for network in ["bluesky", "mastodon"] {
            let published = |line: &String| line.contains(network) && line.contains("published");
            assert!(printed.iter().any(published), "{path}: {printed:#?}");
            // `webhooks listen` prints a line of this form for what it has verified alone.
            let verified = format!(" post.published {network} http");
            guide.line("the verified event", |line| line.contains(&verified)).await;
        }
        assert!(guide.clone().join("data/scheduler.db").is_file(), "{path}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn the_commands_of_every_other_page_run_as_printed() {
    let walked = ["README.md", "docs/getting-started.md"].map(Path::new);
    let mut blocks = 0;
    for page in all().iter().filter(|page| !walked.contains(&page.path.as_path())) {
        if page.fences().iter().any(|fence| fence.tag.starts_with("sh run")) {
            let guide = Guide::walk(page).await;
            eprintln!("{}: {} blocks", page.path.display(), guide.commands());
            blocks += guide.commands();
        }
    }
    assert!(blocks >= 8, "only {blocks} blocks were run");
}
