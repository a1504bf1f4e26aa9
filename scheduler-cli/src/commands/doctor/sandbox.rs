//! Whether sandbox networks and real accounts are kept apart.

use super::finding::{Finding, Id, listed, needed};
use super::stored::Connected;
use super::subject::Subject;
use crate::sandboxed::{is_at, is_of_a_sandbox};

/// Compares where the accounts are with where the settings send posts.
pub(super) async fn check(subject: &Subject) -> Result<Finding, Finding> {
    let networks = needed(&subject.settings.networks, "its settings cannot be read")?;
    let labels = |is_wanted: &dyn Fn(&Connected) -> bool| -> Vec<String> {
        let wanted = subject.accounts().filter(|connected| is_wanted(connected));
        wanted.map(|connected| connected.account.label()).collect()
    };
    if networks.sandbox {
        let is_real = |connected: &Connected| {
            let account = &connected.account;
            match &networks.sandbox_url {
                Some(url) => !is_at(account.server_url.as_deref(), url),
                None => !is_of_a_sandbox(account),
            }
        };
        let real = labels(&is_real);
        if !real.is_empty() {
            return Err(Finding::problem(
                Id::SandboxRealAccounts,
                format!(
                    "the server does not start on a sandbox with real accounts in its database: {}",
                    listed(&real)
                ),
                "name a folder of its own for the sandbox by --data, or unset SCHEDULER_SANDBOX",
            ));
        }
        return Ok(Finding::ok("the server runs on sandbox networks, and so are all accounts"));
    }
    let imitated = labels(&|connected| is_of_a_sandbox(&connected.account));
    if !imitated.is_empty() && networks.sandbox_url.is_none() {
        return Err(Finding::warning(
            Id::SandboxUnnamed,
            format!(
                "accounts of a sandbox are connected, and the settings name none: {}",
                listed(&imitated)
            ),
            "start the server by `scheduler serve --sandbox` and say --sandbox here too, or \
             disconnect them by `scheduler accounts disconnect`",
        ));
    }
    Ok(Finding::ok("the server runs on the networks themselves, if nobody says --sandbox"))
}
