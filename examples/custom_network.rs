//! A network of one's own: posts become Markdown files in a folder, each exactly once.
//!
//! It is registered with a sheet of its own, by which the rules check what is meant for it. It
//! shows what keeps a network from posting twice: the name of the file is chosen before anything is
//! written, from the job alone, and after a lost answer the folder is looked at before anything is
//! written again. Here the answer to the first write gets lost, and the first look fails as well.
//!
//! ```text
//! cargo run --example custom_network
//! ```
#![expect(clippy::print_stdout, reason = "an example prints")]

use std::error::Error;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use async_trait::async_trait;
use chrono::TimeDelta;
use scheduler_core::account::{Account, Credentials};
use scheduler_core::app::{Scheduler, Settings};
use scheduler_core::engine::RunOutcome;
use scheduler_core::memory::{ManualClock, test_ports};
use scheduler_core::platform::{CapabilitySheet, Platform};
use scheduler_core::ports::{
    ConnectInput, Connected, Located, Network, NetworkError, NetworkErrorKind, Networks,
    PublishJob, Step,
};
use scheduler_core::target::{FailureCode, Remote};
use serde_json::{Value, json};
use tokio::fs;

/// A folder that posts are written into.
struct Folder {
    path: PathBuf,
    loses_next_answer: AtomicBool,
    fails_next_look: AtomicBool,
    writes: AtomicU32,
    looks: AtomicU32,
}

impl Folder {
    fn file(&self, progress: &Value) -> PathBuf {
        self.path.join(progress["file"].as_str().unwrap_or_default())
    }

    /// What the file is called, once it is there.
    async fn remote(&self, progress: &Value) -> Result<Option<Remote>, io::Error> {
        let file = self.file(progress);
        let name = progress["file"].as_str().unwrap_or_default();
        let is_there = fs::try_exists(&file).await?;
        Ok(is_there.then(|| Remote::new(name, Some(format!("file://{}", file.display())))))
    }
}

#[async_trait]
impl Network for Folder {
    /// Nothing is asked for: there is one account, and it opens itself.
    async fn connect(&self, _: &ConnectInput) -> Result<Vec<Connected>, NetworkError> {
        let opened = Connected::new("folder", Credentials::new("none are needed", None));
        Ok(vec![Connected { username: Some("folder".to_owned()), ..opened }])
    }

    /// The name is made of the job, so that whoever goes on after a crash makes the same. The
    /// engine stores it before the first step.
    fn begin(&self, job: &PublishJob) -> Value {
        let day = job.begun_at.format("%Y-%m-%d");
        json!({ "file": format!("{day}-{}-{}.md", job.target_id, job.revision) })
    }

    /// There is one step, and everybody sees what it does.
    fn is_visible(&self, _progress: &Value) -> bool {
        true
    }

    async fn advance(&self, job: &PublishJob, progress: &Value) -> Result<Step, NetworkError> {
        if !job.files.is_empty() {
            let error =
                NetworkError::new(NetworkErrorKind::Permanent, "The folder takes no files.");
            return Err(error.with_code(FailureCode::Unsupported));
        }
        // Until the file has its name nothing is there to be seen, and any error is temporary.
        let nothing_done = |error: io::Error| {
            NetworkError::new(NetworkErrorKind::Temporary, format!("The folder fails: {error}"))
        };
        // Others publish at the same time, so the draft has a name of its own as well.
        let file = self.file(progress);
        let draft = file.with_extension("draft");
        fs::write(&draft, format!("{}\n", job.content)).await.map_err(nothing_done)?;
        fs::rename(&draft, &file).await.map_err(nothing_done)?;
        self.writes.fetch_add(1, Ordering::Relaxed);
        if self.loses_next_answer.swap(false, Ordering::Relaxed) {
            // It was done, but nobody knows: this must not be called an error of another kind.
            return Err(NetworkError::new(NetworkErrorKind::InDoubt, "The answer was lost."));
        }
        match self.remote(progress).await {
            Ok(Some(remote)) => Ok(Step::Live(remote.into())),
            Ok(None) | Err(_) => {
                Err(NetworkError::new(NetworkErrorKind::InDoubt, "The file is gone again."))
            }
        }
    }

    /// After a lost answer or a crash: is the file there?
    async fn locate(&self, _: &PublishJob, progress: &Value) -> Result<Located, NetworkError> {
        self.looks.fetch_add(1, Ordering::Relaxed);
        // Where the look fails nothing is known; the next attempt begins by looking.
        let away = NetworkError::new(NetworkErrorKind::Temporary, "The folder is away.");
        if self.fails_next_look.swap(false, Ordering::Relaxed) {
            return Err(away);
        }
        Ok(match self.remote(progress).await.map_err(|_| away)? {
            Some(remote) => Located::Live(remote.into()),
            None => Located::Absent(progress.clone()),
        })
    }

    /// A file is there or is not: it has no parts.
    fn live_part(&self, _: &Value) -> Option<Remote> {
        None
    }

    async fn refresh(&self, _: &Account, old: &Credentials) -> Result<Credentials, NetworkError> {
        Ok(old.clone())
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let temporary = tempfile::tempdir()?;
    let folder = Arc::new(Folder {
        path: temporary.path().to_owned(),
        loses_next_answer: AtomicBool::new(true),
        fails_next_look: AtomicBool::new(true),
        writes: AtomicU32::new(0),
        looks: AtomicU32::new(0),
    });
    let clock = Arc::new(ManualClock::at("2026-12-01T09:00:00Z".parse()?));
    let mut ports = test_ports(clock.clone());
    let mut sheet = CapabilitySheet::plain("Folder", 10_000);
    sheet.text.forbidden = &['\0'];
    let folders = Platform::register("folder", sheet)?;
    ports.networks = Networks::default().with(folders, folder.clone());
    let scheduler = Scheduler::new(ports, Settings::default());

    let first = scheduler.first_start().await?.ok_or("the store is not new")?;
    let caller = scheduler.authenticate(Some(first.key.value.expose())).await?;
    let nothing = ConnectInput::default();
    scheduler.connect_account(&caller.workspace, folders, &nothing).await?;
    let input = serde_json::from_value(json!({
        "content": "# Hello\n\nWritten once.",
        "publishNow": true,
        "targets": [{"platform": "folder"}],
    }))?;
    let post = scheduler.create_post(&caller, input, None).await?.value;

    let ran = scheduler.run_due().await?;
    println!("first attempt: {}", names(&ran));
    assert!(ran.contains(&RunOutcome::PublishDeferred), "nobody knows whether it was written");

    clock.advance(TimeDelta::minutes(2));
    let ran = scheduler.run_due().await?;
    println!("second attempt: {}", names(&ran));
    assert!(ran.contains(&RunOutcome::Published), "the file is found");

    let post = scheduler.post(&caller, post.id).await?;
    let remote = post.targets[0].remote().ok_or("it is live without an id")?;
    println!("the post is {}, as {}", post.status.as_str(), remote.id);
    let mut files = fs::read_dir(temporary.path()).await?;
    let file = files.next_entry().await?.ok_or("there is no file")?.path();
    println!("--- {}", file.display());
    print!("{}", fs::read_to_string(file).await?);
    assert!(files.next_entry().await?.is_none(), "one post, one file");
    let (writes, looks) = (&folder.writes, &folder.looks);
    assert_eq!((writes.load(Ordering::Relaxed), looks.load(Ordering::Relaxed)), (1, 2));
    println!("written once, looked for twice");
    Ok(())
}

fn names(ran: &[RunOutcome]) -> String {
    ran.iter().map(|ran| ran.as_str()).collect::<Vec<_>>().join(", ")
}
