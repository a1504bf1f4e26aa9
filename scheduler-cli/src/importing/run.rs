//! An import from its file to its end.

use std::path::PathBuf;
use std::sync::Mutex;

use chrono::{DateTime, Utc};
use comfy_table::Table;
use scheduler_core::ports::Clock as _;
use scheduler_worker::SystemClock;
use serde_json::{Value, json};

use super::calls::Caller;
use super::create::{Creator, Outcome};
use super::fault::Fault;
use super::files::{Measures, Uploads, lock};
use super::journal::Journal;
use super::plan::{Asking, Plan, Planned};
use super::report::{Numbers, counted, document, table};
use super::source::{Reading, Source};
use crate::client::Client;
use crate::commands::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::posting::accounts;
use crate::uploading::Uploader;

/// Calls a minute that a server takes of a key unless its operator says otherwise.
///
/// Source: our decision on the interface description, Limits.
const CALLS_A_MINUTE: usize = 600;

/// Lines from which on the time that an import takes is told beforehand.
const LONG: usize = 300;

/// What is imported, and how.
pub(crate) struct Import {
    /// The file, or `-`.
    pub(crate) file: String,
    /// How it is read.
    pub(crate) reading: Reading,
    /// Stop after the checks.
    pub(crate) is_dry_run: bool,
    /// Create the lines without errors, whatever the others are.
    pub(crate) skips_faulty: bool,
    /// Forget what the journal knows.
    pub(crate) is_fresh: bool,
    /// How many calls are under way at once.
    pub(crate) calls_at_once: usize,
    /// Where journals lie.
    pub(crate) states: Option<PathBuf>,
}

/// Checks a file, and creates its posts. Without a client nothing is created.
///
/// # Errors
/// [`Failure`] by variant.
pub(crate) async fn run(
    context: &Context,
    import: Import,
    reached: Option<(&Client, &Uploader)>,
) -> Result<Exit, Failure> {
    let source = Source::read(&import.file, import.reading)?;
    let mut journal = Journal::default();
    if let Some((client, _)) = reached
        && let Some(states) = &import.states
    {
        let path =
            Journal::place(states, client.base(), &client.key_hash(), source.path.as_deref());
        journal = Journal::open(&path, import.is_fresh)?;
    }
    warn_of_journal(context, &import, &journal, reached.is_some());
    let now = SystemClock::new().now();
    let mut plan = Plan::read(&source, &journal);
    for (kind, count) in source.left_out() {
        context.printer.message(&format!("left out: {}", counted(count, &kind)));
    }
    if plan.made > 0 {
        context.printer.message(&format!(
            "{} made by an earlier run: not checked and not made again",
            counted(plan.made, "line"),
        ));
    }
    let mut measures = Measures::default();
    plan.verify(&source, &mut measures, now, reached.is_none());
    let journal = Mutex::new(journal);
    let run = Run { context, import: &import, source: &source, journal: &journal, now };
    match reached {
        None => {
            plan.sort();
            run.end(&plan, &Outcome::default())
        }
        Some((client, uploader)) => run.at_server(plan, &mut measures, client, uploader).await,
    }
}

fn warn_of_journal(context: &Context, import: &Import, journal: &Journal, is_reached: bool) {
    if !is_reached {
        return;
    }
    let reason = match (&import.states, &journal.trouble) {
        (Some(_), None) => return,
        (Some(_), Some(trouble)) => trouble.clone(),
        (None, _) => "the system names no folder for it".to_owned(),
    };
    context.printer.warning(&format!(
        "no journal is kept: {reason}; see --state. A second run sends every line again, and the server makes none of them twice"
    ));
}

/// What every step of an import needs.
struct Run<'a> {
    context: &'a Context,
    import: &'a Import,
    source: &'a Source,
    journal: &'a Mutex<Journal>,
    now: DateTime<Utc>,
}

