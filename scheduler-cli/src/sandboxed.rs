//! Accounts of a running sandbox.

use std::collections::BTreeMap;
use std::time::Duration;

use scheduler_core::account::Account;
use scheduler_core::platform::Platform;
use scheduler_core::ports::ConnectInput;
use scheduler_core::workspace::Workspace;
use serde_json::{Value, json};
use url::{Host, Url};

use crate::client::{build, unreachable};
use crate::failure::Failure;
use crate::runtime::Application;

const TIMEOUT: Duration = Duration::from_secs(10);

/// Makes a new account at a sandbox, and returns what connects it.
///
/// # Errors
/// [`Failure::Unreachable`] when no sandbox is there, [`Failure::Other`] when it refuses.
pub(crate) async fn new_account(
    sandbox: &Url,
    platform: Platform,
) -> Result<ConnectInput, Failure> {
    let base = sandbox.as_str().trim_end_matches('/');
    let answer = build(TIMEOUT)?
        .post(format!("{base}/_sandbox/accounts"))
        .json(&json!({"platform": platform}))
        .send()
        .await
        .map_err(|error| unreachable(base, &error))?;
    let status = answer.status();
    let body: BTreeMap<String, Value> =
        answer.json().await.map_err(|error| unreachable(base, &error))?;
    if !status.is_success() {
        let reason = body.get("error").and_then(Value::as_str).unwrap_or_default();
        return Err(anyhow::anyhow!("the sandbox makes no {platform} account: {reason}").into());
    }
    let text = |value: Value| value.as_str().map(str::to_owned);
    let fields = body.into_iter().filter_map(|(name, value)| Some((name, text(value)?)));
    Ok(ConnectInput(fields.collect()))
}

/// Connects one account of every network that is built in and has none.
///
/// The accounts of a sandbox end with its process, so those of an earlier one are disconnected
/// first when `is_new` says that this one knows no account yet.
///
/// # Errors
/// As [`new_account`], and what the network answers.
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
        let input = new_account(sandbox, platform).await?;
        scheduler.connect_account(workspace, platform, &input).await?;
    }
    Ok(())
}

/// True for an account whose server is on this machine: no public network has one there.
fn is_of_a_sandbox(account: &Account) -> bool {
    let server = account.server_url.as_deref().and_then(|url| Url::parse(url).ok());
    match server.as_ref().and_then(Url::host) {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    }
}
