//! What a provider sends.

use reqwest::StatusCode;
use scheduler_core::openid::{IdToken, Identity};
use scheduler_core::ports::IdentityError;
use secrecy::SecretString;
use serde::{Deserialize, Deserializer};
use serde_json::{Number, Value};

use super::untrusted;

/// Characters of the name of an error that are told.
const ERROR_MAX_CHARACTERS: usize = 60;

/// What a code is exchanged for.
///
/// Source: OpenID Connect Core 1.0, section 3.1.3.3.
#[derive(Debug, Deserialize)]
pub(super) struct TokenAnswer {
    pub(super) id_token: Option<SecretString>,
    pub(super) access_token: Option<SecretString>,
}

#[derive(Deserialize)]
struct ErrorAnswer {
    error: String,
}

impl TokenAnswer {
    /// Reads the answer to a code.
    ///
    /// # Errors
    /// [`IdentityError`] by variant.
    pub(super) fn read(status: StatusCode, body: &[u8]) -> Result<Self, IdentityError> {
        if status.is_success() {
            // The error of serde may quote the answer, which holds tokens.
            return serde_json::from_slice(body)
                .map_err(|_| untrusted("its tokens cannot be read"));
        }
        if status.is_server_error() {
            return Err(IdentityError::Unavailable(format!("it answers {status} to a code")));
        }
        match serde_json::from_slice::<ErrorAnswer>(body) {
            Ok(ErrorAnswer { error }) => {
                let error = error.chars().filter(|sign| !sign.is_control());
                Err(IdentityError::Refused(error.take(ERROR_MAX_CHARACTERS).collect()))
            }
            Err(_) => Err(untrusted(format!("it answers {status} to a code"))),
        }
    }
}

/// What a token holds.
///
/// Source: OpenID Connect Core 1.0, sections 2 and 5.1.
#[derive(Deserialize)]
pub(super) struct Claims {
    iss: String,
    aud: Audience,
    azp: Option<String>,
    exp: Number,
    iat: Number,
    nbf: Option<Number>,
    nonce: Option<String>,
    #[serde(flatten)]
    person: Person,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Audience {
    One(String),
    Many(Vec<String>),
}

/// What is told of somebody, in a token and by the endpoint for it.
#[derive(Deserialize)]
struct Person {
    sub: String,
    email: Option<String>,
    #[serde(default, deserialize_with = "is_true")]
    email_verified: bool,
    name: Option<String>,
    preferred_username: Option<String>,
}

/// True for `true`, and for the text that some providers write in its place.
fn is_true<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
    let value = Value::deserialize(deserializer)?;
    Ok(value == Value::Bool(true) || value == "true")
}

/// Seconds, which may have a part behind the point.
fn seconds(number: &Number) -> i64 {
    let whole = || number.as_f64().map_or(0, |seconds| seconds as i64);
    number.as_i64().unwrap_or_else(whole)
}

impl From<Person> for Identity {
    fn from(person: Person) -> Self {
        Self {
            subject: person.sub,
            email: person.email,
            is_email_verified: person.email_verified,
            name: person.name,
            username: person.preferred_username,
        }
    }
}

impl From<Claims> for IdToken {
    fn from(claims: Claims) -> Self {
        Self {
            issuer: claims.iss,
            audience: match claims.aud {
                Audience::One(one) => vec![one],
                Audience::Many(many) => many,
            },
            authorized_party: claims.azp,
            expires_at: seconds(&claims.exp),
            issued_at: seconds(&claims.iat),
            not_before: claims.nbf.as_ref().map(seconds),
            nonce: claims.nonce,
            identity: claims.person.into(),
        }
    }
}

/// What the endpoint for it tells of a person.
///
/// Source: OpenID Connect Core 1.0, section 5.3.2.
pub(super) struct UserInfo(Identity);

impl UserInfo {
    /// Reads it.
    ///
    /// # Errors
    /// [`IdentityError::Untrusted`]
    pub(super) fn read(body: &[u8]) -> Result<Self, IdentityError> {
        let person: Person = serde_json::from_slice(body)
            .map_err(|_| untrusted("what it tells of a person cannot be read"))?;
        Ok(Self(person.into()))
    }

    /// Adds it to what a token tells, which counts where it tells something.
    ///
    /// # Errors
    /// [`IdentityError::Untrusted`] for another person.
    pub(super) fn add(self, of_token: Identity) -> Result<Identity, IdentityError> {
        if self.0.subject != of_token.subject {
            return Err(untrusted("it tells of another person than its token (sub)"));
        }
        Ok(Identity {
            name: of_token.name.or(self.0.name),
            username: of_token.username.or(self.0.username),
            ..self.0
        })
    }
}
