//! The nodes: processes of the built server that are stopped, killed and started again.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use crate::binary::scheduler;
use crate::clock::Clock;
use crate::forwarder::{Forwarder, Goal};
use crate::processes::{Process, append};

/// How long a node is given to stop when it is asked to.
const STOP_TIMEOUT: Duration = Duration::from_secs(90);

/// How the nodes are started.
#[derive(Clone, Debug)]
pub(crate) struct Setup {
    /// The folder of the storm.
    pub(crate) folder: PathBuf,
    /// The folder of their data, which they share.
    pub(crate) data: PathBuf,
    /// The database, where it is not the folder's own.
    pub(crate) database: Option<String>,
    pub(crate) sandbox: String,
    /// The address under which any of them is reached.
    pub(crate) public_url: String,
}

impl Setup {
    /// The built command, with the settings of the storm.
    pub(crate) fn command(&self) -> Command {
        let mut command = Command::new(scheduler());
        command
            .env("SCHEDULER_DATA", &self.data)
            .env("SCHEDULER_SANDBOX_URL", &self.sandbox)
            .env("SCHEDULER_PUBLIC_URL", &self.public_url)
            .env("SCHEDULER_WEBHOOKS_ALLOW_PRIVATE", "true")
            .env("SCHEDULER_PUBLISH_RETRY_SECONDS", "1,2,5,10,20")
            .env("SCHEDULER_DELIVERY_RETRY_SECONDS", "1,2,5,10,20")
            .env("SCHEDULER_RATE_LIMIT_PER_MINUTE", "1000000")
            .env("SCHEDULER_RATE_LIMIT_BURST", "100000")
            // The disk that fills up is smaller than what uploads leave free.
            .env("SCHEDULER_FILES_FREE_BYTES_MIN", "0")
            .current_dir(&self.folder)
            .stdin(Stdio::null());
        if let Some(database) = &self.database {
            command.env("SCHEDULER_DATABASE", database);
        }
        command
    }
}

/// One node. A call of a method that ends its process is the only thing that may end it.
pub(crate) struct Node {
    pub(crate) name: String,
    setup: Setup,
    port: u16,
    pub(crate) clock: Option<Clock>,
    process: Mutex<Option<Process>>,
    /// False while it is meant to be away: killed, or stopped by a signal.
    is_meant_to_run: AtomicBool,
    /// How many milliseconds its clock is ahead.
    shift: AtomicI64,
    /// How often it was shifted or set right.
    shifts: AtomicU64,
    /// How often it ended by itself.
    pub(crate) ended_by_itself: AtomicU64,
}

impl Node {
    pub(crate) fn new(name: &str, setup: Setup, clock: Option<Clock>) -> Self {
        let listener = std::net::TcpListener::bind(("127.0.0.1", 0)).expect("a free port");
        let port = listener.local_addr().expect("an address").port();
        Self {
            name: name.to_owned(),
            setup,
            port,
            clock,
            process: Mutex::new(None),
            is_meant_to_run: AtomicBool::new(false),
            shift: AtomicI64::new(0),
            shifts: AtomicU64::new(0),
            ended_by_itself: AtomicU64::new(0),
        }
    }

    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub(crate) fn output(&self) -> PathBuf {
        self.setup.folder.join("logs").join(format!("{}.out", self.name))
    }

    /// Starts the process.
    pub(crate) fn start(&self) {
        let log = self.setup.folder.join("logs").join(format!("{}.log", self.name));
        let mut command = self.setup.command();
        let level = std::env::var("STORM_LOG").unwrap_or_else(|_| "warn".to_owned());
        command.env("SCHEDULER_LISTEN", format!("127.0.0.1:{}", self.port));
        command.env("SCHEDULER_LOG", level).args(["serve", "--sandbox"]);
        command.stdout(append(&self.output())).stderr(append(&log));
        if let Some(clock) = &self.clock {
            clock.give(&mut command);
        }
        let process = Process::start(&mut command, &self.setup.folder);
        *self.process.lock().unwrap() = Some(process);
        self.is_meant_to_run.store(true, Ordering::SeqCst);
    }

    /// True unless something was done that makes it be away.
    pub(crate) fn is_meant_to_run(&self) -> bool {
        self.is_meant_to_run.load(Ordering::SeqCst)
    }

    /// Kills it as a power cut would.
    pub(crate) fn kill(&self) {
        self.is_meant_to_run.store(false, Ordering::SeqCst);
        drop(self.process.lock().unwrap().take());
    }

    /// Asks it to stop, as an operator does; how long that took, or `None` when it had to be
    /// killed.
    pub(crate) async fn stop(&self) -> Option<Duration> {
        self.is_meant_to_run.store(false, Ordering::SeqCst);
        let mut process = self.process.lock().unwrap().take()?;
        let begun = Instant::now();
        process.signal("TERM");
        process.ended(STOP_TIMEOUT).await.then(|| begun.elapsed())
    }

    /// Stops all of its threads where they are.
    pub(crate) fn pause(&self) {
        self.is_meant_to_run.store(false, Ordering::SeqCst);
        if let Some(process) = &*self.process.lock().unwrap() {
            process.signal("STOP");
        }
    }

    /// Lets them go on.
    pub(crate) fn resume(&self) {
        if let Some(process) = &*self.process.lock().unwrap() {
            process.signal("CONT");
        }
        self.is_meant_to_run.store(true, Ordering::SeqCst);
    }

    /// Shifts its clock.
    pub(crate) fn shift_clock(&self, milliseconds: i64) {
        if let Some(clock) = &self.clock {
            clock.shift(milliseconds);
            self.shift.store(milliseconds, Ordering::SeqCst);
            self.shifts.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// By how many milliseconds its clock is shifted, and how often that has changed.
    pub(crate) fn clock(&self) -> (i64, u64) {
        (self.shift.load(Ordering::SeqCst), self.shifts.load(Ordering::SeqCst))
    }

    /// True when the process has ended though nobody ended it.
    fn has_ended_by_itself(&self) -> bool {
        let mut process = self.process.lock().unwrap();
        self.is_meant_to_run() && process.as_mut().is_some_and(Process::has_ended)
    }
}

/// Starts nodes again that have ended by themselves, as a service manager does, and leads the
/// balancer to those that are there.
pub(crate) async fn look_after(nodes: &[Node], balancer: &Forwarder) {
    loop {
        for node in nodes {
            if node.has_ended_by_itself() {
                node.ended_by_itself.fetch_add(1, Ordering::SeqCst);
                tokio::time::sleep(Duration::from_millis(500)).await;
                // A fault may have come in between.
                if node.has_ended_by_itself() {
                    node.start();
                }
            }
        }
        let there = nodes.iter().filter(|node| node.is_meant_to_run());
        balancer.lead_to(there.map(|node| Goal::Port(node.port)).collect());
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// Waits for the key that the first start makes.
pub(crate) async fn first_key(node: &Node) -> String {
    let begun = Instant::now();
    loop {
        let text = read(&node.output());
        if let Some(file) = text.lines().find_map(|line| line.strip_prefix("API key in ")) {
            return read(Path::new(file)).trim_end().to_owned();
        }
        let is_late = begun.elapsed() > Duration::from_secs(120);
        assert!(!is_late && !node.has_ended_by_itself(), "the first node does not start");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Waits until a node says that it listens.
pub(crate) async fn listens(node: &Node) {
    let begun = Instant::now();
    while !read(&node.output()).contains("Listening on ") {
        let is_late = begun.elapsed() > Duration::from_secs(120);
        assert!(!is_late && !node.has_ended_by_itself(), "{} does not start", node.name);
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

fn read(path: &Path) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}
