//! What is to be done with each line, and everything that is wrong, before anything is done.

use std::collections::{BTreeSet, HashMap};

use chrono::{DateTime, Utc};
use futures_util::{StreamExt as _, stream};
use scheduler_core::account::AccountView;
use scheduler_core::app::CheckReport;
use scheduler_core::error::ErrorCode;
use scheduler_core::ids::PostId;
use serde_json::Value;

use super::batches::{Batch, Item, refusal_faults};
use super::bodies::{targets, time_faults, whole_body};
use super::calls::Caller;
use super::entry::{ImportFile, LineDigest};
use super::fault::Fault;
use super::files::Measures;
use super::journal::Journal;
use super::records::Record;
use super::source::Source;
use super::verify::{check_body, issue_faults, refused, verify};
use crate::command_path::CommandPath;
use crate::failure::Failure;
use crate::waiting::Bar;

/// How far an import has come, on a terminal.
pub(super) const BAR: &str =
    "{prefix} [{wide_bar}] {pos}/{len} lines, {per_sec}, {eta_precise} left";

/// A line that is to become a post. Its text stays in the file.
#[derive(Debug)]
pub(super) struct Planned {
    pub(super) record: Record,
    pub(super) key: Box<str>,
    pub(super) digest: LineDigest,
    /// An earlier run has sent it, and does not know what came of it.
    pub(super) is_in_doubt: bool,
}

/// What is to be done, and what is wrong.
#[derive(Debug, Default)]
pub(super) struct Plan {
    /// The lines that become posts, in order. Those with errors are among them.
    pub(super) lines: Vec<Planned>,
    /// How many lines earlier runs have made.
    pub(super) made: usize,
    /// Everything that was found.
    pub(super) faults: Vec<Fault>,
}

impl Plan {
    /// Reads every line, and leaves out what the journal knows.
    ///
    /// Memory: about 150 bytes a line, beside the file itself.
    pub(super) fn read(source: &Source, journal: &Journal) -> Self {
        let mut plan = Self { faults: source.head.clone(), ..Self::default() };
        let mut repetitions: HashMap<LineDigest, u32> = HashMap::new();
        let mut keys: HashMap<Box<str>, (u64, LineDigest)> = HashMap::new();
        for record in &source.records {
            let entry = match source.entry(record) {
                Ok(entry) => entry,
                Err(faults) => {
                    plan.faults.extend(faults);
                    continue;
                }
            };
            let key = match &entry.key {
                Some(key) => key.clone(),
                None => {
                    let repetition = repetitions.entry(entry.digest).or_default();
                    *repetition += 1;
                    entry.digest.key(*repetition)
                }
            };
            let key: Box<str> = key.into();
            if let Some((line, _)) = keys.insert(key.clone(), (record.line, entry.digest)) {
                let fault =
                    Fault::error(record.line, "key", format!("line {line} has this key too"));
                plan.faults.push(fault.advised("give each post a key of its own, or none"));
                continue;
            }
            let known = journal.line(&key);
            let is_same = known.is_some_and(|known| known.digest == entry.digest);
            if let Some(post) = known.and_then(|known| known.post) {
                plan.made += 1;
                if !is_same {
                    plan.faults.push(changed_under_key(record.line, post));
                }
                continue;
            }
            if known.is_some() && !is_same {
                plan.faults.push(changed_in_doubt(record.line));
            }
            let (record, digest) = (*record, entry.digest);
            plan.lines.push(Planned { record, key, digest, is_in_doubt: is_same });
        }
        // What comes on standard input is another file each time.
        if source.path.is_some() {
            plan.warn_of_changes(journal, &keys);
        }
        plan
    }

    /// Says which lines said something else in an earlier run.
    fn warn_of_changes(&mut self, journal: &Journal, keys: &HashMap<Box<str>, (u64, LineDigest)>) {
        // A line that has only moved is still in the file.
        let gone = journal.created().filter(|(key, _, _)| !keys.contains_key(*key));
        let gone: HashMap<u64, PostId> = gone.map(|(_, line, post)| (line, post)).collect();
        for planned in &self.lines {
            let Some(post) = gone.get(&planned.record.line) else { continue };
            let message = format!(
                "the line said something else in an earlier run, which made post {post}; as it is now it makes another"
            );
            self.faults.push(Fault::warning(planned.record.line, "line", message).advised(format!(
                "cancel the earlier one with `scheduler posts cancel {post}` if this one replaces it"
            )));
        }
    }

    /// Phase 1: what this machine can say of each line. Warnings of networks are kept only when no
    /// server is asked, which says them as well.
    pub(super) fn verify(
        &mut self,
        source: &Source,
        measures: &Measures,
        now: DateTime<Utc>,
        is_offline: bool,
    ) {
        for planned in self.lines.iter().filter(|planned| !planned.is_in_doubt) {
            let Ok(entry) = source.entry(&planned.record) else { continue };
            let faults = verify(source, &entry, measures, now);
            if is_offline || faults.iter().any(Fault::is_error) {
                self.faults.extend(faults);
            }
        }
    }

