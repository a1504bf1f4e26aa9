//! Accounts of a running sandbox.

use std::time::Duration;

use scheduler_core::account::Account;
use scheduler_core::app::ConnectedAccount;
use scheduler_core::platform::Platform;
use scheduler_core::platform::is_loopback;
use scheduler_core::workspace::Workspace;
use scheduler_networks::sandbox::{self, SandboxError};
use url::Url;

use crate::client::{Route, build, unreachable};
use crate::failure::Failure;
use crate::runtime::Application;

const TIMEOUT: Duration = Duration::from_secs(10);

fn client() -> Result<reqwest::Client, Failure> {
    build(TIMEOUT, Route::Direct)
}

fn failed(url: &Url, error: SandboxError) -> Failure {
    match error {
        SandboxError::Unreachable(error) => unreachable(url.as_str().trim_end_matches('/'), &error),
        SandboxError::App(error) => error.into(),
        error @ (SandboxError::Refused(..) | SandboxError::NothingOpened(_)) => {
            Failure::Other(error.into())
        }
    }
}

/// Makes a new account at a sandbox, and connects it; see [`sandbox::connect_new`].
///
/// # Errors
/// [`Failure::Unreachable`] when no sandbox is there, [`Failure::Other`] when it refuses, and what
/// the network answers.
pub(crate) async fn connect_new(
    application: &Application,
    workspace: &Workspace,
    url: &Url,
    platform: Platform,
) -> Result<ConnectedAccount, Failure> {
    let scheduler = &application.scheduler;
    let connected = sandbox::connect_new(scheduler, workspace, &client()?, url, platform).await;
    connected.map_err(|error| failed(url, error))
}

/// Connects one account of every network that is built in and has none.
///
/// When `is_new` says that this sandbox knows no account yet, those of an earlier one, which is
/// gone, are disconnected first.
///
/// # Errors
/// As [`connect_new`].
pub(crate) async fn connect_missing(
    application: &Application,
    workspace: &Workspace,
    url: &Url,
    is_new: bool,
) -> Result<(), Failure> {
    let scheduler = &application.scheduler;
    if is_new {
        let accounts = scheduler.accounts(workspace.id).await?;
        for account in accounts.iter().filter(|account| is_of_a_sandbox(account)) {
            scheduler.disconnect_account(account).await?;
        }
    }
    let connected = sandbox::connect_missing(scheduler, workspace, &client()?, url).await;
    connected.map_err(|error| failed(url, error))
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

/// The sandbox that an account is at: its address is that of its network there.
fn base_of(account: &Account) -> Option<Url> {
    let url = account.server_url.as_deref().filter(|_| is_of_a_sandbox(account))?;
    let base = url.strip_suffix(account.platform.as_str())?.trim_end_matches('/');
    Url::parse(base).ok()
}

/// Refuses to run on the networks themselves over accounts of a sandbox: what is due for them would
/// fail for good.
///
/// # Errors
/// [`Failure::Usage`], naming the accounts.
pub(crate) async fn refuse_imitated_accounts(application: &Application) -> Result<(), Failure> {
    let scheduler = &application.scheduler;
    let mut imitated = Vec::new();
    for workspace in scheduler.workspaces().await? {
        let accounts = scheduler.accounts(workspace.id).await?;
        let found = accounts.iter().filter(|account| account.is_connected());
        imitated.extend(found.filter(|account| base_of(account).is_some()).map(Account::label));
    }
    if imitated.is_empty() {
        return Ok(());
    }
    Err(Failure::Usage(format!(
        "these accounts are those of a sandbox, and what is due for them would fail for good: {}; \
         start in a new folder with --data, or go on with --sandbox, or disconnect them first by \
         `scheduler accounts disconnect`",
        imitated.join(", ")
    )))
}

/// The sandbox that the connected accounts of a workspace are at; `None` where they are not all at
/// one.
pub(crate) fn sandbox_of(accounts: &[Account]) -> Option<Url> {
    let mut found = accounts.iter().filter(|account| account.is_connected()).map(base_of);
    let first = found.next()??;
    found.all(|other| other.as_ref() == Some(&first)).then_some(first)
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
