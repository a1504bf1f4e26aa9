//! Running on imitations of the networks: where they are, and accounts at them.
//!
//! A server that runs on a sandbox and the tests of its promises are put together here, so that
//! they are the same.

use std::collections::BTreeMap;

use scheduler_core::app::{ConnectedAccount, Scheduler};
use scheduler_core::error::AppError;
use scheduler_core::platform::Platform;
use scheduler_core::ports::ConnectInput;
use scheduler_core::workspace::Workspace;
use serde_json::{Value, json};
use url::Url;

use crate::registry::{Client, Settings};

/// Why no account at a sandbox was connected.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The sandbox brought no answer.
    #[error("the sandbox does not answer")]
    Unreachable(#[source] reqwest::Error),
    /// The sandbox makes no such account; it says why.
    #[error("the sandbox makes no {0} account: {1}")]
    Refused(Platform, String),
    /// What the sandbox gave opens no account.
    #[error("no {0} account was opened")]
    NothingOpened(Platform),
    /// The network or the store refused the account.
    #[error(transparent)]
    App(#[from] AppError),
}

impl Settings {
    /// The same with every adapter pointed at a sandbox; `None` when the address takes no path. A
    /// sandbox takes whichever application is named, so those without one get one.
    #[must_use]
    pub fn at_sandbox(mut self, sandbox: &Url) -> Option<Self> {
        self.allow_private = true;
        for platform in Platform::ALL {
            let mut base = sandbox.clone();
            base.path_segments_mut().ok()?.pop_if_empty().push(platform.as_str());
            let network = self.networks.entry(platform).or_default();
            network.api_base = Some(base);
            network.client.get_or_insert_with(|| Client {
                id: "sandbox".into(),
                secret: "sandbox".to_owned().into(),
            });
        }
        Some(self)
    }
}

/// A new account at a sandbox.
struct NewAccount {
    /// The sandbox's own name of it, which need not be the one that its adapter gives it.
    name: Option<String>,
    /// What opens it, and perhaps others that belong to it.
    input: ConnectInput,
}

async fn new_account(
    client: &reqwest::Client,
    sandbox: &Url,
    platform: Platform,
) -> Result<NewAccount, SandboxError> {
    let base = sandbox.as_str().trim_end_matches('/');
    let answer = client
        .post(format!("{base}/_sandbox/accounts"))
        .json(&json!({ "platform": platform }))
        .send()
        .await
        .map_err(SandboxError::Unreachable)?;
    let status = answer.status();
    let mut body: BTreeMap<String, Value> =
        answer.json().await.map_err(SandboxError::Unreachable)?;
    let text = |value: Value| value.as_str().map(str::to_owned);
    if !status.is_success() {
        let reason = body.remove("error").and_then(text).unwrap_or_default();
        return Err(SandboxError::Refused(platform, reason));
    }
    let name = body.remove("account").and_then(text);
    let fields = body.into_iter().filter_map(|(name, value)| Some((name, text(value)?)));
    Ok(NewAccount { name, input: ConnectInput(fields.collect()) })
}

/// Makes a new account at a sandbox, and connects it. Where what the sandbox gives opens several
/// accounts, it is the one that the sandbox names, else the first.
///
/// # Errors
/// [`SandboxError`] by variant.
pub async fn connect_new(
    scheduler: &Scheduler,
    workspace: &Workspace,
    client: &reqwest::Client,
    sandbox: &Url,
    platform: Platform,
) -> Result<ConnectedAccount, SandboxError> {
    let NewAccount { name, input } = new_account(client, sandbox, platform).await?;
    let mut opened = scheduler.open_accounts(workspace, platform, &input).await?;
    let named = name.and_then(|name| opened.iter().position(|account| account.is_named(&name)));
    if opened.is_empty() {
        return Err(SandboxError::NothingOpened(platform));
    }
    let picked = opened.swap_remove(named.unwrap_or(0));
    Ok(scheduler.add_account(workspace, platform, picked).await?)
}

/// Connects one account of every network that is built in and has none.
///
/// # Errors
/// As [`connect_new`].
pub async fn connect_missing(
    scheduler: &Scheduler,
    workspace: &Workspace,
    client: &reqwest::Client,
    sandbox: &Url,
) -> Result<(), SandboxError> {
    let accounts = scheduler.accounts(workspace.id).await?;
    for platform in scheduler.ports().networks.platforms() {
        if !accounts.iter().any(|account| account.platform == platform) {
            connect_new(scheduler, workspace, client, sandbox, platform).await?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sandbox_takes_every_adapter() {
        for text in ["http://127.0.0.1:8090", "http://127.0.0.1:8090/"] {
            let sandbox = Url::parse(text).unwrap();
            let settings = Settings::default().at_sandbox(&sandbox).unwrap();
            assert!(settings.allow_private);
            for platform in Platform::ALL {
                let base = settings.of(platform).api_base.unwrap();
                assert_eq!(base.as_str(), format!("http://127.0.0.1:8090/{platform}"));
            }
        }
        let nowhere = Url::parse("mailto:a@example.com").unwrap();
        assert!(Settings::default().at_sandbox(&nowhere).is_none());
    }
}
