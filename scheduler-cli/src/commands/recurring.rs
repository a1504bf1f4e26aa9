//! `scheduler recurring`: posts that come again.

use clap::{Args, Subcommand};
use http::Method;
use scheduler_core::ids::RecurrenceId;
use scheduler_core::post::{Field, PostInput};
use scheduler_core::recurrence::{
    EntryInput, OccurrenceView, RecurrenceChange, RecurrenceInput, RecurrencePreview,
    RecurrenceState, RecurrenceView, RuleInput,
};
use scheduler_core::timing::Zone;
use serde_json::{Value, json};

use crate::client::{Call, Client};
use crate::config::OfWorkspace;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::names;
use crate::posting::{TargetSpec, accounts, choose, instant, read_body, without_sets};
use crate::printer::{Column, Printer, Shows, cell, one_line};

/// What to do with posts that come again.
#[derive(Debug, Subcommand)]
pub(crate) enum RecurringCommand {
    /// Have posts come again: by a rule, or from a pool that fills free slots
    ///
    /// The posts are made ahead, 14 days for a rule and 24 hours for slots, as ordinary posts: each
    /// can be changed and cancelled by itself. Several texts take turns.
    #[command(
        after_help = "Examples:\n  scheduler recurring add Rye --text \"Rye.\" --to x --rule FREQ=WEEKLY --start 2026-12-07T09:00\n  scheduler recurring add Favourites --text \"How we bake\" --to x --evergreen --cool-down 30\n  scheduler recurring add --file pool.json"
    )]
    Add(AddArguments),
    /// Show when posts would come again, and store nothing
    #[command(
        after_help = "Example:\n  scheduler recurring preview Sale --text Sale --to x --rule FREQ=MONTHLY --start 2026-12-01T18:00"
    )]
    Preview(AddArguments),
    /// List what comes again
    #[command(after_help = "Example:\n  scheduler recurring list")]
    List(OfWorkspace),
    /// Show one, with its next occurrences
    #[command(
        after_help = "Example:\n  scheduler recurring show 01993b5c-2b7e-7000-8000-000000000001"
    )]
    Show(OneArguments),
    /// Change one: only what is named changes
    ///
    /// What waits of it and nobody has changed is changed alike.
    #[command(
        after_help = "Examples:\n  scheduler recurring change 01993b5c-2b7e-7000-8000-000000000001 --name Rye\n  scheduler recurring change 01993b5c-2b7e-7000-8000-000000000001 --file change.json"
    )]
    Change(ChangeArguments),
    /// Take back what waits of one, and make nothing until it is resumed
    #[command(
        after_help = "Example:\n  scheduler recurring pause 01993b5c-2b7e-7000-8000-000000000001"
    )]
    Pause(OneArguments),
    /// Make posts of one again
    #[command(
        after_help = "Example:\n  scheduler recurring resume 01993b5c-2b7e-7000-8000-000000000001"
    )]
    Resume(OneArguments),
    /// End one, and take back what waits of it; one that has ended is removed
    #[command(
        after_help = "Example:\n  scheduler recurring remove 01993b5c-2b7e-7000-8000-000000000001"
    )]
    Remove(OneArguments),
}

/// What comes again, and when.
#[derive(Args, Debug)]
pub(crate) struct AddArguments {
    /// What people call it
    #[arg(required_unless_present = "file")]
    name: Option<String>,
    /// A text; several take turns
    #[arg(long = "text", value_name = "TEXT", required_unless_present = "file")]
    texts: Vec<String>,
    /// Where it goes: a network, NETWORK:@ACCOUNT, set:NAME, several with commas between, or all
    #[arg(long, value_name = "TARGETS", value_delimiter = ',', required_unless_present = "file")]
    to: Vec<TargetSpec>,
    /// When: a recurrence rule of RFC 5545
    #[arg(long, value_name = "RRULE", requires = "start")]
    rule: Option<String>,
    /// The local time at which the rule begins, such as 2026-12-07T09:00
    #[arg(long, value_name = "LOCAL", requires = "rule")]
    start: Option<String>,
    /// Local times that are left out, with commas between
    #[arg(long, value_name = "LOCAL", value_delimiter = ',', requires = "rule")]
    exclude: Vec<String>,
    /// The zone of the rule; that of each account when left out
    #[arg(long, value_name = "ZONE", value_parser = names::zone, requires = "rule")]
    zone: Option<Zone>,
    /// In the free slots of the accounts' posting schedules
    #[arg(long, conflicts_with = "rule", requires = "cool_down")]
    evergreen: bool,
    /// Days between two publications on an account, at least
    #[arg(long, value_name = "DAYS")]
    cool_down: Option<u32>,
    /// A file with the API's own body, or - for standard input
    #[arg(long, value_name = "FILE", conflicts_with_all = ["name", "texts", "to", "rule", "evergreen", "cool_down"])]
    file: Option<String>,
    #[command(flatten)]
    of: OfWorkspace,
}

