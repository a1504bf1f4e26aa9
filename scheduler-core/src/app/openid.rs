//! People who sign in with an OpenID provider.

use super::{ClaimedSession, Scheduler};
use crate::error::{AppError, OpenIdRefusal};
use crate::ids::WorkspaceId;
use crate::openid::{Attempt, NotAllowed, OpenId};
use crate::ports::{IdentityError, Returning};
use crate::session::{Person, Role};
use crate::workspace::Workspace;

/// Characters of the name of a provider's error that are told.
///
/// Source: our decision; the names of RFC 6749 and OpenID Connect have at most 26.
const SAID_MAX_CHARACTERS: usize = 60;

/// A sign-in that a browser has begun.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct BegunSignIn {
    /// What the browser keeps until it comes back.
    pub attempt: Attempt,
    /// Where it goes.
    pub address: String,
}

/// The sessions of somebody who has signed in.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SignedIn {
    /// That of the workspace that they wanted, else of the first of theirs.
    pub first: ClaimedSession,
    /// Those of their other workspaces.
    pub others: Vec<ClaimedSession>,
}

/// What a browser brings back from the provider.
#[derive(Clone, Copy, Debug, Default)]
pub struct ProviderAnswer<'a> {
    /// What the provider was asked with.
    pub state: Option<&'a str>,
    /// What is exchanged for a token.
    pub code: Option<&'a str>,
    /// The name of an error, in place of a code.
    pub error: Option<&'a str>,
    /// Who answers (RFC 9207).
    pub issuer: Option<&'a str>,
}

impl Scheduler {
    /// What people call the OpenID provider; `None` where there is none.
    #[must_use]
    pub fn openid_name(&self) -> Option<&str> {
        self.openid.as_ref().map(|openid| openid.name.as_str())
    }

    /// Begins a sign-in: the browser keeps the attempt and goes to the address of the provider,
    /// which sends it to the redirect address. Nothing is stored.
    ///
    /// # Errors
    /// `unsupported` where there is no provider; `unavailable` when it does not answer; `forbidden`
    /// when what it answers is wrong.
    pub async fn begin_openid(&self, redirect_uri: &str) -> Result<BegunSignIn, AppError> {
        let openid = self.openid.as_ref().ok_or(OpenIdRefusal::NotOffered)?;
        let now = self.ports.clock.now();
        let attempt = Attempt::begin(self.new_pass(), now);
        let asked = openid.provider.sign_in_at(&attempt, redirect_uri, now).await;
        let address = asked.map_err(|error| refusal(openid, &error))?;
        Ok(BegunSignIn { attempt, address })
    }

    /// Signs in whoever comes back from the provider with the attempt of their browser, if they are
    /// on the list, to each of their workspaces but to `most` at most; one that is wanted comes
    /// first. Nothing is stored of anybody else. An attempt is finished once, whatever comes of it.
    ///
    /// # Errors
    /// `unsupported` where there is no provider; `unauthorized` for a sign-in of another browser,
    /// a finished one, and one that took too long; `forbidden` for whom the provider or the list
    /// does not let in; `unavailable` when the provider does not answer.
    pub async fn sign_in_by_openid(
        &self,
        attempt: Option<&str>,
        answer: ProviderAnswer<'_>,
        redirect_uri: &str,
        client: &str,
        most: usize,
        is_wanted: impl Fn(&Workspace) -> bool + Send,
    ) -> Result<SignedIn, AppError> {
        let openid = self.openid.as_ref().ok_or(OpenIdRefusal::NotOffered)?;
        let name = || openid.name.clone();
        let now = self.ports.clock.now();
        let attempt = attempt.and_then(Attempt::parse).ok_or(OpenIdRefusal::NotBegun)?;
        if !answer.state.is_some_and(|state| attempt.is_answered_by(state)) {
            return Err(OpenIdRefusal::NotBegun.into());
        }
        if attempt.is_over(now) {
            return Err(OpenIdRefusal::Expired(name()).into());
        }
        if !openid.used.take(&attempt, now) {
            return Err(OpenIdRefusal::NotBegun.into());
        }
        if answer.issuer.is_some_and(|issuer| issuer != openid.provider.issuer()) {
            return Err(OpenIdRefusal::Untrusted(name()).into());
        }
        let code = match (answer.error, answer.code) {
            (Some("access_denied"), _) => return Err(OpenIdRefusal::Denied(name()).into()),
            (Some(said), _) => {
                let said = said.chars().filter(|sign| !sign.is_control());
                let said = said.take(SAID_MAX_CHARACTERS).collect();
                return Err(OpenIdRefusal::Refused { provider: name(), said }.into());
            }
            (None, Some(code)) => code,
            (None, None) => return Err(OpenIdRefusal::Untrusted(name()).into()),
        };
        let returning = Returning { code, attempt: &attempt, redirect_uri };
        let identified = openid.provider.identify(returning, now).await;
        let identity = identified.map_err(|error| refusal(openid, &error))?;
        let workspaces = self.workspaces().await?;
        let admission = openid.allow.admit(&identity, &workspaces);
        let admission = admission.map_err(|why| match why {
            NotAllowed::NotListed => OpenIdRefusal::NotLetIn(identity.told()),
            NotAllowed::EmailUnverified => OpenIdRefusal::EmailUnverified {
                person: identity.told(),
                subject: identity.subject.clone(),
                provider: name(),
            },
            NotAllowed::NoWorkspace => OpenIdRefusal::NoWorkspace(identity.told()),
        })?;
        let opened = |(id, role): &(WorkspaceId, Role)| {
            let found = workspaces.iter().find(|workspace| workspace.id == *id)?;
            Some((found.clone(), *role))
        };
        let mut opened: Vec<(Workspace, Role)> =
            admission.opens.iter().filter_map(opened).collect();
        if let Some(place) = opened.iter().position(|(workspace, _)| is_wanted(workspace)) {
            opened[..=place].rotate_right(1);
        }
        opened.truncate(most.max(1));
        let id = identity.person_id(openid.provider.issuer());
        let person = admission.name.map(|name| Person { id, name });
        let mut sessions = Vec::new();
        for (workspace, role) in opened {
            sessions.push(self.sign_in(workspace, role, person.clone(), client).await?);
        }
        let mut sessions = sessions.into_iter();
        let first = sessions.next().ok_or_else(|| OpenIdRefusal::NoWorkspace(identity.told()))?;
        Ok(SignedIn { first, others: sessions.collect() })
    }
}

fn refusal(openid: &OpenId, error: &IdentityError) -> OpenIdRefusal {
    match error {
        IdentityError::Unavailable(_) => OpenIdRefusal::Unavailable(openid.name.clone()),
        IdentityError::Refused(said) => {
            OpenIdRefusal::Refused { provider: openid.name.clone(), said: said.clone() }
        }
        IdentityError::Untrusted(_) => OpenIdRefusal::Untrusted(openid.name.clone()),
    }
}
