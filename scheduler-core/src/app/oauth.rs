//! Programs that people connect by OAuth: asking, exchanging, letting in, removing.

use chrono::{DateTime, Utc};

use super::{Caller, Credential, Member, Scheduler};
use crate::error::{AccessRefusal, AppError, ErrorCode, Refusal, Resource, Unsupported};
use crate::ids::{GrantId, PersonId, WorkspaceId};
use crate::key::{AgentPolicy, Preset, Scope, Scopes};
use crate::oauth::{
    ACCESS_LIFETIME, AuthorizationInput, AuthorizationRequest, CODE_LIFETIME, Client, ClientId,
    Exchange, GRANTS_MAX, Grant, GrantToken, OAuth, OAuthRefusal, OF_ANOTHER, RequestFault,
    RevocationInput, TokenInput, TokenKind, TokenRequest, TokenValue, TokensView, exchange,
    grantable,
};
use crate::ports::DocumentError;
use crate::session::Role;

/// What a person is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Consent {
    /// The client that asks.
    pub client: Client,
    /// What it asks for, and where the answer goes.
    pub request: AuthorizationRequest,
    /// Each scope that the person can grant, and whether it is granted unless they say otherwise:
    /// what is asked for, of what an agent may do.
    pub offered: Vec<(Scope, bool)>,
    /// Where the person is sent who says no.
    pub denied: String,
}

/// What comes of a client's wish.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asking {
    /// The person is asked.
    Person(Box<Consent>),
    /// The client is told that something is wrong: the person is sent to this address.
    Client(String),
}