/// One that comes again.
#[derive(Args, Debug)]
pub(crate) struct OneArguments {
    /// The id, as `recurring list` shows it
    #[arg(value_parser = names::recurrence_id)]
    id: RecurrenceId,
    #[command(flatten)]
    of: OfWorkspace,
}

/// One that comes again, and what changes of it.
#[derive(Args, Debug)]
#[command(group = clap::ArgGroup::new("changes").required(true).multiple(true))]
pub(crate) struct ChangeArguments {
    /// The id, as `recurring list` shows it
    #[arg(value_parser = names::recurrence_id)]
    id: RecurrenceId,
    /// What people call it
    #[arg(long, group = "changes")]
    name: Option<String>,
    /// When: a recurrence rule of RFC 5545
    #[arg(long, value_name = "RRULE", requires = "start", group = "changes")]
    rule: Option<String>,
    /// The local time at which the rule begins
    #[arg(long, value_name = "LOCAL", requires = "rule")]
    start: Option<String>,
    /// Local times that are left out, with commas between
    #[arg(long, value_name = "LOCAL", value_delimiter = ',', requires = "rule")]
    exclude: Vec<String>,
    /// The zone of the rule; that of each account when left out
    #[arg(long, value_name = "ZONE", value_parser = names::zone, requires = "rule")]
    zone: Option<Zone>,
    /// Days between two publications on an account, at least
    #[arg(long, value_name = "DAYS", group = "changes")]
    cool_down: Option<u32>,
    /// A file with the API's own body of a change, such as new entries, or - for standard input
    #[arg(long, value_name = "FILE", group = "changes", conflicts_with_all = ["name", "rule", "cool_down"])]
    file: Option<String>,
    #[command(flatten)]
    of: OfWorkspace,
}

/// Does what was asked.
pub(crate) async fn run(context: Context, command: RecurringCommand) -> Result<Exit, Failure> {
    match command {
        RecurringCommand::Add(arguments) => {
            let client = arguments.of.clone().open(&context).await?;
            let body = arguments.body(&client, context.printer).await?;
            let call = Call::post("/recurring", &body);
            let made: RecurrenceView = client.ask(call).await?.read()?;
            shown(&context, &made)
        }
        RecurringCommand::Preview(arguments) => {
            let client = arguments.of.clone().open(&context).await?;
            let body = arguments.body(&client, context.printer).await?;
            let call = Call::post("/recurring/preview", &body);
            let preview: RecurrencePreview = client.ask(call).await?.read()?;
            for issue in &preview.issues {
                context.printer.issue(issue);
            }
            for warning in &preview.warnings {
                context.printer.warning(&warning.message);
            }
            let empty = "It never comes, as accounts and schedules are now.";
            context.list(&preview, &preview.upcoming, &columns(), empty)
        }
        RecurringCommand::List(of) => {
            let client = of.open(&context).await?;
            list(&context, &client.ask(Call::get("/recurring")).await?.data()?)
        }
        RecurringCommand::Show(OneArguments { id, of }) => {
            let path = format!("/recurring/{id}");
            let client = of.open(&context).await?;
            let view: RecurrenceView = client.ask(Call::get(&path)).await?.read()?;
            shown(&context, &view)
        }
        RecurringCommand::Change(arguments) => {
            let (id, of) = (arguments.id, arguments.of.clone());
            let body = arguments.body()?;
            change(&context, id, of, &body).await
        }
        RecurringCommand::Pause(OneArguments { id, of }) => {
            change(&context, id, of, &state(RecurrenceState::Paused)).await
        }
        RecurringCommand::Resume(OneArguments { id, of }) => {
            change(&context, id, of, &state(RecurrenceState::Active)).await
        }
        RecurringCommand::Remove(OneArguments { id, of }) => {
            let path = format!("/recurring/{id}");
            of.open(&context).await?.ask(Call::new(Method::DELETE, &path)).await?;
            context.done(&json!({"id": id, "removed": true}), "removed, or ended if it had not")
        }
    }
}

