//! Creating the posts of a plan.

use std::sync::Mutex;

use scheduler_core::account::AccountView;
use scheduler_core::app::BatchResult;
use scheduler_core::ids::PostId;
use scheduler_core::post::PostView;

use super::batches::{Batch, Item, refusal_faults};
use super::bodies::{targets, whole_body};
use super::calls::Caller;
use super::entry::Entry;
use super::fault::Fault;
use super::files::Uploads;
use super::journal::{Journal, Note};
use super::lock;
use super::plan::{BAR, Planned, of_line};
use super::source::Source;
use crate::failure::Failure;
use crate::waiting::Bar;

pub(super) struct Creator<'a> {
    pub(super) source: &'a Source,
    pub(super) caller: &'a Caller<'a>,
    pub(super) accounts: &'a [AccountView],
    pub(super) uploads: Uploads<'a>,
    pub(super) journal: &'a Mutex<Journal>,
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

impl Creator<'_> {
    /// Creates the posts of these lines, in the order of the file, many with each call.
    pub(super) async fn run(&mut self, lines: &[&Planned]) -> Outcome {
        let progress = Bar::new(Some(lines.len() as u64), BAR, "creating");
        let mut outcome = Outcome::default();
        if let Err(failure) = self.create(lines, &progress, &mut outcome).await {
            outcome.stopped_by = Some(failure);
        }
        lock(self.journal).sync();
        outcome
    }

    async fn create(
        &mut self,
        lines: &[&Planned],
        progress: &Bar,
        outcome: &mut Outcome,
    ) -> Result<(), Failure> {
        let mut batch = Batch::new();
        for planned in lines {
            let Ok(entry) = self.source.entry(&planned.record) else { continue };
            match self.prepared(planned, entry).await? {
                Ok(item) => {
                    if let Some(full) = batch.add(item) {
                        self.send(full, progress, outcome).await?;
                    }
                }
                Err(faults) => {
                    outcome.faults.extend(faults);
                    progress.inc(1);
                }
            }
        }
        self.send(batch, progress, outcome).await
    }

    /// A post as it is sent, once its files are at the server; what is wrong with its line.
    async fn prepared<'l>(
        &mut self,
        planned: &'l Planned,
        entry: Entry,
    ) -> Result<Result<Item<&'l Planned>, Vec<Fault>>, Failure> {
        let line = planned.record.line;
        let targets = match targets(self.source, &entry, self.accounts) {
            Ok(targets) => targets,
            Err(faults) => return Ok(Err(faults)),
        };
        let mut files = Vec::with_capacity(entry.files.len());
        for file in &entry.files {
            // One after the other: a file that several lines name is sent once.
            match self.uploads.id(file, self.journal).await {
                Ok(id) => files.push(id),
                Err(failure) => {
                    let fault = of_line(self.source, line, failure)?;
                    let field = self.source.field_name("mediaIds");
                    return Ok(Err(vec![Fault { field, ..fault }]));
                }
            }
        }
        let body = whole_body(entry, targets, files);
        Ok(Ok(Item { of: planned, key: planned.key.clone(), body }))
    }

    async fn send(
        &self,
        batch: Batch<&Planned>,
        progress: &Bar,
        outcome: &mut Outcome,
    ) -> Result<(), Failure> {
        for Item { of, key, .. } in batch.items() {
            let (line, digest) = (of.record.line, of.digest);
            lock(self.journal).note(&Note::Sent { line, key: key.clone(), digest });
        }
        lock(self.journal).sync();
        for (item, result) in batch.send(self.caller, false).await? {
            match self.ended(item, result).await? {
                Ok(made) => outcome.made.push(made),
                Err(faults) => outcome.faults.extend(faults),
            }
            progress.inc(1);
        }
        lock(self.journal).sync();
        Ok(())
    }

    /// What came of a post.
    async fn ended(
        &self,
        item: Item<&Planned>,
        result: BatchResult,
    ) -> Result<Result<Made, Vec<Fault>>, Failure> {
        let Item { of: planned, key, body } = item;
        let (line, digest) = (planned.record.line, planned.digest);
        if let Some(error) = result.error {
            // Refused posts leave no key behind.
            lock(self.journal).note(&Note::Refused { key });
            return refusal_faults(self.source, line, *error, &body["targets"]).map(Err);
        }
        let post = match result.post {
            Some(post) => post.id,
            // The answer had no room for it; its key finds it.
            None => self.caller.send("/posts", &body, Some(&key)).await?.read::<PostView>()?.id,
        };
        lock(self.journal).note(&Note::Created { line, key, digest, post });
        let is_other = result.other_body == Some(true);
        Ok(Ok(Made { line, post, is_new: result.status == 201, is_other }))
    }
}
