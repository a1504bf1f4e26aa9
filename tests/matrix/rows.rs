//! The rows: a fault at a request of a publish, and what must come of it.

use std::collections::BTreeMap;
use std::time::Duration;

use scheduler_core::ids::PostId;
use scheduler_core::platform::Platform;
use scheduler_core::target::{Target, TargetStatus};
use serde_json::{Map, Value, json};

use crate::shapes::{Shape, cannot_be_asked, is_done_in_parts};
use crate::world::{Wiring, Worked, World};

/// The kinds of fault that every request can run into.
const KINDS: [&str; 8] = [
    "error500",
    "rate_limited",
    "timeout",
    "reset_before",
    "reset_after",
    "permanent",
    "expired_token",
    "slow",
];

/// The fault that a request for several things can run into besides: some of them are done.
const PARTIAL: &str = "partial";

/// Requests of one operation that are hit in turn, at most: all parts of a thread, and of others
/// the first and one that follows.
const PUBLISHES_MAX: usize = 3;
const OTHERS_MAX: usize = 2;

/// The kinds of fault after which a request may have been done.
const LOST: [&str; 4] = ["error500", "timeout", "reset_before", "reset_after"];

/// How often a post is gone on with before its row is given up.
const ROUNDS_MAX: usize = 60;

/// How long the network takes over a slow request.
const SLOW: Duration = Duration::from_millis(20);

/// How long a network is left alone with the links that it follows.
const FETCHING: Duration = Duration::from_millis(4);

/// A fault at one request of a post's publish.
#[derive(Clone, Debug)]
struct Row {
    platform: Platform,
    wiring: Wiring,
    shape: Shape,
    operation: String,
    /// Requests of the operation that pass before.
    skip: usize,
    kind: &'static str,
    /// Requests that are hit, one after the other.
    times: usize,
    /// Whether the process dies at the request, and another goes on.
    is_killed: bool,
    /// The operation of the next request after the attempt, which is refused for good.
    then_refused: Option<&'static str>,
}

/// What an undisturbed publish leaves behind.
struct Undisturbed {
    live: Vec<String>,
    /// How many requests of each operation it takes.
    operations: BTreeMap<String, usize>,
}

/// Runs all rows of a kind of post; the number of rows, and a line for each that went wrong.
pub(crate) async fn run_rows(
    platform: Platform,
    wiring: Wiring,
    shape: Shape,
) -> (usize, Vec<String>) {
    let mut world = Box::pin(World::new(platform, wiring, shape.files(platform))).await;
    let undisturbed = undisturbed(&world, shape).await;
    let mut wrong = Vec::new();
    let rows = rows(platform, wiring, shape, &undisturbed);
    for (number, row) in rows.iter().enumerate() {
        let result = row.run(&world, &format!("row {number}"), &undisturbed).await;
        let is_wrong = result.is_err();
        wrong.extend(result.err().map(|error| format!("{row:?}: {error}")));
        // An account that is cut off, or a post that still goes on, would spoil what follows. One
        // whose process was killed may be cut off without anybody knowing.
        let may_be_cut_off = row.kind == "expired_token" && row.is_killed;
        if is_wrong || may_be_cut_off || world.needs_reconnect().await {
            world = Box::pin(World::new(platform, wiring, shape.files(platform))).await;
        }
    }
    (rows.len(), wrong)
}

async fn undisturbed(world: &World, shape: Shape) -> Undisturbed {
    world.reset().await;
    let post = create(world, shape, "row").await;
    let target = go_on(world, post, None, None).await.unwrap();
    assert_eq!(target.status(), TargetStatus::Published, "{shape:?}: {:?}", target.failure());
    let mut operations = BTreeMap::new();
    for operation in world.operations().await {
        *operations.entry(operation).or_default() += 1;
    }
    let live = world.live("row").await;
    assert!(!live.is_empty(), "{shape:?}");
    Undisturbed { live, operations }
}

fn rows(platform: Platform, wiring: Wiring, shape: Shape, undisturbed: &Undisturbed) -> Vec<Row> {
    let row = |operation: &str, skip, kind| {
        let operation = operation.to_owned();
        Row {
            platform,
            wiring,
            shape,
            operation,
            skip,
            kind,
            times: 1,
            is_killed: false,
            then_refused: None,
        }
    };
    let kinds = |operation: &str| {
        let is_of_several = operation == "publish" && is_done_in_parts(platform, shape);
        KINDS.into_iter().chain(is_of_several.then_some(PARTIAL))
    };
    // Each fault, alone and with the process killed there.
    let of_request = |operation: &str, skip| {
        let alone = kinds(operation).map(|kind| row(operation, skip, kind));
        let killed = alone.clone().map(|row| Row { is_killed: true, ..row });
        alone.chain(killed).collect::<Vec<Row>>()
    };
    let mut rows = Vec::new();
    for (operation, count) in &undisturbed.operations {
        // The control has no name for other requests than "any", which counts all.
        if operation == "other" || (wiring == Wiring::Connected && operation != "publish") {
            continue;
        }
        let is_publish = operation == "publish";
        let max = if is_publish { PUBLISHES_MAX } else { OTHERS_MAX };
        for skip in 0..(*count).min(max) {
            rows.extend(of_request(operation, skip));
        }
        if is_publish {
            // A repeat, or the look before it, runs into the fault once more.
            let twice = |kind| Row { times: 2, ..row(operation, 0, kind) };
            rows.extend(kinds(operation).map(twice));
            // The look, or the repeat behind it, is refused.
            for then_refused in ["any", "publish"].map(Some) {
                rows.extend(LOST.map(|kind| Row { then_refused, ..row(operation, 0, kind) }));
            }
        }
    }
    if wiring == Wiring::Served && undisturbed.operations.contains_key("other") {
        rows.extend(of_request("any", 0));
    }
    rows
}

