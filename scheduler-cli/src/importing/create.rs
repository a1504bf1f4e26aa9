//! Creating the posts of a plan.

use std::sync::Mutex;

use futures_util::future::FutureExt as _;
use futures_util::stream::{FuturesUnordered, StreamExt as _};
use scheduler_core::account::AccountView;
use scheduler_core::error::ErrorCode;
use scheduler_core::ids::PostId;
use scheduler_core::post::PostView;
use serde_json::{Value, json};

use super::bodies::targets;
use super::calls::Caller;
use super::entry::Entry;
use super::fault::Fault;
use super::files::Uploads;
use super::journal::{Journal, Note};
use super::lock;
use super::plan::{BAR, Planned, of_line};
use super::source::Source;
use super::verify::issue_faults;
use crate::failure::Failure;
use crate::waiting::Bar;

pub(super) struct Creator<'a> {
    pub(super) source: &'a Source,
    pub(super) caller: &'a Caller<'a>,
    pub(super) accounts: &'a [AccountView],
    pub(super) uploads: tokio::sync::Mutex<Uploads<'a>>,
    pub(super) journal: &'a Mutex<Journal>,
    pub(super) calls_at_once: usize,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Made {
    pub(super) line: u64,
    pub(super) post: PostId,
    /// False when the server knew the key already.
    pub(super) is_new: bool,
    /// True when it knew it for a post that says something else.
    pub(super) is_other: bool,
}

#[derive(Debug, Default)]
pub(super) struct Outcome {
    pub(super) made: Vec<Made>,
    /// Lines that the server has refused after all.
    pub(super) faults: Vec<Fault>,
    pub(super) stopped_by: Option<Failure>,
}

enum Sent {
    Made(Made),
    Refused(Vec<Fault>),
}

impl Creator<'_> {
    /// Creates the posts of these lines, several at once. They are begun in the order of the file;
    /// those whose order shows – that take slots of a queue, or go out at once – one after the
    /// other.
    pub(super) async fn run(&self, lines: &[&Planned]) -> Outcome {
        let progress = Bar::new(Some(lines.len() as u64), BAR, "creating");
        let mut outcome = Outcome::default();
        let mut running = FuturesUnordered::new();
        let mut is_ordered_running = false;
        let mut lines = lines.iter();
        let mut next = lines.next();
        loop {
            while let Some(planned) = next
                && outcome.stopped_by.is_none()
                && running.len() < self.calls_at_once
            {
                let Ok(entry) = self.source.entry(&planned.record) else {
                    next = lines.next();
                    continue;
                };
                let is_set = |field| entry.body.get(field) == Some(&json!(true));
                let is_ordered = is_set("queue") || is_set("publishNow");
                if is_ordered && is_ordered_running {
                    break;
                }
                is_ordered_running |= is_ordered;
                running.push(async move { (is_ordered, self.send(planned, entry).await) });
                next = lines.next();
            }
            let Some(ended) = running.next().await else { break };
            let mut all = vec![ended];
            // What has ended at the same time is brought to the disk together.
            while let Some(Some(more)) = running.next().now_or_never() {
                all.push(more);
            }
            for (is_ordered, sent) in all {
                is_ordered_running &= !is_ordered;
                progress.inc(1);
                match sent {
                    Ok(Sent::Made(made)) => outcome.made.push(made),
                    Ok(Sent::Refused(faults)) => outcome.faults.extend(faults),
                    Err(failure) => {
                        outcome.stopped_by.get_or_insert(failure);
                    }
                }
            }
            lock(self.journal).sync();
        }
        outcome
    }

    async fn send(&self, planned: &Planned, entry: Entry) -> Result<Sent, Failure> {
        let line = planned.record.line;
        let targets = match targets(self.source, &entry, self.accounts) {
            Ok(targets) => targets,
            Err(faults) => return Ok(Sent::Refused(faults)),
        };
        let mut body = entry.body;
        body.insert("targets".to_owned(), targets);
        let mut ids = Vec::with_capacity(entry.files.len());
        for file in &entry.files {
            // One after the other: a file that several lines name is sent once.
            match self.uploads.lock().await.id(file, self.journal).await {
                Ok(id) => ids.push(json!(id)),
                Err(failure) => {
                    let fault = of_line(self.source, line, failure)?;
                    let field = self.source.field_name("mediaIds");
                    return Ok(Sent::Refused(vec![Fault { field, ..fault }]));
                }
            }
        }
        if !ids.is_empty() {
            body.insert("mediaIds".to_owned(), Value::Array(ids));
        }
        let body = Value::Object(body);
        let (key, digest) = (planned.key.clone(), planned.digest);
        lock(self.journal).note(&Note::Sent { line, key: key.clone(), digest });
        match self.caller.send("/posts", &body, Some(&planned.key)).await {
            Ok(answer) => {
                let post = answer.read::<PostView>()?.id;
                lock(self.journal).note(&Note::Created { line, key, digest, post });
                Ok(Sent::Made(Made {
                    line,
                    post,
                    is_new: answer.created,
                    is_other: answer.is_of_other_body,
                }))
            }
            Err(failure) => {
                if let Failure::Refused(error) = &failure {
                    // Refused calls leave no key behind; what the server failed at is in doubt.
                    if error.error.code != ErrorCode::Internal {
                        lock(self.journal).note(&Note::Refused { key });
                    }
                    if let Some(issues) = &error.error.issues {
                        let faults = issue_faults(self.source, line, issues, &body["targets"]);
                        return Ok(Sent::Refused(faults));
                    }
                }
                of_line(self.source, line, failure).map(|fault| Sent::Refused(vec![fault]))
            }
        }
    }
}
