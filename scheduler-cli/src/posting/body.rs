//! The bodies that are sent.

use std::io::Read as _;

use anyhow::Context as _;
use scheduler_core::account::AccountView;
use serde::Deserialize;
use serde_json::{Map, Value, json};

use super::arguments::{ContentArguments, EditArguments, TimingArguments};
use super::option::{OptionArgument, Options};
use super::target::{ChosenTarget, Wish, choose, choose_networks};
use crate::client::{Call, Client};
use crate::failure::Failure;

/// Reads the API's own body from a file, or from standard input for `-`.
///
/// # Errors
/// [`Failure::Usage`] when it cannot be read or is no JSON object.
fn read_file(name: &str) -> Result<Value, Failure> {
    let mut text = String::new();
    let read = if name == "-" {
        std::io::stdin().read_to_string(&mut text).map(|_| ())
    } else {
        std::fs::read_to_string(name).map(|read| text = read)
    };
    read.with_context(|| format!("cannot read {name}"))
        .map_err(|error| Failure::Usage(format!("{error:#}")))?;
    let body: Value = serde_json::from_str(&text)
        .map_err(|error| Failure::Usage(format!("{name} is not JSON: {error}")))?;
    if !body.is_object() {
        return Err(Failure::Usage(format!("{name} is not a JSON object")));
    }
    Ok(body)
}

/// Where the accounts of a post are looked up.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Reach<'a> {
    /// At a server.
    Server(&'a Client),
    /// Nowhere: a post goes to networks.
    Offline,
}

/// The body that creates a post.
///
/// # Errors
/// [`Failure::Usage`] for a target or setting that fits nothing; those of the server when the
/// accounts have to be asked for.
pub(crate) async fn create_body(
    reach: Reach<'_>,
    content: &ContentArguments,
    timing: &TimingArguments,
) -> Result<Value, Failure> {
    if let Some(name) = &content.file {
        return read_file(name);
    }
    let mut body = Map::new();
    if let Some(text) = &content.text {
        body.insert("content".into(), json!(text));
    }
    if let Some(link) = &content.link {
        body.insert("linkUrl".into(), json!(link));
    }
    body.insert("targets".into(), targets(reach, &content.to, &content.options).await?);
    add_timing(&mut body, timing);
    Ok(Value::Object(body))
}

/// The body that changes a post: only what was given.
///
/// # Errors
/// As [`create_body`].
pub(crate) async fn update_body(client: &Client, edit: &EditArguments) -> Result<Value, Failure> {
    if let Some(name) = &edit.file {
        return read_file(name);
    }
    let mut body = Map::new();
    if let Some(text) = &edit.text {
        body.insert("content".into(), json!(text));
    }
    if edit.link.is_some() || edit.no_link {
        body.insert("linkUrl".into(), json!(edit.link));
    }
    if !edit.to.is_empty() {
        body.insert(
            "targets".into(),
            targets(Reach::Server(client), &edit.to, &edit.options).await?,
        );
    }
    if edit.no_media {
        body.insert("mediaIds".into(), Value::Null);
        body.insert("altTexts".into(), Value::Null);
    }
    add_timing(&mut body, &edit.timing);
    Ok(Value::Object(body))
}

/// What a dry run reads of a post's body: everything but its time.
pub(crate) fn draft_of(body: Value) -> Value {
    match body {
        Value::Object(fields) => {
            Value::Object(fields.into_iter().filter(|(name, _)| !is_timing(name)).collect())
        }
        other => other,
    }
}

fn is_timing(name: &str) -> bool {
    let timing = ["scheduledAt", "scheduledLocal", "queue", "publishNow", "saveAsDraft"];
    timing.contains(&name)
}

fn add_timing(body: &mut Map<String, Value>, timing: &TimingArguments) {
    if let Some(at) = &timing.at {
        body.insert("scheduledAt".into(), json!(at));
    }
    if let Some(local) = &timing.local {
        body.insert("scheduledLocal".into(), json!(local));
    }
    for (name, given) in
        [("queue", timing.queue), ("publishNow", timing.now), ("saveAsDraft", timing.draft)]
    {
        if given {
            body.insert(name.into(), json!(true));
        }
    }
}

async fn targets(
    reach: Reach<'_>,
    wishes: &[Wish],
    options: &[OptionArgument],
) -> Result<Value, Failure> {
    let options = Options::gather(options).map_err(Failure::Usage)?;
    let chosen = match reach {
        Reach::Server(client) if wishes.iter().any(Wish::needs_accounts) => {
            choose(wishes, &accounts(client).await?)?
        }
        Reach::Server(_) => choose(wishes, &[])?,
        Reach::Offline => choose_networks(wishes)?,
    };
    let left_over = options
        .platforms()
        .find(|platform| !chosen.iter().any(|target| target.platform == *platform));
    if let Some(platform) = left_over {
        return Err(Failure::Usage(format!(
            "--option {platform}.…: the post does not go to {platform}"
        )));
    }
    Ok(chosen.iter().map(|target| target_body(target, &options)).collect())
}

/// A target as it is sent, with the settings for its network.
pub(crate) fn target_body(target: &ChosenTarget, options: &Options) -> Value {
    let mut body = Map::new();
    body.insert("platform".into(), json!(target.platform));
    if let Some(id) = target.account_id {
        body.insert("accountId".into(), json!(id));
    }
    if let Some(options) = options.of(target.platform) {
        body.insert("options".into(), json!(options));
    }
    Value::Object(body)
}

/// The connected accounts, as the server tells them.
///
/// # Errors
/// Those of the server.
pub(crate) async fn accounts(client: &Client) -> Result<Vec<AccountView>, Failure> {
    #[derive(Deserialize)]
    struct Accounts {
        data: Vec<AccountView>,
    }
    let answer = client.send(Call::get("/oauth/accounts")).await?;
    Ok(answer.read::<Accounts>()?.data)
}

/// The connected accounts, to name them to a person; none when the key does not show them.
pub(crate) async fn known_accounts(client: &Client) -> Vec<AccountView> {
    accounts(client).await.unwrap_or_default()
}
