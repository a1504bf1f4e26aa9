//! Every status and every step of the table of states and transitions.

use chrono::TimeDelta;
use scheduler_core::platform::Platform;
use scheduler_core::ports::Step;
use scheduler_core::post::Post;
use serde_json::json;

use crate::fakes::step;
use crate::support::{World, body};

/// A post to Bluesky in a status by its wire name; `publishing` is in flight.
pub(crate) fn post_that_is(world: &World, status: &str) -> Post {
    let timing = match status {
        "draft" => json!({"saveAsDraft": true}),
        "scheduled" | "canceled" => json!({"scheduledAt": "2026-12-01T09:00:00Z"}),
        _ => json!({"publishNow": true}),
    };
    if status == "publishing" {
        let until = world.now() + TimeDelta::minutes(1);
        world.network.script([Ok(Step::Wait { progress: step(1), until })]);
    }
    let post = world.create(body(&[Platform::Bluesky.as_str()], timing));
    match status {
        "publishing" | "done" => drop(world.work()),
        "canceled" => world.delete(post.id).unwrap(),
        _ => {}
    }
    let post = world.post(post.id);
    assert_eq!(post.status.as_str(), status);
    post
}
