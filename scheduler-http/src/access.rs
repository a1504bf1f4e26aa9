//! Who calls, whether they call too often, and whether their key allows the call.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use chrono::{DateTime, TimeDelta, Utc};
use http::HeaderName;
use scheduler_core::app::{Caller, Credential, Member, Scheduler};
use scheduler_core::error::{AccessRefusal, Refusal};
use scheduler_core::key::{KeyHash, KeyValue, Scope};
use scheduler_core::oauth::{TokenKind, TokenValue};
use scheduler_core::session::Role;
use tracing::Span;
use tracing::field::display;

use crate::error::ApiError;
use crate::extract::Head;
use crate::limits::{Budget, Limits, RateLimit};

/// How long a key that was found valid is taken as valid without looking again.
///
/// A key that is revoked, or whose workspace changes, has its new meaning after this time. It is
/// short because it need only spare the store the many requests of one busy key.
const REMEMBER: TimeDelta = TimeDelta::milliseconds(50);

/// Keys that are remembered at the same time.
const REMEMBERED_KEYS: usize = 1_024;

/// Who may call an endpoint.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Anyone, without a key.
    Keyless,
    /// Any valid key.
    AnyKey,
    /// A key with this scope.
    Scope(Scope),
    /// A key with each of these scopes.
    All(&'static [Scope]),
    /// A key with one of these scopes; what is asked for decides which.
    AnyOf(&'static [Scope]),
    /// A session of this role, or one above it.
    Role(Role),
}

/// How many requests a key may still make.
///
/// Source: <https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-10>, as is
/// [`RATE_LIMIT_POLICY`].
pub(crate) const RATE_LIMIT: HeaderName = HeaderName::from_static("ratelimit");
/// Of how many.
pub(crate) const RATE_LIMIT_POLICY: HeaderName = HeaderName::from_static("ratelimit-policy");

/// Decides who may call.
#[derive(Debug)]
pub(crate) struct Gate {
    scheduler: Scheduler,
    limits: Limits<Credential>,
    remembered: Mutex<HashMap<KeyHash, Remembered>>,
}

#[derive(Clone, Debug)]
struct Remembered {
    caller: Arc<Caller>,
    until: DateTime<Utc>,
}

/// The access token of a program, where a request shows one.
fn token_of(head: &Head) -> Option<&str> {
    head.bearer().filter(|shown| TokenValue::parse(TokenKind::Access, shown).is_some())
}

impl Gate {
    pub(crate) fn new(scheduler: Scheduler, limit: RateLimit) -> Self {
        let limits = Limits::new(limit);
        Self { scheduler, limits, remembered: Mutex::default() }
    }

    /// Admits a request: by its key, by the limit of requests, and by the scopes that are needed in
    /// any case. What is left of the limit is noted in `budget`, whatever comes of the request.
    ///
    /// # Errors
    /// In this order: `unauthorized`, `rate_limited`, `forbidden`.
    pub(crate) async fn admit(
        &self,
        head: &Head,
        access: Access,
        budget: &mut Option<Budget>,
    ) -> Result<Arc<Caller>, ApiError> {
        let caller = self.caller(head).await?;
        self.admit_caller(head, caller, access, budget)
    }

    /// Admits a request to the tools as [`Self::admit`] does: by a key, or by a token that a person
    /// has granted a program, which opens nothing else.
    ///
    /// # Errors
    /// In this order: `unauthorized`, `rate_limited`.
    pub(crate) async fn admit_to_tools(&self, head: &Head) -> Result<Arc<Caller>, ApiError> {
        let caller = match token_of(head) {
            Some(token) => Arc::new(self.scheduler.authenticate_grant(token).await?),
            None => self.caller(head).await?,
        };
        self.admit_caller(head, caller, Access::AnyKey, &mut None)
    }

    fn admit_caller(
        &self,
        head: &Head,
        caller: Arc<Caller>,
        access: Access,
        budget: &mut Option<Budget>,
    ) -> Result<Arc<Caller>, ApiError> {
        head.is_of_somebody_known();
        let span = Span::current();
        span.record("workspace_id", display(caller.workspace.id));
        if let Credential::Key(key) = caller.by {
            span.record("key_id", display(key));
        }
        self.count(caller.by, budget)?;
        match access {
            // An endpoint for people takes no caller.
            Access::Keyless | Access::AnyKey | Access::Role(_) => {}
            Access::Scope(scope) => caller.require(scope)?,
            Access::All(scopes) => scopes.iter().try_for_each(|scope| caller.require(*scope))?,
            Access::AnyOf(scopes) => caller.require_any(scopes)?,
        }
        Ok(caller)
    }

    /// Admits a person's request: by its session, by the limit of requests, and by the role.
    ///
    /// # Errors
    /// In this order: `unauthorized`, `rate_limited`, `forbidden`.
    pub(crate) async fn admit_member(
        &self,
        head: &Head,
        least: Role,
        budget: &mut Option<Budget>,
    ) -> Result<Arc<Member>, ApiError> {
        if let Some(caller) = head.program() {
            return self.admit_program(caller, least, budget);
        }
        let member = match head.local_member() {
            Some(member) => Arc::clone(member),
            None => Arc::new(self.scheduler.member(head.bearer()).await?),
        };
        self.admit_as(head, member, least, budget)
    }

    /// Admits a program that asks within the server, by what its key or grant allows: as a member
    /// who drafts where it writes anything, as one who reads where it reads anything, and never as
    /// more. Which of it the program may ask for, the scopes of its tools say.
    fn admit_program(
        &self,
        caller: &Caller,
        least: Role,
        budget: &mut Option<Budget>,
    ) -> Result<Arc<Member>, ApiError> {
        self.count(caller.by, budget)?;
        let allows =
            |scopes: [Scope; 2]| scopes.into_iter().any(|scope| caller.scopes.allows(scope));
        let writes = allows([Scope::PostsWrite, Scope::MediaWrite]).then_some(Role::Drafter);
        let reads = || allows([Scope::PostsRead, Scope::MediaRead]).then_some(Role::Reader);
        let role = writes
            .or_else(reads)
            .ok_or_else(|| Refusal::from(AccessRefusal::MissingRole(Role::Reader)))?;
        let member = Member { workspace: caller.workspace.clone(), role, session: None };
        member.require(least)?;
        Ok(Arc::new(member))
    }

    /// The same of a person who is known already.
    ///
    /// # Errors
    /// In this order: `rate_limited`, `forbidden`.
    pub(crate) fn admit_as(
        &self,
        head: &Head,
        member: Arc<Member>,
        least: Role,
        budget: &mut Option<Budget>,
    ) -> Result<Arc<Member>, ApiError> {
        head.is_of_somebody_known();
        Span::current().record("workspace_id", display(member.workspace.id));
        self.count(member.by(), budget)?;
        member.require(least)?;
        Ok(member)
    }

    /// Counts a request; the program's own are not.
    fn count(&self, by: Credential, budget: &mut Option<Budget>) -> Result<(), ApiError> {
        if by != Credential::Program {
            *budget = Some(self.limits.used_up());
            *budget = Some(self.limits.count(by)?);
        }
        Ok(())
    }

    async fn caller(&self, head: &Head) -> Result<Arc<Caller>, ApiError> {
        if let Some(member) = head.local_member() {
            return Ok(Arc::new(member.caller()));
        }
        // What a program asks within the server that was let in by its token.
        if let (Some(_), Some(token)) = (head.program(), token_of(head)) {
            return Ok(Arc::new(self.scheduler.authenticate_grant(token).await?));
        }
        let key = head.bearer();
        let Some(hash) = key.and_then(KeyValue::parse).map(|value| value.hash()) else {
            return Ok(Arc::new(self.scheduler.authenticate(key).await?));
        };
        let now = self.scheduler.ports().clock.now();
        if let Some(caller) = self.recall(hash, now) {
            return Ok(caller);
        }
        let caller = Arc::new(self.scheduler.authenticate(key).await?);
        self.limits.tidy();
        self.remember(hash, Remembered { caller: Arc::clone(&caller), until: now + REMEMBER });
        Ok(caller)
    }

    fn recall(&self, hash: KeyHash, now: DateTime<Utc>) -> Option<Arc<Caller>> {
        let remembered = self.remembered();
        let found = remembered.get(&hash).filter(|entry| now < entry.until)?;
        Some(Arc::clone(&found.caller))
    }

    fn remember(&self, hash: KeyHash, entry: Remembered) {
        let mut remembered = self.remembered();
        if remembered.len() >= REMEMBERED_KEYS {
            let begun = entry.until - REMEMBER;
            remembered.retain(|_, other| begun < other.until);
            if remembered.len() >= REMEMBERED_KEYS {
                remembered.clear();
            }
        }
        remembered.insert(hash, entry);
    }

    fn remembered(&self) -> MutexGuard<'_, HashMap<KeyHash, Remembered>> {
        self.remembered.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use scheduler_core::app::Settings;
    use scheduler_core::key::Scopes;
    use scheduler_core::memory::{ManualClock, test_ports};

    use super::*;

    #[tokio::test]
    async fn a_program_with_a_part_of_the_scopes_is_let_in_by_what_it_has() {
        let clock = Arc::new(ManualClock::at(DateTime::UNIX_EPOCH));
        let scheduler = Scheduler::new(test_ports(clock), Settings::default());
        let workspace = scheduler.first_start().await.unwrap().unwrap().workspace;
        let gate = Gate::new(scheduler, RateLimit::default());
        let owner = Member::owner_of(workspace).caller();
        for (scopes, want) in [
            (&[Scope::PostsRead][..], Some(Role::Reader)),
            (&[Scope::MediaRead], Some(Role::Reader)),
            (&[Scope::PostsRead, Scope::PostsPublish], Some(Role::Reader)),
            (&[Scope::PostsRead, Scope::PostsWrite], Some(Role::Drafter)),
            (&[Scope::MediaRead, Scope::MediaWrite], Some(Role::Drafter)),
            (&[Scope::All], Some(Role::Drafter)),
            (&[Scope::PostsPublish], None),
            (&[Scope::WebhooksRead, Scope::WebhooksWrite], None),
            (&[], None),
        ] {
            let caller = Caller { scopes: Scopes::of(scopes), ..owner.clone() };
            let found = gate.admit_program(&caller, Role::Reader, &mut None);
            assert_eq!(found.ok().map(|member| member.role), want, "{scopes:?}");
        }
    }
}
