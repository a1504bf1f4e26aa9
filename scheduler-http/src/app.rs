//! What a server is made of, and what an operator sets of it.

use std::io;
use std::num::NonZeroU32;
use std::sync::Arc;

use async_trait::async_trait;
use http::HeaderValue;
use scheduler_core::app::Scheduler;
use scheduler_core::ids::WorkspaceId;
use scheduler_core::ports::SignedFiles;
use scheduler_worker::{Health, WorkerStatus};
use serde_json::Value;

use crate::connect_pages::ConnectPages;
use crate::endpoint::Endpoint;
use crate::limits::RateLimit;
use crate::server::connections::ConnectionLimits;

/// What an operator can set of the server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerSettings {
    /// The limit on the requests of one key.
    pub rate_limit: RateLimit,
    /// Uploads that a workspace may begin within any minute; `None` for the 60 of the interface
    /// description.
    pub uploads_per_minute: Option<NonZeroU32>,
    /// Batches of posts that a key may send in a minute in the long run, and twice as many at once;
    /// those that are only checked count for themselves. `None` for 10.
    pub batches_per_minute: Option<NonZeroU32>,
    /// How many connections are held at the same time.
    pub connections: ConnectionLimits,
    /// The origins whose pages may read answers in a browser, such as `https://app.example`; none
    /// unless they are named.
    pub allowed_origins: Vec<HeaderValue>,
}

/// What a server serves.
#[derive(Clone)]
pub struct App {
    /// The use cases.
    pub scheduler: Scheduler,
    /// What the operator has set.
    pub settings: ServerSettings,
    /// The worker of this process, whose turns `/readyz` watches; `None` when it has none.
    pub worker: Option<WorkerStatus>,
    /// What `/readyz` tells of the store and the clocks. Where nobody watches it, `/readyz` asks.
    pub health: Health,
    /// Serves the links of the file store at `/files/`; `None` where they lead elsewhere.
    pub signed_files: Option<Arc<dyn SignedFiles>>,
    /// The pages on which accounts are connected.
    pub connecting: ConnectPages,
    /// Looks at what the server needs; `None` where nobody does.
    pub doctor: Option<Arc<dyn Doctor>>,
    /// The pages for people; none unless a program brings some.
    pub pages: &'static [&'static Endpoint],
}

/// Looks at what a server needs, for the owner of a workspace.
#[async_trait]
pub trait Doctor: Send + Sync {
    /// What was found: `ok`, and the `checks` with a verdict each. Tells nothing of other
    /// workspaces.
    ///
    /// # Errors
    /// When it cannot look at all.
    async fn examine(&self, workspace: WorkspaceId) -> io::Result<Value>;
}

impl std::fmt::Debug for App {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("App").field("settings", &self.settings).finish_non_exhaustive()
    }
}
