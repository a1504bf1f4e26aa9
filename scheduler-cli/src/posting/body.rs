//! The bodies that are sent.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, Read};

use anyhow::Context as _;
use scheduler_core::account::AccountView;
use scheduler_core::platform::{Disclosed, Disclosure};
use scheduler_core::post::{Field, PostInput, TargetInput};
use serde_json::{Value, json};

use super::arguments::{ContentArguments, EditArguments, TimingArguments};
use super::kept::Written;
use super::media_for::{self, MediaForArgument};
use super::option::{OptionArgument, Options};
use super::sets::without_sets;
use super::target::{TargetSpec, choose, choose_networks};
use super::{editor, own_texts, snippet};
use crate::client::{Call, Client};
use crate::failure::Failure;
use crate::printer::Printer;

/// The fields that say when a post goes out.
pub(crate) const TIMES: [&str; 5] =
    ["scheduledAt", "scheduledLocal", "queue", "publishNow", "saveAsDraft"];

/// Reads a file that a person names, or standard input for `-`.
///
/// # Errors
/// [`Failure::Usage`] when it cannot be read.
pub(crate) fn read_named<T>(
    name: &str,
    read: impl FnOnce(Box<dyn Read>) -> io::Result<T>,
) -> Result<T, Failure> {
    let opened: io::Result<Box<dyn Read>> = match name {
        "-" => Ok(Box::new(io::stdin())),
        _ => File::open(name).map(|file| Box::new(file) as Box<dyn Read>),
    };
    let read = opened.and_then(read).with_context(|| format!("cannot read {name}"));
    read.map_err(|error| Failure::Usage(format!("{error:#}")))
}

/// Reads the API's own body. It may have fields that this version does not know.
///
/// # Errors
/// [`Failure::Usage`] when it cannot be read, or is no JSON object.
pub(crate) fn read_body(name: &str) -> Result<Value, Failure> {
    match serde_json::from_str(&read_named(name, io::read_to_string)?) {
        Ok(body @ Value::Object(_)) => Ok(body),
        Ok(_) => Err(Failure::Usage(format!("{name} is not a JSON object"))),
        Err(error) => Err(Failure::Usage(format!("{name} is not JSON: {error}"))),
    }
}

/// The body of a new post.
pub(crate) struct NewBody {
    /// The body.
    pub(crate) body: Value,
    /// Its text, where it was written in an editor.
    pub(crate) written: Option<Written>,
}

impl From<Value> for NewBody {
    fn from(body: Value) -> Self {
        Self { body, written: None }
    }
}

/// The body that creates a post. Without a server it goes to networks, not to accounts. Says which
/// accounts of a set are left out. The editor is opened last, once nothing else can be refused here.
///
/// # Errors
/// [`Failure::Usage`] for a target or setting that fits nothing; those of the server when the
/// accounts have to be asked for.
pub(crate) async fn create_body(
    client: Option<&Client>,
    printer: Printer,
    content: &ContentArguments,
    timing: &TimingArguments,
) -> Result<NewBody, Failure> {
    if let Some(name) = &content.file {
        return read_body(name).map(NewBody::from);
    }
    let (begin, ends) =
        snippet::begin_and_end(client, content.template.as_ref(), &content.snippet).await?;
    let (to, options, files) = (&content.to, &content.options, &content.media_for);
    let named = targets(client, printer, to, options, files).await?;
    let mut targets = snippet::targets_of(named, &begin);
    own_texts::add_to(&mut targets, &content.own_texts, &content.thread)?;
    let given_text = text(content)?;
    let written = given_text.as_deref().filter(|_| content.editor).map(Written::new);
    let text = given_text.or_else(|| begin.content.value().cloned());
    let text = snippet::ended(text, &ends);
    if content.split {
        own_texts::split(&mut targets, text.as_deref().unwrap_or_default());
    }
    let metadata: BTreeMap<_, _> = content.metadata.iter().cloned().collect();
    let body = json!(PostInput {
        content: given(text),
        link_url: given(content.link.clone()).or(begin.link_url),
        disclosure: disclosed(&content.disclose).or(begin.disclosure),
        labels: several(&content.label).or(begin.labels),
        note: given(content.note.clone()).or(begin.note),
        metadata: given(Some(metadata).filter(|metadata| !metadata.is_empty())).or(begin.metadata),
        link_card: begin.link_card,
        targets: targets.into(),
        ..timed(timing)
    });
    Ok(NewBody { body, written })
}

