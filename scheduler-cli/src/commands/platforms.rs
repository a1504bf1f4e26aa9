//! `scheduler platforms`: what the networks take.

mod options;
mod rules_page;

use std::collections::BTreeMap;
use std::io;

use clap::Args;
use scheduler_core::platform::Platform;
use scheduler_core::rules::{CatalogueEntry, catalogue};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::client::Call;
use crate::config::ClientOptions;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::names::OneOf;
use crate::printer::{Column, Printer, Shows, cell, severity_cell};

use options::{OptionLine, OptionLines};

/// Names the network, and what is shown of it.
#[derive(Args, Debug)]
pub(crate) struct PlatformsArguments {
    /// A network; every one when left out
    #[arg(value_parser = OneOf::<Platform>::new(), hide_possible_values = true)]
    name: Option<Platform>,
    /// Show every rule that a post is checked against, as this version knows them; no server is
    /// asked
    #[arg(long)]
    rules: bool,
    /// Show every option of a network, with what it takes and an example, as this version knows
    /// them; no server is asked
    #[arg(long, requires = "name", conflicts_with = "rules")]
    options: bool,
    /// Print the page of documentation that lists every rule
    #[arg(long, requires = "rules", conflicts_with_all = ["name", "json"])]
    markdown: bool,
    #[command(flatten)]
    client: ClientOptions,
}

#[derive(Serialize)]
struct Rules {
    data: Vec<CatalogueEntry>,
}

/// The sheets as the server tells them; it may know fields that this version does not.
#[derive(Deserialize)]
struct Sheets {
    data: BTreeMap<String, Map<String, Value>>,
}

pub(crate) async fn run(context: Context, arguments: PlatformsArguments) -> Result<Exit, Failure> {
    if arguments.rules {
        if arguments.markdown {
            context.printer.line(rules_page::markdown().trim_end())
        } else {
            show_rules(context.printer, arguments.name)
        }?;
        return Ok(Exit::Done);
    }
    if let Some(platform) = arguments.name.filter(|_| arguments.options) {
        return show_options(&context, &OptionLines::of(platform));
    }
    let client = context.client(arguments.client).await?;
    let answer = client.send(Call::get("/platforms").keyless()).await?;
    let sheets: Sheets = answer.read()?;
    match arguments.name {
        None => context.printer.result(&answer.body, |printer| show_all(printer, &sheets)),
        Some(platform) => {
            let Some(sheet) = sheets.data.get(platform.as_str()) else {
                return Err(anyhow::anyhow!("the server does not know {platform}").into());
            };
            context.printer.result(sheet, |printer| show_one(printer, sheet))
        }
    }?;
    Ok(Exit::Done)
}

fn show_rules(printer: Printer, platform: Option<Platform>) -> io::Result<()> {
    let mut rules = Rules { data: catalogue() };
    if platform.is_some() {
        rules.data.retain(|rule| rule.platform == platform);
    }
    let columns: [Shows<CatalogueEntry>; 3] = [
        (Column::words("severity"), |rule| severity_cell(rule.severity)),
        (Column::words("rule"), |rule| cell(&rule.rule)),
        (Column::sentences("when"), |rule| cell(&rule.sentence)),
    ];
    printer.result(&rules, |printer| printer.list(&rules.data, &columns, "No rules."))
}

fn show_options(context: &Context, lines: &OptionLines) -> Result<Exit, Failure> {
    let columns: [Shows<OptionLine>; 4] = [
        (Column::words("option"), |line| cell(line.option)),
        (Column::sentences("value"), |line| cell(&line.value)),
        (Column::sentences("what it is for"), |line| cell(&line.about)),
        (Column::words("example"), |line| cell(&line.example)),
    ];
    context.list(lines, &lines.data, &columns, "No options.")
}

fn show_all(printer: Printer, sheets: &Sheets) -> io::Result<()> {
    let fields =
        ["charLimit", "requiresMedia", "maxMediaPerPost", "canEditRemote", "canDeleteRemote"];
    let rows = sheets.data.iter().map(|(name, sheet)| {
        let values = fields.iter().map(|field| cell(text(sheet.get(*field))));
        std::iter::once(cell(name)).chain(values).collect()
    });
    let headings = ["network", "characters", "needs", "files", "edit", "take down"];
    printer.table(&headings, rows, "No networks.")
}

fn show_one(printer: Printer, sheet: &Map<String, Value>) -> io::Result<()> {
    let rows = sheet.iter().map(|(field, value)| vec![cell(field), cell(text(Some(value)))]);
    let columns = [Column::words("field"), Column::sentences("value")];
    printer.columns(&columns, rows, "Nothing is known.")
}

fn text(value: Option<&Value>) -> String {
    match value {
        None | Some(Value::Null) => String::new(),
        Some(Value::Bool(flag)) => if *flag { "yes" } else { "no" }.to_owned(),
        Some(Value::Number(number)) => number.to_string(),
        Some(Value::String(text)) => text.clone(),
        Some(Value::Array(values)) => {
            let texts: Vec<String> = values.iter().map(|value| text(Some(value))).collect();
            texts.join(", ")
        }
        Some(Value::Object(object)) => Value::from(object.clone()).to_string(),
    }
}
