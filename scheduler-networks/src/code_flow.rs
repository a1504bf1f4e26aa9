//! OAuth's code flow: a network describes its own as a [`CodeFlow`], which is followed here.
//!
//! Source: RFC 6749, section 4.1, and RFC 7636.

use std::fmt::Write as _;

use base64::Engine as _;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use chrono::{DateTime, Utc};
use scheduler_core::account::Credentials;
use scheduler_core::ports::{
    Authorization, AuthorizeInput, ConnectInput, NetworkError, NetworkErrorKind,
};
use scheduler_core::target::FailureCode;
use secrecy::ExposeSecret;
use sha2::{Digest as _, Sha256};
use url::Url;

use crate::conversation::{Answer, Request, Turn, TurnResult};
use crate::oauth_tokens::{TokenAnswer, Tokens};
use crate::settings::Client;

/// The fields of a form, in their order.
pub(crate) type Fields = Vec<(&'static str, String)>;

/// How a network gives access: its page, and the call that gives tokens.
#[derive(Debug)]
pub(crate) struct CodeFlow {
    /// The parameters of the page in their order, without the proof key.
    pub(crate) page: &'static [(&'static str, Parameter)],
    /// What stands between permissions.
    pub(crate) separator: &'static str,
    pub(crate) proof: ProofKey,
    pub(crate) client: ClientProof,
    /// What the call for a code carries besides.
    pub(crate) more: &'static [(&'static str, &'static str)],
    /// After which part of its life an access token is exchanged for another.
    pub(crate) life_share: (i32, i32),
    /// Reads what the call about tokens gives.
    pub(crate) read: fn(&Answer) -> Result<TokenAnswer, NetworkError>,
    /// The failure where the operator has set no application, and its code.
    pub(crate) no_client: (FailureCode, &'static str),
    /// The failure where neither a code nor a token is given.
    pub(crate) no_token: &'static str,
    /// The failure where there is nothing to renew the access with.
    pub(crate) no_refresh_token: &'static str,
    /// An error while there is no account yet that could be connected again.
    pub(crate) not_connected: fn(NetworkError) -> NetworkError,
}

/// The value of a parameter of a page.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Parameter {
    Is(&'static str),
    ClientId,
    RedirectUri,
    Scopes,
    State,
}

/// The key that proves that who asked is who comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ProofKey {
    /// None: the application has a secret.
    None,
    /// Its digest in base64.
    Base64,
    /// Its digest in hexadecimal digits, for applications on the person's own computer alone. All
    /// others need https.
    HexOnThisComputer,
}

/// How an operator's application proves what it is.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ClientProof {
    /// By a header.
    Basic,
    /// By a header; one without a secret only names itself.
    BasicOrPublic,
    /// By fields, of which the first has this name.
    Form(&'static str),
}

/// What was given: tokens, and when they are to be exchanged where that is known.
#[derive(Debug)]
pub(crate) struct Granted {
    pub(crate) tokens: Tokens,
    pub(crate) expires_at: Option<DateTime<Utc>>,
}

impl Granted {
    /// What is stored of it.
    pub(crate) fn credentials(&self) -> Credentials {
        Credentials::new(self.tokens.to_text(), self.expires_at)
    }
}

impl CodeFlow {
    /// The page on which a person gives access. `page` is its address with these parameters.
    ///
    /// # Errors
    /// [`NetworkErrorKind::Permanent`] where the operator has set no application.
    pub(crate) fn authorize(
        &self,
        client: Option<&Client>,
        scopes: &[String],
        input: &AuthorizeInput,
        page: impl FnOnce(&[(&str, &str)]) -> Url,
    ) -> Result<Authorization, NetworkError> {
        let client = self.client(client)?;
        let scopes = scopes.join(self.separator);
        let value = |parameter| match parameter {
            Parameter::Is(value) => value,
            Parameter::ClientId => client.id.as_str(),
            Parameter::RedirectUri => input.redirect_uri.as_str(),
            Parameter::Scopes => scopes.as_str(),
            Parameter::State => input.state.as_str(),
        };
        let pairs = self.page.iter().map(|(name, parameter)| (*name, value(*parameter)));
        let mut pairs: Vec<(&str, &str)> = pairs.collect();
        let challenge = self.challenge(input);
        if let Some(challenge) = &challenge {
            pairs.push(("code_challenge", challenge));
            pairs.push(("code_challenge_method", "S256"));
        }
        Ok(Authorization { url: page(&pairs).into(), kept: ConnectInput::default() })
    }

