//! `scheduler queue`: posts that change their slots, and the order that is read afterwards.

use serde_json::Value;

use crate::running::{Ran, Serving};

/// A server with slots, and posts that wait for them.
struct Queue {
    server: Serving,
}

impl Queue {
    fn run(&self, arguments: &[&str]) -> Ran {
        self.server.run(&[arguments, &["--json"]].concat())
    }

    fn json(&self, arguments: &[&str]) -> Value {
        let ran = self.run(arguments);
        assert_eq!(ran.code, Some(0), "{arguments:?}: {ran:?}");
        ran.json()
    }

    /// The id of a new post that waits for the next slot.
    fn post(&self, network: &str) -> String {
        let post = self.json(&["post", "Hello", "--to", network, "--queue"]);
        post["id"].as_str().unwrap().to_owned()
    }

    fn slots(&self, network: &str, which: &str) -> Vec<Value> {
        let listed = self.json(&["queue", "list", network, which]);
        listed["data"].as_array().unwrap().clone()
    }

    /// The posts that hold slots, in the order in which they go out, and when.
    fn order(&self, network: &str) -> Vec<(String, String)> {
        let text = |value: &Value| value.as_str().unwrap().to_owned();
        let slots = self.slots(network, "--taken");
        slots.iter().map(|slot| (text(&slot["postId"]), text(&slot["local"]))).collect()
    }
}

#[test]
fn posts_change_their_slots_within_their_account() {
    let queue = Queue { server: Serving::start() };
    queue.json(&["schedule", "set", "bluesky", "mon 08:00; wed 09:00; fri 10:00"]);
    queue.json(&["schedule", "set", "mastodon", "mon 08:00; sun 07:00"]);
    let [a, b, c] = [(); 3].map(|()| queue.post("bluesky"));
    let elsewhere = queue.post("mastodon");
    let before = queue.order("bluesky");
    let times: Vec<&str> = before.iter().map(|(_, local)| local.as_str()).collect();
    let in_order = |posts: [&String; 3]| -> Vec<(String, String)> {
        posts.iter().zip(&times).map(|(post, at)| ((*post).clone(), (*at).to_owned())).collect()
    };
    assert_eq!(before, in_order([&a, &b, &c]));

    queue.json(&["queue", "reorder", &c, &a, &b]);
    assert_eq!(queue.order("bluesky"), in_order([&c, &a, &b]));
    queue.json(&["queue", "reorder", &b, &a]);
    assert_eq!(queue.order("bluesky"), in_order([&c, &b, &a]), "what is not named stays");
    queue.json(&["queue", "swap", &c, &a]);
    assert_eq!(queue.order("bluesky"), in_order([&a, &b, &c]));
    let free = queue.slots("bluesky", "--free")[0]["local"].as_str().unwrap().to_owned();
    queue.json(&["queue", "move", &a, &free]);
    let moved = queue.order("bluesky");
    let ids: Vec<&String> = moved.iter().map(|(post, _)| post).collect();
    assert_eq!((ids, &moved[2].1), (vec![&b, &c, &a], &free));

    // A slot that only the other account has.
    let theirs = queue.slots("mastodon", "--free");
    let is_theirs = |slot: &&Value| slot["local"].as_str().unwrap().ends_with("T07:00");
    let theirs = theirs.iter().find(is_theirs).unwrap()["instant"].as_str().unwrap().to_owned();
    let kept = (queue.order("bluesky"), queue.order("mastodon"));
    for (name, arguments) in [
        ("an order of two accounts", ["queue", "reorder", &a, &elsewhere]),
        ("a swap between two accounts", ["queue", "swap", &a, &elsewhere]),
        ("the slot of another account", ["queue", "move", &a, &theirs]),
    ] {
        let ran = queue.run(&arguments);
        assert_eq!(ran.code, Some(1), "{name}: {ran:?}");
        let error = &ran.json()["error"];
        assert_eq!(error["code"], "invalid_request", "{name}: {error}");
        assert_eq!((queue.order("bluesky"), queue.order("mastodon")), kept, "{name}");
    }
}

#[test]
fn lists_and_the_calendar_show_the_slot_of_each_account() {
    let queue = Queue { server: Serving::start() };
    queue.json(&["schedule", "set", "bluesky", "mon-sun 08:10"]);
    queue.json(&["schedule", "set", "mastodon", "mon-sun 20:40"]);
    let post = queue.json(&["post", "Cakes", "--to", "bluesky,mastodon", "--queue"]);
    let at = |target: &Value| target["nextAttemptAt"].as_str().unwrap().to_owned();
    let mut targets = post["targets"].as_array().unwrap().clone();
    targets.sort_by_key(at);
    assert_eq!(at(&targets[0]), post["scheduledAt"].as_str().unwrap());
    let upcoming = queue.server.run(&["upcoming"]).stdout;
    for target in &targets {
        let (network, at) = (target["platform"].as_str().unwrap(), at(target));
        let own = format!("{network}: pending {} {} UTC", weekday(&at), at[..16].replace('T', " "));
        let is_first = post["scheduledAt"] == at;
        assert_eq!(upcoming.contains(&own), !is_first, "{own:?} in\n{upcoming}");
        let month = queue.server.run(&["calendar", &at[..7]]).stdout;
        let line = format!("  {}  Cakes  {network} [scheduled]\n", &at[11..16]);
        assert!(month.contains(&line), "{line:?} in\n{month}");
    }
}

fn weekday(instant: &str) -> String {
    let instant: chrono::DateTime<chrono::Utc> = instant.parse().unwrap();
    instant.format("%a").to_string()
}
