//! Tokens: made, checked, renewed, ended.
//!
//! Source: <https://github.com/bluesky-social/atproto>, `packages/pds`.

use std::collections::HashMap;

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, TimeDelta, Utc};
use serde_json::json;

use super::error::XrpcError;
use super::oauth::thumbprint;
use crate::network::Context;
use crate::outside::{random_bytes, random_secret};
use crate::request::Request;

/// Life of a refresh token.
const REFRESH_LIFE: TimeDelta = TimeDelta::days(90);
/// How long a refresh token that was used is accepted again.
const REFRESH_GRACE: TimeDelta = TimeDelta::hours(2);
/// How long an expired token is still told from one that never was; ours.
const EXPIRED_LIFE: TimeDelta = TimeDelta::days(1);
/// Access tokens among which expired ones are never looked for.
const UNSWEPT: usize = 10_000;

#[derive(Clone, Debug)]
struct Access {
    did: String,
    expires_at: DateTime<Utc>,
    /// What it is bound to, where a person has given it on the page.
    bound: Option<Bound>,
}

/// What tokens are bound to that were given on the page.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    /// The thumbprint of the key.
    pub(super) key: String,
    /// The application.
    pub(super) client_id: String,
    /// What they allow.
    pub(super) scopes: String,
}

#[derive(Clone, Debug)]
struct Refresh {
    did: String,
    expires_at: DateTime<Utc>,
    /// When it stops to be accepted because it was used or revoked.
    ends_at: Option<DateTime<Utc>>,
    bound: Option<Bound>,
}

/// A pair of tokens.
#[derive(Clone, Debug)]
pub(super) struct Tokens {
    pub(super) access: String,
    pub(super) refresh: String,
}

/// All tokens that were given out.
#[derive(Debug, Default)]
pub(super) struct Sessions {
    access: HashMap<String, Access>,
    /// Number of access tokens above which those that expired long ago are forgotten.
    sweep_above: usize,
    refresh: HashMap<String, Refresh>,
}

impl Sessions {
    /// Gives out a new pair.
    pub(super) fn open(&mut self, did: &str, context: &Context<'_>) -> Tokens {
        self.open_for(did, None, context)
    }

    /// Gives out a new pair that is bound.
    pub(super) fn open_bound(&mut self, did: &str, bound: Bound, context: &Context<'_>) -> Tokens {
        self.open_for(did, Some(bound), context)
    }

    fn open_for(&mut self, did: &str, bound: Option<Bound>, context: &Context<'_>) -> Tokens {
        let now = context.now;
        let life = TimeDelta::from_std(context.options.access_token_lifetime)
            .unwrap_or(TimeDelta::days(365));
        let access_ends = now + life;
        let refresh_ends = now + REFRESH_LIFE;
        let access = token("com.atproto.appPass", did, now, access_ends);
        let refresh = token("com.atproto.refresh", did, now, refresh_ends);
        if self.access.len() > self.sweep_above.max(UNSWEPT) {
            self.access.retain(|_, access| access.expires_at + EXPIRED_LIFE > now);
            self.refresh.retain(|_, refresh| refresh.expires_at + EXPIRED_LIFE > now);
            self.sweep_above = 2 * self.access.len();
        }
        let did = did.to_owned();
        let kept = Access { did: did.clone(), expires_at: access_ends, bound: bound.clone() };
        self.access.insert(access.clone(), kept);
        let kept = Refresh { did, expires_at: refresh_ends, ends_at: None, bound };
        self.refresh.insert(refresh.clone(), kept);
        Tokens { access, refresh }
    }

    /// Returns whom an access token speaks for.
    ///
    /// # Errors
    /// `AuthMissing`, `InvalidToken`, `ExpiredToken`; those of [`Self::grant`] where it is bound.
    pub(super) fn authenticate(
        &self,
        request: &Request,
        now: DateTime<Utc>,
    ) -> Result<String, XrpcError> {
        if let Some(token) = request.bound() {
            return self.grant(token, request, now).map(|(did, _)| did.to_owned());
        }
        let token = bearer(request)?;
        if self.refresh.contains_key(token) {
            return Err(XrpcError::bad("InvalidToken", "Bad token scope"));
        }
        let access = self.access.get(token).ok_or_else(unverified)?;
        if access.bound.is_some() {
            return Err(XrpcError::bad("InvalidToken", "Malformed token"));
        }
        if access.expires_at <= now {
            return Err(XrpcError::bad("ExpiredToken", "Token has expired"));
        }
        Ok(access.did.clone())
    }

