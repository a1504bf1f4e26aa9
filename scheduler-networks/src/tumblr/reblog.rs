//! The post that a post reblogs: what its blog is called, and the key without which nobody reblogs
//! it.
//!
//! Source: <https://github.com/tumblr/docs>, `api.md`, "Retrieve Published Posts" and
//! "Create/Reblog a Post (Neue Post Format)".

use scheduler_core::ports::{NetworkError, PublishJob, Step};
use scheduler_core::target::FailureCode;
use scheduler_core::text::tumblr::{PostAddress, post_address};
use serde_json::Value;

use super::api::Api;
use super::errors::{failure, is_gone, unreadable};
use super::progress::{Parent, Progress};
use super::wire::{Enveloped, Posts};
use crate::conversation::{Answer, Job, Turn, TurnResult};
use crate::oauth_tokens::Tokens;

/// The post that a job reblogs.
pub(super) fn address(job: &PublishJob) -> Option<PostAddress> {
    job.options.get("reblogOf").and_then(Value::as_str).and_then(post_address)
}

/// The next turn of looking up the post that is reblogged.
pub(super) fn look_up(
    api: &Api,
    job: &Job<'_, Tokens>,
    progress: Progress,
    answers: &[Answer],
) -> TurnResult<Step<Progress>> {
    let PostAddress { blog, id } = address(job).ok_or_else(not_there)?;
    let Some(answer) = answers.first() else {
        let (token, pairs) = (&job.credentials.access_token, [("id", &*id), ("npf", "true")]);
        return Ok(Turn::Send(api.read(token, &["blog", &blog, "posts"], &pairs)));
    };
    if is_gone(answer) {
        return Err(not_there());
    }
    let found: Enveloped<Posts> =
        answer.taken(|| failure(answer, false, Some(job.now)), unreadable)?;
    let post = found.response.posts.into_iter().next().ok_or_else(not_there)?;
    if post.can_reblog == Some(false) {
        return Err(closed());
    }
    // The list names the blog once, and each post may.
    let blog = post.tumblelog_uuid.or(found.response.blog.and_then(|blog| blog.uuid));
    let (Some(blog), Some(key)) = (blog, post.reblog_key) else { return Err(unreadable()) };
    let progress = Progress { parent: Some(Parent { id, blog, key }), ..progress };
    Ok(Turn::Done(Step::Next(progress.prepared(job, job.now))))
}

/// The failure for a post that is not there, or that the account cannot see.
fn not_there() -> NetworkError {
    refused(
        "Tumblr does not find the post that is reblogged. It has to be the address of a post that everybody can see.",
    )
}

/// The failure for a post that may not be reblogged.
pub(super) fn closed() -> NetworkError {
    refused("The post that is reblogged is closed to reblogs, or to this blog.")
}

fn refused(message: &str) -> NetworkError {
    NetworkError::permanent(message).with_code(FailureCode::ValidationFailed)
}

#[cfg(test)]
mod tests {
    use scheduler_core::ports::NetworkErrorKind;
    use serde_json::json;

    use super::*;
    use crate::conversation::Conversation;
    use crate::testing::steps::take_step;
    use crate::testing::with_options;
    use crate::tumblr::progress::Stage;
    use crate::tumblr::testing::{addresses, created, fault, gone, ok, tumblr, tumblr_job};

    fn reblogging() -> PublishJob {
        let options = json!({ "reblogOf": "https://www.tumblr.com/staff/17/a-day" });
        with_options(tumblr_job(), options)
    }

    fn found(post: &Value) -> Answer {
        ok(&json!({ "blog": { "name": "staff", "uuid": "t:staff" }, "posts": [post] }))
    }

    #[test]
    fn the_draft_and_its_edit_name_the_post() {
        let job = reblogging();
        let progress = tumblr().begin(&job);
        assert!(!tumblr().is_visible(&progress), "nobody sees a look-up");
        let answer = found(&json!({ "id": 17, "reblog_key": "abc", "can_reblog": true }));
        let (asked, step) = take_step(&tumblr(), &job, &progress, &[answer]);
        let address = addresses(&asked)[0];
        assert!(address.ends_with("/v2/blog/staff/posts?id=17&npf=true"), "{address}");
        let Ok(Step::Next(progress)) = step else { panic!("{step:?}") };
        let (asked, step) = take_step(&tumblr(), &job, &progress, &[created("5", "draft")]);
        let names = |body: &Value| {
            ["parent_tumblelog_uuid", "parent_post_id", "reblog_key"].map(|name| body[name].clone())
        };
        let want = [json!("t:staff"), json!(17), json!("abc")];
        assert_eq!(names(&asked[0]["body"]), want);
        let Ok(Step::Next(progress)) = step else { panic!("{step:?}") };
        let draft = ok(&json!({ "id": "5", "state": "draft", "content": [], "layout": [] }));
        let (asked, _) = take_step(&tumblr(), &job, &progress, &[draft, created("6", "published")]);
        assert_eq!(names(&asked[1]["body"]), want);
    }

    #[test]
    fn what_cannot_be_reblogged_is_not_posted_without_it() {
        let job = reblogging();
        let progress = tumblr().begin(&job);
        let permanent = (NetworkErrorKind::Permanent, FailureCode::ValidationFailed);
        let temporary = (NetworkErrorKind::Temporary, FailureCode::NetworkError);
        for (name, answer, want) in [
            ("gone", gone(), permanent),
            ("nothing", ok(&json!({ "posts": [] })), permanent),
            (
                "closed",
                found(&json!({ "id": 17, "reblog_key": "abc", "can_reblog": false })),
                permanent,
            ),
            ("no key", found(&json!({ "id": 17 })), temporary),
            ("another answer", ok(&json!([])), temporary),
        ] {
            let (_, step) = take_step(&tumblr(), &job, &progress, &[answer]);
            let error = step.unwrap_err();
            assert_eq!((error.kind, error.code), want, "{name}");
        }
    }

    #[test]
    fn a_post_that_may_not_reblog_is_no_matter_of_the_account() {
        let job = reblogging();
        let at = |stage| {
            let parent = Parent { id: "17".into(), blog: "t:staff".into(), key: "abc".into() };
            let progress = Progress { mentioned: Vec::new(), parent: Some(parent), stage };
            serde_json::to_value(progress).unwrap()
        };
        let progress = at(Stage::Draft { since: job.now });
        for (name, answer) in [
            ("not allowed", fault(403, 0, "You are not allowed to reblog this post.")),
            ("gone meanwhile", fault(400, 8002, "Invalid reblog parent")),
        ] {
            let (_, step) = take_step(&tumblr(), &job, &progress, &[answer]);
            let error = step.unwrap_err();
            let found = (error.kind, error.code);
            assert_eq!(
                found,
                (NetworkErrorKind::Permanent, FailureCode::ValidationFailed),
                "{name}"
            );
        }
        let draft = ok(&json!({ "id": "5", "state": "draft", "content": [], "layout": [] }));
        let closed = fault(403, 0, "You are not allowed to reblog this post.");
        let progress = at(Stage::Publish { draft: "5".into(), since: job.now, looks: 0 });
        let (_, step) = take_step(&tumblr(), &job, &progress, &[draft, closed]);
        assert_eq!(step.unwrap_err().kind, NetworkErrorKind::Permanent);
    }
}