/// The body that changes a post: only what was given.
///
/// # Errors
/// As [`create_body`].
pub(crate) async fn update_body(
    client: &Client,
    printer: Printer,
    edit: &EditArguments,
) -> Result<Value, Failure> {
    if let Some(name) = &edit.file {
        return read_body(name);
    }
    let mut input = PostInput {
        content: given(edit.text.clone()),
        link_url: if edit.no_link { Field::Null } else { given(edit.link.clone()) },
        disclosure: if edit.no_disclosure { Field::Null } else { disclosed(&edit.disclose) },
        labels: if edit.no_labels { Field::Null } else { several(&edit.label) },
        note: if edit.no_note { Field::Null } else { given(edit.note.clone()) },
        ..timed(&edit.timing)
    };
    if !edit.to.is_empty() {
        let (to, options, files) = (&edit.to, &edit.options, &edit.media_for);
        input.targets = targets(Some(client), printer, to, options, files).await?.into();
    }
    if edit.no_media {
        (input.media_ids, input.alt_texts) = (Field::Null, Field::Null);
    }
    Ok(json!(input))
}

/// The text of a post: as it is given, from standard input, from a file or from the editor.
fn text(content: &ContentArguments) -> Result<Option<String>, Failure> {
    let read = match (&content.text, &content.text_file) {
        (Some(text), _) if text == "-" => not_empty(read_named("-", io::read_to_string)?, "-")?,
        (Some(text), _) => return Ok(Some(text.clone())),
        (None, Some(file)) => {
            let name = file.to_string_lossy();
            not_empty(read_named(&name, io::read_to_string)?, &name)?
        }
        (None, None) if content.editor => editor::write()?,
        (None, None) => return Ok(None),
    };
    // Files and pipes end with a line break, which is none of the text.
    Ok(Some(read.trim_end_matches(['\r', '\n']).to_owned()))
}

/// What was read, unless it is nothing: then what should have written it has not.
fn not_empty(text: String, name: &str) -> Result<String, Failure> {
    if !text.trim().is_empty() {
        return Ok(text);
    }
    let what = if name == "-" { "standard input" } else { name };
    Err(Failure::Usage(format!(
        "{what} is empty; a post without a text, of files alone, needs none"
    )))
}

/// Texts, where there are any.
fn several(texts: &[String]) -> Field<Vec<String>> {
    given((!texts.is_empty()).then(|| texts.to_vec()))
}

/// What a post discloses, where anything is said of it.
fn disclosed(what: &[Disclosed]) -> Field<Disclosure> {
    given((!what.is_empty()).then(|| what.iter().copied().collect()))
}

fn timed(timing: &TimingArguments) -> PostInput {
    let flag = |is_set: bool| given(is_set.then_some(true));
    PostInput {
        scheduled_at: given(timing.at.clone().or_else(|| timing.after.clone())),
        scheduled_local: given(timing.local.clone()),
        queue: flag(timing.queue),
        publish_now: flag(timing.now),
        save_as_draft: flag(timing.draft),
        // A draft is written over time; what is wrong with it is told, and in nobody's way.
        allow_issues: flag(timing.draft),
        ..PostInput::default()
    }
}

fn given<T>(value: Option<T>) -> Field<T> {
    value.map_or(Field::Absent, Field::Value)
}

/// The fields of a post that no rule looks at: they are not sent, or say what is stored.
const NOT_CHECKED: [&str; 4] = ["note", "metadata", "saveAsDraft", "allowIssues"];

/// What a dry run reads of a post's body: everything but what no rule looks at.
pub(crate) fn draft_of(mut body: Value) -> Value {
    if let Some(fields) = body.as_object_mut() {
        fields.retain(|name, _| !NOT_CHECKED.contains(&name.as_str()));
    }
    body
}

async fn targets(
    client: Option<&Client>,
    printer: Printer,
    specs: &[TargetSpec],
    options: &[OptionArgument],
    files: &[MediaForArgument],
) -> Result<Vec<TargetInput>, Failure> {
    let options = Options::gather(options).map_err(Failure::Usage)?;
    let mut chosen = match client {
        Some(client) if specs.iter().any(TargetSpec::needs_accounts) => {
            let accounts = accounts(client).await?;
            let specs = without_sets(client, printer, specs, &accounts).await?;
            choose(&specs, &accounts, "--to all")?
        }
        Some(_) => choose(specs, &[], "--to all")?,
        None => choose_networks(specs)?,
    };
    let left_over = options
        .platforms()
        .find(|platform| !chosen.iter().any(|target| target.platform == *platform));
    if let Some(platform) = left_over {
        return Err(Failure::Usage(format!(
            "--option {platform}.…: the post does not go to {platform}"
        )));
    }
    options.add_to(&mut chosen);
    media_for::add_to(&mut chosen, files).map_err(|why| Failure::Usage(why.to_string()))?;
    Ok(chosen)
}

/// The connected accounts, as the server tells them.
pub(crate) async fn accounts(client: &Client) -> Result<Vec<AccountView>, Failure> {
    Ok(client.send(Call::get("/oauth/accounts")).await?.data()?)
}

/// The connected accounts, to name them to a person; none when the key does not show them.
pub(crate) async fn known_accounts(client: &Client) -> Vec<AccountView> {
    accounts(client).await.unwrap_or_default()
}