impl AddArguments {
    /// The body that they stand for.
    async fn body(self, client: &Client, printer: Printer) -> Result<Value, Failure> {
        if let Some(file) = &self.file {
            return read_body(file);
        }
        let accounts = accounts(client).await?;
        let to = without_sets(client, printer, &self.to, &accounts).await?;
        let targets = choose(&to, &accounts, "--to all")?;
        let post = PostInput { targets: Field::Value(targets), ..PostInput::default() };
        let input = RecurrenceInput {
            name: self.name.unwrap_or_default(),
            rule: rule(self.rule, self.start, self.exclude, self.zone),
            evergreen: self.evergreen.then_some(true),
            cool_down_days: self.cool_down,
            entries: vec![EntryInput { id: None, post, texts: self.texts }],
        };
        Ok(json!(input))
    }
}

impl ChangeArguments {
    /// The body that they stand for.
    fn body(self) -> Result<Value, Failure> {
        if let Some(file) = &self.file {
            return read_body(file);
        }
        Ok(json!(RecurrenceChange {
            name: self.name,
            rule: rule(self.rule, self.start, self.exclude, self.zone),
            cool_down_days: self.cool_down,
            ..RecurrenceChange::default()
        }))
    }
}

fn rule(
    rrule: Option<String>,
    start: Option<String>,
    exclude: Vec<String>,
    zone: Option<Zone>,
) -> Option<RuleInput> {
    let (rrule, start) = rrule.zip(start)?;
    Some(RuleInput { rrule, start, exclude, zone })
}

fn state(state: RecurrenceState) -> Value {
    json!(RecurrenceChange { state: Some(state), ..RecurrenceChange::default() })
}

async fn change(
    context: &Context,
    id: RecurrenceId,
    of: OfWorkspace,
    body: &Value,
) -> Result<Exit, Failure> {
    let path = format!("/recurring/{id}");
    let call = Call::patch(&path, body);
    let view: RecurrenceView = of.open(context).await?.ask(call).await?.read()?;
    shown(context, &view)
}

/// How an occurrence is shown.
fn columns() -> [Shows<OccurrenceView>; 4] {
    [
        (Column::words("goes out"), |one| cell(instant(one.at))),
        (Column::words("local"), |one| cell(one.local.as_deref().unwrap_or_default())),
        (Column::numbers("entry"), |one| cell(one.entry + 1)),
        (Column::words("post"), |one| {
            cell(one.post_id.map_or_else(|| "to be made".to_owned(), |id| id.to_string()))
        }),
    ]
}

fn shown(context: &Context, view: &RecurrenceView) -> Result<Exit, Failure> {
    context.show(view, |printer| {
        printer.line(&format!(
            "{}: {}, {}, {}",
            view.id,
            one_line(&view.name),
            view.state.as_str(),
            when(view),
        ))?;
        if let Some(problem) = &view.problem {
            printer.line(&format!("problem: {}", one_line(&problem.message)))?;
        }
        for warning in &view.warnings {
            printer.line(&format!("warning: {}", one_line(&warning.message)))?;
        }
        printer.list(&view.upcoming, &columns(), "Nothing is to come.")
    })
}

/// When it comes again, in a few words.
fn when(view: &RecurrenceView) -> String {
    let when = match &view.rule {
        Some(rule) => format!("{} from {}", rule.rrule, rule.start),
        None => "in free slots".to_owned(),
    };
    match view.cool_down_days {
        0 => when,
        days => format!("{when}, cool-down {days} days"),
    }
}

fn list(context: &Context, views: &[RecurrenceView]) -> Result<Exit, Failure> {
    let columns: [Shows<RecurrenceView>; 6] = [
        (Column::words("id"), |view| cell(view.id)),
        (Column::text("name"), |view| cell(one_line(&view.name))),
        (Column::words("state"), |view| cell(view.state.as_str())),
        (Column::text("when"), |view| cell(when(view))),
        (Column::words("next"), |view| {
            cell(view.upcoming.first().map(|one| instant(one.at)).unwrap_or_default())
        }),
        (Column::text("problem"), |view| {
            let problem = view.problem.as_ref().map_or("", |problem| problem.message.as_str());
            cell(one_line(problem))
        }),
    ];
    let empty = "Nothing comes again; `scheduler recurring add` begins with it.";
    context.list(&json!({"data": views}), views, &columns, empty)
}
