//! Programs that people connect by OAuth 2.1, to use the tools at `/mcp` and nothing else.
//!
//! The server is both parties of it: the authorization server, which asks a person, and the
//! protected resource. A client names itself by an https address at which a document says what it
//! is called and where it is sent back to; none is registered. What a person grants is a
//! [`Grant`]: it begins with a code of one minute, lives on by refresh tokens of which each is used
//! once, and ends whole when one is used a second time.
//!
//! Sources: OAuth 2.1 (draft-ietf-oauth-v2-1), RFC 7636 (PKCE), RFC 8414 and RFC 9728 (metadata),
//! RFC 8707 (resource), RFC 9207 (issuer), draft-ietf-oauth-client-id-metadata-document, and
//! <https://modelcontextprotocol.io/specification/2026-07-28/basic/authorization>.

mod bodies;
mod challenge;
mod client;
mod error;
mod exchange;
mod grant;
mod known;
mod redirect;
mod request;
mod revocation;
mod server;
mod value;

use chrono::TimeDelta;

use crate::key::{Scope, Scopes};
use crate::session::Role;

pub use bodies::{GrantView, TokensView};
pub use challenge::Challenge;
pub use client::{Client, ClientFault, ClientId, ClientIdFault};
pub use error::{OAuthError, OAuthRefusal};
pub use exchange::{Exchange, TokenInput, TokenRequest, exchange};
pub use grant::{Grant, GrantToken};
pub use known::KnownClients;
pub use redirect::Redirect;
pub use request::{AuthorizationInput, AuthorizationRequest, RequestFault};
pub(crate) use revocation::OF_ANOTHER;
pub use revocation::RevocationInput;
pub use server::{OAuth, RESOURCE_METADATA_PATH, SERVER_METADATA_PATH};
pub use value::{TokenHash, TokenKind, TokenValue};

/// How long a code can be exchanged.
///
/// Source: our decision; RFC 6749, section 4.1.2, allows ten minutes at most.
pub const CODE_LIFETIME: TimeDelta = TimeDelta::minutes(1);

/// How long an access token lasts.
///
/// Source: our decision.
pub const ACCESS_LIFETIME: TimeDelta = TimeDelta::hours(1);

/// How long a refresh token lasts that nobody uses.
///
/// Source: our decision.
pub const REFRESH_LIFETIME: TimeDelta = TimeDelta::days(30);

/// How long a grant lasts at most: its person is asked again then, as a session of a program ends.
///
/// Source: our decision.
pub const GRANT_LIFETIME: TimeDelta = TimeDelta::days(90);

/// Grants that a workspace has at most.
///
/// Source: our decision.
pub const GRANTS_MAX: u32 = 200;

/// Used codes and refresh tokens of a grant that are remembered at most, the latest, until they
/// would have expired: one of them that is shown again ends the grant. An older one is refused as
/// any that is not known.
///
/// Source: our decision; a program that gets the next tokens once an hour uses 720 in the 30 days
/// that one lasts.
pub const USED_TOKENS_MAX: u32 = 1_000;

/// Bytes of the document of a client beyond which it is not read.
///
/// Source: our decision; draft-ietf-oauth-client-id-metadata-document recommends 5 KiB at least.
pub const DOCUMENT_MAX_BYTES: usize = 16 << 10;

/// What can be granted: what tools need. The API of webhooks has none.
const GRANTABLE: [Scope; 5] =
    [Scope::PostsRead, Scope::PostsWrite, Scope::PostsPublish, Scope::MediaRead, Scope::MediaWrite];

/// What a person of a role can grant: never more than they may do themselves.
///
/// ```
/// use scheduler_core::key::Scope;
/// use scheduler_core::oauth::grantable;
/// use scheduler_core::session::Role;
///
/// assert!(grantable(Role::Editor).allows(Scope::PostsPublish));
/// assert!(!grantable(Role::Drafter).allows(Scope::PostsPublish));
/// assert!(!grantable(Role::Owner).allows(Scope::WebhooksWrite));
/// ```
#[must_use]
pub fn grantable(role: Role) -> Scopes {
    let scopes = role.scopes();
    let allowed = GRANTABLE.into_iter().filter(|scope| scopes.allows(*scope));
    Scopes::of(&allowed.collect::<Vec<_>>())
}
