//! What becomes of a code or a refresh token that a client shows.

use chrono::{DateTime, Utc};

use super::request::{is_resource, known};
use super::{
    Grant, GrantToken, OAuthError, OAuthRefusal, OF_ANOTHER, Redirect, TokenKind, TokenValue,
};

/// What a client sends, as it stands in the form: a parameter that stands there more than once is
/// none.
///
/// Source: OAuth 2.1, sections 4.1.3 and 4.3.1.
#[derive(Clone, Copy, Default)]
pub struct TokenInput<'a> {
    /// What is exchanged: `authorization_code` or `refresh_token`.
    pub grant_type: Option<&'a str>,
    /// The code.
    pub code: Option<&'a str>,
    /// Where the person was sent back to.
    pub redirect_uri: Option<&'a str>,
    /// The id of the client.
    pub client_id: Option<&'a str>,
    /// What the challenge was made of.
    pub code_verifier: Option<&'a str>,
    /// The refresh token.
    pub refresh_token: Option<&'a str>,
    /// The scopes that are wanted, of those that were granted.
    pub scope: Option<&'a str>,
    /// The address of what the tokens are for.
    pub resource: Option<&'a str>,
}

/// An exchange that a client asks for.
#[derive(Clone, Debug)]
pub struct TokenRequest<'a> {
    /// What it shows.
    pub value: TokenValue,
    kind: TokenKind,
    client_id: &'a str,
    redirect_uri: Option<&'a str>,
    verifier: &'a str,
    scope: &'a str,
}

impl<'a> TokenRequest<'a> {
    /// Reads what a client sends for tokens of this resource.
    ///
    /// # Errors
    /// What is wrong with it, before anything is looked up.
    pub fn read(input: &TokenInput<'a>, resource: &str) -> Result<Self, OAuthRefusal> {
        let refusal = |error, description| OAuthRefusal::new(error, description);
        let (kind, value) = match input.grant_type {
            Some("authorization_code") => (TokenKind::Code, input.code),
            Some("refresh_token") => (TokenKind::Refresh, input.refresh_token),
            None => {
                let description = "Send grant_type, once: authorization_code or refresh_token.";
                return Err(refusal(OAuthError::InvalidRequest, description));
            }
            Some(_) => {
                let description = "Send grant_type=authorization_code or refresh_token.";
                return Err(refusal(OAuthError::UnsupportedGrantType, description));
            }
        };
        let missing = match kind {
            TokenKind::Code => "Send code, client_id and code_verifier, each once.",
            TokenKind::Access | TokenKind::Refresh => {
                "Send refresh_token and client_id, each once."
            }
        };
        let missing = refusal(OAuthError::InvalidRequest, missing);
        let (value, client_id) = value.zip(input.client_id).ok_or(missing)?;
        let verifier = match kind {
            TokenKind::Code => input.code_verifier.ok_or(missing)?,
            TokenKind::Access | TokenKind::Refresh => "",
        };
        if input.resource.is_some_and(|named| !is_resource(named, resource)) {
            let description =
                "The tokens of this server are for its own address, as its metadata names it.";
            return Err(refusal(OAuthError::InvalidTarget, description));
        }
        let value = TokenValue::parse(kind, value).ok_or(UNKNOWN)?;
        let (redirect_uri, scope) = (input.redirect_uri, input.scope.unwrap_or_default());
        Ok(Self { value, kind, client_id, redirect_uri, verifier, scope })
    }
}

/// Not known, expired, or of a grant that has ended.
const UNKNOWN: OAuthRefusal = OAuthRefusal::new(
    OAuthError::InvalidGrant,
    "The code or token is not known, has expired, or was ended. Ask the person again.",
);

/// What becomes of an exchange.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Exchange {
    /// The client gets its next tokens, of the grant as it then is.
    Next(Box<Grant>),
    /// It gets none.
    Refused(OAuthRefusal),
    /// It gets none, and the grant ends: what works once was shown a second time, so somebody has
    /// it who should not.
    Ended(OAuthRefusal),
}

