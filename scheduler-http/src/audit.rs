//! What is noted of requests that have changed something, on its way to the audit log.
//!
//! A request does not wait for its entry: entries are stored together, once a second. One that is
//! noted while the process is killed is lost; what it tells of is not.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use http::header::LOCATION;
use http::{Method, StatusCode};
use scheduler_core::app::{Caller, Credential, Member, Scheduler};
use scheduler_core::audit::{Actor, ActorKind, AuditEntry};
use scheduler_core::ids::{AuditId, WorkspaceId};
use scheduler_core::key::Scope;
use scheduler_core::session::Role;
use tokio::sync::Notify;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use warp::reply::Response;

use crate::access::Access;
use crate::endpoint::Endpoint;
use crate::visit::Changed;

/// How often entries are stored.
///
/// Source: our decision.
const STORE_EVERY: Duration = Duration::from_secs(1);

/// Entries that wait at most while the database is away; the oldest are dropped then.
///
/// Source: our decision; a few megabytes.
const WAITING_MAX: usize = 10_000;

/// The entries that are not stored yet.
#[derive(Debug, Default)]
pub(crate) struct AuditBuffer {
    waiting: Mutex<Vec<AuditEntry>>,
    noted: Notify,
}

/// Who calls, for the log.
#[derive(Debug)]
pub(crate) struct Acting {
    workspace_id: WorkspaceId,
    by: Actor,
}

impl Acting {
    fn new(workspace_id: WorkspaceId, by: Credential, name: Option<String>) -> Self {
        let by = match by {
            Credential::Key(id) => Actor::new(ActorKind::Key, Some(id.0), name),
            Credential::Session(id) => Actor::new(ActorKind::Session, Some(id.0), name),
            Credential::Program => Actor::new(ActorKind::Server, None, None),
        };
        Self { workspace_id, by }
    }
}

impl From<&Caller> for Acting {
    fn from(caller: &Caller) -> Self {
        Self::new(caller.workspace.id, caller.by, None)
    }
}

impl From<&Member> for Acting {
    /// With the name that is known here: the session may end by this very request.
    fn from(member: &Member) -> Self {
        let name = member.session.as_ref().map(|session| session.client.clone());
        Self::new(member.workspace.id, member.by(), name)
    }
}

impl AuditBuffer {
    /// Notes a request that has changed something.
    pub(crate) fn note(
        &self,
        scheduler: &Scheduler,
        acting: Acting,
        endpoint: &Endpoint,
        path: &str,
        response: &Response,
    ) {
        let is_done = if endpoint.is_page() {
            let is_marked = response.extensions().get::<Changed>().is_some();
            response.status() == StatusCode::SEE_OTHER || is_marked
        } else {
            response.status().is_success()
        };
        if !changes(endpoint) || !is_done {
            return;
        }
        let made = response.headers().get(LOCATION).filter(|_| response.status().is_success());
        let made = made.and_then(|place| place.to_str().ok());
        let ports = scheduler.ports();
        let at = ports.clock.now();
        let entry = AuditEntry {
            id: AuditId(ports.ids.next(at)),
            workspace_id: acting.workspace_id,
            at,
            by: acting.by,
            operation: endpoint.name.to_owned(),
            path: made.unwrap_or(path).to_owned(),
        };
        self.waiting().push(entry);
        self.noted.notify_one();
    }

    /// Stores what is noted until this is `stopped`, a second after the first of it.
    pub(crate) async fn run(&self, scheduler: &Scheduler, stopped: CancellationToken) {
        let rest = || timeout(STORE_EVERY, stopped.cancelled());
        while stopped.run_until_cancelled(self.noted.notified()).await.is_some()
            && rest().await.is_err()
        {
            self.store(scheduler).await;
        }
    }

    /// Stores what waits. What cannot be stored now waits on.
    pub(crate) async fn store(&self, scheduler: &Scheduler) {
        let mut entries = std::mem::take(&mut *self.waiting());
        if entries.is_empty() {
            return;
        }
        if let Err(error) = scheduler.keep_audit(&mut entries).await {
            // That the database takes no writes is in the log already.
            tracing::debug!(%error, "the audit log cannot be stored now");
            let mut waiting = self.waiting();
            entries.append(&mut waiting);
            let dropped = entries.len().saturating_sub(WAITING_MAX);
            if dropped > 0 {
                tracing::warn!(dropped, "entries of the audit log are lost");
            }
            *waiting = entries.split_off(dropped);
            self.noted.notify_one();
        }
    }

    fn waiting(&self) -> MutexGuard<'_, Vec<AuditEntry>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// True for an endpoint that changes something: not one that whoever may only read may call. Of a
/// page that takes a form, its answer tells ([`Changed`]).
fn changes(endpoint: &Endpoint) -> bool {
    let is_for_readers = match endpoint.access() {
        Access::Keyless => !endpoint.is_page(),
        Access::AnyKey | Access::Role(Role::Reader) => true,
        Access::Scope(scope) => {
            matches!(scope, Scope::PostsRead | Scope::MediaRead | Scope::WebhooksRead)
        }
        Access::All(_) | Access::AnyOf(_) | Access::Role(_) => false,
    };
    !is_for_readers && !matches!(endpoint.method, Method::GET | Method::HEAD)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes;

    #[test]
    fn what_is_noted() {
        let all: Vec<_> = routes::all().collect();
        for (name, want) in [
            ("create_post", true),
            ("update_post", true),
            ("delete_post", true),
            ("list_posts", false),
            ("refresh_metrics", false),
            ("save_snippet", true),
            ("create_key", true),
            ("list_keys", false),
            ("undo_post", true),
            ("confirm_login", true),
            ("request_login", false),
        ] {
            let found = all.iter().find(|endpoint| endpoint.name == name);
            assert_eq!(found.map(|endpoint| changes(endpoint)), Some(want), "{name}");
        }
    }
}
