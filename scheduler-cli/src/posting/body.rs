//! The bodies that are sent.

use std::fs::File;
use std::io::{self, Read};

use anyhow::Context as _;
use scheduler_core::account::AccountView;
use scheduler_core::platform::{Disclosed, Disclosure};
use scheduler_core::post::{Field, PostInput, TargetInput};
use serde_json::{Value, json};

use super::arguments::{ContentArguments, EditArguments, TimingArguments};
use super::media_for::{self, MediaForArgument};
use super::option::{OptionArgument, Options};
use super::target::{TargetSpec, choose, choose_networks};
use crate::client::{Call, Client};
use crate::failure::Failure;

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
fn read_body(name: &str) -> Result<Value, Failure> {
    match serde_json::from_str(&read_named(name, io::read_to_string)?) {
        Ok(body @ Value::Object(_)) => Ok(body),
        Ok(_) => Err(Failure::Usage(format!("{name} is not a JSON object"))),
        Err(error) => Err(Failure::Usage(format!("{name} is not JSON: {error}"))),
    }
}

/// The body that creates a post. Without a server it goes to networks, not to accounts.
///
/// # Errors
/// [`Failure::Usage`] for a target or setting that fits nothing; those of the server when the
/// accounts have to be asked for.
pub(crate) async fn create_body(
    client: Option<&Client>,
    content: &ContentArguments,
    timing: &TimingArguments,
) -> Result<Value, Failure> {
    if let Some(name) = &content.file {
        return read_body(name);
    }
    Ok(json!(PostInput {
        content: given(content.text.clone()),
        link_url: given(content.link.clone()),
        disclosure: disclosed(&content.disclose),
        targets: targets(client, &content.to, &content.options, &content.media_for).await?.into(),
        ..timed(timing)
    }))
}

/// The body that changes a post: only what was given.
///
/// # Errors
/// As [`create_body`].
pub(crate) async fn update_body(client: &Client, edit: &EditArguments) -> Result<Value, Failure> {
    if let Some(name) = &edit.file {
        return read_body(name);
    }
    let mut input = PostInput {
        content: given(edit.text.clone()),
        link_url: if edit.no_link { Field::Null } else { given(edit.link.clone()) },
        disclosure: if edit.no_disclosure { Field::Null } else { disclosed(&edit.disclose) },
        ..timed(&edit.timing)
    };
    if !edit.to.is_empty() {
        let targets = targets(Some(client), &edit.to, &edit.options, &edit.media_for).await?;
        input.targets = targets.into();
    }
    if edit.no_media {
        (input.media_ids, input.alt_texts) = (Field::Null, Field::Null);
    }
    Ok(json!(input))
}

/// What a post discloses, where anything is said of it.
fn disclosed(what: &[Disclosed]) -> Field<Disclosure> {
    given((!what.is_empty()).then(|| what.iter().copied().collect()))
}

fn timed(timing: &TimingArguments) -> PostInput {
    let flag = |is_set: bool| given(is_set.then_some(true));
    PostInput {
        scheduled_at: given(timing.at.clone()),
        scheduled_local: given(timing.local.clone()),
        queue: flag(timing.queue),
        publish_now: flag(timing.now),
        save_as_draft: flag(timing.draft),
        ..PostInput::default()
    }
}

fn given<T>(value: Option<T>) -> Field<T> {
    value.map_or(Field::Absent, Field::Value)
}

/// What a dry run reads of a post's body: everything but its time.
pub(crate) fn draft_of(mut body: Value) -> Value {
    if let Some(fields) = body.as_object_mut() {
        fields.retain(|name, _| !TIMES.contains(&name.as_str()));
    }
    body
}

async fn targets(
    client: Option<&Client>,
    specs: &[TargetSpec],
    options: &[OptionArgument],
    files: &[MediaForArgument],
) -> Result<Vec<TargetInput>, Failure> {
    let options = Options::gather(options).map_err(Failure::Usage)?;
    let mut chosen = match client {
        Some(client) if specs.iter().any(TargetSpec::needs_accounts) => {
            choose(specs, &accounts(client).await?, "--to all")?
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
    client.send(Call::get("/oauth/accounts")).await?.data()
}

/// The connected accounts, to name them to a person; none when the key does not show them.
pub(crate) async fn known_accounts(client: &Client) -> Vec<AccountView> {
    accounts(client).await.unwrap_or_default()
}
