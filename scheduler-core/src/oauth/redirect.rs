//! Where a client has its person sent back to.

use url::{Host, Url};

/// Schemes that no program of a person answers to, or with which an address does something else
/// than to open one.
///
/// Source: the special schemes of <https://url.spec.whatwg.org/#special-scheme> beside https, and
/// those that browsers run or show themselves.
const NEVER: [&str; 11] = [
    "http",
    "ws",
    "wss",
    "ftp",
    "file",
    "javascript",
    "data",
    "vbscript",
    "blob",
    "about",
    "view-source",
];

/// An address that a client has its person sent back to: https, http of the person's own machine,
/// or a scheme of a program's own.
///
/// Source: RFC 8252, section 7.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Redirect(Url);

impl Redirect {
    /// Reads an address; `None` for one that is not absolute, has a fragment or holds a password,
    /// and one to which no person is sent back.
    ///
    /// ```
    /// use scheduler_core::oauth::Redirect;
    ///
    /// assert!(Redirect::parse("https://claude.ai/api/mcp/auth_callback").is_some());
    /// assert!(Redirect::parse("http://127.0.0.1:49152/callback").is_some());
    /// assert!(Redirect::parse("http://claude.ai/").is_none());
    /// ```
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let url = Url::parse(text).ok()?;
        let is_plain = url.fragment().is_none()
            && url.username().is_empty()
            && url.password().is_none()
            && text.bytes().all(|byte| byte.is_ascii_graphic());
        let redirect = Self(url);
        let is_allowed = redirect.is_of_this_machine() || !NEVER.contains(&redirect.0.scheme());
        (is_plain && is_allowed).then_some(redirect)
    }

    /// True when it leads to a program on the person's own machine by http.
    #[must_use]
    pub fn is_of_this_machine(&self) -> bool {
        self.0.scheme() == "http"
            && match self.0.host() {
                Some(Host::Ipv4(address)) => address.is_loopback(),
                Some(Host::Ipv6(address)) => address.is_loopback(),
                Some(Host::Domain(name)) => name == "localhost",
                None => false,
            }
    }

    /// The host for a person: where they are sent back to; the scheme of a program's own.
    #[must_use]
    pub fn host(&self) -> String {
        let host = self.0.host_str().filter(|_| self.0.scheme() == "https");
        match host {
            Some(host) => host.to_owned(),
            None if self.is_of_this_machine() => "a program on your own computer".to_owned(),
            None => format!("{}:", self.0.scheme()),
        }
    }

    /// True when a registered address is this one; the port of the person's own machine is the
    /// client's to choose.
    ///
    /// Source: RFC 8252, section 7.3; OAuth 2.1, section 4.1.3.
    #[must_use]
    pub fn is(&self, registered: &str) -> bool {
        let Some(Self(mut registered)) = Self::parse(registered) else { return false };
        if self.is_of_this_machine() {
            // Neither can be refused: both are http with a host.
            let _ = registered.set_port(self.0.port());
        }
        registered == self.0
    }

    /// The same address with names and values behind its query.
    #[must_use]
    pub fn with(&self, pairs: &[(&str, &str)]) -> String {
        let mut url = self.0.clone();
        url.query_pairs_mut().extend_pairs(pairs);
        url.into()
    }

    /// The address as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses() {
        for (name, text, is_read) in [
            ("https", "https://a.example/back", true),
            ("https with a port and a query", "https://a.example:8443/back?of=1", true),
            ("http of this machine", "http://127.0.0.1:49152/back", true),
            ("http of this machine by its sixth", "http://[::1]:49152/back", true),
            ("http of this machine by name", "http://localhost/back", true),
            ("another address of this machine", "http://127.8.9.1/", true),
            ("a scheme of its own", "cursor://anysphere.cursor-retrieval/oauth/back", true),
            ("a reversed domain", "com.example.app:/back", true),
            ("plain http", "http://a.example/back", false),
            ("http of a private network", "http://10.0.0.1/back", false),
            ("a name that begins like it", "http://localhost.a.example/", false),
            ("a script", "javascript:alert(1)", false),
            ("a document", "data:text/html,hello", false),
            ("a file", "file:///etc/passwd", false),
            ("a fragment", "https://a.example/back#here", false),
            ("an empty fragment", "https://a.example/back#", false),
            ("a password", "https://user:secret@a.example/", false),
            ("a line end", "https://a.example/\n", false),
            ("relative", "/back", false),
            ("empty", "", false),
        ] {
            assert_eq!(Redirect::parse(text).is_some(), is_read, "{name}");
        }
    }

    #[test]
    fn registered_addresses_match_exactly_but_for_the_port_of_this_machine() {
        for (name, registered, asked, is_same) in [
            ("itself", "https://a.example/back", "https://a.example/back", true),
            ("another path", "https://a.example/back", "https://a.example/back/", false),
            ("a longer path", "https://a.example/back", "https://a.example/back/more", false),
            ("a query more", "https://a.example/back", "https://a.example/back?of=1", false),
            ("another host", "https://a.example/back", "https://b.example/back", false),
            ("a host in front", "https://a.example/back", "https://x.a.example/back", false),
            ("another port", "https://a.example/back", "https://a.example:8443/back", false),
            ("another scheme", "https://localhost/back", "http://localhost/back", false),
            ("a port of this machine", "http://127.0.0.1/back", "http://127.0.0.1:4/back", true),
            ("other ports", "http://[::1]:3/back", "http://[::1]:4/back", true),
            ("by name", "http://localhost:3/back", "http://localhost/back", true),
            ("another name of it", "http://localhost/back", "http://127.0.0.1/back", false),
            ("another path of it", "http://localhost/back", "http://localhost:4/", false),
            ("its own scheme", "cursor://a/back", "cursor://a/back", true),
            ("its own scheme, elsewhere", "cursor://a/back", "cursor://b/back", false),
            ("what nobody is sent to", "http://a.example/", "https://a.example/", false),
        ] {
            let asked = Redirect::parse(asked).unwrap();
            assert_eq!(asked.is(registered), is_same, "{name}");
        }
    }

    #[test]
    fn what_is_answered_stands_behind_what_was_there() {
        for (address, want) in [
            ("https://a.example/back", "https://a.example/back?code=1&state=%26+%C3%A9"),
            ("https://a.example/back?of=1", "https://a.example/back?of=1&code=1&state=%26+%C3%A9"),
            ("com.example.app:/back", "com.example.app:/back?code=1&state=%26+%C3%A9"),
        ] {
            let redirect = Redirect::parse(address).unwrap();
            assert_eq!(redirect.with(&[("code", "1"), ("state", "& é")]), want);
        }
    }
}