async fn create(world: &World, shape: Shape, tag: &str) -> PostId {
    let mut options = Map::new();
    match shape {
        Shape::Thread => {
            let parts = [format!("{tag} part two"), format!("{tag} part three")];
            options.insert("thread".to_owned(), json!(parts));
        }
        Shape::Comment => {
            options.insert("firstComment".to_owned(), format!("{tag} comment").into());
        }
        Shape::Text | Shape::File | Shape::Files | Shape::Document => {}
    }
    let text = format!("{tag} of the matrix");
    world.create(&text, options).await
}

/// Goes on with a post until nothing more happens to it. `then` is armed when the first fault was
/// met.
async fn go_on(
    world: &World,
    id: PostId,
    mut killed_by: Option<&str>,
    mut then: Option<Value>,
) -> Result<Target, String> {
    for _ in 0..ROUNDS_MAX {
        let mut pause = if world.has_files() { FETCHING } else { Duration::ZERO };
        if world.work(killed_by.is_some()).await == Worked::Killed {
            // What was on its way is done, whoever waits for it.
            if killed_by.take() == Some("slow") {
                pause = 2 * SLOW;
            }
        }
        if world.hits().await > 0
            && let Some(fault) = then.take()
        {
            world.fault(&fault).await;
        }
        if !world.wait(pause).await {
            let mut post = world.post(id).await;
            let target = post.targets.remove(0);
            let has_ended =
                matches!(target.status(), TargetStatus::Published | TargetStatus::Failed);
            return if has_ended { Ok(target) } else { Err(format!("it stays {target:?}")) };
        }
    }
    Err(format!("no end: {:?}", world.post(id).await.targets))
}

/// True when no text is there more often than it should be.
fn is_part(live: &[String], whole: &[String]) -> bool {
    let count = |texts: &[String], text: &String| texts.iter().filter(|one| *one == text).count();
    live.iter().all(|text| count(live, text) <= count(whole, text))
}

impl Row {
    fn fault(&self) -> Value {
        let mut fault = json!({
            "platform": self.platform,
            "operation": self.operation,
            "kind": self.kind,
            "skip": self.skip,
            "times": self.times,
        });
        let hold = match self.kind {
            "slow" => SLOW.as_millis(),
            // The process dies while it waits for the answer.
            "timeout" | "reset_before" | "reset_after" if self.is_killed => 60_000,
            _ => 0,
        };
        fault["afterMs"] = json!(u64::try_from(hold).unwrap());
        fault
    }

    /// Runs the row on a world in which nothing else is due.
    async fn run(&self, world: &World, tag: &str, undisturbed: &Undisturbed) -> Result<(), String> {
        world.reset().await;
        let id = create(world, self.shape, tag).await;
        world.fault(&self.fault()).await;
        let then = self.then_refused.map(|operation| {
            json!({ "platform": self.platform, "operation": operation, "kind": "permanent" })
        });
        let target = go_on(world, id, self.is_killed.then_some(self.kind), then).await?;
        if world.hits().await == 0 {
            return Err("the fault was not met".to_owned());
        }
        let (live, whole) = (world.live(tag).await, &undisturbed.live);
        let found = || format!("live {live:?} instead of {whole:?}, {:?}", target.failure());
        if !is_part(&live, whole) {
            return Err(format!("doubled, {:?}: {}", target.status(), found()));
        }
        // A first comment that was refused is left out of a post that is live, and the target says
        // so.
        let is_told =
            self.shape == Shape::Comment && self.is_refusal() && target.failure().is_some();
        let is_whole = live.len() == whole.len() || (is_told && live.len() + 1 == whole.len());
        let event = match target.status() {
            TargetStatus::Published if !is_whole => return Err(format!("lost: {}", found())),
            TargetStatus::Published => "post.published",
            _ if self.may_fail(&target, is_whole, world.needs_reconnect().await) => "post.failed",
            _ => return Err(format!("failed: {}", found())),
        };
        if !self.is_refusal() && world.needs_reconnect().await {
            return Err("the account was cut off".to_owned());
        }
        let events = world.events(id);
        if events != [event] {
            return Err(format!("events {events:?} instead of {event}"));
        }
        Ok(())
    }

    /// Whether the network refuses for good, or lets the account in no more.
    fn is_refusal(&self) -> bool {
        matches!(self.kind, "permanent" | "expired_token") || self.then_refused.is_some()
    }

    /// Whether a target may have failed: as nobody can know, as the network has refused it, or as
    /// the account is cut off. The latter two never when it is live.
    fn may_fail(&self, target: &Target, is_live: bool, is_cut_off: bool) -> bool {
        let is_in_doubt = target.failure().is_some_and(|failure| failure.is_in_doubt());
        if is_in_doubt {
            // A network that lets the account in no more cannot be asked either.
            let can_be_asked = !cannot_be_asked(self.platform, self.wiring);
            return is_cut_off || (!can_be_asked && self.leaves_open());
        }
        self.is_refusal() && !is_live
    }

    /// Whether what the network answers, if it does, leaves open what it has done. A network that
    /// has failed may have done it; where several things are asked for, a limit may have been
    /// reached by any of them.
    fn leaves_open(&self) -> bool {
        let is_in_parts = is_done_in_parts(self.platform, self.shape);
        match self.kind {
            PARTIAL => true,
            kind if LOST.contains(&kind) => true,
            "rate_limited" => self.is_killed || is_in_parts,
            _ => self.is_killed,
        }
    }
}
