//! What is noted of requests that have changed something, and of calls of tools, on its way to the
//! audit log.
//!
//! A request does not wait for its entry: the first is stored at once, and those that come while
//! others have just been stored are stored together. One that is noted while the process is killed
//! is lost; what it tells of is not.

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use http::header::LOCATION;
use http::{Method, StatusCode};
use scheduler_core::app::{Caller, Credential, Member, Scheduler};
use scheduler_core::audit::{Actor, ActorKind, AuditEntry, ToolCall};
use scheduler_core::ids::{AuditId, WorkspaceId};
use scheduler_core::key::Scope;
use scheduler_core::session::{Person, Role};
use tokio::sync::Notify;
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;
use warp::reply::Response;

use crate::access::Access;
use crate::endpoint::Endpoint;
use crate::visit::Changed;

/// How often entries are stored at most.
///
/// Source: our decision; short enough for whoever looks at the log after a change, and few
/// transactions for a server that has much to do.
const STORE_EVERY: Duration = Duration::from_millis(200);

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
    fn new(
        workspace_id: WorkspaceId,
        by: Credential,
        name: Option<String>,
        person: Option<Person>,
    ) -> Self {
        let by = match by {
            Credential::Key(id) => Actor::new(ActorKind::Key, Some(id.0), name),
            Credential::Session(id) => Actor::new(ActorKind::Session, Some(id.0), name),
            Credential::Grant(id) => Actor::new(ActorKind::Grant, Some(id.0), name),
            Credential::Program => Actor::new(ActorKind::Server, None, None),
        };
        Self { workspace_id, by: by.named(person) }
    }
}

impl From<&Caller> for Acting {
    fn from(caller: &Caller) -> Self {
        Self::new(caller.workspace.id, caller.by, None, caller.person.clone())
    }
}

impl From<&Member> for Acting {
    /// With the name that is known here: the session may end by this very request.
    fn from(member: &Member) -> Self {
        let name = member.session.as_ref().map(|session| session.client.clone());
        Self::new(member.workspace.id, member.by(), name, member.person().cloned())
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
        // A whole address is a link for somebody else, who needs no more than it: no log holds it.
        let made =
            made.and_then(|place| place.to_str().ok()).filter(|place| place.starts_with('/'));
        let ports = scheduler.ports();
        let at = ports.clock.now();
        let entry = AuditEntry {
            id: AuditId(ports.ids.next(at)),
            workspace_id: acting.workspace_id,
            at,
            by: acting.by,
            operation: endpoint.name.to_owned(),
            path: made.unwrap_or(path).to_owned(),
            call: None,
        };
        self.keep(entry);
    }

    /// Notes a call of a tool.
    pub(crate) fn note_call(
        &self,
        scheduler: &Scheduler,
        caller: &Caller,
        tool: &str,
        path: &str,
        call: ToolCall,
    ) {
        let Acting { workspace_id, by } = Acting::from(caller);
        let ports = scheduler.ports();
        let at = ports.clock.now();
        let (operation, path, id) = (tool.to_owned(), path.to_owned(), AuditId(ports.ids.next(at)));
        self.keep(AuditEntry { id, workspace_id, at, by, operation, path, call: Some(call) });
    }

    fn keep(&self, entry: AuditEntry) {
        self.waiting().push(entry);
        self.noted.notify_one();
    }

    /// Stores what is noted until this is `stopped`, and rests after each time.
    pub(crate) async fn run(&self, scheduler: &Scheduler, stopped: CancellationToken) {
        while stopped.run_until_cancelled(self.noted.notified()).await.is_some() {
            self.store(scheduler).await;
            if timeout(STORE_EVERY, stopped.cancelled()).await.is_ok() {
                return;
            }
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
    use std::sync::Arc;

    use chrono::DateTime;
    use scheduler_core::app::Settings;
    use scheduler_core::audit::AuditFilter;
    use scheduler_core::memory::{ManualClock, test_ports};
    use scheduler_core::post::PageInput;
    use scheduler_core::workspace::Workspace;
    use tokio::task::yield_now;
    use tokio::time::{Instant, advance};
    use warp::Reply as _;

    use super::*;
    use crate::routes;

    async fn stored(scheduler: &Scheduler, workspace: &Workspace) -> usize {
        scheduler
            .audit(workspace.id, &PageInput::default(), AuditFilter::default())
            .await
            .unwrap()
            .data
            .len()
    }

    #[tokio::test(start_paused = true)]
    async fn the_first_entry_is_stored_at_once_and_the_next_a_moment_later() {
        let clock = Arc::new(ManualClock::at(DateTime::UNIX_EPOCH));
        let scheduler = Scheduler::new(test_ports(clock), Settings::default());
        let workspace = scheduler.first_start().await.unwrap().unwrap().workspace;
        let endpoint = routes::all().find(|endpoint| endpoint.name == "create_post").unwrap();
        let buffer = Arc::new(AuditBuffer::default());
        let (stopped, running) = (CancellationToken::new(), Arc::clone(&buffer));
        let (engine, end) = (scheduler.clone(), stopped.clone());
        let task = tokio::spawn(async move { running.run(&engine, end).await });
        let note = || {
            let acting = Acting::from(&Member::owner_of(workspace.clone()));
            buffer.note(&scheduler, acting, endpoint, "/v1/posts", &"".into_response());
        };

        let begun = Instant::now();
        note();
        while stored(&scheduler, &workspace).await < 1 {
            yield_now().await;
        }
        assert_eq!(begun.elapsed(), Duration::ZERO);
        note();
        note();
        for _ in 0..100 {
            yield_now().await;
        }
        assert_eq!(stored(&scheduler, &workspace).await, 1, "it rests");
        advance(STORE_EVERY).await;
        while stored(&scheduler, &workspace).await < 3 {
            yield_now().await;
        }
        stopped.cancel();
        task.await.unwrap();
    }

    #[test]
    fn a_link_for_somebody_else_is_not_noted() {
        let clock = Arc::new(ManualClock::at(DateTime::UNIX_EPOCH));
        let scheduler = Scheduler::new(test_ports(clock), Settings::default());
        let workspace_id = WorkspaceId(uuid::Uuid::from_u128(1));
        let endpoint = routes::all().find(|endpoint| endpoint.name == "create_approval").unwrap();
        for (made, noted) in [
            ("https://posts.example.com/approve/secret", "/app/v1/approvals"),
            ("/v1/posts/1", "/v1/posts/1"),
        ] {
            let buffer = AuditBuffer::default();
            let mut response = "".into_response();
            response.headers_mut().insert(LOCATION, made.parse().unwrap());
            let by = Actor::new(ActorKind::Server, None, None);
            let acting = Acting { workspace_id, by };
            buffer.note(&scheduler, acting, endpoint, "/app/v1/approvals", &response);
            assert_eq!(buffer.waiting()[0].path, noted);
        }
    }

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
