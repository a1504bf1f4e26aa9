//! An OpenID provider, by its code flow.
//!
//! The provider is found by its document, asked with PKCE, and believed by its signature: what a
//! token has to hold beyond that is decided by the core
//! ([`IdToken::checked`](scheduler_core::openid::IdToken::checked)). Document and keys are kept for
//! an hour; a key that is not among those that are kept is looked for once more.
//!
//! Sources: OpenID Connect Core 1.0 and Discovery 1.0, RFC 7636 (PKCE), RFC 7517 (keys).

mod document;
mod keys;
mod signed;
#[cfg(test)]
mod tests;
mod wire;

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use reqwest::header::ACCEPT;
use reqwest::{Client, RequestBuilder, StatusCode};
use scheduler_core::openid::{Attempt, Expected, Identity, Issuer};
use scheduler_core::ports::{IdentityError, IdentityProvider, Returning};
use secrecy::{ExposeSecret as _, SecretString};
use tokio::sync::Semaphore;
use url::Url;
use url::form_urlencoded::byte_serialize;

use crate::outbound::{ClientError, Guard, Limits, build, reason};
use document::Document;
use keys::Keys;
use wire::{TokenAnswer, UserInfo};

/// How long a call may take. Source: our decision; a person waits for it.
const LIMITS: Limits = Limits { connect: Duration::from_secs(5), whole: Duration::from_secs(10) };

/// Bytes of an answer beyond which it is not read. Source: our decision; documents and tokens have
/// some thousand.
const ANSWER_MAX_BYTES: usize = 1 << 20;

/// Calls that go on at the same time at most: whoever may begin a sign-in has the provider asked.
/// Source: our decision; each takes a part of a second.
const CALLS_MAX: usize = 32;

/// For how long document and keys are taken to be what they were. Source: our decision.
const KEPT: TimeDelta = TimeDelta::hours(1);

/// What is asked for: who somebody is, their address and their name.
///
/// Source: OpenID Connect Core 1.0, section 5.4.
const SCOPE: &str = "openid email profile";

/// A provider, and what this server is to it.
#[derive(Clone, Debug)]
pub struct OpenIdSettings {
    /// Its address.
    pub issuer: Issuer,
    /// The id of this server there.
    pub client_id: String,
    /// The secret of this server there; a public client has none.
    pub client_secret: Option<SecretString>,
}

/// What was found where a provider should be.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct ReachedProvider {
    /// The host at which people sign in.
    pub signs_in_at: String,
    /// How many keys it signs with that can be used.
    pub keys: usize,
}

/// Asks an OpenID provider. Its own server may be inside the operator's network, since they have
/// named it; what its document names beyond has to be public. Follows no redirect and tries nothing
/// twice.
pub struct OpenIdProvider {
    client: Client,
    guard: Guard,
    settings: OpenIdSettings,
    calls: Semaphore,
    kept: Mutex<Kept>,
}

/// What is known of the provider, and since when.
#[derive(Default)]
struct Kept {
    document: Option<(Arc<Document>, DateTime<Utc>)>,
    keys: Option<(Arc<Keys>, DateTime<Utc>)>,
}

impl fmt::Debug for OpenIdProvider {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("OpenIdProvider").field("settings", &self.settings).finish()
    }
}

impl OpenIdProvider {
    /// A provider that nobody has asked yet.
    ///
    /// # Errors
    /// [`ClientError`]
    pub fn new(settings: OpenIdSettings) -> Result<Self, ClientError> {
        signed::prepare();
        let guard = Guard::new(false).trusting(settings.issuer.url().clone());
        let client = build(guard.clone(), LIMITS)?;
        let calls = Semaphore::new(CALLS_MAX);
        Ok(Self { client, guard, settings, calls, kept: Mutex::default() })
    }

