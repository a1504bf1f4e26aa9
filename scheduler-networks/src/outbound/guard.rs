//! The address guard: what may be called, checked before a request is made and again, for names,
//! at the moment of connecting.
//!
//! An IP address in a URL is checked by [`Guard::check`], since a client asks no resolver for it. A
//! name is checked by [`GuardedNames`](super::names::GuardedNames) as the client's resolver: it is
//! looked up once, and the addresses that were checked are the ones that are connected to. Whoever
//! controls the name cannot answer the check with one address and the connection with another.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Guard {
    allow_private: bool,
    /// The address whose server passes wherever it is: the operator has named it.
    trusted: Option<Arc<Url>>,
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
            trusted: None,
            #[cfg(test)]
            exempt: None,
        }
    }

    /// The same guard, which also lets through what has the scheme, host and port of this address.
    #[must_use]
    pub fn trusting(self, address: Url) -> Self {
        Self { trusted: Some(Arc::new(address)), ..self }
    }

    /// The same guard, which takes one inner address for a public one.
    #[cfg(test)]
    pub(super) fn exempting(self, address: IpAddr) -> Self {
        Self { exempt: Some(address), ..self }
    }

    /// True when http and private addresses pass.
    #[must_use]
    pub const fn allows_private(&self) -> bool {
        self.allow_private
    }

    /// True when some address without https may pass.
    pub(super) fn allows_http(&self) -> bool {
        self.allow_private || self.trusted.as_ref().is_some_and(|url| url.scheme() == "http")
    }

    /// Reads and checks an address.
    ///
    /// # Errors
    /// [`Refusal`] by variant, never [`Refusal::LeadsInside`].
    pub fn parse(&self, text: &str) -> Result<Url, Refusal> {
        let url = Url::parse(text).map_err(|_| Refusal::Unreadable)?;
        self.check(&url)?;
        Ok(url)
    }

    /// Checks scheme and host, as far as that goes without looking a name up.
    ///
    /// # Errors
    /// [`Refusal`] by variant, never [`Refusal::LeadsInside`].
    pub fn check(&self, url: &Url) -> Result<(), Refusal> {
        if self.trusted.as_ref().is_some_and(|trusted| trusted.origin() == url.origin()) {
            return Ok(());
        }
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
        &self,
        name: &str,
        addresses: &[SocketAddr],
    ) -> Result<(), Refusal> {
        let is_trusted = self.trusted.as_ref().and_then(|url| url.host_str()) == Some(name);
        if self.allow_private
            || is_trusted
            || addresses.iter().all(|address| self.lets(address.ip()))
        {
            Ok(())
        } else {
            Err(Refusal::LeadsInside(name.to_owned()))
        }
    }

    fn lets(&self, address: IpAddr) -> bool {
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
mod tests {
    use super::super::address;
    use super::super::refused::{Form, PUBLIC as PUBLIC_FORMS, REFUSED, Told};
    use super::*;

    const PUBLIC: Guard = Guard::new(false);
    const ANY: Guard = Guard::new(true);

    #[test]
    fn everything_in_the_table_is_refused() {
        for Form { name, url, told } in &REFUSED {
            let want = match told {
                Told::Inner(host) => Refusal::NotPublic((*host).to_owned()),
                Told::Unreadable => Refusal::Unreadable,
                Told::NotHttps => Refusal::NotHttps,
            };
            assert_eq!(PUBLIC.parse(url).map(|_| ()), Err(want), "{name}: {url:?}");
        }
    }

    #[test]
    fn no_two_forms_are_the_same() {
        let names: std::collections::BTreeSet<_> = REFUSED.iter().map(|form| form.name).collect();
        let urls: std::collections::BTreeSet<_> = REFUSED.iter().map(|form| form.url).collect();
        assert_eq!((names.len(), urls.len()), (REFUSED.len(), REFUSED.len()));
    }

    #[test]
    fn what_only_looks_like_it_passes() {
        for (name, url) in PUBLIC_FORMS {
            assert_eq!(PUBLIC.parse(url).map(|_| ()), Ok(()), "{name}: {url}");
        }
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for (name, text) in [
            ("no scheme", "example.com/hook"),
            ("no host", "https://"),
            ("empty", ""),
            ("a space in the host", "https://exa mple.com/"),
            ("a port out of range", "https://example.com:65536/"),
        ] {
            assert_eq!(PUBLIC.parse(text), Err(Refusal::Unreadable), "{name}: {text}");
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
    fn what_the_operator_has_named_passes_and_nothing_beside_it() {
        let trusting = |text: &str| Guard::new(false).trusting(text.parse().unwrap());
        let inner = SocketAddr::new("10.0.0.1".parse().unwrap(), 0);
        for (name, named, text, passes) in [
            ("itself", "http://127.0.0.1:8081/bot", "http://127.0.0.1:8081/bot1/getMe", true),
            ("another port", "http://127.0.0.1:8081", "http://127.0.0.1:8082/", false),
            ("another scheme", "https://10.0.0.1", "http://10.0.0.1/", false),
            ("another host", "http://127.0.0.1:8081", "http://127.0.0.2:8081/", false),
            ("a name", "http://bots.internal:8081", "http://bots.internal:8081/", true),
            ("a public host", "http://127.0.0.1:8081", "https://example.com/", true),
        ] {
            assert_eq!(trusting(named).parse(text).is_ok(), passes, "{name}");
        }
        let trusting = trusting("https://bots.example.com");
        assert_eq!(trusting.check_resolved("bots.example.com", &[inner]), Ok(()));
        assert!(trusting.check_resolved("other.example.com", &[inner]).is_err());
        assert!(!trusting.allows_http());
    }

    #[test]
    fn one_inner_address_refuses_the_name() {
        let public = SocketAddr::new("8.8.8.8".parse().unwrap(), 0);
        let other = SocketAddr::new("2606:4700::1".parse().unwrap(), 0);
        assert_eq!(PUBLIC.check_resolved("a.example", &[public, other]), Ok(()));
        for (name, text, is_public) in address::tests::CASES {
            let address = SocketAddr::new(text.parse().unwrap(), 0);
            let want = match is_public {
                true => Ok(()),
                false => Err(Refusal::LeadsInside("a.example".to_owned())),
            };
            for answer in [vec![address], vec![public, address], vec![address, public, other]] {
                assert_eq!(PUBLIC.check_resolved("a.example", &answer), want, "{name}: {text}");
                assert_eq!(ANY.check_resolved("a.example", &answer), Ok(()), "{name}: {text}");
            }
        }
    }
}
