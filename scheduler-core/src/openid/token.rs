//! What a provider says of a person, and what is checked of it once its signature is.

use chrono::{DateTime, TimeDelta, Utc};
use uuid::Uuid;

use super::Issuer;
use crate::ids::{PersonId, derived};
use crate::session::PersonName;

/// How far the clocks of the provider and of this server may be apart.
///
/// Source: our decision.
const CLOCKS_APART: TimeDelta = TimeDelta::minutes(2);

/// An ID token whose signature was checked.
///
/// Source: OpenID Connect Core 1.0, section 2.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct IdToken {
    /// Who has made it.
    pub issuer: String,
    /// For whom it is made.
    pub audience: Vec<String>,
    /// To whom it was handed, where that is said.
    pub authorized_party: Option<String>,
    /// From when on it is refused, in seconds.
    pub expires_at: i64,
    /// When it was made, in seconds.
    pub issued_at: i64,
    /// Before when it is refused, in seconds.
    pub not_before: Option<i64>,
    /// What was asked for it with.
    pub nonce: Option<String>,
    /// Of whom it tells.
    pub identity: Identity,
}

/// What a provider says of a person.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Identity {
    /// What the provider calls them and nobody else, ever.
    pub subject: String,
    /// Their e-mail address.
    pub email: Option<String>,
    /// Whether the provider has made sure that it is theirs.
    pub is_email_verified: bool,
    /// Their name.
    pub name: Option<String>,
    /// What they are called for short.
    pub username: Option<String>,
}

/// What a token has to hold.
#[derive(Clone, Copy, Debug)]
pub struct Expected<'a> {
    /// Who makes it.
    pub issuer: &'a Issuer,
    /// The id of this server at the provider.
    pub client_id: &'a str,
    /// The nonce of the sign-in.
    pub nonce: &'a str,
}

/// Why a token is none of this sign-in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TokenFault {
    /// Another issuer has made it.
    #[error("it was made by another issuer")]
    Issuer,
    /// It was made for another application.
    #[error("it was made for another application")]
    Audience,
    /// It was handed to another application.
    #[error("it was handed to another application")]
    AuthorizedParty,
    /// Its time is over.
    #[error("it has expired")]
    Expired,
    /// It was made in the future.
    #[error("it was made in the future; the clocks are too far apart")]
    Early,
    /// It is that of another sign-in.
    #[error("it belongs to another sign-in (nonce)")]
    Nonce,
    /// It names nobody.
    #[error("it names nobody (sub)")]
    Nobody,
}

impl IdToken {
    /// Checks whose token it is, and returns of whom it tells.
    ///
    /// Source: OpenID Connect Core 1.0, section 3.1.3.7.
    ///
    /// # Errors
    /// [`TokenFault`] by variant.
    pub fn checked(self, want: Expected<'_>, now: DateTime<Utc>) -> Result<Identity, TokenFault> {
        if self.issuer != want.issuer.as_str() {
            return Err(TokenFault::Issuer);
        }
        if !self.audience.iter().any(|audience| audience == want.client_id) {
            return Err(TokenFault::Audience);
        }
        match &self.authorized_party {
            Some(party) if party != want.client_id => return Err(TokenFault::AuthorizedParty),
            // Of several, it says which one has asked for it.
            None if self.audience.len() > 1 => return Err(TokenFault::AuthorizedParty),
            Some(_) | None => {}
        }
        let (now, apart) = (now.timestamp(), CLOCKS_APART.num_seconds());
        if self.expires_at.saturating_add(apart) <= now {
            return Err(TokenFault::Expired);
        }
        let begins_at = self.not_before.unwrap_or(self.issued_at).max(self.issued_at);
        if begins_at.saturating_sub(apart) > now {
            return Err(TokenFault::Early);
        }
        if self.nonce.as_deref() != Some(want.nonce) {
            return Err(TokenFault::Nonce);
        }
        if self.identity.subject.is_empty() {
            return Err(TokenFault::Nobody);
        }
        Ok(self.identity)
    }
}

impl Identity {
    /// The best name that there is of what the provider says.
    #[must_use]
    pub fn called(&self) -> Option<PersonName> {
        let names = [&self.name, &self.username, &self.email].into_iter().flatten();
        names.chain([&self.subject]).find_map(|name| PersonName::nearest_to(name))
    }

    /// By what somebody finds them who may let them in: the address, else the subject.
    #[must_use]
    pub fn told(&self) -> String {
        let shown = |text: &String| PersonName::nearest_to(text).map(String::from);
        let email = self.email.as_ref().and_then(shown);
        email.unwrap_or_else(|| {
            format!("The subject “{}”", shown(&self.subject).unwrap_or_default())
        })
    }