    /// The next turn of being given tokens. Reads `code`, `redirectUri` and, where there is a proof
    /// key, `codeVerifier`, or else `accessToken` and, where there are any, `refreshToken` and
    /// `scope`. `request` makes the call about tokens.
    ///
    /// # Errors
    /// [`NetworkError`] by kind.
    pub(crate) fn grant<'a>(
        &self,
        client: Option<&Client>,
        input: &ConnectInput,
        answers: &mut impl Iterator<Item = &'a Answer>,
        request: impl FnOnce(Fields) -> Request,
    ) -> TurnResult<Granted> {
        let Some(code) = input.given("code") else {
            let token = input.given("accessToken");
            let token = token.ok_or_else(|| NetworkError::permanent(self.no_token))?;
            return Ok(Turn::Done(Granted {
                tokens: Tokens::given(token, input),
                expires_at: None,
            }));
        };
        let needed = |name| {
            let missing = || NetworkError::permanent(format!("{name} is missing."));
            input.given(name).map(str::to_owned).ok_or_else(missing)
        };
        let redirect_uri = needed("redirectUri")?;
        let verifier = match self.is_proven(&redirect_uri) {
            true => Some(("code_verifier", needed("codeVerifier")?)),
            false => None,
        };
        let client = self.client(client)?;
        if let Some(answer) = answers.next() {
            return self.granted(answer, None).map(Turn::Done).map_err(self.not_connected);
        }
        let mut fields = vec![
            ("grant_type", "authorization_code".to_owned()),
            ("code", code.to_owned()),
            ("redirect_uri", redirect_uri),
        ];
        fields.extend(verifier);
        fields.extend(self.more.iter().map(|(name, value)| (*name, (*value).to_owned())));
        Ok(Turn::Send(self.token_call(client, fields, request)))
    }

    /// The next turn of exchanging the refresh token.
    ///
    /// # Errors
    /// [`NetworkError`] by kind.
    pub(crate) fn refresh(
        &self,
        client: Option<&Client>,
        tokens: Tokens,
        answers: &[Answer],
        request: impl FnOnce(Fields) -> Request,
    ) -> TurnResult<Granted> {
        let Some(refresh_token) = &tokens.refresh_token else {
            return Err(NetworkError::new(NetworkErrorKind::Reconnect, self.no_refresh_token));
        };
        let client = self.client(client)?;
        if let Some(answer) = answers.first() {
            return self.granted(answer, Some(tokens)).map(Turn::Done);
        }
        let token = refresh_token.expose_secret().to_owned();
        let fields = vec![("grant_type", "refresh_token".to_owned()), ("refresh_token", token)];
        Ok(Turn::Send(self.token_call(client, fields, request)))
    }

    /// What was given. What `before` had and the answer does not tell stays.
    fn granted(&self, answer: &Answer, before: Option<Tokens>) -> Result<Granted, NetworkError> {
        let token = (self.read)(answer)?;
        let (share, of) = self.life_share;
        let life = token.life().map(|life| life * share / of);
        let expires_at = answer.given_at().zip(life).map(|(at, life)| at + life);
        Ok(Granted { tokens: token.tokens(before), expires_at })
    }

    fn token_call(
        &self,
        client: &Client,
        mut fields: Fields,
        request: impl FnOnce(Fields) -> Request,
    ) -> Request {
        let secret = client.secret.expose_secret();
        match self.client {
            ClientProof::BasicOrPublic if secret.is_empty() => {
                fields.push(("client_id", client.id.clone()));
                request(fields)
            }
            ClientProof::Basic | ClientProof::BasicOrPublic => {
                let proof = STANDARD.encode(format!("{}:{secret}", client.id));
                request(fields).secret_header("authorization", format!("Basic {proof}"))
            }
            ClientProof::Form(id) => {
                fields.push((id, client.id.clone()));
                fields.push(("client_secret", secret.to_owned()));
                request(fields)
            }
        }
    }

    fn client<'c>(&self, client: Option<&'c Client>) -> Result<&'c Client, NetworkError> {
        let (code, sentence) = self.no_client;
        client.ok_or_else(|| NetworkError::permanent(sentence).with_code(code))
    }

    fn is_proven(&self, redirect_uri: &str) -> bool {
        match self.proof {
            ProofKey::None => false,
            ProofKey::Base64 => true,
            ProofKey::HexOnThisComputer => redirect_uri.starts_with("http://"),
        }
    }

    fn challenge(&self, input: &AuthorizeInput) -> Option<String> {
        let digest = Sha256::digest(input.code_verifier.expose_secret());
        let is_proven = self.is_proven(&input.redirect_uri);
        is_proven.then(|| match self.proof {
            ProofKey::None | ProofKey::Base64 => URL_SAFE_NO_PAD.encode(digest),
            ProofKey::HexOnThisComputer => {
                digest.iter().fold(String::new(), |mut text, byte| {
                    // Writing to a text cannot fail.
                    let _ = write!(text, "{byte:02x}");
                    text
                })
            }
        })
    }
}
