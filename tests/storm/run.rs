//! One storm: everything is started, goes wrong, ends, and is counted.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use reqwest::Client;
use scheduler_core::platform::Platform;
use serde_json::json;

use crate::api::{Answers, Api, read_all_the_time};
use crate::clock::Clock;
use crate::count::{Count, Evidence, has_ended, posts, table};
use crate::dice::Dice;
use crate::forwarder::Forwarder;
use crate::networks::Networks;
use crate::nodes::{Node, Setup, first_key, listens, look_after};
use crate::plan::{Fault, Plan};
use crate::postgres::Cluster;
use crate::posts::{Accepted, Orders, accounts};
use crate::receiver::Receiver;
use crate::trouble::{Done, Trouble};

/// How often the networks are looked at.
const LOOK_GAP: Duration = Duration::from_secs(1);

/// How often progress is reported.
const TELL_GAP: Duration = Duration::from_secs(30);

/// How long events may take to arrive after the last target has ended.
const EVENT_TIMEOUT: Duration = Duration::from_secs(60);

/// A storm to be run.
pub(crate) struct Storm {
    pub(crate) plan: Plan,
    /// The folder of the nodes' data.
    pub(crate) data: PathBuf,
    /// The small disk that it is on, if that is to be filled.
    pub(crate) disk: Option<PathBuf>,
    /// The clock of each node.
    pub(crate) clocks: Vec<Option<Clock>>,
}

impl Storm {
    /// Runs it, and says whether all was right at the end.
    pub(crate) async fn run(self, folder: &Path, mut cluster: Option<Cluster>) -> bool {
        let Self { plan, data, disk, clocks } = self;
        let names: Vec<_> = plan.faults.iter().map(|fault| fault.name()).collect();
        eprintln!(
            "A storm of {} s with {} targets, seed {}: {}",
            plan.length.as_secs(),
            plan.targets,
            plan.seed,
            names.join(",")
        );
        let _ = rustls_provider();
        let client = Client::builder().no_proxy().build().expect("a client");
        let networks = Networks::start(folder, &client).await;
        let balancer = Forwarder::start().await;
        std::fs::create_dir_all(&data).expect("a folder is made");
        let setup = Setup {
            folder: folder.into(),
            data,
            database: cluster.as_ref().map(Cluster::url),
            sandbox: networks.url().to_owned(),
            public_url: format!("http://{}", balancer.address()),
        };
        let nodes = clocks.into_iter().enumerate();
        let nodes: Vec<Node> = nodes
            .map(|(at, clock)| Node::new(&format!("node-{}", at + 1), setup.clone(), clock))
            .collect();
        let (key, receiver) = (begin(&nodes, &setup, &plan).await, Receiver::start().await);
        let answers = Arc::new(Mutex::new(Answers::default()));
        let api = Api { client, nodes: Arc::new(nodes), key, answers };
        let (tended, balanced) = (Arc::clone(&api.nodes), Arc::new(balancer));
        let tending = tokio::spawn(async move { look_after(&tended, &balanced).await });
        api.post("/workspace/webhooks", &json!({"url": receiver.url()})).await;
        let accounts = accounts(&api).await;
        let orders = Orders::write(&api, &accounts, &plan).await;
        let accepted = Accepted::default();

        let trouble = Trouble {
            plan: &plan,
            api: &api,
            begun: Instant::now(),
            done: Mutex::new(Done::default()),
        };
        let seen = tokio::sync::Mutex::new(BTreeMap::new());
        let database = async {
            if let Some(cluster) = &mut cluster {
                trouble.database(cluster).await;
            }
        };
        let second = async {
            if api.nodes.len() > 1 {
                trouble.node(1).await;
            }
        };
        let filling = async {
            if let Some(disk) = &disk {
                trouble.disk(disk).await;
            }
        };
        let storm = async {
            tokio::join!(
                database,
                trouble.node(0),
                second,
                trouble.networks(&networks),
                trouble.receiver(&receiver),
                filling,
                tokio::time::sleep(plan.length),
            );
            networks.no_faults().await;
            eprintln!("{:7.1} s  all faults have ceased", trouble.begun.elapsed().as_secs_f64());
        };
        let working = async {
            tokio::join!(storm, orders.create(&api, &accepted, &plan));
            let ceased = Instant::now();
            let all = wait_for_ends(&api, &accepted, plan.time_limit).await;
            wait_for_events(&receiver, &accepted).await;
            (all, ceased.elapsed())
        };
        let looking = async {
            loop {
                networks.look(&mut *seen.lock().await).await;
                tokio::time::sleep(LOOK_GAP).await;
            }
        };
        let (all, settled) = tokio::select! {
            worked = working => worked,
            () = looking => unreachable!("it looks as long as there is work"),
            () = read_all_the_time(&api, Dice::new(plan.seed, 6)) => unreachable!("it reads too"),
        };
        networks.settle().await;
        networks.look(&mut *seen.lock().await).await;
        let accepted = accepted.lock().unwrap().clone();
        let evidence = Evidence {
            accepted: &accepted,
            posts: &all,
            seen: &seen.into_inner(),
            events: &receiver.events(),
            refuses: plan.faults.contains(&Fault::Permanent),
        };
        let count = evidence.count();
        let done = trouble.done.into_inner().unwrap();
        tending.abort();
        report(&plan, &api, &done, &count, receiver.deliveries(), settled)
    }
}

