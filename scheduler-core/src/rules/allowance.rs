//! What the plan still allows: posts, and files that are yet to be uploaded.

use super::inspection::OfPost;
use super::{Detail, PlanUnit, Rule};

pub(super) const RULE: Rule = Rule::Post(rule);

/// Source: interface description, ValidationIssue `code`.
const POST_LIMIT: Option<&str> = Some("post_limit");

/// Source: interface description, ValidationIssue `code`.
const UPLOAD_LIMIT: Option<&str> = Some("upload_limit");

fn rule(on: &mut OfPost<'_, '_>) {
    let posts =
        on.error(("plan", "posts"), "The plan allows no more posts this month (code post_limit).");
    let file_bytes = on.error(
        ("plan", "file_bytes"),
        "A file that is yet to be uploaded is larger than the plan allows (code upload_limit).",
    );
    let upload_bytes = on.error(
        ("plan", "upload_bytes"),
        "The files that are yet to be uploaded are more bytes than the plan still allows this month (code upload_limit).",
    );
    let Some(post) = on.subject() else { return };
    if post.context.posts_left == Some(0) {
        let detail = Detail::PlanLimit {
            unit: PlanUnit::Posts,
            found: None,
            most: Some(0),
            file: None,
            a_month: post.context.posts_limit,
        };
        on.report_with(posts, POST_LIMIT, detail);
    }
    let Some(uploads) = post.context.uploads else { return };
    let stored = post.draft.media.len().saturating_sub(uploads.to_come);
    let mut total = 0_u64;
    for (index, media) in post.draft.media.iter().enumerate().skip(stored) {
        let Some(bytes) = media.size_bytes else { continue };
        total = total.saturating_add(bytes);
        if bytes > uploads.bytes_a_file {
            let detail = of_bytes(bytes, uploads.bytes_a_file, Some(index), None);
            on.report_with(file_bytes, UPLOAD_LIMIT, detail);
        }
    }
    if total > uploads.bytes_left {
        let detail = of_bytes(total, uploads.bytes_left, None, Some(uploads.bytes_a_month));
        on.report_with(upload_bytes, UPLOAD_LIMIT, detail);
    }
}

const fn of_bytes(found: u64, most: u64, file: Option<usize>, a_month: Option<u64>) -> Detail {
    let (found, most) = (Some(found), Some(most));
    Detail::PlanLimit { unit: PlanUnit::Bytes, found, most, file, a_month }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::super::tests::{Post, image};
    use crate::platform::Platform;
    use crate::rules::{Context, MediaFacts, Uploads};

    #[test]
    fn files_that_are_yet_to_be_uploaded() {
        let plan = |to_come, bytes_left| Uploads {
            to_come,
            bytes_left,
            bytes_a_month: 1_000,
            bytes_a_file: 500,
        };
        for (name, uploads, sizes, want) in [
            ("not to be checked", None, vec![501, 501], ""),
            ("nothing to come", Some(plan(0, 0)), vec![501, 501], ""),
            ("a file at its limit", Some(plan(1, 1_000)), vec![500], ""),
            ("a file over it", Some(plan(1, 1_000)), vec![501], "plan.file_bytes"),
            ("only the last is to come", Some(plan(1, 1_000)), vec![501, 1], ""),
            ("all that is left", Some(plan(2, 700)), vec![350, 350], ""),
            ("one byte more", Some(plan(2, 700)), vec![350, 351], "plan.upload_bytes"),
            ("what is here does not count", Some(plan(1, 350)), vec![500, 350], ""),
            ("nothing is left", Some(plan(1, 0)), vec![1], "plan.upload_bytes"),
            ("both", Some(plan(1, 500)), vec![501], "plan.file_bytes plan.upload_bytes"),
            ("more to come than there are", Some(plan(9, 1)), vec![1], ""),
            (
                "sizes beyond counting",
                Some(plan(2, 1_000)),
                vec![u64::MAX; 2],
                "plan.file_bytes plan.file_bytes plan.upload_bytes",
            ),
        ] {
            let mut post = Post::new("Hi").to(Platform::Discord, json!({}));
            post.media = sizes
                .into_iter()
                .map(|bytes| MediaFacts { size_bytes: Some(bytes), ..image() })
                .collect();
            post.context = Context { uploads, ..Context::default() };
            let found = post.issues("plan.");
            let checks: Vec<&str> =
                found.iter().map(|issue| issue.rule.strip_prefix("post.").unwrap()).collect();
            assert_eq!(checks.join(" "), want, "{name}");
            assert!(found.iter().all(|issue| issue.code.as_deref() == Some("upload_limit")));
        }
    }

    #[test]
    fn a_size_that_is_not_told_is_not_checked() {
        let mut post = Post::new("Hi").to(Platform::Discord, json!({}));
        post.media = vec![MediaFacts { size_bytes: None, ..image() }];
        let uploads = Uploads { to_come: 1, bytes_left: 0, bytes_a_month: 0, bytes_a_file: 0 };
        post.context = Context { uploads: Some(uploads), ..Context::default() };
        assert_eq!(post.issues("plan."), []);
    }
}
