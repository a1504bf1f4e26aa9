//! What is done at networks with posts that have gone out, or should have.

use futures_util::FutureExt as _;
use http::Method;
use serde_json::{Value, json};

use super::{PUBLISHING, confirmed_shape, items, marked, names, short, target_of};
use crate::api::Call;
use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::plan::digest_name;
use crate::schema::{Shape, text};
use crate::tool::{Definition, Hints, Outcome};
use crate::work::{Work, path};

pub(crate) static RETRY_TARGETS: Definition = Definition {
    name: "retry_targets",
    title: "Retry what has failed",
    description: "Sends the failed targets of a post again; what is live is left alone. One in doubt may be live already: let the person look first. They confirm.",
    hints: Hints::GOES_OUT,
    scopes: PUBLISHING,
    is_repeatable: true,
    input: || Shape::default().needs("id", text()).with("confirm", text()),
    output: || confirmed_shape().with("post", json!({"type": "object"})),
    run: |work, arguments| retry_targets(work, arguments).boxed(),
};

async fn retry_targets(work: &Work<'_>, mut arguments: Arguments) -> Result<Outcome, Failure> {
    let id = arguments.needed("id")?;
    let confirm = arguments.text("confirm")?;
    arguments.finish()?;
    let post = work.post(&id).await?;
    let failed = items(&post, "targets").iter().filter(|target| target["status"] == "failed");
    let failed: Vec<Value> = failed.cloned().collect();
    let plan = digest_name(&json!({"retry": id, "content": post["content"], "targets": failed}));
    let names = names(work, &failed).await?;
    let failed: Vec<String> =
        names.iter().zip(&failed).map(|(name, target)| told(name, target)).collect();
    let message = format!("Try again: {}?\n{}", post["content"], failed.join("\n"));
    if let Some(waits) = work.lets_out(&plan, message, confirm.as_deref()).await? {
        return Ok(waits);
    }
    let call = Call::new(Method::POST, path(&["v1", "posts", &id, "retry"])?);
    let post = work.ask(call).await?;
    Ok(Outcome::Done(json!({"state": post["status"], "planId": plan, "post": short(&post)})))
}

/// A target that has failed, for a person; its network's words are quoted.
fn told(name: &str, target: &Value) -> String {
    format!("{name:?} has failed with {:?}", target["error"].as_str().unwrap_or_default())
}

pub(crate) static REPLY_TO_COMMENT: Definition = Definition {
    name: "reply_to_comment",
    title: "Reply to a comment",
    description: "Answers a comment publicly, as the account. The person confirms.",
    hints: Hints::GOES_OUT,
    scopes: PUBLISHING,
    is_repeatable: true,
    input: || {
        Shape::default()
            .needs("postId", text())
            .needs("targetId", text())
            .needs("commentId", text())
            .needs("text", text())
            .with("confirm", text())
    },
    output: || confirmed_shape().with("comment", json!({"type": "object"})),
    run: |work, arguments| reply(work, arguments).boxed(),
};

async fn reply(work: &Work<'_>, mut arguments: Arguments) -> Result<Outcome, Failure> {
    let (post, target) = (arguments.needed("postId")?, arguments.needed("targetId")?);
    let (comment, text) = (arguments.needed("commentId")?, arguments.needed("text")?);
    let confirm = arguments.text("confirm")?;
    arguments.finish()?;
    let plan = digest_name(&json!({"reply": [post, target, comment], "text": text}));
    let shown = work.post(&post).await?;
    let (_, name) = target_of(work, &shown, &target).await?;
    let comment_shown = comment_of(work, &post, &target, &comment).await?;
    let message = format!("Reply publicly as {name:?}: {text:?}?\nTo {comment_shown}");
    if let Some(waits) = work.lets_out(&plan, message, confirm.as_deref()).await? {
        return Ok(waits);
    }
    let address = path(&["v1", "posts", &post, "targets", &target, "comments", &comment])?;
    let body = json!({"action": "reply", "text": text});
    let call = Call::new(Method::POST, address).with_body(body).under_key(&work.key);
    let comment = work.ask(call).await?;
    Ok(Outcome::Done(json!({"state": "replied", "planId": plan, "comment": comment})))
}

/// A comment for a person: its id, and who has written what, where the network says so.
async fn comment_of(
    work: &Work<'_>,
    post: &str,
    target: &str,
    id: &str,
) -> Result<String, Failure> {
    let address = path(&["v1", "posts", post, "targets", target, "comments"])?;
    let page = work.get(address).await.unwrap_or_default();
    let found = items(&page, "data").iter().find(|comment| comment["id"] == id);
    Ok(match found {
        Some(comment) => {
            let part = |name: &str| comment[name].as_str().unwrap_or_default().to_owned();
            format!("comment {id:?} of {:?}: {:?}", part("author"), part("text"))
        }
        None => format!("comment {id:?}"),
    })
}

pub(crate) static TAKE_DOWN: Definition = Definition {
    name: "take_down",
    title: "Take a live post down",
    description: "Deletes a live post at its network, where it can; that cannot be undone. The person confirms.",
    hints: Hints::GOES_OUT,
    scopes: PUBLISHING,
    is_repeatable: true,
    input: || {
        Shape::default().needs("postId", text()).needs("targetId", text()).with("confirm", text())
    },
    output: || confirmed_shape().with("target", json!({"type": "object"})),
    run: |work, arguments| take_down(work, arguments).boxed(),
};

async fn take_down(work: &Work<'_>, mut arguments: Arguments) -> Result<Outcome, Failure> {
    let (id, target_id) = (arguments.needed("postId")?, arguments.needed("targetId")?);
    let confirm = arguments.text("confirm")?;
    arguments.finish()?;
    let post = work.post(&id).await?;
    let (target, name) = target_of(work, &post, &target_id).await?;
    let plan = digest_name(&json!({"takeDown": [id, target_id], "remoteId": target["remoteId"]}));
    if target["status"] == "skipped" {
        return Ok(Outcome::Done(json!({"state": "skipped", "planId": plan, "target": target})));
    }
    let place = target["remoteUrl"].as_str().unwrap_or_default();
    let message =
        format!("Delete the post of {name:?} at {place:?}?\nIts text: {}", post["content"]);
    if let Some(waits) = work.lets_out(&plan, message, confirm.as_deref()).await? {
        return Ok(waits);
    }
    let address = path(&["v1", "posts", &id, "targets", &target_id, "remote"])?;
    let target = marked(work.ask(Call::new(Method::DELETE, address)).await?);
    Ok(Outcome::Done(json!({"state": target["status"], "planId": plan, "target": target})))
}