    /// The id of the person: the same at each sign-in, whatever they are called.
    #[must_use]
    pub fn person_id(&self, issuer: &str) -> PersonId {
        let whose = format!("{issuer}\0{}", self.subject);
        let (at, of) = (DateTime::UNIX_EPOCH, Uuid::nil());
        PersonId(derived(at, "person of openid", of, whose.as_bytes()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: i64 = 1_800_000_000;

    fn token() -> IdToken {
        IdToken {
            issuer: "https://a.example".to_owned(),
            audience: vec!["us".to_owned()],
            expires_at: NOW + 600,
            issued_at: NOW,
            nonce: Some("once".to_owned()),
            identity: Identity { subject: "7".to_owned(), ..Identity::default() },
            ..IdToken::default()
        }
    }

    #[test]
    fn tokens_of_this_sign_in_and_of_others() {
        use TokenFault as F;
        type Change = fn(&mut IdToken);
        let table: [(&str, Change, Result<(), F>); 21] = [
            ("as it should be", |_| {}, Ok(())),
            ("another issuer", |it| it.issuer = "https://b.example".into(), Err(F::Issuer)),
            ("almost the issuer", |it| it.issuer.push('/'), Err(F::Issuer)),
            ("another audience", |it| it.audience = vec!["them".into()], Err(F::Audience)),
            ("no audience", |it| it.audience.clear(), Err(F::Audience)),
            (
                "several, and nobody says whose",
                |it| it.audience.push("them".into()),
                Err(F::AuthorizedParty),
            ),
            (
                "several, and ours",
                |it| {
                    it.audience.push("them".into());
                    it.authorized_party = Some("us".into());
                },
                Ok(()),
            ),
            ("ours, and said", |it| it.authorized_party = Some("us".into()), Ok(())),
            ("theirs", |it| it.authorized_party = Some("them".into()), Err(F::AuthorizedParty)),
            ("just expired", |it| it.expires_at = NOW, Ok(())),
            ("expired within what clocks differ", |it| it.expires_at = NOW - 119, Ok(())),
            ("expired", |it| it.expires_at = NOW - 120, Err(F::Expired)),
            ("expired long ago", |it| it.expires_at = i64::MIN, Err(F::Expired)),
            ("never", |it| it.expires_at = i64::MAX, Ok(())),
            ("by a clock that is ahead", |it| it.issued_at = NOW + 120, Ok(())),
            ("tomorrow's", |it| it.issued_at = NOW + 121, Err(F::Early)),
            ("not yet", |it| it.not_before = Some(NOW + 121), Err(F::Early)),
            ("another nonce", |it| it.nonce = Some("twice".into()), Err(F::Nonce)),
            ("an empty nonce", |it| it.nonce = Some(String::new()), Err(F::Nonce)),
            ("no nonce", |it| it.nonce = None, Err(F::Nonce)),
            ("nobody", |it| it.identity.subject.clear(), Err(F::Nobody)),
        ];
        let issuer = Issuer::parse("https://a.example").unwrap();
        let want = Expected { issuer: &issuer, client_id: "us", nonce: "once" };
        for (name, change, result) in table {
            let mut token = token();
            change(&mut token);
            let now = DateTime::from_timestamp(NOW, 0).unwrap();
            assert_eq!(token.checked(want, now).map(drop), result, "{name}");
        }
    }

    #[test]
    fn names() {
        let text = |text: &str| Some(text.to_owned());
        let ada = Identity {
            subject: "7".to_owned(),
            email: text("ada@a.example"),
            is_email_verified: true,
            name: text("Ada Byron"),
            username: text("ada"),
        };
        let nameless = Identity { name: text("\u{202e}\n"), username: None, ..ada.clone() };
        for (name, identity, want) in [
            ("the name", ada.clone(), Some("Ada Byron")),
            ("for short", Identity { name: None, ..ada.clone() }, Some("ada")),
            ("the address", nameless, Some("ada@a.example")),
            ("the subject", Identity { subject: "7".into(), ..Identity::default() }, Some("7")),
            (
                "nothing to see",
                Identity { subject: "\u{200b}".into(), ..Identity::default() },
                None,
            ),
        ] {
            let called = identity.called();
            assert_eq!(called.as_ref().map(PersonName::as_str), want, "{name}");
        }
        assert_eq!(ada.told(), "ada@a.example");
        assert_eq!(Identity { email: None, ..ada.clone() }.told(), "The subject “7”");
        let (here, there) = ("https://a.example", "https://b.example");
        let renamed = Identity { name: text("Ada King"), email: None, ..ada.clone() };
        assert_eq!(ada.person_id(here), renamed.person_id(here));
        assert_ne!(ada.person_id(here), ada.person_id(there));
        let other = Identity { subject: "8".to_owned(), ..ada.clone() };
        assert_ne!(ada.person_id(here), other.person_id(here));
    }
}