    /// Asks for its document and its keys, which tells it of nobody.
    ///
    /// # Errors
    /// [`IdentityError`] by variant.
    pub async fn reach(&self, now: DateTime<Utc>) -> Result<ReachedProvider, IdentityError> {
        let document = self.document(now).await?;
        let keys = self.fetched_keys(&document, now).await?;
        let host = document.authorization_endpoint.host_str().unwrap_or_default().to_owned();
        Ok(ReachedProvider { signs_in_at: host, keys: keys.len() })
    }

    async fn document(&self, now: DateTime<Utc>) -> Result<Arc<Document>, IdentityError> {
        if let Some((document, since)) = &self.kept().document
            && now - *since < KEPT
        {
            return Ok(Arc::clone(document));
        }
        let address = self.settings.issuer.document();
        let address = Url::parse(&address).map_err(|_| untrusted("its address is unreadable"))?;
        let body = self.read("its document", self.client.get(self.let_through(address)?)).await?;
        let document = Arc::new(Document::read(&body, &self.settings.issuer)?);
        self.kept().document = Some((Arc::clone(&document), now));
        Ok(document)
    }

    async fn fetched_keys(
        &self,
        document: &Document,
        now: DateTime<Utc>,
    ) -> Result<Arc<Keys>, IdentityError> {
        let address = self.let_through(document.jwks_uri.clone())?;
        let body = self.read("its keys", self.client.get(address)).await?;
        let keys = Arc::new(Keys::read(&body)?);
        self.kept().keys = Some((Arc::clone(&keys), now));
        Ok(keys)
    }

    /// The identity in a token, once its signature and all that it has to hold are checked.
    async fn believed(
        &self,
        document: &Document,
        token: &str,
        nonce: &str,
        now: DateTime<Utc>,
    ) -> Result<Identity, IdentityError> {
        let kept = self.kept().keys.clone();
        let kept = kept.filter(|(_, since)| now - *since < KEPT);
        let keys = match kept {
            // Providers change their keys whenever they want to.
            Some((keys, _)) if keys.may_have_signed(token) => keys,
            Some(_) | None => self.fetched_keys(document, now).await?,
        };
        let token = signed::read(token, &keys)?;
        let OpenIdSettings { issuer, client_id, .. } = &self.settings;
        let expected = Expected { issuer, client_id, nonce };
        token.checked(expected, now).map_err(|fault| untrusted(format!("its token: {fault}")))
    }

    async fn identified(
        &self,
        returning: Returning<'_>,
        now: DateTime<Utc>,
    ) -> Result<Identity, IdentityError> {
        let document = self.document(now).await?;
        let answer = self.redeemed(&document, returning).await?;
        let nonce = returning.attempt.nonce();
        let id_token = answer.id_token.ok_or_else(|| untrusted("it gives no ID token"))?;
        let identity = self.believed(&document, id_token.expose_secret(), &nonce, now).await?;
        // Some tell the address only to whoever asks for it.
        match (&document.userinfo_endpoint, &answer.access_token) {
            (Some(address), Some(token)) if identity.email.is_none() => {
                let call = self.client.get(self.let_through(address.clone())?);
                let call = call.bearer_auth(token.expose_secret());
                UserInfo::read(&self.read("what it tells of a person", call).await?)?.add(identity)
            }
            _ => Ok(identity),
        }
    }

    /// Exchanges the code.
    ///
    /// Source: OpenID Connect Core 1.0, sections 3.1.3.1 and 9.
    async fn redeemed(
        &self,
        document: &Document,
        returning: Returning<'_>,
    ) -> Result<TokenAnswer, IdentityError> {
        let verifier = returning.attempt.verifier();
        let OpenIdSettings { client_id, client_secret, .. } = &self.settings;
        let mut form = vec![
            ("grant_type", "authorization_code"),
            ("code", returning.code),
            ("redirect_uri", returning.redirect_uri),
            ("code_verifier", verifier.as_str()),
        ];
        let mut call = self.client.post(self.let_through(document.token_endpoint.clone())?);
        match client_secret {
            Some(secret) if document.takes_basic() => {
                // As RFC 6749, section 2.3.1, has it.
                let encoded = |text: &str| byte_serialize(text.as_bytes()).collect::<String>();
                let secret = encoded(secret.expose_secret());
                call = call.basic_auth(encoded(client_id), Some(secret));
            }
            Some(secret) => {
                form.extend([
                    ("client_id", client_id.as_str()),
                    ("client_secret", secret.expose_secret()),
                ]);
            }
            None => form.push(("client_id", client_id.as_str())),
        }
        let (status, body) = self.exchange("its tokens", call.form(&form)).await?;
        TokenAnswer::read(status, &body)
    }

