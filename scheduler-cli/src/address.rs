//! Where an address leads.

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