/// Why a client gets no tokens.
#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    /// It is refused, in the terms of OAuth.
    #[error(transparent)]
    Refused(#[from] OAuthRefusal),
    /// Something else stands against it.
    #[error(transparent)]
    App(#[from] AppError),
}

impl Scheduler {
    /// What lets clients in by OAuth; `None` where the address of the server does not allow it.
    #[must_use]
    pub const fn oauth(&self) -> Option<&OAuth> {
        self.oauth.as_ref()
    }

    /// Reads a client's wish, whose document is fetched unless it is known, and says what the person
    /// who has brought it is asked.
    ///
    /// # Errors
    /// `unsupported` where clients are not let in by OAuth; `invalid_request` naming `client_id` or
    /// `redirect_uri`: nobody is sent back then; `unavailable` when the document cannot be read now.
    pub async fn consent(
        &self,
        member: &Member,
        input: &AuthorizationInput<'_>,
    ) -> Result<Asking, AppError> {
        let oauth = self.oauth.as_ref().ok_or(Refusal::from(Unsupported::OAuth))?;
        let client = self.client(oauth, input.client_id.unwrap_or_default()).await?;
        let (resource, issuer) = (oauth.resource(), oauth.issuer());
        let request = match AuthorizationRequest::read(input, &client, resource, issuer) {
            Ok(request) => request,
            Err(RequestFault::Answered(address)) => return Ok(Asking::Client(address)),
            Err(RequestFault::Redirect) => {
                let message = "The program wants you sent back to an address that its document does not name. Nothing was connected; do not try again unless you trust who has sent you here.";
                return Err(Refusal::invalid("redirect_uri", message).into());
            }
        };
        let usual = Preset::Agent.scopes();
        let is_usual = |scope| request.asked.allows(scope) && usual.allows(scope);
        let offered = grantable(member.role).iter().map(|scope| (scope, is_usual(scope)));
        let (offered, denied) = (offered.collect(), request.denied(issuer));
        Ok(Asking::Person(Box::new(Consent { client, request, offered, denied })))
    }

    /// Grants a client what the person has chosen, and says where the person is sent: with a code
    /// that the client exchanges within [`CODE_LIFETIME`], or with what is wrong.
    ///
    /// # Errors
    /// Those of [`Scheduler::consent`]; `forbidden` for more than the person may do; `invalid_request`
    /// naming `scope` for nothing at all; `unavailable` when the workspace has [`GRANTS_MAX`].
    pub async fn grant(
        &self,
        member: &Member,
        input: &AuthorizationInput<'_>,
        scopes: Scopes,
    ) -> Result<String, AppError> {
        let oauth = self.oauth.as_ref().ok_or(Refusal::from(Unsupported::OAuth))?;
        let Consent { client, request, .. } = match self.consent(member, input).await? {
            Asking::Person(consent) => *consent,
            Asking::Client(address) => return Ok(address),
        };
        if scopes == Scopes::default() {
            let message = "Choose at least one thing that the program may do, or cancel.";
            return Err(Refusal::invalid("scope", message).into());
        }
        let allowed = grantable(member.role);
        if let Some(scope) = scopes.iter().find(|scope| !allowed.allows(*scope)) {
            return Err(AccessRefusal::MissingScope(vec![scope]).into());
        }
        let now = self.ports.clock.now();
        let grant = Grant {
            id: GrantId(self.ports.ids.next(now)),
            workspace_id: member.workspace.id,
            session_id: member.session.as_ref().map(|session| session.id),
            person: member.person().cloned(),
            client_id: client.id,
            client_name: client.name,
            redirect: request.redirect.clone(),
            challenge: request.challenge,
            resource: oauth.resource().to_owned(),
            scopes,
            created_at: now,
            used_at: None,
            expires_at: now + CODE_LIFETIME,
        };
        let (value, code) = self.new_token(TokenKind::Code, &grant, grant.expires_at);
        if !self.store().create_grant(&grant, &code, now, GRANTS_MAX).await? {
            let message = format!(
                "This workspace has {GRANTS_MAX} connected programs, which is the limit. Remove one under Settings first."
            );
            return Err(Refusal::new(ErrorCode::Unavailable, message).into());
        }
        Ok(request.granted(value.expose(), oauth.issuer()))
    }

    /// Exchanges a code or a refresh token. One that was exchanged before ends its grant.
    ///
    /// # Errors
    /// [`TokenError`] by variant.
    pub async fn exchange_token(&self, input: &TokenInput<'_>) -> Result<TokensView, TokenError> {
        let oauth = self.oauth.as_ref().ok_or_else(|| Refusal::from(Unsupported::OAuth));
        let oauth = oauth.map_err(AppError::from)?;
        let request = TokenRequest::read(input, oauth.resource())?;
        let shown = request.value.hash();
        let now = self.ports.clock.now();
        loop {
            let found = self.store().grant_token(shown).await.map_err(AppError::from)?;
            let found = found.filter(|(_, grant, _)| grant.resource == oauth.resource());
            let found = found.as_ref().map(|(token, grant, _)| (token, grant));
            let grant = match exchange(&request, found, now) {
                Exchange::Next(grant) => *grant,
                Exchange::Refused(refusal) => return Err(refusal.into()),
                Exchange::Ended(refusal) => {
                    if let Some((_, grant)) = found {
                        let removed = self.store().remove_grant(grant.workspace_id, grant.id);
                        removed.await.map_err(AppError::from)?;
                    }
                    return Err(refusal.into());
                }
            };
            let until = grant.expires_at.min(now + ACCESS_LIFETIME);
            let (access, first) = self.new_token(TokenKind::Access, &grant, until);
            let (refresh, second) = self.new_token(TokenKind::Refresh, &grant, grant.expires_at);
            let exchanged = self.store().exchange_token(shown, &grant, &[first, second]).await;
            if exchanged.map_err(AppError::from)? {
                let lasts = (until - now).num_seconds();
                return Ok(TokensView::new(&access, lasts, &refresh, grant.scopes));
            }
            // Another was quicker, which the next look finds: it is used or gone.
        }
    }

    /// Ends the grant of a token that a client gives back, of either kind and used or not: whoever
    /// signs out has no further use for what else came of it. A token that is not known or has
    /// expired needs no ending.
    ///
    /// Source: RFC 7009, sections 2.1 and 2.2.
    ///
    /// # Errors
    /// [`TokenError`] by variant: `invalid_request` without a token and for a client that is named
    /// twice, `invalid_grant` for a token of
    /// another client than the one that is named.
    pub async fn revoke_token(&self, input: &RevocationInput<'_>) -> Result<(), TokenError> {
        if self.oauth.is_none() {
            return Err(AppError::from(Refusal::from(Unsupported::OAuth)).into());
        }
        let (named, shown) = (input.client()?, input.shown()?);
        let Some(shown) = shown else { return Ok(()) };
        let now = self.ports.clock.now();
        let found = self.store().grant_token(shown).await.map_err(AppError::from)?;
        let Some((_, grant, _)) = found.filter(|(token, _, _)| now < token.expires_at) else {
            return Ok(());
        };
        if named.is_some_and(|named| named != grant.client_id.as_str()) {
            return Err(OF_ANOTHER.into());
        }
        let removed = self.store().remove_grant(grant.workspace_id, grant.id).await;
        removed.map(drop).map_err(|failed| AppError::from(failed).into())
    }

    /// Finds out which program calls, by its access token. Only the tools are opened by one.
    ///
    /// # Errors
    /// `unauthorized` for a token that is unknown or expired, whose grant has ended, and that is for
    /// another address.
    pub async fn authenticate_grant(&self, token: &str) -> Result<Caller, AppError> {
        let now = self.ports.clock.now();
        let found = match (TokenValue::parse(TokenKind::Access, token), &self.oauth) {
            (Some(value), Some(oauth)) => {
                let found = self.store().grant_token(value.hash()).await?;
                found.filter(|(token, grant, _)| {
                    token.kind == TokenKind::Access
                        && now < token.expires_at
                        && grant.is_connected_at(now)
                        && grant.resource == oauth.resource()
                })
            }
            _ => None,
        };
        let (_, grant, workspace) = found.ok_or(AccessRefusal::UnknownToken)?;
        let Grant { id, person, scopes, .. } = grant;
        Ok(Caller {
            workspace,
            by: Credential::Grant(id),
            person,
            scopes,
            agents: AgentPolicy::default(),
        })
    }

    /// The programs that a person sees as connected, oldest first: an owner all of the workspace,
    /// others their own.
    ///
    /// # Errors
    /// [`AppError::Store`]
    pub async fn grants(&self, member: &Member) -> Result<Vec<Grant>, AppError> {
        let now = self.ports.clock.now();
        let mut grants = self.store().grants(member.workspace.id).await?;
        let is_owner = member.require(Role::Owner).is_ok();
        grants.retain(|grant| grant.is_connected_at(now) && (is_owner || grant.is_of(member)));
        Ok(grants)
    }

    /// Ends what a person has granted a program, at once: one's own or, as an owner, anybody's.
    ///
    /// # Errors
    /// `not_found` when the workspace has none of that id, and for that of somebody else.
    pub async fn remove_grant(&self, member: &Member, id: GrantId) -> Result<(), AppError> {
        let workspace = member.workspace.id;
        let is_seen = self.grants(member).await?.iter().any(|grant| grant.id == id);
        if is_seen && self.store().remove_grant(workspace, id).await? {
            return Ok(());
        }
        Err(Refusal::not_found(Resource::Grant).into())
    }

    /// Ends whatever somebody has granted.
    pub(super) async fn remove_grants_of(
        &self,
        workspace: WorkspaceId,
        person: PersonId,
    ) -> Result<(), AppError> {
        for grant in self.store().grants(workspace).await? {
            if grant.is_of_person(person) {
                self.store().remove_grant(workspace, grant.id).await?;
            }
        }
        Ok(())
    }

    /// The client of an id.
    async fn client(&self, oauth: &OAuth, id: &str) -> Result<Client, AppError> {
        let about = |message: String| Refusal::invalid("client_id", message);
        let id = ClientId::parse(id).map_err(|fault| {
            about(format!("The program that has sent you here does not say who it is: {fault}."))
        })?;
        let now = self.ports.clock.now();
        if let Some(client) = oauth.known.get(&id, now) {
            return Ok(client);
        }
        let host = id.host();
        let document = oauth.documents.document(&id).await.map_err(|error| match error {
            DocumentError::Unavailable(why) => {
                let message = format!(
                    "Who the program of {host} is could not be read: {why}. Try again in a minute."
                );
                Refusal::new(ErrorCode::Unavailable, message)
            }
            DocumentError::Refused(why) => {
                about(format!("Who the program of {host} is cannot be read: {why}."))
            }
        })?;
        let client = Client::read(&id, &document).map_err(|fault| {
            about(format!("What {host} says of its program is not valid: {fault}."))
        })?;
        oauth.known.keep(&client, now);
        Ok(client)
    }

    /// A value of this kind, and what is kept of it.
    fn new_token(
        &self,
        kind: TokenKind,
        grant: &Grant,
        expires_at: DateTime<Utc>,
    ) -> (TokenValue, GrantToken) {
        let value = TokenValue::new(kind, &self.new_pass());
        let (hash, grant_id) = (value.hash(), grant.id);
        (value, GrantToken { hash, grant_id, kind, expires_at, used_at: None })
    }
}
