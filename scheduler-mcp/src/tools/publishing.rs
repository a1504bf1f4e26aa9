//! What sends posts out: at a time, or at once.

use futures_util::FutureExt as _;
use http::{Method, StatusCode};
use scheduler_core::post::PostInput;
use serde_json::{Value, json};

use super::{PUBLISHING, confirmed_shape, items, names, short};
use crate::api::Call;
use crate::arguments::Arguments;
use crate::check::{Timing, body_of, check, instants_of, kept_links, links_of};
use crate::failure::Failure;
use crate::plan::Plan;
use crate::schema::{Shape, said, text};
use crate::tool::{Definition, Hints, Outcome};
use crate::work::{Work, path};

pub(crate) static SCHEDULE_POST: Definition = Definition {
    name: "schedule_post",
    title: "Schedule a post",
    description: "Gives a post one time. planId is that of check_post with the same post and time; anything else now is stale_plan. The person confirms.",
    hints: Hints::GOES_OUT,
    scopes: PUBLISHING,
    is_repeatable: true,
    input: || {
        Shape::default()
            .needs("id", text())
            .needs("planId", text())
            .read::<PostInput>(&["scheduledAt", "scheduledLocal", "queue"])
            .with("confirm", said("the planId, once the person agrees"))
    },
    output: || confirmed_shape().with("post", json!({"type": "object"})),
    run: |work, arguments| schedule_post(work, arguments).boxed(),
};

pub(crate) static PUBLISH_NOW: Definition = Definition {
    name: "publish_now",
    title: "Publish a post now",
    description: "Sends a post out at once. planId is that of check_post with publishNow; the person confirms.",
    hints: Hints::GOES_OUT,
    scopes: PUBLISHING,
    is_repeatable: true,
    input: || Shape::default().needs("id", text()).needs("planId", text()).with("confirm", text()),
    output: || confirmed_shape().with("post", json!({"type": "object"})),
    run: |work, arguments| publish_now(work, arguments).boxed(),
};

async fn schedule_post(work: &Work<'_>, mut arguments: Arguments) -> Result<Outcome, Failure> {
    let timing = Timing::take(&mut arguments);
    if timing.0.len() != 1 || timing.0.contains_key("publishNow") {
        let message =
            "Give exactly one of scheduledAt, scheduledLocal and queue; publish_now sends at once.";
        return Err(Failure::argument("scheduledAt", message));
    }
    send_out(work, arguments, &timing).await
}

async fn publish_now(work: &Work<'_>, arguments: Arguments) -> Result<Outcome, Failure> {
    send_out(work, arguments, &Timing::now()).await
}

/// Has a post go out as it was shown, once the person has said so.
async fn send_out(
    work: &Work<'_>,
    mut arguments: Arguments,
    timing: &Timing,
) -> Result<Outcome, Failure> {
    let id = arguments.needed("id")?;
    let plan_id = arguments.needed("planId")?;
    let confirm = arguments.text("confirm")?;
    arguments.finish()?;
    let post = work.post(&id).await?;
    if is_done(&post, timing, &plan_id) {
        return Ok(Outcome::Done(done(&post, &plan_id)));
    }
    let checked = check(work, body_of(&post), timing, kept_links(&post)).await?;
    if checked.plan.id() != plan_id {
        return Err(Failure::stale_plan());
    }
    let names = names(work, items(&post, "targets")).await?;
    let verb = if timing.0.contains_key("publishNow") { "Publish now" } else { "Schedule" };
    let message = format!("{verb}?\n{}", checked.told(&names));
    if let Some(waits) = work.lets_out(&plan_id, message, confirm.as_deref()).await? {
        return Ok(waits);
    }
    let revision = post["revision"].as_i64().unwrap_or_default();
    let call = Call::new(Method::PATCH, path(&["v1", "posts", &id])?).at_revision(revision);
    let call = call.with_body(Value::Object(timing.0.clone()));
    let answer = work.send(call).await?;
    if answer.status.is_success() {
        if !timing.0.contains_key("queue") || checked.is_kept_by(&answer.body) {
            return Ok(Outcome::Done(done(&answer.body, &plan_id)));
        }
        return Err(put_back(work, &post, answer.body).await?);
    }
    if matches!(answer.status, StatusCode::PRECONDITION_FAILED | StatusCode::CONFLICT) {
        // Somebody was faster: perhaps this very call, sent twice.
        let post = work.post(&id).await?;
        if is_done(&post, timing, &plan_id) {
            return Ok(Outcome::Done(done(&post, &plan_id)));
        }
        if answer.status == StatusCode::PRECONDITION_FAILED {
            return Err(Failure::stale_plan());
        }
    }
    Err(Failure::of(&answer))
}

/// What a call ends with whose post has got another slot than the one that was shown: the post gets
/// the time back that it had, or is a draft again.
async fn put_back(work: &Work<'_>, before: &Value, mut now: Value) -> Result<Failure, Failure> {
    let address = path(&["v1", "posts", before["id"].as_str().unwrap_or_default()])?;
    let former = former_time(before);
    let had_time = former.is_some();
    let wanted = former.into_iter().chain([json!({"saveAsDraft": true})]);
    let mut is_back = None;
    for (index, time) in wanted.enumerate() {
        let revision = now["revision"].as_i64().unwrap_or_default();
        let call = Call::new(Method::PATCH, address.clone()).at_revision(revision);
        let answer = work.send(call.with_body(time)).await?;
        if answer.status.is_success() {
            (now, is_back) = (answer.body, Some(had_time && index == 0));
            break;
        }
    }
    let state = match is_back {
        Some(true) => "It goes out at its former time again.",
        Some(false) => "It is a draft now, without a time.",
        None => {
            now = work.get(address).await?;
            "It could not be put back: see the post for when it goes out now, and cancel_post it if the person does not want that."
        }
    };
    let message = format!(
        "Another post has taken the slot that was shown. {state} Call check_post again, show the person what it says, and use the new planId."
    );
    Ok(Failure::new("stale_plan", message).with_post(short(&now)))
}

/// What asks for the time at which a post was to go out; none for a draft, and for one whose
/// targets had slots at several times, which cannot be asked for.
fn former_time(post: &Value) -> Option<Value> {
    if post["status"] != "scheduled" {
        return None;
    }
    match post["timing"]["kind"].as_str()? {
        "instant" => Some(json!({"scheduledAt": post["scheduledAt"]})),
        "local" => Some(json!({"scheduledLocal": post["timing"]["local"]})),
        "queue" => {
            let mut times = items(post, "targets").iter().map(|target| &target["nextAttemptAt"]);
            let first = times.next().filter(|time| time.is_string())?;
            times.all(|time| time == first).then(|| json!({"scheduledAt": first}))
        }
        _ => None,
    }
}

/// True when the post goes out, or has gone out, just as the plan says.
fn is_done(post: &Value, timing: &Timing, plan_id: &str) -> bool {
    let is_on_its_way = !matches!(post["status"].as_str(), Some("draft" | "canceled") | None);
    if !is_on_its_way || !timing.is_that_of(post) {
        return false;
    }
    let (body, links) = (Value::Object(body_of(post)), links_of(post));
    if timing.0.contains_key("queue") && post["status"] == "scheduled" {
        // It has slots, but perhaps not those of the plan.
        return Plan::of(&body, &links, &timing.0, &instants_of(post)).id() == plan_id;
    }
    Plan::has_content_of(&body, &links, plan_id)
}

fn done(post: &Value, plan_id: &str) -> Value {
    json!({"state": post["status"], "planId": plan_id, "post": short(post)})
}
