//! Creating a post.

use scheduler_core::media::{MediaKind, MediaStatus};
use serde_json::json;

use crate::support::{World, body, outcome};

#[test]
fn a_file_that_is_not_ready_is_an_issue_of_the_post_as_a_whole() {
    for status in MediaStatus::ALL {
        let world = World::new();
        let file = world.file(status);
        let fields = json!({"mediaIds": [file], "publishNow": true});
        let created = world.create_as(&world.caller, body(&["bluesky"], fields.clone()));
        if status == MediaStatus::Ready {
            assert_eq!(outcome(&created), "ok");
            continue;
        }
        assert_eq!(outcome(&created), "validation_failed", "{status:?}");
        let issues = created.unwrap_err().issues;
        assert!(issues.iter().any(|issue| issue.platform.is_none()), "{status:?}: {issues:?}");
        let check = json!({
            "content": "Hello", "mediaIds": [file], "targets": [{"platform": "bluesky"}],
        });
        let report = world.check_as(&world.caller, check).unwrap();
        assert_eq!(report.issues, issues, "{status:?}: the dry run says the same");
    }
}

#[test]
fn a_file_of_another_workspace_is_not_there() {
    let world = World::new();
    let mine = world.file(MediaStatus::Ready);
    let theirs = world.file_of(&world.stranger(), MediaKind::Image, MediaStatus::Ready);
    let fields = json!({"mediaIds": [mine, theirs], "saveAsDraft": true});
    let created = world.create_as(&world.caller, body(&["bluesky"], fields));
    assert_eq!(outcome(&created), "not_found mediaIds[1]");
}