    /// Whom a bound token speaks for, and what it is bound to. The proof of the request was checked
    /// before.
    ///
    /// # Errors
    /// `invalid_token`.
    pub(super) fn grant(
        &self,
        token: &str,
        request: &Request,
        now: DateTime<Utc>,
    ) -> Result<(&str, &Bound), XrpcError> {
        let invalid = |words: &str| XrpcError::unauthorized("invalid_token", words);
        let access = self.access.get(token).ok_or_else(|| invalid("Invalid token"))?;
        let bound = access.bound.as_ref().ok_or_else(|| invalid("Malformed token"))?;
        if thumbprint(request).as_ref() != Some(&bound.key) {
            return Err(invalid("Token is not bound to this key"));
        }
        if access.expires_at <= now {
            return Err(invalid("\"exp\" claim timestamp check failed"));
        }
        Ok((&access.did, bound))
    }

    /// Uses a bound refresh token, which is good for one use: returns whose it is. Who uses one
    /// again ends all that has come of it.
    pub(super) fn use_grant(&mut self, token: &str, now: DateTime<Utc>) -> Option<(String, Bound)> {
        let refresh = self.refresh.get_mut(token)?;
        let (did, bound) = (refresh.did.clone(), refresh.bound.clone()?);
        let is_good = refresh.expires_at > now && refresh.ends_at.is_none();
        refresh.ends_at.get_or_insert(now);
        self.access.retain(|_, access| !is_of(access.bound.as_ref(), &bound));
        if is_good {
            return Some((did, bound));
        }
        for refresh in self.refresh.values_mut() {
            if is_of(refresh.bound.as_ref(), &bound) {
                refresh.ends_at.get_or_insert(now);
            }
        }
        None
    }

    /// Uses a refresh token: returns whose it is and gives it two more hours.
    ///
    /// # Errors
    /// `AuthMissing`, `InvalidToken`, `ExpiredToken`.
    pub(super) fn use_refresh(
        &mut self,
        request: &Request,
        now: DateTime<Utc>,
    ) -> Result<String, XrpcError> {
        let refresh = self.refresh.get_mut(bearer(request)?).ok_or_else(unverified)?;
        if refresh.bound.is_some() {
            return Err(unverified());
        }
        if refresh.expires_at <= now {
            return Err(XrpcError::bad("ExpiredToken", "Token has expired"));
        }
        if refresh.ends_at.is_some_and(|ends_at| ends_at <= now) {
            return Err(XrpcError::bad("ExpiredToken", "Token has been revoked"));
        }
        refresh.ends_at.get_or_insert(now + REFRESH_GRACE);
        Ok(refresh.did.clone())
    }

    /// Ends a refresh token; access tokens live on until they expire.
    ///
    /// # Errors
    /// `AuthMissing`, `InvalidToken`.
    pub(super) fn close(&mut self, request: &Request, now: DateTime<Utc>) -> Result<(), XrpcError> {
        let refresh = self.refresh.get_mut(bearer(request)?).ok_or_else(unverified)?;
        refresh.ends_at = Some(now);
        Ok(())
    }

    /// Lets every access token of the account expire that the request speaks for; when the
    /// request carries a refresh token, that one is revoked.
    pub(super) fn expire(&mut self, request: &Request, now: DateTime<Utc>) {
        let Some(token) = request.bearer().or_else(|| request.bound()) else { return };
        if let Some(refresh) = self.refresh.get_mut(token) {
            refresh.ends_at = Some(now);
            return;
        }
        let Some(did) = self.access.get(token).map(|access| access.did.clone()) else { return };
        for access in self.access.values_mut().filter(|access| access.did == did) {
            access.expires_at = access.expires_at.min(now);
        }
    }
}

/// True for what is bound to the same key: that of one grant.
fn is_of(bound: Option<&Bound>, grant: &Bound) -> bool {
    bound.is_some_and(|bound| bound.key == grant.key)
}

fn bearer(request: &Request) -> Result<&str, XrpcError> {
    request
        .bearer()
        .ok_or_else(|| XrpcError::unauthorized("AuthMissing", "Authentication Required"))
}

fn unverified() -> XrpcError {
    XrpcError::bad("InvalidToken", "Token could not be verified")
}

/// Makes a token of the shape of a JWT, whose claims a client may read.
fn token(scope: &str, did: &str, issued_at: DateTime<Utc>, expires_at: DateTime<Utc>) -> String {
    let header = json!({"typ": "at+jwt", "alg": "HS256"}).to_string();
    let claims = json!({
        "scope": scope,
        "sub": did,
        "iat": issued_at.timestamp(),
        "exp": expires_at.timestamp(),
        "jti": hex::encode(random_bytes()),
    });
    format!(
        "{}.{}.{}",
        URL_SAFE_NO_PAD.encode(header),
        URL_SAFE_NO_PAD.encode(claims.to_string()),
        URL_SAFE_NO_PAD.encode(random_secret()),
    )
}
