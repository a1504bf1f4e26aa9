//! What every route works with.

use std::sync::Arc;

use bytes::Bytes;
use scheduler_core::app::Scheduler;
use scheduler_core::ports::SignedFiles;
use sha2::{Digest as _, Sha256};

use crate::access::Gate;
use crate::connect_pages::ConnectPages;
use crate::server::App;
use crate::uploads::Uploads;
use crate::worker::WorkerStatus;

/// The scheduler behind the routes, and what stands before it.
pub(crate) struct Api {
    pub(crate) scheduler: Scheduler,
    pub(crate) gate: Gate,
    /// Counts the uploads that each workspace begins.
    pub(crate) uploads: Uploads,
    /// The worker of this process, when it has one.
    pub(crate) worker: Option<WorkerStatus>,
    /// Serves the links of the file store, where they lead to this server.
    pub(crate) signed_files: Option<Arc<dyn SignedFiles>>,
    /// The pages on which accounts are connected.
    pub(crate) connecting: ConnectPages,
    pub(crate) sheets: Sheets,
}

impl std::fmt::Debug for Api {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Api").field("gate", &self.gate).finish_non_exhaustive()
    }
}

/// The answer of `GET /platforms`, written once.
#[derive(Debug)]
pub(crate) struct Sheets {
    pub(crate) body: Bytes,
    pub(crate) etag: String,
}

impl Api {
    /// # Errors
    /// When the capability sheets cannot be written as JSON.
    pub(crate) fn new(app: App) -> Result<Self, serde_json::Error> {
        let App { scheduler, settings, worker, signed_files, connecting } = app;
        let limit = settings.rate_limit;
        let body = serde_json::to_vec(&serde_json::json!({ "data": scheduler.platforms() }))?;
        let etag = format!("\"{}\"", hex::encode(&Sha256::digest(&body)[..16]));
        let gate = Gate::new(scheduler.clone(), limit);
        let uploads =
            Uploads::new(Arc::clone(&scheduler.ports().clock), settings.uploads_per_minute);
        let sheets = Sheets { body: body.into(), etag };
        Ok(Self { scheduler, gate, uploads, worker, signed_files, connecting, sheets })
    }
}
