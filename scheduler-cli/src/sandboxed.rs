//! Accounts of a running sandbox.

use std::collections::BTreeMap;
use std::time::Duration;

use anyhow::Context as _;
use scheduler_core::account::Account;
use scheduler_core::app::ConnectedAccount;
use scheduler_core::platform::Platform;
use scheduler_core::ports::ConnectInput;
use scheduler_core::workspace::Workspace;
use serde_json::{Value, json};
use url::Url;

use crate::address::is_loopback;
use crate::client::{Route, build, unreachable};
use crate::failure::Failure;
use crate::runtime::Application;

const TIMEOUT: Duration = Duration::from_secs(10);

/// A new account at a sandbox.
struct NewAccount {
    /// The sandbox's own name of it, which need not be the one that its adapter gives it.
    name: Option<String>,
    /// What opens it, and perhaps others that belong to it.
    input: ConnectInput,
}

async fn new_account(sandbox: &Url, platform: Platform) -> Result<NewAccount, Failure> {
    let base = sandbox.as_str().trim_end_matches('/');
    let answer = build(TIMEOUT, Route::Direct)?
        .post(format!("{base}/_sandbox/accounts"))
        .json(&json!({"platform": platform}))
        .send()
        .await
        .map_err(|error| unreachable(base, &error))?;
    let status = answer.status();
    let mut body: BTreeMap<String, Value> =
        answer.json().await.map_err(|error| unreachable(base, &error))?;
    if !status.is_success() {
        let reason = body.get("error").and_then(Value::as_str).unwrap_or_default();
        return Err(anyhow::anyhow!("the sandbox makes no {platform} account: {reason}").into());
    }
    let text = |value: Value| value.as_str().map(str::to_owned);
    let name = body.remove("account").and_then(text);
    let fields = body.into_iter().filter_map(|(name, value)| Some((name, text(value)?)));
    Ok(NewAccount { name, input: ConnectInput(fields.collect()) })
}

/// Makes a new account at a sandbox, and connects it. Where what the sandbox gives opens several
/// accounts, it is the one that the sandbox names, else the first.
///
/// # Errors
/// [`Failure::Unreachable`] when no sandbox is there, [`Failure::Other`] when it refuses, and what
/// the network answers.
pub(crate) async fn connect_new(
    application: &Application,
    workspace: &Workspace,
    sandbox: &Url,
    platform: Platform,
) -> Result<ConnectedAccount, Failure> {
    let NewAccount { name, input } = new_account(sandbox, platform).await?;
    let scheduler = &application.scheduler;
    let opened = scheduler.open_accounts(workspace, platform, &input).await?;
    let named = name.and_then(|name| opened.iter().position(|account| account.is_named(&name)));
    let picked = opened.into_iter().nth(named.unwrap_or(0)).context("no account was opened")?;
    Ok(scheduler.add_account(workspace, platform, picked).await?)
}

/// Connects one account of every network that is built in and has none.
///
/// The accounts of a sandbox end with its process, so those of an earlier one are disconnected
/// first when `is_new` says that this one knows no account yet.
///
/// # Errors
/// As [`connect_new`].
pub(crate) async fn connect_missing(
    application: &Application,
    workspace: &Workspace,
    sandbox: &Url,
    is_new: bool,
) -> Result<(), Failure> {
    let scheduler = &application.scheduler;
    let mut accounts = scheduler.accounts(workspace.id).await?;
    if is_new {
        for account in accounts.extract_if(.., |account| is_of_a_sandbox(account)) {
            scheduler.disconnect_account(&account).await?;
        }
    }
    let missing: Vec<Platform> = scheduler
        .ports()
        .networks
        .platforms()
        .filter(|platform| !accounts.iter().any(|account| account.platform == *platform))
        .collect();
    for platform in missing {
        connect_new(application, workspace, sandbox, platform).await?;
    }
    Ok(())
}

/// Refuses to run on a sandbox over accounts that are not at one: every call for them would take
/// their tokens there.
///
/// # Errors
/// [`Failure::Usage`], naming the accounts.
pub(crate) async fn refuse_real_accounts(
    application: &Application,
    sandbox: &Url,
) -> Result<(), Failure> {
    let scheduler = &application.scheduler;
    let mut real = Vec::new();
    for workspace in scheduler.workspaces().await? {
        for account in scheduler.accounts(workspace.id).await? {
            let is_built =
                scheduler.ports().networks.platforms().any(|built| built == account.platform);
            if is_built && account.is_connected() && !is_at(account.server_url.as_deref(), sandbox)
            {
                real.push(account.label());
            }
        }
    }
    if real.is_empty() {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "--sandbox would send the tokens of real accounts to the sandbox: {}; run it on a folder \
         of its own with --data (and without a --database that holds real accounts), or run \
         without --sandbox",
        real.join(", ")
    )))
}

/// True for an account whose server is on this machine: no public network has one there.
pub(crate) fn is_of_a_sandbox(account: &Account) -> bool {
    server(account.server_url.as_deref()).is_some_and(|url| is_loopback(&url))
}

/// True for a server that is on this machine or on the host of the sandbox. One that is not
/// known may be the network's own.
pub(crate) fn is_at(server_url: Option<&str>, sandbox: &Url) -> bool {
    server(server_url).is_some_and(|url| is_loopback(&url) || url.host() == sandbox.host())
}

fn server(url: Option<&str>) -> Option<Url> {
    url.and_then(|url| Url::parse(url).ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn which_servers_are_a_sandbox() {
        let sandbox = Url::parse("http://sandbox.internal:8090").unwrap();
        for (name, server, want) in [
            ("this machine", Some("http://127.0.0.1:9/bluesky"), true),
            ("this machine by name", Some("http://localhost:9/mastodon"), true),
            ("the sandbox", Some("http://sandbox.internal:8090/mastodon"), true),
            ("the sandbox at another port", Some("http://sandbox.internal:9/mastodon"), true),
            ("a public server", Some("https://mastodon.social"), false),
            ("a host that begins alike", Some("http://sandbox.internal.example.com"), false),
            ("no address", Some("mastodon.social"), false),
            ("not known", None, false),
        ] {
            assert_eq!(is_at(server, &sandbox), want, "{name}");
        }
    }
}
