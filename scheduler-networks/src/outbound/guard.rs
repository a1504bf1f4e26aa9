//! The address guard: what may be called, checked before a request is made and again, for names,
//! at the moment of connecting.
//!
//! An IP address in a URL is checked by [`Guard::check`], since a client asks no resolver for it.
//! A name is checked by the guard as the client's resolver: it is looked up once, and the
//! addresses that were checked are the ones that are connected to. Whoever controls the name
//! cannot answer the check with one address and the connection with another.

use std::net::{IpAddr, SocketAddr};

use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use url::{Host, Url};

use super::is_public;

/// Names that never lead to a public host.
///
/// Source: <https://www.iana.org/assignments/special-use-domain-names/>.
const LOCAL_NAMES: [&str; 6] =
    ["localhost", "local", "internal", "home.arpa", "localdomain", "invalid"];

/// Why an address is not called.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// The text is no absolute URL.
    #[error("it is not a complete URL")]
    Unreadable,
    /// Another scheme than https.
    #[error("it must begin with https://")]
    NotHttps,
    /// The host is an IP address or a name that is not public.
    #[error("{0} is not a public host")]
    NotPublic(String),
    /// The name leads to an address that is not public.
    #[error("{0} leads to an address that is not public")]
    LeadsInside(String),
}

/// Decides what may be called.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Guard {
    allow_private: bool,
}

impl Guard {
    /// A guard that lets through https to public hosts; with `allow_private`, for development,
    /// also http and hosts of any kind.
    #[must_use]
    pub const fn new(allow_private: bool) -> Self {
        Self { allow_private }
    }

    /// True when http and private addresses pass.
    #[must_use]
    pub const fn allows_private(self) -> bool {
        self.allow_private
    }

    /// Reads and checks an address.
    ///
    /// # Errors
    /// [`Refusal`] by variant, never [`Refusal::LeadsInside`].
    pub fn parse(self, text: &str) -> Result<Url, Refusal> {
        let url = Url::parse(text).map_err(|_| Refusal::Unreadable)?;
        self.check(&url)?;
        Ok(url)
    }

    /// Checks scheme and host, as far as that goes without looking a name up.
    ///
    /// # Errors
    /// [`Refusal`] by variant, never [`Refusal::LeadsInside`].
    pub fn check(self, url: &Url) -> Result<(), Refusal> {
        match url.scheme() {
            "https" => {}
            "http" if self.allow_private => {}
            _ => return Err(Refusal::NotHttps),
        }
        let host = url.host().ok_or(Refusal::Unreadable)?;
        if self.allow_private {
            return Ok(());
        }
        let is_refused = match &host {
            Host::Ipv4(address) => !is_public(IpAddr::V4(*address)),
            Host::Ipv6(address) => !is_public(IpAddr::V6(*address)),
            Host::Domain(name) => is_local_name(name),
        };
        if is_refused { Err(Refusal::NotPublic(host.to_string())) } else { Ok(()) }
    }

    /// Checks what a name leads to: one address that is not public refuses them all.
    fn check_resolved(self, name: &str, addresses: &[SocketAddr]) -> Result<(), Refusal> {
        if self.allow_private || addresses.iter().all(|address| is_public(address.ip())) {
            Ok(())
        } else {
            Err(Refusal::LeadsInside(name.to_owned()))
        }
    }
}

impl Resolve for Guard {
    fn resolve(&self, name: Name) -> Resolving {
        let guard = *self;
        Box::pin(async move {
            // The client replaces port 0 by the one of the URL.
            let addresses: Vec<SocketAddr> =
                tokio::net::lookup_host((name.as_str(), 0)).await?.collect();
            guard.check_resolved(name.as_str(), &addresses)?;
            let addresses: Addrs = Box::new(addresses.into_iter());
            Ok(addresses)
        })
    }
}

