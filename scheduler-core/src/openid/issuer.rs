//! The address that a provider calls itself by.

use std::fmt;

use url::Url;

use crate::platform::is_loopback;

/// The address of an issuer, as the provider itself writes it: tokens name it letter by letter.
///
/// ```
/// use scheduler_core::openid::Issuer;
///
/// let issuer = Issuer::parse("https://accounts.example.com")?;
/// assert_eq!(issuer.as_str(), "https://accounts.example.com");
/// assert!(Issuer::parse("http://accounts.example.com").is_err(), "anybody on the way could sign in");
/// # Ok::<(), scheduler_core::openid::IssuerFault>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Issuer {
    text: String,
    url: Url,
}

/// Why an address is none of an issuer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IssuerFault {
    /// It is no address of the web.
    #[error("must be an address such as https://accounts.example.com")]
    NoAddress,
    /// It holds what an issuer has not.
    #[error("must hold no user name, no query and no fragment")]
    MoreThanAnAddress,
    /// Whoever sits between could say that they are anybody.
    #[error(
        "must begin with https://; plain http does only for this machine itself, such as http://127.0.0.1:9000"
    )]
    NotEncrypted,
}

impl Issuer {
    /// Reads an address.
    ///
    /// # Errors
    /// [`IssuerFault`] by variant.
    pub fn parse(text: &str) -> Result<Self, IssuerFault> {
        let url = Url::parse(text).map_err(|_| IssuerFault::NoAddress)?;
        if !matches!(url.scheme(), "http" | "https") || !url.has_host() {
            return Err(IssuerFault::NoAddress);
        }
        let has_user = !url.username().is_empty() || url.password().is_some();
        if has_user || url.query().is_some() || url.fragment().is_some() {
            return Err(IssuerFault::MoreThanAnAddress);
        }
        if url.scheme() == "http" && !is_loopback(&url) {
            return Err(IssuerFault::NotEncrypted);
        }
        Ok(Self { text: text.to_owned(), url })
    }

    /// The address as it was written.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The address.
    #[must_use]
    pub const fn url(&self) -> &Url {
        &self.url
    }

    /// Where its document is.
    ///
    /// Source: OpenID Connect Discovery 1.0, section 4.
    #[must_use]
    pub fn document(&self) -> String {
        format!("{}/.well-known/openid-configuration", self.text.trim_end_matches('/'))
    }

    /// True for an address that the document of this issuer may name: encrypted, or on this machine
    /// as the issuer is.
    #[must_use]
    pub fn may_name(&self, address: &Url) -> bool {
        match address.scheme() {
            "https" => address.has_host(),
            "http" => self.url.scheme() == "http" && is_loopback(address),
            _ => false,
        }
    }
}

impl fmt::Display for Issuer {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn issuers() {
        use IssuerFault as F;
        for (name, text, want) in [
            ("a host", "https://a.example", Ok(())),
            ("a slash at its end", "https://a.example/", Ok(())),
            ("a path", "https://a.example/realms/house", Ok(())),
            ("a private network", "https://10.0.0.7:8443", Ok(())),
            ("this machine", "http://127.0.0.1:9000", Ok(())),
            ("this machine, IPv6", "http://[::1]:9000", Ok(())),
            ("this machine, by name", "http://localhost:9000", Ok(())),
            ("plain http", "http://a.example", Err(F::NotEncrypted)),
            ("plain http at home", "http://192.168.0.2", Err(F::NotEncrypted)),
            ("a name that only looks like it", "http://localhost.a.example", Err(F::NotEncrypted)),
            ("another scheme", "ftp://a.example", Err(F::NoAddress)),
            ("no scheme", "a.example", Err(F::NoAddress)),
            ("empty", "", Err(F::NoAddress)),
            ("a user", "https://me@a.example", Err(F::MoreThanAnAddress)),
            ("a query", "https://a.example/?a=b", Err(F::MoreThanAnAddress)),
            ("a fragment", "https://a.example/#a", Err(F::MoreThanAnAddress)),
        ] {
            assert_eq!(Issuer::parse(text).map(drop), want, "{name}");
        }
    }

    #[test]
    fn where_the_document_is() {
        for (issuer, want) in [
            ("https://a.example", "https://a.example/.well-known/openid-configuration"),
            ("https://a.example/", "https://a.example/.well-known/openid-configuration"),
            ("https://a.example/r/h", "https://a.example/r/h/.well-known/openid-configuration"),
        ] {
            assert_eq!(Issuer::parse(issuer).unwrap().document(), want);
        }
    }

    #[test]
    fn what_a_document_may_name() {
        for (name, issuer, address, want) in [
            ("its own", "https://a.example", "https://a.example/token", true),
            ("another host", "https://a.example", "https://keys.b.example/", true),
            ("plain http", "https://a.example", "http://a.example/token", false),
            ("this machine", "https://a.example", "http://127.0.0.1/token", false),
            ("all on this machine", "http://127.0.0.1:1", "http://localhost:2/token", true),
            ("plain http from here", "http://127.0.0.1:1", "http://a.example/token", false),
            ("another scheme", "https://a.example", "javascript:alert(1)", false),
            ("data", "https://a.example", "data:text/html,x", false),
        ] {
            let issuer = Issuer::parse(issuer).unwrap();
            assert_eq!(issuer.may_name(&Url::parse(address).unwrap()), want, "{name}");
        }
    }
}
