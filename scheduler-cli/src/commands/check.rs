//! `scheduler check`: what creating a post would say, without creating it.

use clap::{Arg, Args};
use scheduler_core::app::{CheckInput, CheckReport, TextCount};
use scheduler_core::platform::TextUnit;
use scheduler_core::post::TargetInput;
use scheduler_core::rules::Cost;
use scheduler_http::directions;
use serde::Deserialize as _;
use serde_json::{Value, json};

use super::post::PostArguments;
use crate::client::{Call, Client};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::posting::{
    Attachments, Findings, NewBody, create_body, draft_of, known_accounts, needs_account_names,
};
use crate::printer::{Printer, Screen, escape_control};

pub(super) const EXAMPLES: &str = "\
Examples:
  scheduler check \"Out now\" --to bluesky,mastodon
  scheduler check \"New clip\" --to all --media clip.mp4 --offline";

/// A post to be checked.
#[derive(Args, Debug)]
pub(crate) struct CheckArguments {
    #[command(flatten)]
    post: PostArguments,
    /// Check by the networks' capability sheets alone, without a server and a key; `all` is then
    /// every network
    #[arg(long, conflicts_with_all = ["server", "api_key"])]
    offline: bool,
}

/// Leaves out of the help what is taken only so that `post` can be changed to `check`.
pub(super) fn hide_without_use(argument: Arg) -> Arg {
    let is_without_use =
        matches!(argument.get_id().as_str(), "draft" | "key" | "wait" | "parallel" | "state");
    argument.hide(is_without_use)
}

/// Checks the post. Its key and waiting for it are no part of a check.
pub(crate) async fn run(context: Context, arguments: CheckArguments) -> Result<Exit, Failure> {
    let CheckArguments { post, offline } = arguments;
    let files = Attachments::measure(&post.media)?;
    if !context.printer.is_json() {
        for file in files.local() {
            context.printer.message(&file.line());
        }
    }
    let client = if offline { None } else { Some(context.client(post.client).await?) };
    let NewBody { body, written } =
        create_body(client.as_ref(), context.printer, &post.content, &post.timing).await?;
    // A check stores nothing, so the text is wanted again whatever is found.
    if let Some(written) = written {
        written.leave(context.printer);
    }
    let mut body = draft_of(body);
    files.describe(&mut body)?;
    let (document, report) = match &client {
        Some(client) => {
            let answer = context
                .with_spinner("checking", client.send(Call::post("/platforms/validate", &body)))
                .await?;
            let report: CheckReport = answer.read()?;
            (answer.body, report)
        }
        None => {
            let report = check_by_sheets(&body)?;
            (json!(report), report)
        }
    };
    if context.printer.is_json() {
        context.printer.document(&document)?;
    } else {
        show(context.printer, client.as_ref(), &body, &report).await?;
    }
    Ok(if report.ok { Exit::Done } else { Exit::Failed })
}

/// Checks a body in this process.
///
/// # Errors
/// [`Failure::Usage`] for a body that is none, [`Failure::Refused`] for what a server refuses.
fn check_by_sheets(body: &Value) -> Result<CheckReport, Failure> {
    let input = CheckInput::deserialize(body)
        .map_err(|error| Failure::Usage(format!("the post cannot be checked: {error}")))?;
    let mut report = input.check_by_sheets()?;
    directions::add_to_report(&mut report);
    Ok(report)
}

/// A line for each text: how long it is, and how long it may be. Bytes are told where they are too
/// many.
fn counted<'a>(
    report: &'a CheckReport,
    targets: &'a [TargetInput],
) -> impl Iterator<Item = String> + 'a {
    let is_shown = |count: &&TextCount| count.unit != TextUnit::Bytes || count.used > count.limit;
    report.counts.iter().filter(is_shown).filter_map(|count| {
        let part = match count.part.parse::<usize>() {
            Ok(index) => format!(", part {}", index + 2),
            Err(_) => String::new(),
        };
        let unit = if count.unit == TextUnit::Bytes { "bytes" } else { "characters" };
        let network = targets.get(count.target)?.platform;
        Some(format!("{network}{part}: {} of {} {unit}", count.used, count.limit))
    })
}

/// A line for each target whose time is known.
fn timed<'a>(
    report: &'a CheckReport,
    targets: &'a [TargetInput],
) -> impl Iterator<Item = String> + 'a {
    report.times.iter().filter_map(|time| {
        let network = targets.get(time.target)?.platform;
        let asked =
            time.asked.as_ref().filter(|_| time.shifted).map_or_else(String::new, |asked| {
                format!("; clocks there go over {}", asked.replace('T', " "))
            });
        let local = time.local.replace('T', " ");
        Some(format!("{network}: goes out {local} in {}{asked}", time.zone))
    })
}

/// Prints what was found, who would take the post, and what can be done.
async fn show(
    printer: Printer,
    client: Option<&Client>,
    body: &Value,
    report: &CheckReport,
) -> Result<(), Failure> {
    let targets = body.get("targets").map(Vec::<TargetInput>::deserialize).and_then(Result::ok);
    let targets = targets.unwrap_or_default();
    let accounts = match client {
        Some(client) if needs_account_names(&targets) => known_accounts(client).await,
        Some(_) | None => Vec::new(),
    };
    let findings = Findings::new(&report.issues, &targets, &accounts);
    if !findings.is_empty() {
        printer.styled(&findings.table(Screen::of_output().width()).trim_fmt())?;
        printer.line("")?;
    }
    for cost in &report.costs {
        let name = cost.platform.sheet().short_name;
        let Cost { amount, currency, as_of, .. } = cost;
        printer.line(&format!(
            "{name} charges about {amount} {currency}, by its prices of {as_of}."
        ))?;
    }
    for line in counted(report, &targets).chain(timed(report, &targets)) {
        printer.line(&line)?;
    }
    printer.styled(&escape_control(&findings.summary()))?;
    let has_files = ["mediaItems", "mediaIds"].into_iter().any(|field| {
        body.get(field).and_then(Value::as_array).is_some_and(|files| !files.is_empty())
    });
    for advice in findings.advice(has_files) {
        printer.advice(&advice);
    }
    Ok(())
}
