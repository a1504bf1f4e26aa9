//! Posts that are written, changed and cancelled: nothing of it goes out.

use futures_util::FutureExt as _;
use http::{Method, StatusCode};
use scheduler_core::key::Scope;
use scheduler_core::post::{PostInput, PostView};
use serde_json::{Map, Value, json};

use super::{post_shape, targets_shape, whole};
use crate::api::Call;
use crate::arguments::Arguments;
use crate::failure::Failure;
use crate::plan::BODY;
use crate::schema::{Shape, number, said, text, texts};
use crate::tool::{Definition, Hints, Outcome};
use crate::work::{Work, path};

/// What people of the workspace read of a post, and networks do not.
const ASIDE: [&str; 2] = ["labels", "note"];

pub(crate) static CREATE_DRAFT: Definition = Definition {
    name: "create_draft",
    title: "Write a draft",
    description: "Stores a draft, also one that networks would refuse yet; issues says what is wrong. Nothing goes out.",
    hints: Hints::ADDS,
    scopes: &[Scope::PostsRead, Scope::PostsWrite],
    is_repeatable: true,
    input: || {
        Shape::default()
            .read::<PostInput>(&BODY)
            .needs("targets", targets_shape())
            .read::<PostInput>(&ASIDE)
    },
    output: || post_shape().written::<PostView>(&["issues"]),
    run: |work, arguments| create_draft(work, arguments).boxed(),
};

async fn create_draft(work: &Work<'_>, mut arguments: Arguments) -> Result<Outcome, Failure> {
    let mut body = written(&mut arguments);
    let targets = arguments.take("targets");
    arguments.finish()?;
    let targets = work.placed(targets.unwrap_or_else(|| json!([]))).await?;
    body.insert("targets".to_owned(), targets);
    body.insert("saveAsDraft".to_owned(), json!(true));
    body.insert("allowIssues".to_owned(), json!(true));
    let call = Call::new(Method::POST, "/v1/posts").with_body(Value::Object(body));
    Ok(Outcome::Done(work.ask(call.under_key(&work.key)).await?))
}

/// What the arguments say of a post but where and when it goes.
fn written(arguments: &mut Arguments) -> Map<String, Value> {
    let mut body = arguments.given(&BODY);
    body.extend(arguments.given(&ASIDE));
    body
}

pub(crate) static UPDATE_POST: Definition = Definition {
    name: "update_post",
    title: "Change a draft",
    description: "Changes only what is given of a draft that is still at this revision; given targets replace all. null clears a field. Says what changed. Of a post that is no draft, only labels and note.",
    hints: Hints::CHANGES,
    scopes: &[Scope::PostsRead, Scope::PostsWrite],
    is_repeatable: true,
    input: || {
        Shape::default()
            .needs("id", text())
            .needs("revision", number())
            .read::<PostInput>(&BODY)
            .with("targets", json!({"type": "array", "items": {"type": "object"}}))
            .says("targets", "as in create_draft")
            .read::<PostInput>(&ASIDE)
    },
    output: || post_shape().needs("changed", texts()),
    run: |work, arguments| update_post(work, arguments).boxed(),
};

async fn update_post(work: &Work<'_>, mut arguments: Arguments) -> Result<Outcome, Failure> {
    let id = arguments.needed("id")?;
    let revision = revision(&mut arguments)?;
    let mut change = written(&mut arguments);
    let targets = arguments.take("targets");
    arguments.finish()?;
    if let Some(targets) = targets {
        change.insert("targets".to_owned(), work.placed(targets).await?);
    }
    let before = work.post(&id).await?;
    if before["status"] == "draft" {
        change.insert("allowIssues".to_owned(), json!(true));
        change.insert("saveAsDraft".to_owned(), json!(true));
    } else if change.keys().any(|name| !ASIDE.contains(&name.as_str())) {
        return Err(no_draft(&before));
    }
    let call = Call::new(Method::PATCH, path(&["v1", "posts", &id])?);
    let call = call.with_body(Value::Object(change)).at_revision(revision);
    let mut after = work.ask(call).await?;
    let names = BODY.iter().chain(&ASIDE).chain(&["targets"]);
    let changed: Vec<&str> =
        names.filter(|name| before[**name] != after[**name]).copied().collect();
    if let Some(fields) = after.as_object_mut() {
        fields.insert("changed".to_owned(), json!(changed));
    }
    Ok(Outcome::Done(whole(after)))
}

/// What a person has confirmed is not changed without asking them.
fn no_draft(post: &Value) -> Failure {
    let status = post["status"].as_str().unwrap_or_default();
    let next = match status {
        "scheduled" => {
            "cancel_post cancels it; then write the new text with create_draft and schedule that, or have the person change it."
        }
        _ => "Write the new text with create_draft, or have the person change it.",
    };
    let message = format!(
        "The post is {status}: only drafts are changed by this tool, but for labels and note. Nothing was done. {next}"
    );
    Failure::new("not_a_draft", message)
}

/// The revision that a change is meant for.
fn revision(arguments: &mut Arguments) -> Result<i64, Failure> {
    let revision = arguments.number("revision")?;
    revision.ok_or_else(|| Failure::argument("revision", "revision is missing: get_post tells it."))
}

pub(crate) static CANCEL_POST: Definition = Definition {
    name: "cancel_post",
    title: "Cancel a post",
    description: "Cancels a post that is scheduled or partly out, which stays readable, or removes a draft. What is live stays live, and keeps its record.",
    hints: Hints::CHANGES,
    scopes: &[Scope::PostsRead, Scope::PostsWrite],
    is_repeatable: true,
    input: || Shape::default().needs("id", text()).needs("revision", number()),
    output: || Shape::default().needs("id", text()).needs("status", said("canceled or removed")),
    run: |work, arguments| cancel_post(work, arguments).boxed(),
};

async fn cancel_post(work: &Work<'_>, mut arguments: Arguments) -> Result<Outcome, Failure> {
    let id = arguments.needed("id")?;
    let revision = revision(&mut arguments)?;
    arguments.finish()?;
    let before = work.post(&id).await?;
    if before["status"] == "canceled" {
        return Ok(Outcome::Done(whole(before)));
    }
    if !matches!(before["status"].as_str(), Some("draft" | "scheduled" | "publishing")) {
        let message = "The post is done: nothing of it waits to go out, so there is nothing to cancel, and its record stays. Nothing was done. take_down deletes a live target at its network, with the person's confirmation.";
        return Err(Failure::new("nothing_to_cancel", message));
    }
    let address = path(&["v1", "posts", &id])?;
    let call = Call::new(Method::DELETE, address.clone()).at_revision(revision);
    work.ask(call).await?;
    let after = work.send(Call::new(Method::GET, address)).await?;
    if after.status == StatusCode::NOT_FOUND {
        return Ok(Outcome::Done(json!({"id": id, "status": "removed"})));
    }
    if after.status.is_success() {
        Ok(Outcome::Done(whole(after.body)))
    } else {
        Err(Failure::of(&after))
    }
}