    /// Phase 2: what the server says of the lines that have passed so far.
    ///
    /// # Errors
    /// Those that are not about a line.
    pub(super) async fn ask(&mut self, asking: &Asking<'_>) -> Result<(), Failure> {
        let faulty = self.faulty_lines();
        let is_asked =
            |planned: &&Planned| !planned.is_in_doubt && !faulty.contains(&planned.record.line);
        let lines: Vec<&Planned> = self.lines.iter().filter(is_asked).collect();
        let progress = Bar::new(Some(lines.len() as u64), BAR, "checking");
        let mut found = Vec::new();
        let (mut alone, mut batch) = (Vec::new(), Batch::new());
        for planned in lines {
            match asking.prepared(planned) {
                Prepared::Faulty(faults) => found.extend(faults),
                Prepared::Alone => alone.push(planned),
                Prepared::WithOthers(item, faults) => {
                    found.extend(faults);
                    if let Some(full) = batch.add(item) {
                        found.extend(asking.about_all(full, &progress).await?);
                    }
                }
            }
        }
        found.extend(asking.about_all(batch, &progress).await?);
        let mut answers = stream::iter(alone)
            .map(|planned| asking.about(planned))
            .buffer_unordered(asking.calls_at_once);
        while let Some(faults) = answers.next().await {
            found.extend(faults?);
            progress.inc(1);
        }
        drop(answers);
        self.faults.extend(found);
        Ok(())
    }

    /// The lines that have an error.
    pub(super) fn faulty_lines(&self) -> BTreeSet<u64> {
        self.faults.iter().filter(|fault| fault.is_error()).map(|fault| fault.line).collect()
    }

    /// Puts what was found in the order of the file.
    pub(super) fn sort(&mut self) {
        self.faults.sort_by_key(|fault| (fault.line, fault.severity));
    }
}

/// How the server is asked.
pub(super) struct Asking<'a> {
    pub(super) source: &'a Source,
    pub(super) caller: &'a Caller<'a>,
    pub(super) measures: &'a Measures,
    pub(super) accounts: &'a [AccountView],
    pub(super) calls_at_once: usize,
    pub(super) now: DateTime<Utc>,
}

/// How the server is asked about a line.
enum Prepared {
    /// Not at all: what it names is not there.
    Faulty(Vec<Fault>),
    /// By itself, with what is known of its files, which the server does not have yet.
    Alone,
    /// With others, as it would be created.
    WithOthers(Item<Checked>, Vec<Fault>),
}

/// A line that the server is asked about.
#[derive(Debug)]
struct Checked {
    line: u64,
    targets: Value,
}

impl Asking<'_> {
    fn prepared(&self, planned: &Planned) -> Prepared {
        let (source, line) = (self.source, planned.record.line);
        let Ok(entry) = source.entry(&planned.record) else {
            return Prepared::Faulty(Vec::new());
        };
        if entry.files.iter().any(|file| !matches!(file, ImportFile::Stored(_))) {
            return Prepared::Alone;
        }
        let targets = match targets(source, &entry, self.accounts) {
            Ok(targets) => targets,
            Err(faults) => return Prepared::Faulty(faults),
        };
        let faults = time_faults(source, &entry, &targets, self.accounts, self.now);
        let ids = entry.files.iter().filter_map(ImportFile::stored).collect();
        let body = whole_body(entry, targets.clone(), ids);
        let key = planned.key.clone();
        Prepared::WithOthers(Item { of: Checked { line, targets }, key, body }, faults)
    }

    /// What the server says of many lines.
    async fn about_all(
        &self,
        batch: Batch<Checked>,
        progress: &Bar,
    ) -> Result<Vec<Fault>, Failure> {
        let mut found = Vec::new();
        for (Item { of: Checked { line, targets }, .. }, result) in
            batch.send(self.caller, true).await?
        {
            found.extend(match result.error {
                Some(error) => refusal_faults(self.source, line, *error, &targets)?,
                None => {
                    let issues = result.issues.unwrap_or_default();
                    issue_faults(self.source, line, &issues, &targets)
                }
            });
            progress.inc(1);
        }
        Ok(found)
    }

    async fn about(&self, planned: &Planned) -> Result<Vec<Fault>, Failure> {
        let (source, line) = (self.source, planned.record.line);
        let Ok(entry) = source.entry(&planned.record) else { return Ok(Vec::new()) };
        let targets = match targets(source, &entry, self.accounts) {
            Ok(targets) => targets,
            Err(faults) => return Ok(faults),
        };
        let mut faults = time_faults(source, &entry, &targets, self.accounts, self.now);
        let body = check_body(&entry, &targets, self.measures);
        match self.caller.send("/platforms/validate", &body, None).await {
            Ok(answer) => {
                let report: CheckReport = answer.read()?;
                faults.extend(issue_faults(source, line, &report.issues, &targets));
            }
            Err(failure) => faults.push(of_line(source, line, failure)?),
        }
        Ok(faults)
    }
}

/// A failure as a fault of its line.
///
/// # Errors
/// One that is not about the line.
pub(super) fn of_line(source: &Source, line: u64, failure: Failure) -> Result<Fault, Failure> {
    let Failure::Refused(about) = &failure else { return Err(failure) };
    let (code, error) = (about.error.code, &about.error);
    if matches!(
        code,
        ErrorCode::Unauthorized
            | ErrorCode::Forbidden
            | ErrorCode::RateLimited
            | ErrorCode::ApiNotOnPlan
            | ErrorCode::Internal
    ) {
        return Err(failure);
    }
    let fault = refused(source, line, error.field.as_deref(), &error.message);
    Ok(match code {
        ErrorCode::InvalidRequest => fault,
        _ => fault.advised(failure.advice(&CommandPath::named("import"))),
    })
}

fn changed_in_doubt(line: u64) -> Fault {
    let message = "an earlier run has sent something else under this key, and does not know what came of it; if it is there, it stays as it is";
    Fault::warning(line, "key", message).advised(
        "look at the post afterwards with `scheduler posts show`, or give the line another key",
    )
}

fn changed_under_key(line: u64, post: PostId) -> Fault {
    let message = format!(
        "an earlier run has made post {post} of this key, of a line that said something else; it stays as it is"
    );
    Fault::warning(line, "key", message).advised(format!(
        "change it with `scheduler posts edit {post}`, or give the line another key"
    ))
}