fn is_local_name(name: &str) -> bool {
    let name = name.trim_end_matches('.');
    LOCAL_NAMES.iter().any(|local| {
        name.strip_suffix(local).is_some_and(|front| front.is_empty() || front.ends_with('.'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const PUBLIC: Guard = Guard::new(false);
    const ANY: Guard = Guard::new(true);

    #[test]
    fn addresses_as_people_write_them() {
        let not_public = |host: &str| Err(Refusal::NotPublic(host.to_owned()));
        for (name, text, want) in [
            ("a name", "https://example.com/hook?a=1", Ok(())),
            ("a port", "https://example.com:8443/", Ok(())),
            ("upper case", "HTTPS://EXAMPLE.COM", Ok(())),
            ("public v4", "https://8.8.8.8/", Ok(())),
            ("public v6", "https://[2606:4700:4700::1111]/", Ok(())),
            ("not a local name", "https://localhost.example.com/", Ok(())),
            ("ends like a local name", "https://notlocal/", Ok(())),
            ("http", "http://example.com/", Err(Refusal::NotHttps)),
            ("another scheme", "ftp://example.com/", Err(Refusal::NotHttps)),
            ("file", "file:///etc/passwd", Err(Refusal::NotHttps)),
            ("no scheme", "example.com/hook", Err(Refusal::Unreadable)),
            ("empty", "", Err(Refusal::Unreadable)),
            ("no host", "https://", Err(Refusal::Unreadable)),
            ("localhost", "https://localhost/", not_public("localhost")),
            ("localhost with a dot", "https://LOCALHOST./", not_public("localhost.")),
            ("below localhost", "https://a.localhost/", not_public("a.localhost")),
            ("mDNS", "https://printer.local/", not_public("printer.local")),
            (
                "metadata by name",
                "https://metadata.google.internal/",
                not_public("metadata.google.internal"),
            ),
            ("home network", "https://nas.home.arpa/", not_public("nas.home.arpa")),
            ("loopback", "https://127.0.0.1/", not_public("127.0.0.1")),
            ("loopback with a dot", "https://127.0.0.1./", not_public("127.0.0.1")),
            ("decimal", "https://2130706433/", not_public("127.0.0.1")),
            ("octal", "https://0177.0.0.1/", not_public("127.0.0.1")),
            ("hexadecimal", "https://0x7f.0x0.0x0.0x1/", not_public("127.0.0.1")),
            ("one hexadecimal number", "https://0x7f000001/", not_public("127.0.0.1")),
            ("short", "https://127.1/", not_public("127.0.0.1")),
            ("percent-encoded", "https://%31%32%37.0.0.1/", not_public("127.0.0.1")),
            ("full-width digits", "https://１２７.0.0.1/", not_public("127.0.0.1")),
            ("metadata", "https://169.254.169.254/latest", not_public("169.254.169.254")),
            ("metadata, decimal", "https://2852039166/", not_public("169.254.169.254")),
            (
                "user part that looks public",
                "https://example.com@10.0.0.1/",
                not_public("10.0.0.1"),
            ),
            ("unspecified", "https://0/", not_public("0.0.0.0")),
            ("v6 loopback", "https://[::1]/", not_public("[::1]")),
            ("v4-mapped", "https://[::ffff:127.0.0.1]/", not_public("[::ffff:7f00:1]")),
            ("link-local v6", "https://[fe80::1]/", not_public("[fe80::1]")),
            ("zone id", "https://[fe80::1%25eth0]/", Err(Refusal::Unreadable)),
            ("number out of range", "https://4294967296/", Err(Refusal::Unreadable)),
        ] {
            assert_eq!(PUBLIC.parse(text).map(|_| ()), want, "{name}: {text}");
        }
    }

    #[test]
    fn development_lets_private_hosts_and_http_through_and_nothing_else() {
        for (name, text, want) in [
            ("http loopback", "http://127.0.0.1:8080/hook", Ok(())),
            ("localhost", "http://localhost/", Ok(())),
            ("https", "https://10.0.0.1/", Ok(())),
            ("another scheme", "ftp://127.0.0.1/", Err(Refusal::NotHttps)),
            ("no URL", "127.0.0.1:80", Err(Refusal::Unreadable)),
        ] {
            assert_eq!(ANY.parse(text).map(|_| ()), want, "{name}: {text}");
        }
    }

    #[test]
    fn one_inner_address_refuses_the_name() {
        let address = |text: &str| SocketAddr::new(text.parse().unwrap(), 0);
        let refused = Err(Refusal::LeadsInside("a.example".to_owned()));
        for (name, addresses, want) in [
            ("all public", vec![address("8.8.8.8"), address("2606:4700::1")], Ok(())),
            ("one private", vec![address("8.8.8.8"), address("10.0.0.1")], refused.clone()),
            ("v6 loopback", vec![address("::1")], refused),
        ] {
            assert_eq!(PUBLIC.check_resolved("a.example", &addresses), want, "{name}");
            assert_eq!(ANY.check_resolved("a.example", &addresses), Ok(()), "{name}");
        }
    }

    #[tokio::test]
    async fn the_resolver_refuses_what_a_name_leads_to() {
        // Every machine has this name; a guard that skipped the look-up would let it pass.
        let refused = PUBLIC.resolve("localhost".parse().unwrap()).await.err().unwrap();
        assert_eq!(
            refused.downcast_ref(),
            Some(&Refusal::LeadsInside("localhost".to_owned())),
            "{refused}"
        );
        let found = ANY.resolve("localhost".parse().unwrap()).await.unwrap();
        assert!(found.map(|address| address.ip()).all(|ip| ip.is_loopback()));
    }
}
