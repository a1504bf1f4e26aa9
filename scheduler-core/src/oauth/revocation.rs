//! Tokens that a client gives back.

use super::{OAuthError, OAuthRefusal, TokenHash, TokenKind, TokenValue};

/// What a client sends that gives a token back, as it stands in the form: a parameter that stands
/// there more than once is no token. A hint at the kind of the token is not needed, since its value
/// shows it.
///
/// Source: RFC 7009, section 2.1.
#[derive(Clone, Copy, Default)]
pub struct RevocationInput<'a> {
    /// The token, of either kind.
    pub token: Option<&'a str>,
    /// The ids of the client, one at most; only its own tokens are ended where it says it. An empty
    /// one says nothing.
    pub client_ids: &'a [&'a str],
}

impl RevocationInput<'_> {
    /// The client that is named.
    ///
    /// # Errors
    /// `invalid_request` where it is named more than once.
    pub(crate) fn client(&self) -> Result<Option<&str>, OAuthRefusal> {
        match self.client_ids {
            [] | [""] => Ok(None),
            [named] => Ok(Some(named)),
            _ => Err(OAuthRefusal::new(OAuthError::InvalidRequest, "Send client_id once.")),
        }
    }

    /// What is kept of the token; `None` for what has not the form of one.
    ///
    /// # Errors
    /// `invalid_request` where no token is sent.
    pub(crate) fn shown(&self) -> Result<Option<TokenHash>, OAuthRefusal> {
        let description = "Send token, once: an access token or a refresh token.";
        let missing = OAuthRefusal::new(OAuthError::InvalidRequest, description);
        let token = self.token.filter(|token| !token.is_empty()).ok_or(missing)?;
        let mut kinds = [TokenKind::Access, TokenKind::Refresh].into_iter();
        Ok(kinds.find_map(|kind| TokenValue::parse(kind, token)).map(|value| value.hash()))
    }
}

/// What a client is told that gives back the token of another.
pub(crate) const OF_ANOTHER: OAuthRefusal =
    OAuthRefusal::new(OAuthError::InvalidGrant, "It was given to another client.");
