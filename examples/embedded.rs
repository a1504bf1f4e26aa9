//! The scheduler inside an app of your own: the core, a SQLite file, and a network of your own.
//!
//! The network here is a notice board in memory. The loop at the end is all that a worker is.
//!
//! ```text
//! cargo run --example embedded
//! ```
#![expect(clippy::print_stdout, reason = "an example prints")]

use std::collections::BTreeMap;
use std::error::Error;
use std::sync::{Arc, Mutex};

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use scheduler_core::account::{Account, Credentials};
use scheduler_core::app::{Ports, Scheduler, Settings};
use scheduler_core::engine::LEASE;
use scheduler_core::memory::MemoryFiles;
use scheduler_core::platform::Platform;
use scheduler_core::ports::{
    After, ClaimRequest, Clock, ConnectInput, Connected, EventSender, Ids, Located, Network,
    NetworkError, Networks, NoAssistant, NoMedia, PublishJob, Random, Request, Response, SendError,
    Step, Store, Wake,
};
use scheduler_core::post::{Field, PostInput, TargetInput};
use scheduler_core::target::Remote;
use scheduler_store::{Database, SealingKey};
use serde_json::{Value, json};
use uuid::Uuid;

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
            None => Located::Continue(progress.clone()),
        })
    }

    fn live_part(&self, progress: &Value) -> Option<Remote> {
        self.remote(&key_of(progress))
    }

    async fn refresh(&self, _: &Account, old: &Credentials) -> Result<Credentials, NetworkError> {
        Ok(old.clone())
    }
}

/// The app's own clock, ids and randomness.
struct Surroundings;

impl Clock for Surroundings {
    #[expect(clippy::disallowed_methods, reason = "the one system clock of this app")]
    fn now(&self) -> DateTime<Utc> {
        scheduler_core::timing::to_micros(std::time::SystemTime::now().into())
    }
}

impl Ids for Surroundings {
    #[expect(clippy::disallowed_methods, reason = "the one source of ids of this app")]
    fn next(&self, _: DateTime<Utc>) -> Uuid {
        Uuid::now_v7()
    }
}

impl Random for Surroundings {
    #[expect(clippy::disallowed_methods, reason = "the one source of randomness of this app")]
    fn bytes(&self) -> [u8; 32] {
        let (left, right) = (Uuid::new_v4().into_bytes(), Uuid::new_v4().into_bytes());
        std::array::from_fn(|index| if index < 16 { left[index] } else { right[index - 16] })
    }
}

impl Wake for Surroundings {
    fn wake(&self) {}
}

/// This app sends no events.
#[async_trait]
impl EventSender for Surroundings {
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
    let ports = Ports {
        store: Arc::clone(&store),
        // The board takes the place of one of the networks, with that network's rules.
        networks: Networks::default().with(Platform::Mastodon, board.clone()),
        after: After::default(),
        assistant: Arc::new(NoAssistant),
        sender: Arc::new(Surroundings),
        files: Arc::new(MemoryFiles::new()),
        fetcher: Arc::new(NoMedia),
        examiner: Arc::new(NoMedia),
        clock: Arc::new(Surroundings),
        ids: Arc::new(Surroundings),
        random: Arc::new(Surroundings),
        wake: Arc::new(Surroundings),
    };
    let scheduler = Scheduler::new(ports, Settings::default());

    let first = scheduler.first_start().await?.ok_or("a new file has no workspace")?;
    let caller = scheduler.authenticate(Some(first.key.value.expose())).await?;
    let nothing = ConnectInput::default();
    scheduler.connect_account(&caller.workspace, Platform::Mastodon, &nothing).await?;

    let target = TargetInput { platform: Platform::Mastodon, account_id: None, options: None };
    let input = PostInput {
        content: Field::Value("Hello from an app of its own".to_owned()),
        publish_now: Field::Value(true),
        targets: Field::Value(vec![target]),
        ..PostInput::default()
    };
    let created = scheduler.create_post(&caller, input, Some("once-only")).await?;

    // The worker: claim what is due, run it, until nothing is due.
    loop {
        let now = scheduler.ports().clock.now();
        let request = ClaimRequest {
            now,
            lease_until: now + LEASE,
            lanes: 8,
            per_lane: 1,
            without_platforms: Vec::new(),
            without_deliveries: false,
            without_media: false,
            without_readings: false,
        };
        let claims = store.claim(&request).await?;
        if claims.is_empty() {
            break;
        }
        for claim in &claims {
            println!("{}: {}", claim.kind, scheduler.run(claim).await?.as_str());
        }
    }

    let post = scheduler.post(&caller, created.post.id).await?;
    println!("the post is {}", post.status.as_str());
    for (key, note) in board.notes.lock().map_err(|_| "the board broke")?.iter() {
        println!("on the board: {note:?} ({key})");
    }
    Ok(())
}
