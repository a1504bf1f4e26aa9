//! How the statements on files are run where there are many rows: by their indexes.

use super::super::plans::Plans;
use super::{count, read, write};

#[tokio::test]
async fn many_files_and_posts_are_not_passed_over() {
    let Some(mut plans) = Plans::of_many_rows().await else { return };
    for (name, statement, wants) in [
        ("list", read::LIST, [Plans::FILES_BY_TIME, Plans::POSTS_OF_FILE]),
        ("posts", read::POSTS, [Plans::POSTS_OF_FILE, Plans::POST]),
        ("is needed", write::IS_NEEDED, [Plans::POSTS_OF_FILE, Plans::POST]),
        ("context", read::CONTEXT, [Plans::WORK, Plans::FILE]),
        ("update", write::UPDATE, [Plans::FILE; 2]),
        ("delete work", write::DELETE_WORK, [Plans::WORK_OF_SUBJECT; 2]),
        ("month", count::READ, [Plans::MONTH; 2]),
        ("subtract", count::SUBTRACT, [Plans::MONTH; 2]),
    ] {
        let plan = plans.of(name, statement).await;
        for want in wants {
            assert!(plan.contains(want), "{name} wants {want}:\n{plan}");
        }
    }
    let list = plans.of("list", read::LIST).await;
    for sorting in ["TEMP B-TREE", "Sort"] {
        assert!(!list.contains(sorting), "the index gives the order:\n{list}");
    }
}
