//! The address guard: what may be called, checked before a request is made and again, for names,
//! at the moment of connecting.
//!
//! An IP address in a URL is checked by [`Guard::check`], since a client asks no resolver for it.
//! A name is checked by [`GuardedNames`](super::names::GuardedNames) as the client's resolver: it
//! is looked up once, and the addresses that were checked are the ones that are connected to. Whoever controls the name
//! cannot answer the check with one address and the connection with another.

use std::net::{IpAddr, SocketAddr};

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
    /// The one inner address that passes, so that tests can stand where the internet would.
    #[cfg(test)]
    exempt: Option<IpAddr>,
}

impl Guard {
    /// A guard that lets through https to public hosts; with `allow_private`, for development,
    /// also http and hosts of any kind.
    #[must_use]
    pub const fn new(allow_private: bool) -> Self {
        Self {
            allow_private,
            #[cfg(test)]
            exempt: None,
        }
    }

    /// The same guard, which takes one inner address for a public one.
    #[cfg(test)]
    pub(super) const fn exempting(self, address: IpAddr) -> Self {
        Self { exempt: Some(address), ..self }
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
            Host::Ipv4(address) => !self.lets(IpAddr::V4(*address)),
            Host::Ipv6(address) => !self.lets(IpAddr::V6(*address)),
            Host::Domain(name) => is_local_name(name),
        };
        if is_refused { Err(Refusal::NotPublic(host.to_string())) } else { Ok(()) }
    }

    /// Checks what a name leads to: one address that is not public refuses them all.
    pub(super) fn check_resolved(
        self,
        name: &str,
        addresses: &[SocketAddr],
    ) -> Result<(), Refusal> {
        if self.allow_private || addresses.iter().all(|address| self.lets(address.ip())) {
            Ok(())
        } else {
            Err(Refusal::LeadsInside(name.to_owned()))
        }
    }

    fn lets(self, address: IpAddr) -> bool {
        #[cfg(test)]
        if self.exempt == Some(address) {
            return true;
        }
        is_public(address)
    }
}

fn is_local_name(name: &str) -> bool {
    let name = name.trim_end_matches('.');
    LOCAL_NAMES.iter().any(|local| {
        name.strip_suffix(local).is_some_and(|front| front.is_empty() || front.ends_with('.'))
    })
}

#[cfg(test)]
pub(in crate::outbound) mod tests {
    use super::*;

    /// Addresses whose host is not public, and the host as it is told.
    pub(in crate::outbound) const INNER_URLS: [(&str, &str, &str); 39] = [
        ("localhost", "https://localhost/", "localhost"),
        ("localhost with a dot", "https://LOCALHOST./", "localhost."),
        ("below localhost", "https://a.localhost/", "a.localhost"),
        ("mDNS", "https://printer.local/", "printer.local"),
        ("metadata by name", "https://metadata.google.internal/", "metadata.google.internal"),
        ("home network", "https://nas.home.arpa/", "nas.home.arpa"),
        ("loopback", "https://127.0.0.1/", "127.0.0.1"),
        ("loopback with a dot", "https://127.0.0.1./", "127.0.0.1"),
        ("decimal", "https://2130706433/", "127.0.0.1"),
        ("octal", "https://0177.0.0.1/", "127.0.0.1"),
        ("hexadecimal", "https://0x7f.0x0.0x0.0x1/", "127.0.0.1"),
        ("one hexadecimal number", "https://0x7f000001/", "127.0.0.1"),
        ("short", "https://127.1/", "127.0.0.1"),
        ("percent-encoded", "https://%31%32%37.0.0.1/", "127.0.0.1"),
        ("full-width digits", "https://１２７.0.0.1/", "127.0.0.1"),
        ("metadata", "https://169.254.169.254/latest", "169.254.169.254"),
        ("metadata, decimal", "https://2852039166/", "169.254.169.254"),
        ("user part that looks public", "https://example.com@10.0.0.1/", "10.0.0.1"),
        ("unspecified", "https://0/", "0.0.0.0"),
        ("v6 loopback", "https://[::1]/", "[::1]"),
        ("v4-mapped", "https://[::ffff:127.0.0.1]/", "[::ffff:7f00:1]"),
        ("link-local v6", "https://[fe80::1]/", "[fe80::1]"),
        ("two numbers", "https://127.65535/", "127.0.255.255"),
        ("three numbers", "https://10.1.257/", "10.1.1.1"),
        ("octal and short", "https://0177.1/", "127.0.0.1"),
        ("private, octal", "https://0300.0250.0.1/", "192.168.0.1"),
        ("private, hexadecimal", "https://0xc0a80001/", "192.168.0.1"),
        ("carriers' block", "https://100.64.0.1/", "100.64.0.1"),
        ("carriers' block, decimal", "https://1681915905/", "100.64.0.1"),
        ("metadata, octal", "https://0251.0376.0251.0376/", "169.254.169.254"),
        ("metadata, hexadecimal", "https://0xa9fea9fe/", "169.254.169.254"),
        ("metadata, v4-mapped", "https://[::ffff:169.254.169.254]/", "[::ffff:a9fe:a9fe]"),
        ("metadata, NAT64", "https://[64:ff9b::a9fe:a9fe]/", "[64:ff9b::a9fe:a9fe]"),
        ("loopback, 6to4", "https://[2002:7f00:1::]/", "[2002:7f00:1::]"),
        ("unique local", "https://[fd00::1]/", "[fd00::1]"),
        ("metadata, unique local", "https://[fd00:ec2::254]/", "[fd00:ec2::254]"),
        ("v6 unspecified", "https://[::]/", "[::]"),
        ("v6 written out", "https://[0:0:0:0:0:0:0:1]/", "[::1]"),
        ("v6 multicast", "https://[ff02::1]/", "[ff02::1]"),
    ];

    const PUBLIC: Guard = Guard::new(false);
    const ANY: Guard = Guard::new(true);

    #[test]
    fn addresses_as_people_write_them() {
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
            ("zone id", "https://[fe80::1%25eth0]/", Err(Refusal::Unreadable)),
            ("number out of range", "https://4294967296/", Err(Refusal::Unreadable)),
        ] {
            assert_eq!(PUBLIC.parse(text).map(|_| ()), want, "{name}: {text}");
        }
    }

    #[test]
    fn inner_hosts_however_they_are_written() {
        for (name, text, host) in INNER_URLS {
            let want = Err(Refusal::NotPublic(host.to_owned()));
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
}
