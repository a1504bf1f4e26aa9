//! What every route works with.

use std::sync::Arc;

use bytes::Bytes;
use scheduler_core::app::Scheduler;
use scheduler_core::ids::WorkspaceId;
use sha2::{Digest as _, Sha256};

use crate::access::Gate;
use crate::limits::{Limits, RateLimit, UPLOADS_A_MINUTE};
use crate::worker::WorkerStatus;

/// The scheduler behind the routes, and what stands before it.
#[derive(Debug)]
pub(crate) struct Api {
    pub(crate) scheduler: Scheduler,
    pub(crate) gate: Gate,
    /// Counts the uploads that each workspace begins.
    pub(crate) uploads: Limits<WorkspaceId>,
    /// The worker of this process, when it has one.
    pub(crate) worker: Option<WorkerStatus>,
    pub(crate) sheets: Sheets,
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
    pub(crate) fn new(
        scheduler: Scheduler,
        limit: RateLimit,
        worker: Option<WorkerStatus>,
    ) -> Result<Self, serde_json::Error> {
        let body = serde_json::to_vec(&serde_json::json!({ "data": scheduler.platforms() }))?;
        let etag = format!("\"{}\"", hex::encode(&Sha256::digest(&body)[..16]));
        let gate = Gate::new(scheduler.clone(), limit);
        let a_minute = RateLimit { per_minute: UPLOADS_A_MINUTE, burst: UPLOADS_A_MINUTE };
        let uploads = Limits::new(a_minute, Arc::clone(&scheduler.ports().clock));
        Ok(Self { scheduler, gate, uploads, worker, sheets: Sheets { body: body.into(), etag } })
    }
}