impl Run<'_> {
    async fn at_server(
        &self,
        mut plan: Plan,
        measures: &mut Measures,
        client: &Client,
        uploader: &Uploader,
    ) -> Result<Exit, Failure> {
        let Self { context, import, source, journal, now } = *self;
        let is_whole = source.head.is_empty();
        let caller = Caller::new(client);
        let shows_progress = !context.printer.is_json();
        let known =
            if is_whole && !plan.lines.is_empty() { accounts(client).await? } else { Vec::new() };
        if source.is_export_of(&known) && !import.reading.all_as_drafts {
            context.printer.warning("the export is of this very workspace: its posts are made a second time, and what is scheduled goes out twice; --as-drafts takes them as drafts");
        }
        if is_whole && !plan.lines.is_empty() {
            self.announce(plan.lines.len());
            let calls_at_once = import.calls_at_once;
            let asking = Asking { calls_at_once, now, shows_progress };
            plan.ask(source, &caller, measures, &known, &asking).await?;
        }
        plan.sort();
        let faulty = plan.faulty_lines();
        let may_create = faulty.is_empty() || (import.skips_faulty && is_whole);
        if import.is_dry_run || !may_create {
            return self.end(&plan, &Outcome::default());
        }
        let lines: Vec<&Planned> =
            plan.lines.iter().filter(|planned| !faulty.contains(&planned.record.line)).collect();
        let creator = Creator {
            source,
            caller: &caller,
            accounts: &known,
            uploads: tokio::sync::Mutex::new(Uploads::new(client, uploader, context.printer)),
            journal,
            calls_at_once: import.calls_at_once,
            shows_progress,
        };
        let mut outcome = creator.run(&lines).await;
        outcome.made.sort_by_key(|made| made.line);
        if let Some(trouble) = lock(journal).trouble.take() {
            context.printer.warning(&format!("the journal is no longer kept: {trouble}"));
        }
        let exit = self.end(&plan, &outcome)?;
        let Some(failure) = outcome.stopped_by else { return Ok(exit) };
        // The one document is out already.
        context.printer.error(&failure.to_string());
        context.printer.advice(&failure.advice(&super::command()));
        Ok(failure.exit())
    }

    /// Says how long it takes, before it begins.
    fn announce(&self, lines: usize) {
        if lines < LONG {
            return;
        }
        let calls = lines * if self.import.is_dry_run { 1 } else { 2 };
        let minutes = calls.div_ceil(CALLS_A_MINUTE);
        self.context.printer.message(&format!(
            "{}: {}; at the {CALLS_A_MINUTE} a minute that a server takes of a key unless its operator says otherwise, about {}",
            counted(lines, "line"),
            counted(calls, "call"),
            counted(minutes, "minute"),
        ));
    }

    /// Shows what was found and what came of it.
    fn end(&self, plan: &Plan, outcome: &Outcome) -> Result<Exit, Failure> {
        let printer = self.context.printer;
        let mut faults: Vec<Fault> = plan.faults.clone();
        faults.extend(outcome.faults.iter().cloned());
        let new = outcome.made.iter().filter(|made| made.is_new).count();
        let numbers = Numbers {
            lines: self.source.records.len(),
            faulty: plan.faulty_lines().len(),
            made_before: plan.made,
            created: new,
            known: outcome.made.len() - new,
        };
        let posts: Vec<Value> = outcome
            .made
            .iter()
            .map(|made| json!({"line": made.line, "id": made.post, "created": made.is_new}))
            .collect();
        let is_dry_run = self.import.is_dry_run;
        let shown = document(&numbers, is_dry_run, &faults, &posts);
        let is_refused =
            numbers.faulty > 0 && !(self.import.skips_faulty && self.source.head.is_empty());
        let is_unfinished = !outcome.faults.is_empty();
        let printed = printer.result(&shown, |printer| {
            if !faults.is_empty() {
                printer.styled(&table(&faults, Table::new().width()))?;
                printer.line("")?;
            }
            printer.line(&self.summary(&numbers, &faults, is_refused))
        });
        printed.map_err(anyhow::Error::from)?;
        if let Some(path) = lock(self.journal).path()
            && (new > 0 || is_unfinished)
        {
            printer.message(&format!("what was made is written down in {}", path.display()));
        }
        for made in outcome.made.iter().filter(|made| made.is_other) {
            printer.warning(&format!(
                "line {}: its key was first used for a post with another text, target, time or \
                 file, {}, which is as it was; give the line another key for a new post, or change \
                 that one with `scheduler posts edit {}`",
                made.line, made.post, made.post
            ));
        }
        if let Some(advice) = self.advice(&numbers, is_refused, outcome) {
            printer.advice(advice);
        }
        Ok(if is_refused || is_unfinished || outcome.stopped_by.is_some() {
            Exit::Failed
        } else {
            Exit::Done
        })
    }

    fn summary(&self, numbers: &Numbers, faults: &[Fault], is_refused: bool) -> String {
        let warnings = faults.iter().filter(|fault| !fault.is_error()).count();
        let errors = faults.len() - warnings;
        let mut parts = vec![counted(numbers.lines, "line")];
        if errors > 0 {
            parts.push(format!(
                "{} in {}",
                counted(errors, "error"),
                counted(numbers.faulty, "line")
            ));
        }
        if warnings > 0 {
            parts.push(counted(warnings, "warning"));
        }
        if numbers.made_before > 0 {
            parts.push(format!("{} made before", numbers.made_before));
        }
        if is_refused {
            parts.push("nothing was created".to_owned());
        } else if self.import.is_dry_run {
            let good = numbers.lines.saturating_sub(numbers.faulty + numbers.made_before);
            parts.push(format!("{} would be created", counted(good, "post")));
        } else {
            parts.push(format!("{} created", counted(numbers.created, "post")));
            if numbers.known > 0 {
                parts.push(format!(
                    "{} known to the server already",
                    counted(numbers.known, "post")
                ));
            }
        }
        parts.join("; ")
    }

    fn advice(
        &self,
        numbers: &Numbers,
        is_refused: bool,
        outcome: &Outcome,
    ) -> Option<&'static str> {
        if outcome.stopped_by.is_some() || !outcome.faults.is_empty() {
            return Some(
                "mend what is wrong and run the same command again: it makes only what is missing",
            );
        }
        if is_refused && self.source.head.is_empty() {
            return Some(
                "mend the lines and run the command again, or create the others with --skip-faulty",
            );
        }
        (self.import.is_dry_run && numbers.faulty == 0)
            .then_some("the same command without --dry-run creates them")
    }
}
