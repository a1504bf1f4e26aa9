//! The tools: one file for each group.

pub(crate) mod approval;
pub(crate) mod calendar;
pub(crate) mod captions;
pub(crate) mod checking;
pub(crate) mod drafts;
pub(crate) mod files;
pub(crate) mod publishing;
pub(crate) mod reading;
pub(crate) mod remote;
pub(crate) mod results;

use scheduler_core::key::Scope;
use scheduler_core::post::PostView;
use serde_json::{Map, Value, json};

use crate::failure::Failure;
use crate::plan::says_nothing;
use crate::schema::{Shape, text, texts};
use crate::work::{Work, name_of};

/// What has posts go out, or takes part in what is live.
const PUBLISHING: &[Scope] = &[Scope::PostsRead, Scope::PostsWrite, Scope::PostsPublish];

/// The short form of a post, which lists have.
fn short(post: &Value) -> Value {
    let names = ["id", "status", "revision", "content", "scheduledAt", "approvalState", "labels"];
    let mut shown = picked(post, &names);
    let targets = post["targets"].as_array().map(Vec::as_slice).unwrap_or_default();
    let names = ["id", "platform", "accountId", "status", "remoteUrl", "error", "nextAttemptAt"];
    let targets = targets.iter().map(|target| marked(Value::Object(picked(target, &names))));
    shown.insert("targets".to_owned(), targets.collect());
    Value::Object(shown)
}

/// The same target, marked where it holds what its network has written of a failure.
fn marked(mut shown: Value) -> Value {
    let words = ["error", "failedAttempts"];
    let has_words = words.iter().any(|name| shown.get(*name).is_some_and(|it| !says_nothing(it)));
    if let Some(fields) = shown.as_object_mut().filter(|_| has_words) {
        fields.insert("untrusted".to_owned(), json!(true));
    }
    shown
}

/// The whole form of a post, with the marks.
fn whole(mut post: Value) -> Value {
    if let Some(targets) = post["targets"].as_array_mut() {
        for target in targets {
            *target = marked(target.take());
        }
    }
    post
}

/// Some fields of an object, as far as they are there.
pub(crate) fn picked(value: &Value, names: &[&str]) -> Map<String, Value> {
    let found =
        names.iter().filter_map(|name| Some(((*name).to_owned(), value.get(*name)?.clone())));
    found.collect()
}

/// The items of a list that an answer has under a name.
fn items<'a>(answer: &'a Value, name: &str) -> &'a [Value] {
    answer[name].as_array().map(Vec::as_slice).unwrap_or_default()
}

/// The names of the accounts of targets.
async fn names(work: &Work<'_>, targets: &[Value]) -> Result<Vec<String>, Failure> {
    let accounts = work.accounts().await?;
    let names = targets.iter().map(|target| {
        let id = target["accountId"].as_str().unwrap_or_default();
        let account = accounts.iter().find(|account| account.id.to_string() == id);
        account.map_or_else(|| id.to_owned(), name_of)
    });
    Ok(names.collect())
}

/// A target of a post, with the name of its account.
///
/// # Errors
/// `not_found`, when the post has no such target.
async fn target_of<'a>(
    work: &Work<'_>,
    post: &'a Value,
    id: &str,
) -> Result<(&'a Value, String), Failure> {
    let targets = items(post, "targets");
    let Some(target) = targets.iter().find(|target| target["id"] == id) else {
        return Err(Failure::new("not_found", "The post has no target with this id."));
    };
    let name = names(work, std::slice::from_ref(target)).await?.pop();
    Ok((target, name.unwrap_or_default()))
}

/// What is said of a post.
fn post_shape() -> Shape {
    Shape::default().written::<PostView>(&["id", "status", "revision", "scheduledAt"])
}

/// The targets that a tool takes.
fn targets_shape() -> Value {
    let target = Shape::default()
        .needs("account", text())
        .with("options", json!({"type": "object"}))
        .with("mediaIds", texts())
        .says("account", "network:@handle or id")
        .says("options", "by get_network_rules");
    target.list()
}

/// What a call that goes out takes and gives beside the rest.
fn confirmed_shape() -> Shape {
    Shape::default()
        .needs("state", text())
        .with("planId", text())
        .with("message", text())
        .with("next", text())
}