fn rustls_provider() -> Result<(), Arc<rustls::crypto::CryptoProvider>> {
    rustls::crypto::ring::default_provider().install_default()
}

/// Starts the nodes and connects the accounts; the key of the first start.
async fn begin(nodes: &[Node], setup: &Setup, plan: &Plan) -> String {
    nodes[0].start();
    let key = first_key(&nodes[0]).await;
    listens(&nodes[0]).await;
    // `serve --sandbox` has connected one account of each.
    for _ in 1..plan.accounts {
        for platform in Platform::ALL {
            let mut command = setup.command();
            command.args(["accounts", "connect", &platform.to_string(), "--sandbox"]);
            let output = command.output().expect("the command starts");
            let words = String::from_utf8_lossy(&output.stderr);
            assert!(output.status.success(), "{platform}: {words}");
        }
    }
    for node in &nodes[1..] {
        node.start();
        listens(node).await;
    }
    key
}

/// Waits until every post has ended; all posts as they are then, or as they are when that lasts
/// too long.
async fn wait_for_ends(
    api: &Api,
    accepted: &Accepted,
    time_limit: Duration,
) -> BTreeMap<String, serde_json::Value> {
    let begun = Instant::now();
    let mut told = Instant::now();
    loop {
        let all = posts(api).await;
        let ids: Vec<String> = accepted.lock().unwrap().keys().cloned().collect();
        let left: Vec<&String> =
            ids.iter().filter(|id| !all.get(*id).is_some_and(has_ended)).collect();
        if left.is_empty() || begun.elapsed() > time_limit {
            return all;
        }
        if told.elapsed() > TELL_GAP {
            told = Instant::now();
            let left = left.iter().filter_map(|id| all.get(*id)).flat_map(under_way);
            let left = left.collect::<Vec<String>>().join(", ");
            eprintln!("{:7.1} s  later, under way: {left}", begun.elapsed().as_secs_f64());
        }
        tokio::time::sleep(Duration::from_secs(1)).await;
    }
}

/// The targets of a post that have not ended, for a person.
fn under_way(post: &serde_json::Value) -> Vec<String> {
    let targets = post["targets"].as_array().into_iter().flatten();
    let left =
        targets.filter(|one| matches!(one["status"].as_str(), Some("pending" | "publishing")));
    left.map(|one| format!("{} {}", one["platform"], one["dueAt"])).collect()
}

async fn wait_for_events(receiver: &Receiver, accepted: &Accepted) {
    let wanted: usize = accepted.lock().unwrap().values().map(Vec::len).sum();
    let begun = Instant::now();
    while receiver.events().len() < wanted && begun.elapsed() < EVENT_TIMEOUT {
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    // One that comes twice under two ids would come about now.
    tokio::time::sleep(Duration::from_secs(2)).await;
}

/// Prints the table and what is wrong; true when nothing is.
fn report(
    plan: &Plan,
    api: &Api,
    done: &Done,
    count: &Count,
    deliveries: u64,
    settled: Duration,
) -> bool {
    let seconds = |time: Duration| format!("{:.1} s", time.as_secs_f64());
    let mut lines: Vec<(String, String)> = Vec::new();
    let mut line = |name: &str, value: String| lines.push((name.to_owned(), value));
    for (fault, times) in &done.counts {
        line(&format!("fault {}", fault.name()), times.to_string());
    }
    line("targets", count.targets.to_string());
    line("published", count.published.to_string());
    line("refused for good by a network", count.refused.to_string());
    line("a thread's later part refused", count.refused_midway.to_string());
    line("in doubt", count.in_doubt.to_string());
    line("in doubt but live, where one can ask", count.in_doubt_but_live.to_string());
    line("in doubt, not live, where one can ask", count.in_doubt_not_live.to_string());
    line("failed but live", count.failed_but_live.to_string());
    line("doubled", count.doubled.to_string());
    line("lost", count.lost.to_string());
    line("early", count.early.to_string());
    line("events (deliveries)", format!("{} ({deliveries})", count.events));
    let answers = api.answers.lock().unwrap();
    for (status, times) in &answers.statuses {
        let name = if *status == 0 { "no answer".to_owned() } else { format!("answer {status}") };
        line(&name, times.to_string());
    }
    line("refused by a node whose clock was wrong", answers.refused_by_clock.to_string());
    line("slowest recovery of the API", seconds(done.slowest_recovery));
    line("slowest stop of a node", seconds(done.slowest_stop));
    line("latest post after its time", seconds(count.latest));
    line("all ended after the last fault", seconds(settled));
    let ended = |node: &Node| node.ended_by_itself.load(std::sync::atomic::Ordering::SeqCst);
    line("nodes that ended by themselves", api.nodes.iter().map(ended).sum::<u64>().to_string());
    let mut wrong = count.wrong.clone();
    wrong.extend(done.wrong.iter().cloned());
    wrong.extend(answers.wrong.iter().map(|(line, times)| format!("{line} ({times} times)")));
    eprintln!("\nThe storm of seed {}\n{}", plan.seed, table(&lines));
    for one in &wrong {
        eprintln!("WRONG (seed {}): {one}", plan.seed);
    }
    wrong.is_empty()
}
