//! An import from its file to its end.

use std::sync::Mutex;

use chrono::{DateTime, Utc};
use comfy_table::Table;
use scheduler_core::ports::Clock as _;
use scheduler_worker::SystemClock;
use serde_json::json;

use super::calls::Caller;
use super::create::{Creator, Made, Outcome};
use super::files::{Measures, Uploads};
use super::journal::Journal;
use super::lock;
use super::options::ImportOptions;
use super::plan::{Asking, Plan, Planned};
use super::report::{Report, table};
use super::source::Source;
use crate::client::Client;
use crate::command_path::CommandPath;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::posting::accounts;
use crate::printer::counted;
use crate::uploading::Uploader;

/// Checks a file, and creates its posts. Without a client nothing is created.
pub(crate) async fn run(
    context: &Context,
    import: &ImportOptions,
    reached: Option<(&Client, &Uploader)>,
) -> Result<Exit, Failure> {
    let source = Source::read(import)?;
    let mut journal = Journal::default();
    if let Some((client, uploader)) = reached {
        if let Some(states) = uploader.states() {
            let (server, key) = (client.base(), client.key_hash());
            let path = Journal::place(states, server, &key, source.path.as_deref());
            journal = Journal::open(&path, import.fresh && !import.dry_run)?;
        }
        warn_of_journal(context, uploader.states().is_some(), &journal);
    }
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
    let measures = Measures::default();
    plan.verify(&source, &measures, now, reached.is_none());
    let journal = Mutex::new(journal);
    let run = Run { context, import, source: &source, journal: &journal, now };
    match reached {
        None => {
            plan.sort();
            run.end(&plan, &Outcome::default())
        }
        Some((client, uploader)) => run.at_server(plan, &measures, client, uploader).await,
    }
}

fn warn_of_journal(context: &Context, has_place: bool, journal: &Journal) {
    let reason = match &journal.trouble {
        Some(trouble) => trouble,
        None if has_place => return,
        None => "the system names no folder for it",
    };
    context.printer.warning(&format!(
        "no journal is kept: {reason}; see --state. A second run sends every line again, and the server makes none of them twice"
    ));
}

/// What every step of an import needs.
struct Run<'a> {
    context: &'a Context,
    import: &'a ImportOptions,
    source: &'a Source,
    journal: &'a Mutex<Journal>,
    now: DateTime<Utc>,
}

impl Run<'_> {
    async fn at_server(
        &self,
        mut plan: Plan,
        measures: &Measures,
        client: &Client,
        uploader: &Uploader,
    ) -> Result<Exit, Failure> {
        let Self { context, import, source, journal, now } = *self;
        let is_whole = source.head.is_empty();
        let is_asked = is_whole && !plan.lines.is_empty();
        let caller = Caller::new(client);
        let known = if is_asked { accounts(client).await? } else { Vec::new() };
        if source.is_export_of(&known) && !import.as_drafts {
            context.printer.warning("the export is of this very workspace: its posts are made a second time, and what is scheduled goes out twice; --as-drafts takes them as drafts");
        }
        let calls_at_once = import.jobs.into();
        if is_asked {
            let (caller, accounts) = (&caller, known.as_slice());
            plan.ask(&Asking { source, caller, measures, accounts, calls_at_once, now }).await?;
        }
        plan.sort();
        let faulty = plan.faulty_lines();
        let may_create = faulty.is_empty() || (import.skip_faulty && is_whole);
        if import.creates_nothing() || !may_create {
            return self.end(&plan, &Outcome::default());
        }
        let lines: Vec<&Planned> =
            plan.lines.iter().filter(|planned| !faulty.contains(&planned.record.line)).collect();
        let mut creator = Creator {
            source,
            caller: &caller,
            accounts: &known,
            uploads: Uploads::new(client, uploader, context.printer),
            journal,
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
        context.printer.advice(&failure.advice(&CommandPath::named("import")));
        Ok(failure.exit())
    }

    /// Shows what was found and what came of it.
    fn end(&self, plan: &Plan, outcome: &Outcome) -> Result<Exit, Failure> {
        let printer = self.context.printer;
        let created = outcome.made.iter().filter(|made| made.is_new).count();
        let post =
            |made: &Made| json!({"line": made.line, "id": made.post, "created": made.is_new});
        let report = Report {
            dry_run: self.import.creates_nothing(),
            lines: self.source.records.len(),
            faulty_lines: plan.faulty_lines().len(),
            already_imported: plan.made,
            created,
            known: outcome.made.len() - created,
            faults: [plan.faults.as_slice(), &outcome.faults].concat(),
            posts: outcome.made.iter().map(post).collect(),
        };
        let is_refused =
            report.faulty_lines > 0 && !(self.import.skip_faulty && self.source.head.is_empty());
        let is_unfinished = !outcome.faults.is_empty();
        printer.result(&json!(report), |printer| {
            if !report.faults.is_empty() {
                printer.styled(&table(&report.faults, Table::new().width()))?;
                printer.line("")?;
            }
            printer.line(&summary(&report, is_refused))
        })?;
        if let Some(path) = lock(self.journal).path()
            && (created > 0 || is_unfinished)
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
        if let Some(advice) = self.advice(&report, is_refused, outcome) {
            printer.advice(advice);
        }
        Ok(if is_refused || is_unfinished || outcome.stopped_by.is_some() {
            Exit::Failed
        } else {
            Exit::Done
        })
    }

    fn advice(&self, report: &Report, is_refused: bool, outcome: &Outcome) -> Option<&'static str> {
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
        (report.dry_run && report.faulty_lines == 0)
            .then_some("the same command without --dry-run creates them")
    }
}

/// How much there is of what, and what came of it.
fn summary(report: &Report, is_refused: bool) -> String {
    let errors = report.faults.iter().filter(|fault| fault.is_error()).count();
    let warnings = report.faults.len() - errors;
    let mut parts = vec![counted(report.lines, "line")];
    if errors > 0 {
        let lines = counted(report.faulty_lines, "line");
        parts.push(format!("{} in {lines}", counted(errors, "error")));
    }
    if warnings > 0 {
        parts.push(counted(warnings, "warning"));
    }
    if report.already_imported > 0 {
        parts.push(format!("{} made before", report.already_imported));
    }
    if is_refused {
        parts.push("nothing was created".to_owned());
    } else if report.dry_run {
        let good = report.lines.saturating_sub(report.faulty_lines + report.already_imported);
        parts.push(format!("{} would be created", counted(good, "post")));
    } else {
        parts.push(format!("{} created", counted(report.created, "post")));
        if report.known > 0 {
            parts.push(format!("{} known to the server already", counted(report.known, "post")));
        }
    }
    parts.join("; ")
}
