//! What connecting an account takes, and what a network then says of it.

use std::collections::BTreeMap;
use std::fmt;

use secrecy::SecretString;

use crate::account::{Connection, Credentials};
use crate::platform::AccountLimits;

/// What a person gives to connect an account: names and values that each network defines, such
/// as `identifier` and `appPassword`. Values print as `[redacted]`.
///
/// ```
/// use scheduler_core::ports::ConnectInput;
/// let input = ConnectInput([("appPassword".to_owned(), "hunter2".to_owned())].into());
/// assert_eq!(input.value("appPassword"), Some("hunter2"));
/// assert_eq!(format!("{input:?}"), r#"{"appPassword"}"#);
/// ```
#[derive(Clone, Default)]
pub struct ConnectInput(pub BTreeMap<String, String>);

impl ConnectInput {
    /// The value of a name.
    #[must_use]
    pub fn value(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// The value of a name without space around it; `None` where it is empty.
    #[must_use]
    pub fn given(&self, name: &str) -> Option<&str> {
        self.value(name).map(str::trim).filter(|value| !value.is_empty())
    }
}

impl fmt::Debug for ConnectInput {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.0.keys()).finish()
    }
}

/// What a network's own page needs, on which a person lets us in.
#[derive(Clone, Debug)]
pub struct AuthorizeInput {
    /// What the person gave before, such as the server.
    pub values: ConnectInput,
    /// Where the network sends the browser afterwards.
    pub redirect_uri: String,
    /// What the network gives back as it is: nobody can guess it, and it is good for one use.
    pub state: String,
    /// The key that proves that who asked is who comes back: 43 to 128 unreserved characters.
    ///
    /// Source: RFC 7636, section 4.1.
    pub code_verifier: SecretString,
}

/// The page on which a person lets us in.
#[derive(Clone, Debug)]
pub struct Authorization {
    /// Its address.
    pub url: String,
    /// What connecting needs besides `code`, `redirectUri` and `codeVerifier`. Holds secrets.
    pub kept: ConnectInput,
}

/// What a network says of an account that was just connected.
#[derive(Clone, Debug)]
pub struct Connected {
    /// What the network calls it for good.
    pub network_id: String,
    /// The address of its server, where the network has many.
    pub server_url: Option<String>,
    /// Its handle.
    pub username: Option<String>,
    /// Its display name.
    pub display_name: Option<String>,
    /// A picture.
    pub avatar_url: Option<String>,
    /// The way in which it is connected, where a network has several.
    ///
    /// Source: interface description, Account.connection.
    pub connection: Option<Connection>,
    /// What it cannot do since the person has not allowed it: a sentence for each.
    pub lacks: Vec<String>,
    /// What its server allows, where that differs from the sheet.
    pub limits: AccountLimits,
    /// What opens it.
    pub credentials: Credentials,
}

impl Connected {
    /// An account of which no more is known.
    pub fn new(network_id: impl Into<String>, credentials: Credentials) -> Self {
        Self {
            network_id: network_id.into(),
            server_url: None,
            username: None,
            display_name: None,
            avatar_url: None,
            connection: None,
            lacks: Vec::new(),
            limits: AccountLimits::default(),
            credentials,
        }
    }

    /// Its name and its handle, for a person who picks; its id where one of them is not known.
    #[must_use]
    pub fn label(&self) -> String {
        let (name, handle) = (self.display_name.as_deref(), self.username.as_deref());
        match (name, handle) {
            (Some(name), Some(handle)) => {
                format!("{name} (@{})", handle.trim_start_matches('@'))
            }
            (Some(name), None) | (None, Some(name)) => format!("{name} ({})", self.network_id),
            (None, None) => self.network_id.clone(),
        }
    }

    /// True for its id, its handle and its display name.
    #[must_use]
    pub fn is_named(&self, name: &str) -> bool {
        let handle = name.strip_prefix('@').unwrap_or(name);
        self.network_id == name
            || self.username.as_deref() == Some(handle)
            || self.display_name.as_deref() == Some(name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_person_reads_the_handle_where_there_is_one() {
        for (name, handle, want) in [
            (Some("Ana"), Some("ana.test"), "Ana (@ana.test)"),
            (Some("Ana"), Some("@ana"), "Ana (@ana)"),
            (Some("Ana"), None, "Ana (did:plc:ana)"),
            (None, Some("ana.test"), "ana.test (did:plc:ana)"),
            (None, None, "did:plc:ana"),
        ] {
            let connected = Connected {
                display_name: name.map(str::to_owned),
                username: handle.map(str::to_owned),
                ..Connected::new("did:plc:ana", Credentials::new("", None))
            };
            assert_eq!(connected.label(), want);
        }
    }
}
