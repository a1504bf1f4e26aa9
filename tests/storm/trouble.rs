//! Everything that goes wrong, at random times, until the plan's time is over.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::{Value, json};

use crate::api::Api;
use crate::dice::Dice;
use crate::networks::Networks;
use crate::plan::{Fault, Plan};
use crate::postgres::Cluster;
use crate::receiver::Receiver;

/// How long the API may take to answer again once the database is back.
const RECOVERY_TIMEOUT: Duration = Duration::from_secs(60);

/// Most faults that wait for requests to a network, and as many for requests to any: together less
/// than the attempts of a target.
const WAITING_FAULTS_MAX: usize = 1;

/// What was done, and how long it took to get over it.
#[derive(Debug, Default)]
pub(crate) struct Done {
    pub(crate) counts: BTreeMap<Fault, u64>,
    /// The longest time from the database's return to the first answer of a node.
    pub(crate) slowest_recovery: Duration,
    /// The longest time that a node took to stop when it was asked to.
    pub(crate) slowest_stop: Duration,
    pub(crate) wrong: Vec<String>,
}

/// Those who make trouble share this.
pub(crate) struct Trouble<'a> {
    pub(crate) plan: &'a Plan,
    pub(crate) api: &'a Api,
    pub(crate) begun: Instant,
    pub(crate) done: Mutex<Done>,
}

impl Trouble<'_> {
    fn count(&self, fault: Fault) {
        *self.done.lock().unwrap().counts.entry(fault).or_default() += 1;
        let at = self.begun.elapsed().as_secs_f64();
        eprintln!("{at:7.1} s  {}", fault.name());
    }

    fn wrong(&self, line: String) {
        eprintln!("WRONG: {line}");
        self.done.lock().unwrap().wrong.push(line);
    }

    fn is_over(&self) -> bool {
        self.begun.elapsed() >= self.plan.length
    }

    /// Waits a random time; true while there is time for more.
    async fn pause(&self, dice: &mut Dice, least: f64, most: f64) -> bool {
        let pause = dice.between(Duration::from_secs_f64(least), Duration::from_secs_f64(most));
        let left = self.plan.length.saturating_sub(self.begun.elapsed());
        tokio::time::sleep(pause.min(left)).await;
        !self.is_over()
    }

    /// The database restarts, is killed, loses connections, is replaced by its standby.
    pub(crate) async fn database(&self, cluster: &mut Cluster) {
        let faults = self.plan.of(&Fault::DATABASE);
        let mut dice = Dice::new(self.plan.seed, 2);
        while !faults.is_empty() && self.pause(&mut dice, 5.0, 14.0).await {
            let fault = *dice.one(&faults);
            let away = dice.between(Duration::ZERO, Duration::from_secs(5));
            self.count(fault);
            match fault {
                Fault::RestartImmediate => cluster.restart("QUIT", away).await,
                Fault::KillPostgres => cluster.restart("KILL", away).await,
                Fault::KillBackend => {
                    cluster.kill_backend();
                    cluster.wait().await;
                }
                Fault::TerminateBackends => cluster.terminate_backends(),
                Fault::Promote => {
                    let signal = if dice.percent(50) { "KILL" } else { "INT" };
                    cluster.promote(signal, away).await;
                }
                Fault::CutConnections => cluster.cut(),
                _ => cluster.restart("INT", away).await,
            }
            self.recovers(fault).await;
            if fault == Fault::Promote {
                cluster.replace_standby().await;
            }
        }
    }

    /// Waits until every node that is meant to run answers from the database.
    async fn recovers(&self, fault: Fault) {
        let begun = Instant::now();
        for node in self.api.nodes.iter() {
            // A node that is stopped meanwhile has another reason not to answer.
            while node.is_meant_to_run() && begun.elapsed() < RECOVERY_TIMEOUT {
                let path = "/posts?limit=1";
                if let Some((200, _)) = self.api.once(node, Method::GET, path, None, None).await {
                    let mut done = self.done.lock().unwrap();
                    done.slowest_recovery = done.slowest_recovery.max(begun.elapsed());
                    break;
                }
                tokio::time::sleep(Duration::from_millis(20)).await;
            }
            if begun.elapsed() >= RECOVERY_TIMEOUT {
                self.wrong(format!("{} did not answer in time after {}", node.name, fault.name()));
            }
        }
    }

    /// A node is stopped where it is, killed, restarted, or its clock is shifted.
    pub(crate) async fn node(&self, which: usize) {
        let node = &self.api.nodes[which];
        let mut faults = self.plan.of(&Fault::NODE);
        faults.retain(|fault| *fault != Fault::Clock || node.clock.is_some());
        let mut dice = Dice::new(self.plan.seed, 10 + which as u64);
        while !faults.is_empty() && self.pause(&mut dice, 5.0, 18.0).await {
            let fault = *dice.one(&faults);
            self.count(fault);
            match fault {
                Fault::StopNode => {
                    node.pause();
                    let most = self.plan.longest_stop;
                    tokio::time::sleep(dice.between(Duration::from_secs(1), most)).await;
                    node.resume();
                }
                Fault::KillNode => {
                    node.kill();
                    let away = dice.between(Duration::ZERO, Duration::from_secs(4));
                    tokio::time::sleep(away).await;
                    node.start();
                }
                Fault::RestartNode => {
                    match node.stop().await {
                        None => self.wrong(format!("{} did not stop when asked to", node.name)),
                        Some(took) => {
                            let mut done = self.done.lock().unwrap();
                            done.slowest_stop = done.slowest_stop.max(took);
                        }
                    }
                    node.start();
                }
                _ => {
                    node.shift_clock(shift(&mut dice));
                    self.pause(&mut dice, 3.0, 15.0).await;
                    node.shift_clock(0);
                }
            }
        }
    }

    /// Networks fail in every way that the sandbox knows.
    pub(crate) async fn networks(&self, networks: &Networks) {
        let faults = self.plan.of(&Fault::NETWORK);
        let mut dice = Dice::new(self.plan.seed, 3);
        // About two for five targets, so that a target seldom runs into one with every attempt.
        let pause = self.plan.length.as_secs_f64() * 2.5 / self.plan.targets as f64;
        while !faults.is_empty() && self.pause(&mut dice, 0.25 * pause, 1.75 * pause).await {
            let fault = *dice.one(&faults);
            // One refusal for good ends a target for good; a few are enough.
            if fault == Fault::Permanent && dice.percent(70) {
                continue;
            }
            let body = network_fault(fault, &mut dice);
            // Those that nothing runs into must not pile up: one target would run into all of them
            // and have no attempt left.
            let platform = body["platform"].as_str().expect("a network");
            if networks.waiting_faults(platform).await >= WAITING_FAULTS_MAX {
                continue;
            }
            *self.done.lock().unwrap().counts.entry(fault).or_default() += 1;
            networks.fault(&body).await;
        }
    }

    /// The receiver of events fails for a while.
    pub(crate) async fn receiver(&self, receiver: &Receiver) {
        let is_wanted = !self.plan.of(&[Fault::ReceiverFails]).is_empty();
        let mut dice = Dice::new(self.plan.seed, 4);
        while is_wanted && self.pause(&mut dice, 5.0, 20.0).await {
            self.count(Fault::ReceiverFails);
            receiver.fail(true);
            self.pause(&mut dice, 1.0, 5.0).await;
            receiver.fail(false);
        }
    }

    /// The disk of the data fills up and is freed again.
    pub(crate) async fn disk(&self, disk: &Path) {
        let is_wanted = !self.plan.of(&[Fault::DiskFull]).is_empty();
        let mut dice = Dice::new(self.plan.seed, 5);
        while is_wanted && self.pause(&mut dice, 3.0, 6.0).await {
            self.count(Fault::DiskFull);
            let filler = fill(disk);
            self.pause(&mut dice, 3.0, 8.0).await;
            std::fs::remove_file(filler).expect("the disk is freed");
            self.recovers(Fault::DiskFull).await;
        }
    }
}