    /// The address itself, which is the operator's or a public one.
    fn let_through(&self, address: Url) -> Result<Url, IdentityError> {
        self.guard.check(&address).map_err(|refusal| {
            let host = address.host_str().unwrap_or_default();
            untrusted(format!("its document names a server at {host}, but {refusal}"))
        })?;
        Ok(address)
    }

    /// The body of an answer that is one.
    async fn read(&self, what: &str, call: RequestBuilder) -> Result<Vec<u8>, IdentityError> {
        let (status, body) = self.exchange(what, call).await?;
        match status {
            status if status.is_success() => Ok(body),
            status if status.is_server_error() => {
                Err(IdentityError::Unavailable(format!("it answers {status} for {what}")))
            }
            status => Err(untrusted(format!("it answers {status} for {what}"))),
        }
    }

    async fn exchange(
        &self,
        what: &str,
        call: RequestBuilder,
    ) -> Result<(StatusCode, Vec<u8>), IdentityError> {
        let Ok(_call) = self.calls.try_acquire() else {
            return Err(IdentityError::Unavailable(format!("{CALLS_MAX} calls go on already")));
        };
        let failed = |error: &reqwest::Error| {
            IdentityError::Unavailable(if error.is_timeout() {
                format!("it did not answer within {} s ({what})", LIMITS.whole.as_secs())
            } else {
                format!("{} ({what})", reason(error))
            })
        };
        let sent = call.header(ACCEPT, "application/json").send().await;
        let mut answer = sent.map_err(|error| failed(&error))?;
        let status = answer.status();
        let mut body = Vec::new();
        while let Some(chunk) = answer.chunk().await.map_err(|error| failed(&error))? {
            if body.len() + chunk.len() > ANSWER_MAX_BYTES {
                return Err(untrusted(format!("its answer is longer than 1 MiB ({what})")));
            }
            body.extend_from_slice(&chunk);
        }
        Ok((status, body))
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[async_trait]
impl IdentityProvider for OpenIdProvider {
    async fn sign_in_at(
        &self,
        attempt: &Attempt,
        redirect_uri: &str,
        now: DateTime<Utc>,
    ) -> Result<String, IdentityError> {
        let document = told(self.document(now).await)?;
        let mut address = document.authorization_endpoint.clone();
        let (state, nonce, challenge) = (attempt.state(), attempt.nonce(), attempt.challenge());
        address.query_pairs_mut().extend_pairs([
            ("response_type", "code"),
            ("client_id", self.settings.client_id.as_str()),
            ("redirect_uri", redirect_uri),
            ("scope", SCOPE),
            ("state", &state),
            ("nonce", &nonce),
            ("code_challenge", &challenge),
            ("code_challenge_method", "S256"),
        ]);
        Ok(address.into())
    }

    async fn identify(
        &self,
        returning: Returning<'_>,
        now: DateTime<Utc>,
    ) -> Result<Identity, IdentityError> {
        told(self.identified(returning, now).await)
    }

    fn issuer(&self) -> &str {
        self.settings.issuer.as_str()
    }
}

/// Tells the operator why nobody can sign in.
fn told<T>(result: Result<T, IdentityError>) -> Result<T, IdentityError> {
    if let Err(error) = &result {
        tracing::warn!(%error, "nobody was signed in by OpenID");
    }
    result
}

fn untrusted(what: impl Into<String>) -> IdentityError {
    IdentityError::Untrusted(what.into())
}