/// Decides about an exchange, by what was found of the value that was shown.
///
/// Source: OAuth 2.1, sections 4.1.3 and 4.3.1; RFC 9700, section 4.14.
#[must_use]
pub fn exchange(
    request: &TokenRequest<'_>,
    found: Option<(&GrantToken, &Grant)>,
    now: DateTime<Utc>,
) -> Exchange {
    let refused = |error, description| Exchange::Refused(OAuthRefusal::new(error, description));
    let alive = |(token, grant): &(&GrantToken, &Grant)| {
        token.kind == request.kind && now < token.expires_at && now < grant.expires_at
    };
    let Some((token, grant)) = found.filter(alive) else { return Exchange::Refused(UNKNOWN) };
    if token.used_at.is_some() {
        let description =
            "It was used before, so everything that came of it has ended. Ask the person again.";
        return Exchange::Ended(OAuthRefusal::new(OAuthError::InvalidGrant, description));
    }
    if grant.client_id.as_str() != request.client_id {
        return Exchange::Refused(OF_ANOTHER);
    }
    if request.kind == TokenKind::Code {
        let is_other = |uri| Redirect::parse(uri).is_none_or(|uri| uri != grant.redirect);
        if request.redirect_uri.is_some_and(is_other) {
            let description = "It was sent to another redirect_uri.";
            return refused(OAuthError::InvalidGrant, description);
        }
        if !grant.challenge.is_answered_by(request.verifier) {
            let description = "The code_verifier is not that of the code_challenge.";
            return refused(OAuthError::InvalidGrant, description);
        }
    }
    if !grant.scopes.include(known(request.scope)) {
        return refused(OAuthError::InvalidScope, "More is asked for than the person has granted.");
    }
    Exchange::Next(Box::new(grant.used(now)))
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;
    use sha2::{Digest as _, Sha256};
    use uuid::Uuid;

    use super::*;
    use crate::connecting::Pass;
    use crate::ids::{GrantId, WorkspaceId};
    use crate::key::{Preset, Scope, Scopes};
    use crate::oauth::{
        ACCESS_LIFETIME, CODE_LIFETIME, Challenge, ClientId, GRANT_LIFETIME, REFRESH_LIFETIME,
    };

    const RESOURCE: &str = "https://posts.example/mcp";
    const CLIENT: &str = "https://a.example/client.json";
    const BACK: &str = "https://a.example/back";
    const VERIFIER: &str = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk";

    fn start() -> DateTime<Utc> {
        "2026-12-01T09:00:00Z".parse().unwrap()
    }

    fn value(kind: TokenKind) -> TokenValue {
        TokenValue::new(kind, &Pass::from_random([7; 32]))
    }

    fn grant() -> Grant {
        Grant {
            id: GrantId(Uuid::from_u128(1)),
            workspace_id: WorkspaceId(Uuid::from_u128(2)),
            session_id: None,
            person: None,
            client_id: ClientId::parse(CLIENT).unwrap(),
            client_name: "A".to_owned(),
            redirect: Redirect::parse(BACK).unwrap(),
            challenge: Challenge(Sha256::digest(VERIFIER).into()),
            resource: RESOURCE.to_owned(),
            scopes: Preset::Agent.scopes(),
            created_at: start(),
            used_at: None,
            expires_at: start() + CODE_LIFETIME,
        }
    }

    fn token(kind: TokenKind, lasts: TimeDelta) -> GrantToken {
        GrantToken {
            hash: value(kind).hash(),
            grant_id: grant().id,
            kind,
            expires_at: start() + lasts,
            used_at: None,
        }
    }

    fn with_code<'a>(code: &'a TokenValue) -> TokenInput<'a> {
        TokenInput {
            grant_type: Some("authorization_code"),
            code: Some(code.expose()),
            redirect_uri: Some(BACK),
            client_id: Some(CLIENT),
            code_verifier: Some(VERIFIER),
            resource: Some(RESOURCE),
            ..TokenInput::default()
        }
    }

    fn with_refresh<'a>(refresh: &'a TokenValue) -> TokenInput<'a> {
        TokenInput {
            grant_type: Some("refresh_token"),
            refresh_token: Some(refresh.expose()),
            client_id: Some(CLIENT),
            ..TokenInput::default()
        }
    }

    #[test]
    fn what_is_refused_before_anything_is_looked_up() {
        use OAuthError as E;
        let (code, refresh) = (value(TokenKind::Code), value(TokenKind::Refresh));
        let (code, refresh) = (with_code(&code), with_refresh(&refresh));
        for (name, input, want) in [
            ("a code", code, None),
            ("a refresh token", refresh, None),
            ("without a resource", TokenInput { resource: None, ..code }, None),
            ("without a redirect", TokenInput { redirect_uri: None, ..code }, None),
            ("nothing", TokenInput::default(), Some(E::InvalidRequest)),
            (
                "a password",
                TokenInput { grant_type: Some("password"), ..code },
                Some(E::UnsupportedGrantType),
            ),
            (
                "the client's own word",
                TokenInput { grant_type: Some("client_credentials"), ..code },
                Some(E::UnsupportedGrantType),
            ),
            ("no code", TokenInput { code: None, ..code }, Some(E::InvalidRequest)),
            ("no client", TokenInput { client_id: None, ..code }, Some(E::InvalidRequest)),
            ("no verifier", TokenInput { code_verifier: None, ..code }, Some(E::InvalidRequest)),
            ("no token", TokenInput { refresh_token: None, ..refresh }, Some(E::InvalidRequest)),
            (
                "another resource",
                TokenInput { resource: Some("https://posts.example/v1"), ..code },
                Some(E::InvalidTarget),
            ),
            (
                "another resource later",
                TokenInput { resource: Some("https://b.example/mcp"), ..refresh },
                Some(E::InvalidTarget),
            ),
            (
                "a refresh token as a code",
                TokenInput { code: refresh.refresh_token, ..code },
                Some(E::InvalidGrant),
            ),
            ("a guess", TokenInput { code: Some("oac_guess"), ..code }, Some(E::InvalidGrant)),
        ] {
            let read = TokenRequest::read(&input, RESOURCE);
            assert_eq!(read.err().map(|refusal| refusal.error), want, "{name}");
        }
    }

    /// What an exchange comes to, in a word.
    #[derive(Debug, PartialEq)]
    enum Came {
        Next,
        Refused(OAuthError),
        Ended,
    }

    fn came(exchange: &Exchange) -> Came {
        match exchange {
            Exchange::Next(_) => Came::Next,
            Exchange::Refused(refusal) => Came::Refused(refusal.error),
            Exchange::Ended(_) => Came::Ended,
        }
    }

    #[test]
    fn a_code_is_of_its_client_its_address_its_verifier_and_its_minute() {
        use OAuthError::{InvalidGrant, InvalidScope};
        let code = value(TokenKind::Code);
        let good = with_code(&code);
        let unused = token(TokenKind::Code, CODE_LIFETIME);
        let used = GrantToken { used_at: Some(start()), ..unused.clone() };
        let other = "x".repeat(43);
        for (name, input, found, seconds, want) in [
            ("as it should be", good, Some(&unused), 0, Came::Next),
            ("in the last second", good, Some(&unused), 59, Came::Next),
            ("after its minute", good, Some(&unused), 60, Came::Refused(InvalidGrant)),
            ("not known", good, None, 0, Came::Refused(InvalidGrant)),
            ("a second time", good, Some(&used), 1, Came::Ended),
            ("a second time after its minute", good, Some(&used), 60, Came::Refused(InvalidGrant)),
            (
                "a second time by another client",
                TokenInput { client_id: Some("https://b.example/c"), ..good },
                Some(&used),
                1,
                Came::Ended,
            ),
            (
                "another client",
                TokenInput { client_id: Some("https://b.example/c"), ..good },
                Some(&unused),
                0,
                Came::Refused(InvalidGrant),
            ),
            (
                "another address",
                TokenInput { redirect_uri: Some("https://a.example/other"), ..good },
                Some(&unused),
                0,
                Came::Refused(InvalidGrant),
            ),
            (
                "another verifier",
                TokenInput { code_verifier: Some(&other), ..good },
                Some(&unused),
                0,
                Came::Refused(InvalidGrant),
            ),
            (
                "more scopes",
                TokenInput { scope: Some("posts:publish"), ..good },
                Some(&unused),
                0,
                Came::Refused(InvalidScope),
            ),
        ] {
            let request = TokenRequest::read(&input, RESOURCE).unwrap();
            let grant = grant();
            let now = start() + TimeDelta::seconds(seconds);
            let exchanged = exchange(&request, found.map(|token| (token, &grant)), now);
            assert_eq!(came(&exchanged), want, "{name}");
        }
    }

    #[test]
    fn a_refresh_token_is_of_its_client_and_used_once() {
        use OAuthError::{InvalidGrant, InvalidScope};
        let refresh = value(TokenKind::Refresh);
        let good = with_refresh(&refresh);
        let unused = token(TokenKind::Refresh, REFRESH_LIFETIME);
        let used = GrantToken { used_at: Some(start()), ..unused.clone() };
        let access = token(TokenKind::Access, ACCESS_LIFETIME);
        let grant = grant().used(start());
        let days = TimeDelta::days;
        for (name, input, found, after, want) in [
            ("as it should be", good, &unused, days(0), Came::Next),
            ("on its last day", good, &unused, days(29), Came::Next),
            ("too late", good, &unused, days(30), Came::Refused(InvalidGrant)),
            ("a second time", good, &used, days(1), Came::Ended),
            ("too late a second time", good, &used, days(30), Came::Refused(InvalidGrant)),
            ("a row of another kind", good, &access, days(0), Came::Refused(InvalidGrant)),
            (
                "another client",
                TokenInput { client_id: Some("https://b.example/c"), ..good },
                &unused,
                days(0),
                Came::Refused(InvalidGrant),
            ),
            (
                "fewer scopes",
                TokenInput { scope: Some("posts:read"), ..good },
                &unused,
                days(0),
                Came::Next,
            ),
            (
                "more scopes",
                TokenInput { scope: Some("posts:read posts:publish"), ..good },
                &unused,
                days(0),
                Came::Refused(InvalidScope),
            ),
        ] {
            let request = TokenRequest::read(&input, RESOURCE).unwrap();
            let exchanged = exchange(&request, Some((found, &grant)), start() + after);
            assert_eq!(came(&exchanged), want, "{name}");
        }
    }

    #[test]
    fn a_grant_lasts_while_it_is_used_and_not_forever() {
        let mut grant = grant();
        let mut now = start();
        assert!(!grant.is_connected_at(now), "its code is not exchanged");
        while now < start() + GRANT_LIFETIME {
            grant = grant.used(now);
            assert!(grant.is_connected_at(now));
            assert!(grant.expires_at <= start() + GRANT_LIFETIME);
            now += TimeDelta::days(29);
        }
        assert_eq!(grant.expires_at, start() + GRANT_LIFETIME);
        assert!(!grant.is_connected_at(start() + GRANT_LIFETIME));
        assert!(!grant.scopes.include(Scopes::of(&[Scope::PostsPublish])));
    }
}