/// By how many milliseconds a clock is set wrong: from half a second to three hours, either way.
fn shift(dice: &mut Dice) -> i64 {
    const MOST: [usize; 4] = [2_000, 30_000, 300_000, 3 * 3_600_000];
    let most = *dice.one(&MOST);
    let by = i64::try_from(500 + dice.below(most)).expect("hours");
    if dice.percent(50) { by } else { -by }
}

fn network_fault(fault: Fault, dice: &mut Dice) -> Value {
    // Only these give a new token for the one that has expired, as often as it is asked for.
    const REFRESHING: [&str; 5] = ["bluesky", "linkedin", "pinterest", "tiktok", "youtube"];
    // Others refuse for the rest of the day, for which a target rightly waits.
    const LIMITED_BRIEFLY: [&str; 6] =
        ["bluesky", "discord", "mastodon", "telegram", "threads", "twitter"];
    const ANY: [&str; 14] = [
        "any",
        "bluesky",
        "discord",
        "facebook",
        "instagram",
        "linkedin",
        "mastodon",
        "pinterest",
        "telegram",
        "threads",
        "tiktok",
        "tumblr",
        "twitter",
        "youtube",
    ];
    let platform = match fault {
        Fault::ExpiredToken => dice.one(&REFRESHING),
        Fault::RateLimited => dice.one(&LIMITED_BRIEFLY),
        _ => dice.one(&ANY),
    };
    let operation = match fault {
        // What was not done can be done again, whatever it was. An answer that is lost is
        // another matter for a token that can be exchanged once.
        Fault::Error500 | Fault::RateLimited | Fault::ResetBefore => {
            *dice.one(&["publish", "upload", "poll", "any"])
        }
        Fault::ExpiredToken | Fault::Permanent => "publish",
        _ => *dice.one(&["publish", "publish", "upload", "poll"]),
    };
    // A few last longer than any call may.
    let is_long = dice.percent(6);
    let wait = match fault {
        Fault::Timeout | Fault::Slow if is_long => {
            dice.between(Duration::from_secs(31), Duration::from_secs(45))
        }
        Fault::Timeout | Fault::Slow => {
            dice.between(Duration::from_millis(200), Duration::from_secs(8))
        }
        _ => Duration::ZERO,
    };
    let mut body = json!({
        "platform": platform, "operation": operation, "kind": fault.name(),
        "times": 1 + dice.below(2),
    });
    if !wait.is_zero() {
        body["afterMs"] = u64::try_from(wait.as_millis()).expect("seconds").into();
    }
    if fault == Fault::RateLimited {
        body["retryAfterSeconds"] = (1 + dice.below(5)).into();
    }
    body
}

/// Writes until nothing more goes in.
fn fill(disk: &Path) -> PathBuf {
    use std::io::Write as _;
    let path = disk.join("filler");
    let mut file = std::fs::File::create(&path).expect("a file is made");
    for size in [64 * 1024, 512] {
        let block = vec![0_u8; size];
        while file.write_all(&block).is_ok() {}
    }
    path
}
