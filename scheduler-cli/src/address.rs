//! Where an address leads.

use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr};

use url::{Host, Url};

/// True for an address on this machine.
pub(crate) fn is_loopback(url: &Url) -> bool {
    match url.host() {
        Some(Host::Ipv4(address)) => address.is_loopback(),
        Some(Host::Ipv6(address)) => address.is_loopback(),
        Some(Host::Domain(name)) => name == "localhost",
        None => false,
    }
}

/// An address of this machine itself in place of one that stands for all of its addresses.
pub(crate) fn reachable(mut address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        address.set_ip(match address {
            SocketAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            SocketAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        });
    }
    address
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn this_machine_and_no_other() {
        for (text, want) in [
            ("http://127.0.0.1:8080", true),
            ("http://127.9.9.9/bluesky", true),
            ("http://[::1]:80/", true),
            ("http://localhost:8080", true),
            ("http://localhost.example.com", false),
            ("http://10.0.0.1", false),
            ("https://bsky.social", false),
        ] {
            assert_eq!(is_loopback(&Url::parse(text).unwrap()), want, "{text}");
        }
    }
}
