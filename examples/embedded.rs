//! The scheduler inside an app of your own: the core, a SQLite file, and a network of your own.
//!
//! The network here is a notice board in memory. The worker is that of the server.
//!
//! ```text
//! cargo run --example embedded
//! ```
#![expect(clippy::print_stdout, reason = "an example prints")]

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use scheduler_core::account::{Account, Credentials};
use scheduler_core::app::{Caller, Ports, Scheduler, Settings};
use scheduler_core::idempotency::IdempotencyKey;
use scheduler_core::memory::MemoryFiles;
use scheduler_core::platform::{CapabilitySheet, Platform};
use scheduler_core::ports::{
    After, ConnectInput, Connected, EventSender, Located, Network, NetworkError, Networks,
    NoAssistant, NoMail, NoMedia, PublishJob, Request, Response, SendError, Step, Store,
};
use scheduler_core::post::{NewPost, PostStatus};
use scheduler_core::target::Remote;
use scheduler_store::{Database, SealingKey};
use scheduler_worker::{
    Notifier, OsRandom, SystemClock, SystemTasks, UuidV7, Worker, WorkerSettings,
};
use serde_json::{Value, json};
use tokio::time::sleep;

/// How often the app looks whether its post is live.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// A network of one's own: notes on a board, by the key that we choose for each.
#[derive(Default)]
struct Board {
    notes: Mutex<BTreeMap<String, String>>,
}

impl Board {
    fn remote(&self, key: &str) -> Option<Remote> {
        let notes = self.notes.lock().ok()?;
        notes.contains_key(key).then(|| Remote::new(key.to_owned(), None))
    }
}

fn key_of(progress: &Value) -> String {
    progress["key"].as_str().unwrap_or_default().to_owned()
}

#[async_trait]
impl Network for Board {
    async fn connect(&self, _: &ConnectInput) -> Result<Vec<Connected>, NetworkError> {
        let credentials = Credentials::new("none are needed", None);
        Ok(vec![Connected {
            username: Some("board".to_owned()),
            ..Connected::new("the-board", credentials)
        }])
    }

    /// The key is chosen before anything is sent, from the job alone: a repeat chooses the same.
    fn begin(&self, job: &PublishJob) -> Value {
        json!({ "key": format!("{}-{}", job.target_id, job.revision) })
    }

    fn is_visible(&self, _: &Value) -> bool {
        true
    }

    async fn advance(&self, job: &PublishJob, progress: &Value) -> Result<Step, NetworkError> {
        let key = key_of(progress);
        if let Ok(mut notes) = self.notes.lock() {
            notes.insert(key.clone(), job.content.clone());
        }
        Ok(Step::Live(Remote::new(key, None).into()))
    }

    /// After a crash: is the note on the board?
    async fn locate(&self, _: &PublishJob, progress: &Value) -> Result<Located, NetworkError> {
        Ok(match self.remote(&key_of(progress)) {
            Some(remote) => Located::Live(remote.into()),
            None => Located::Absent(progress.clone()),
        })
    }

    fn live_part(&self, progress: &Value) -> Option<Remote> {
        self.remote(&key_of(progress))
    }

    async fn refresh(&self, _: &Account, old: &Credentials) -> Result<Credentials, NetworkError> {
        Ok(old.clone())
    }
}

/// The events of this app go nowhere.
struct NoEvents;

/// This app sends no events.
#[async_trait]
impl EventSender for NoEvents {
    async fn send(&self, _: &Request) -> Result<Response, SendError> {
        Err(SendError::Refused("this app sends no events".to_owned()))
    }

    fn check_address(&self, _: &str) -> Result<(), String> {
        Err("This app sends no events.".to_owned())
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let key = SealingKey::load_or_create_file(&folder.path().join("secret.key"))?;
    let file = folder.path().join("app.db");
    let database = Database::open(&format!("sqlite:{}", file.display()), &key).await?;
    let store: Arc<dyn Store> = database.store();

    let board = Arc::new(Board::default());
    let network = Platform::register("board", CapabilitySheet::plain("Board", 2_000))?;
    let (notifier, tasks) = (Arc::new(Notifier::new()), SystemTasks::new());
    let ports = Ports {
        store: Arc::clone(&store),
        networks: Networks::default().with(network, board.clone()),
        after: After::default(),
        assistant: Arc::new(NoAssistant),
        sender: Arc::new(NoEvents),
        mail: Arc::new(NoMail),
        files: Arc::new(MemoryFiles::new()),
        fetcher: Arc::new(NoMedia),
        examiner: Arc::new(NoMedia),
        clock: Arc::new(SystemClock::new()),
        ids: Arc::new(UuidV7),
        random: Arc::new(OsRandom),
        wake: notifier.clone(),
        tasks: Arc::new(tasks.clone()),
    };
    let scheduler = Scheduler::new(ports, Settings::default());

    let first = scheduler.first_start().await?.ok_or("a new file has no workspace")?;
    // The app lets people in by itself; the key is for those who call over HTTP.
    let caller = Caller::for_workspace(first.workspace);
    let nothing = ConnectInput::default();
    scheduler.connect_account(&caller.workspace, network, &nothing).await?;

    let post = NewPost::text("Hello from an app of its own").to(network).now();
    let key = IdempotencyKey::new("once-only", None)?;
    let created = scheduler.create_post(&caller, post.into(), Some(&key)).await?;

    // The worker: it claims what is due, renews its leases while it works, and stops in order.
    let worker = Worker::new(scheduler.clone(), notifier, WorkerSettings::default());
    let done = async {
        loop {
            match scheduler.post(&caller, created.value.id).await {
                Ok(post) if post.status != PostStatus::Done => sleep(LOOK_EVERY).await,
                Ok(_) | Err(_) => break,
            }
        }
    };
    worker.run(done).await;
    // A token that was being refreshed is stored before the process ends.
    tasks.finish(Duration::from_secs(60)).await;

    let post = scheduler.post(&caller, created.value.id).await?;
    println!("the post is {}", post.status.as_str());
    for (key, note) in board.notes.lock().map_err(|_| "the board broke")?.iter() {
        println!("on the board: {note:?} ({key})");
    }
    Ok(())
}
