//! `scheduler config show`: what is in force, and where it comes from.

use clap::Args;
use serde_json::{Value, json};

use super::{ServeOptions, judge};
use crate::config::{InForce, Origin, Secrecy, Shown, in_force};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::printer::cell;

/// Lines for the help.
pub(super) const EXAMPLES: &str = "\
Examples:
  scheduler config show
  scheduler config show --all --json
  scheduler config show --listen 0.0.0.0:8080 --data /var/lib/scheduler";

/// What to show.
#[derive(Args, Debug)]
pub(crate) struct ShowArguments {
    /// Show also what is not set, and every setting of every network and plan
    #[arg(long)]
    all: bool,
    #[command(flatten)]
    serve: ServeOptions,
}

/// Shows what is in force.
///
/// # Errors
/// [`Failure::Other`] when standard output cannot be written.
pub(super) fn run(context: &Context, arguments: ShowArguments) -> Result<Exit, Failure> {
    let sources = &context.sources;
    let given = arguments.serve.given();
    let checked = arguments.serve.check(sources);
    let unknown = sources.unknown_variables();
    let mut settings = in_force(&given, sources, &checked);
    settings.retain(|setting| arguments.all || is_worth_showing(setting));
    if context.printer.is_json() {
        let document = json!({
            "file": sources.file(),
            "settings": settings.iter().map(document).collect::<Value>(),
            "faults": checked.faults,
            "unknownVariables": unknown,
        });
        context.printer.document(&document).map_err(anyhow::Error::from)?;
    } else {
        let rows = settings.iter().map(|setting| {
            vec![cell(&setting.setting.key), cell(value(&setting.value)), cell(from(setting))]
        });
        let headings = ["setting", "value", "from"];
        context.printer.table(&headings, rows, "nothing is set").map_err(anyhow::Error::from)?;
    }
    Ok(judge(context, &checked.faults, &unknown))
}

fn is_worth_showing(shown: &InForce) -> bool {
    let is_set = shown.origin != Origin::Default;
    let is_repeated = shown.setting.is_nested;
    is_set || (!is_repeated && shown.value != Shown::Unset)
}

fn value(shown: &Shown) -> String {
    match shown {
        Shown::Text(text) => text.clone(),
        Shown::Hidden { characters } => format!("set ({characters} characters)"),
        Shown::Unset => "not set".to_owned(),
    }
}

fn from(shown: &InForce) -> String {
    let origin = place(&shown.origin);
    if shown.instead_of.is_empty() {
        return origin;
    }
    let others: Vec<String> = shown.instead_of.iter().map(place).collect();
    format!("{origin} (not {})", others.join(", "))
}

fn place(origin: &Origin) -> String {
    match origin {
        Origin::Option { name } => (*name).to_owned(),
        Origin::Variable { name } => name.clone(),
        Origin::File { path, line: Some(line) } => format!("{}:{line}", path.display()),
        Origin::File { path, line: None } => path.display().to_string(),
        Origin::Default => "default".to_owned(),
    }
}

fn document(shown: &InForce) -> Value {
    let (text, characters) = match &shown.value {
        Shown::Text(text) => (Some(text), None),
        Shown::Hidden { characters } => (None, Some(characters)),
        Shown::Unset => (None, None),
    };
    json!({
        "key": shown.setting.key,
        "value": text,
        "isSet": shown.origin != Origin::Default,
        "isSecret": shown.setting.setting.secrecy == Secrecy::Secret,
        "characters": characters,
        "from": shown.origin,
        "insteadOf": shown.instead_of,
    })
}
