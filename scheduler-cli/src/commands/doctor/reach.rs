//! Whether an address can be reached: by name, from outside, and from here.

use std::net::IpAddr;
use std::time::Duration;

use reqwest::Client;
use scheduler_networks::outbound::{Guard, is_public};
use serde_json::{Value, json};
use tokio::net::lookup_host;
use tokio::time::timeout;
use url::{Host, Url};

use crate::client::unreachable;

/// How long a database, a file store, a server or the look-up of a name may take to answer. Source:
/// our decision; one that takes longer is too slow to work with.
pub(super) const TIMEOUT: Duration = Duration::from_secs(5);

/// What stands behind an address.
pub(super) enum Behind {
    /// A scheduler.
    Scheduler,
    /// Something else, which answers with this status.
    Other(u16),
    /// Nothing that answers; why.
    Nothing(String),
}

/// What a name leads to.
///
/// # Errors
/// Why it leads nowhere, as a fragment.
pub(super) async fn look_up(url: &Url) -> Result<Vec<IpAddr>, String> {
    let name = match url.host() {
        None => return Err("it has no host".to_owned()),
        Some(Host::Ipv4(address)) => return Ok(vec![address.into()]),
        Some(Host::Ipv6(address)) => return Ok(vec![address.into()]),
        Some(Host::Domain(name)) => name,
    };
    match timeout(TIMEOUT, lookup_host((name, 0))).await {
        Err(_) => Err(format!("{name} cannot be looked up in time")),
        Ok(Err(error)) => Err(format!("{name} cannot be looked up: {error}")),
        Ok(Ok(found)) => {
            let found: Vec<IpAddr> = found.map(|address| address.ip()).collect();
            if found.is_empty() { Err(format!("{name} leads to no address")) } else { Ok(found) }
        }
    }
}

/// Why networks cannot fetch from an address, by what it says and what its name leads to; `None`
/// when they can, as far as that can be told.
pub(super) fn unfit_for_networks(url: &Url, addresses: &[IpAddr]) -> Option<String> {
    if let Err(refusal) = Guard::new(false).check(url) {
        return Some(refusal.to_string());
    }
    let inner = addresses.iter().find(|address| !is_public(**address))?;
    Some(format!("its name leads to {inner} from here, which is not public"))
}

/// Whether an address is one of the internet, as far as it says itself.
pub(super) fn is_public_address(url: &Url) -> bool {
    let mut secure = url.clone();
    // A scheme of the web can be replaced by another.
    let _ = secure.set_scheme("https");
    Guard::new(false).check(&secure).is_ok()
}

/// Asks whether a scheduler answers under an address.
pub(super) async fn behind(client: &Client, url: &Url) -> Behind {
    let base = url.as_str().trim_end_matches('/');
    let answer = match client.get(format!("{base}/healthz")).send().await {
        Ok(answer) => answer,
        Err(error) => return Behind::Nothing(unreachable(base, &error).to_string()),
    };
    let status = answer.status();
    match answer.json::<Value>().await {
        Ok(body) if status.is_success() && body == json!({"status": "ok"}) => Behind::Scheduler,
        Ok(_) | Err(_) => Behind::Other(status.as_u16()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_networks_can_fetch_from() {
        for (name, url, addresses, want) in [
            ("a public host", "https://social.example/x", &["8.8.8.8"][..], None),
            ("without TLS", "http://social.example", &["8.8.8.8"], Some("https://")),
            ("this machine", "https://localhost", &["127.0.0.1"], Some("localhost is not")),
            ("a private address", "https://192.168.0.2", &["192.168.0.2"], Some("192.168.0.2")),
            ("a name of a network at home", "https://a.local", &[], Some("a.local")),
            ("inside by DNS", "https://social.example", &["8.8.8.8", "10.0.0.1"], Some("10.0.0.1")),
            ("metadata by DNS", "https://social.example", &["fd00:ec2::254"], Some("fd00:ec2")),
        ] {
            let addresses: Vec<IpAddr> =
                addresses.iter().map(|text| text.parse().unwrap()).collect();
            let found = unfit_for_networks(&Url::parse(url).unwrap(), &addresses);
            match want {
                None => assert_eq!(found, None, "{name}"),
                Some(want) => assert!(found.unwrap().contains(want), "{name}"),
            }
        }
    }
}
