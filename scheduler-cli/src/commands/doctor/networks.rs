//! Whether the networks can be reached from here.

use std::collections::BTreeMap;

use futures_util::future::join_all;
use scheduler_core::platform::Platform;
use url::Url;

use super::finding::{Finding, Id, listed};
use super::subject::Subject;
use crate::client::cause;
use crate::sandboxed::is_of_a_sandbox;

/// Where a network is called.
pub(super) struct Address {
    /// The network, for people.
    pub(super) name: String,
    /// What its calls begin with.
    pub(super) url: Url,
    /// Whether the settings name it, and by which variable.
    variable: Option<String>,
}

/// Asks each network of a connected account, and each whose address is set, for anything at all.
pub(super) async fn check(subject: &Subject) -> Result<Vec<Finding>, Finding> {
    let addresses = addresses(subject);
    if addresses.is_empty() {
        return Err(Finding::ok(if subject.has_sandbox() {
            "the sandbox networks start with the server"
        } else {
            "no account is connected, so none is called"
        }));
    }
    let asked = join_all(addresses.iter().map(|address| async move {
        let answer = subject.client.get(address.url.clone()).send().await;
        (address, answer.err().map(|error| cause(&error)))
    }));
    let (mut reached, mut findings) = (Vec::new(), Vec::new());
    for (Address { name, url, variable }, fault) in asked.await {
        let origin = url.origin().ascii_serialization();
        match fault {
            None => reached.push(name.as_str()),
            Some(fault) => findings.push(Finding::problem(
                Id::NetworkUnreachable,
                format!("{name} cannot be reached at {origin}: {fault}"),
                match variable {
                    Some(variable) => format!("see that it runs there, or correct {variable}"),
                    None => "see that this machine reaches the internet and resolves names, and \
                             that a firewall lets it call https; posts wait meanwhile"
                        .to_owned(),
                },
            )),
        }
    }
    if !reached.is_empty() {
        findings.insert(0, Finding::ok(format!("{} can be reached", listed(&reached))));
    }
    Ok(findings)
}

/// Where the networks of the accounts are called, and those whose address is set.
pub(super) fn addresses(subject: &Subject) -> Vec<Address> {
    let Some(networks) = &subject.settings.networks else { return Vec::new() };
    if let Some(url) = &networks.sandbox_url {
        let variable = Some("SCHEDULER_SANDBOX_URL".to_owned());
        return vec![Address { name: "the sandbox".to_owned(), url: url.clone(), variable }];
    }
    if networks.sandbox {
        return Vec::new();
    }
    let mut found: BTreeMap<(Platform, Url), Option<String>> = BTreeMap::new();
    for (platform, network) in &networks.adapters.networks {
        if let Some(url) = &network.api_base {
            let name = platform.as_str().to_ascii_uppercase();
            found.insert((*platform, url.clone()), Some(format!("SCHEDULER_{name}_API_BASE")));
        }
    }
    for connected in subject.accounts() {
        let account = &connected.account;
        let is_set = networks.adapters.of(account.platform).api_base.is_some();
        if is_set || is_of_a_sandbox(account) {
            continue;
        }
        let own = account.server_url.as_deref().or_else(|| account.platform.sheet().api);
        if let Some(url) = own.and_then(|url| Url::parse(url).ok()) {
            found.entry((account.platform, url)).or_default();
        }
    }
    let named = |((platform, url), variable): ((Platform, Url), Option<String>)| {
        let name = platform.sheet().name.to_owned();
        let name = if platform.sheet().api.is_none() && variable.is_none() {
            format!("{name} ({})", url.host_str().unwrap_or_default())
        } else {
            name
        };
        Address { name, url, variable }
    };
    found.into_iter().map(named).collect()
}
