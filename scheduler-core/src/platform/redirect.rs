//! To which addresses a network sends browsers back.

use url::{Host, Url};

/// To which addresses a network sends browsers back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RedirectRule {
    /// Whichever its application has registered.
    Any,
    /// Only https.
    Https,
    /// Https, and `http://localhost` for servers on the person's own machine.
    HttpsOrLocalhost,
    /// Https, and `http://127.0.0.1` for servers on the person's own machine.
    HttpsOrLoopback,
}

/// The network does not send browsers to this server.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("browsers are sent back only to {allowed}")]
pub struct RedirectRefused {
    /// What the network allows, such as `https addresses`.
    pub allowed: &'static str,
}

impl RedirectRule {
    /// The address of the server as this network has to be told it, without a slash at its end.
    ///
    /// A server on loopback goes by the one name that the network takes for it. Everything that a
    /// browser does in one visit stays on this address, since its cookie does.
    ///
    /// ```
    /// use scheduler_core::platform::Platform;
    ///
    /// let server = "http://127.0.0.1:8080".parse()?;
    /// let rule = |platform: Platform| platform.sheet().connecting.redirect;
    /// assert_eq!(rule(Platform::Youtube).address(&server), Ok("http://localhost:8080".to_owned()));
    /// assert!(rule(Platform::Tiktok).address(&server).is_err(), "only https");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`RedirectRefused`]
    pub fn address(self, server: &Url) -> Result<String, RedirectRefused> {
        let is_https = server.scheme() == "https";
        let (name, allowed) = match self {
            Self::Any => return Ok(trimmed(server)),
            Self::Https => (None, "https addresses"),
            Self::HttpsOrLocalhost => (Some("localhost"), "https addresses and http://localhost"),
            Self::HttpsOrLoopback => (Some("127.0.0.1"), "https addresses and http://127.0.0.1"),
        };
        if is_https {
            return Ok(trimmed(server));
        }
        let mut named = server.clone();
        match name {
            Some(name) if is_loopback(server) && named.set_host(Some(name)).is_ok() => {
                Ok(trimmed(&named))
            }
            Some(_) | None => Err(RedirectRefused { allowed }),
        }
    }
}

fn trimmed(url: &Url) -> String {
    url.as_str().trim_end_matches('/').to_owned()
}

/// True for an address of this machine.
///
/// ```
/// use scheduler_core::platform::is_loopback;
/// assert!(is_loopback(&"http://127.0.0.1:8080".parse()?));
/// # Ok::<(), url::ParseError>(())
/// ```
#[must_use]
pub fn is_loopback(url: &Url) -> bool {
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

    #[test]
    fn addresses() {
        use RedirectRule::{Any, Https, HttpsOrLocalhost, HttpsOrLoopback};
        for (rule, server, want) in [
            (Any, "http://10.0.0.1:8080/", Some("http://10.0.0.1:8080")),
            (Any, "http://127.0.0.1:8080", Some("http://127.0.0.1:8080")),
            (Https, "https://s.example/scheduler/", Some("https://s.example/scheduler")),
            (Https, "http://127.0.0.1:8080", None),
            (Https, "http://s.example", None),
            (HttpsOrLocalhost, "https://s.example", Some("https://s.example")),
            (HttpsOrLocalhost, "http://127.0.0.1:8080", Some("http://localhost:8080")),
            (HttpsOrLocalhost, "http://[::1]:8080", Some("http://localhost:8080")),
            (HttpsOrLocalhost, "http://localhost:8080", Some("http://localhost:8080")),
            (HttpsOrLocalhost, "http://localhost.example", None),
            (HttpsOrLocalhost, "http://10.0.0.1", None),
            (HttpsOrLoopback, "http://localhost:8080", Some("http://127.0.0.1:8080")),
            (HttpsOrLoopback, "https://127.0.0.1:8080", Some("https://127.0.0.1:8080")),
            (HttpsOrLoopback, "http://s.example", None),
        ] {
            let found = rule.address(&Url::parse(server).unwrap()).ok();
            assert_eq!(found.as_deref(), want, "{rule:?} {server}");
        }
    }
}
