//! `scheduler config keys`: what can be set.

use clap::Args;
use serde_json::{Value, json};

use crate::config::{
    ALLOWED_GROUPS, GROUPS, Group, NETWORK_GROUPS, Named, PLAN_GROUPS, Secrecy, every_setting,
    setting_named,
};
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;
use crate::names::nearest;
use crate::printer::cell;

/// Lines for the help.
pub(super) const EXAMPLES: &str = "\
Examples:
  scheduler config keys
  scheduler config keys public_url
  scheduler config keys SCHEDULER_YOUTUBE_CLIENT_ID";

/// What to explain.
#[derive(Args, Debug)]
pub(crate) struct KeysArguments {
    /// The setting, by its key, its variable or its option; all when left out
    #[arg(allow_hyphen_values = true)]
    name: Option<String>,
}

/// Lists the settings, or explains one.
///
/// # Errors
/// [`Failure::Usage`] for a name that no setting has, [`Failure::Other`] when standard output
/// cannot be written.
pub(super) fn run(context: &Context, arguments: &KeysArguments) -> Result<Exit, Failure> {
    match &arguments.name {
        Some(name) => {
            let named = setting_named(name).ok_or_else(|| unknown(name))?;
            context.print(&document(&named), &explained(&named))?;
        }
        None => list(context)?,
    }
    Ok(Exit::Done)
}

fn unknown(name: &str) -> Failure {
    let plain = name.trim_start_matches("SCHEDULER_").trim_start_matches('-');
    let meant = match nearest(plain, every_setting().map(|named| named.key)) {
        Some(near) => format!(" did you mean {near:?}?"),
        None => String::new(),
    };
    Failure::Usage(format!(
        "no setting is called {name:?};{meant} `scheduler config keys` lists all"
    ))
}

fn list(context: &Context) -> Result<(), Failure> {
    let printer = context.printer;
    if printer.is_json() {
        let settings: Value = every_setting().map(|named| document(&named)).collect();
        return Ok(printer.document(&json!({"data": settings})).map_err(anyhow::Error::from)?);
    }
    let named = |groups: &'static [Group], prefix: &'static str| {
        let settings = groups.iter().flat_map(|group| group.settings);
        settings.map(move |setting| {
            vec![cell(format!("{prefix}{}", setting.key)), cell(first_sentence(setting.meaning))]
        })
    };
    let rows = named(GROUPS, "")
        .chain(named(NETWORK_GROUPS, "NETWORK_"))
        .chain(named(ALLOWED_GROUPS, "openid.allow."))
        .chain(named(PLAN_GROUPS, "plans.PLAN."));
    printer.table(&["setting", "what it does"], rows, "").map_err(anyhow::Error::from)?;
    Ok(())
}

fn first_sentence(text: &str) -> &str {
    text.split_once(". ").map_or(text, |(first, _)| first).trim_end_matches('.')
}

fn explained(named: &Named) -> String {
    let setting = &named.setting;
    let lines = [
        ("value", Some(setting.form.words())),
        ("default", Some(named.default_words().unwrap_or_else(|| "not set".to_owned()))),
        ("example", Some(example(named))),
        ("option", setting.option.map(str::to_owned)),
        ("variable", named.variable()),
        ("or its file", named.file_variable()),
        ("secret", (setting.secrecy == Secrecy::Secret).then(|| "yes".to_owned())),
        ("read by", Some(setting.readers.to_owned())),
    ];
    let mut text = format!("{}\n  {}\n", named.key, setting.meaning);
    for (name, value) in lines {
        if let Some(value) = value {
            text.push_str(&format!("\n  {name:<12}{value}"));
        }
    }
    text
}

/// A line of the settings file.
fn example(named: &Named) -> String {
    let literal = match named.default_text() {
        Some(text) if named.is_nested => text,
        Some(_) | None => named.setting.literal(),
    };
    format!("{} = {literal}", named.key)
}

fn document(named: &Named) -> Value {
    let setting = &named.setting;
    json!({
        "key": named.key,
        "meaning": setting.meaning,
        "value": setting.form.words(),
        "default": named.default_words(),
        "example": example(named),
        "option": setting.option,
        "variable": named.variable(),
        "fileVariable": named.file_variable(),
        "isSecret": setting.secrecy == Secrecy::Secret,
        "readBy": setting.readers.split(", ").collect::<Vec<_>>(),
    })
}
