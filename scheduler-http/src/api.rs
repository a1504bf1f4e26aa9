//! What every route works with.

use std::net::IpAddr;
use std::num::NonZeroU32;
use std::panic::resume_unwind;
use std::sync::{Arc, LazyLock};

use chrono::TimeDelta;
use http::HeaderValue;
use scheduler_core::app::{Credential, Member, Scheduler};
use scheduler_core::error::{AppError, Refusal, Unsupported};
use scheduler_core::ids::WorkspaceId;
use scheduler_core::key::Scopes;
use scheduler_core::ports::SignedFiles;
use scheduler_core::rehearsal::Rehearsal;
use scheduler_worker::{Health, WorkerStatus};
use serde_json::Value;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::task::JoinError;
use tokio_util::task::TaskTracker;
use tracing::Instrument as _;

use crate::access::Gate;
use crate::app::{App, Doctor};
use crate::audit::AuditBuffer;
use crate::budget::BodyBudget;
use crate::connect_pages::ConnectPages;
use crate::error::ApiError;
use crate::feed::Feed;
use crate::limits::{Limits, RateLimit};
use crate::metrics::{Metrics, MetricsAccess};
use crate::pages_in_progress::PagesInProgress;
use crate::uploads::Uploads;
use crate::written::Written;

/// Batches of posts that a key may send in a minute in the long run, unless the operator has set
/// another figure; twice as many at once.
///
/// Source: our decision.
const BATCHES_PER_MINUTE: NonZeroU32 = NonZeroU32::new(10).unwrap();

/// Logins that an address may ask for.
///
/// Source: our decision.
const LOGINS: RateLimit =
    RateLimit { per_minute: NonZeroU32::new(10).unwrap(), burst: NonZeroU32::new(10).unwrap() };

/// Questions about programs that a session may be asked.
///
/// Source: our decision; connecting one takes two, and for each a server of others may be called.
const AUTHORIZATIONS: RateLimit =
    RateLimit { per_minute: NonZeroU32::new(60).unwrap(), burst: NonZeroU32::new(60).unwrap() };

/// Codes and refresh tokens that an address may show: many people's programs come from few.
///
/// Source: our decision; a program shows one an hour.
const EXCHANGES: RateLimit =
    RateLimit { per_minute: NonZeroU32::new(300).unwrap(), burst: NonZeroU32::new(100).unwrap() };

/// Calendar feeds that an address may read.
///
/// Source: our decision; calendars ask every few minutes at most, and some services ask for many
/// people from one address.
const CALENDARS: RateLimit =
    RateLimit { per_minute: NonZeroU32::new(60).unwrap(), burst: NonZeroU32::new(60).unwrap() };

/// How soon one who comes while the server is examined for another may come again.
///
/// Source: our decision; an examination takes some seconds where a network does not answer.
const EXAMINED_AGAIN: TimeDelta = TimeDelta::seconds(5);

/// How soon one who comes while a calendar is rehearsed may come again.
///
/// Source: our decision; a rehearsal of a month with 10 000 posts takes some seconds.
const REHEARSED_AGAIN: TimeDelta = TimeDelta::seconds(3);

/// How long a sender or a reader of a file is asked to wait when there are too many, in seconds.
///
/// Source: our decision.
const BUSY_SECONDS: u32 = 5;

/// The scheduler behind the routes, and what stands before it.
pub(crate) struct Api {
    pub(crate) scheduler: Scheduler,
    pub(crate) gate: Gate,
    /// What is read of request bodies at the same time.
    pub(crate) bodies: BodyBudget,
    /// The files that are sent or read under signed links at the same time.
    transfers: Arc<Semaphore>,
    /// Counts the uploads that each workspace begins.
    pub(crate) uploads: Uploads,
    /// Counts the batches of posts that each key sends, and those that are only checked.
    pub(crate) batches: Limits<(Credential, bool)>,
    /// Counts the logins that each address asks for.
    pub(crate) logins: Limits<Option<IpAddr>>,
    /// Counts what each session is asked about programs that want to be connected.
    pub(crate) authorizations: Limits<Credential>,
    /// Counts the codes and refresh tokens that each address shows.
    pub(crate) exchanges: Limits<Option<IpAddr>>,
    /// Counts the calendar feeds that each address reads.
    pub(crate) calendars: Limits<Option<IpAddr>>,
    /// Bounds the pages of posts that are built and sent at once.
    pub(crate) pages: PagesInProgress,
    /// The worker of this process, when it has one.
    pub(crate) worker: Option<WorkerStatus>,
    /// Serves the links of the file store, where they lead to this server.
    pub(crate) signed_files: Option<Arc<dyn SignedFiles>>,
    /// The pages on which accounts are connected.
    pub(crate) connecting: ConnectPages,
    /// Looks at what the server needs, for one caller at a time.
    pub(crate) doctor: Option<Arc<dyn Doctor>>,
    pub(crate) examination: Semaphore,
    /// Rehearses calendars, for one caller at a time.
    rehearsals: Semaphore,
    /// The answer of `GET /platforms`.
    pub(crate) sheets: Written,
    /// The description of the API. It is made for whoever asks first: making it takes some
    /// megabytes, which a server that nobody asks for it does not hold.
    pub(crate) reference: LazyLock<Reference>,
    /// What is counted, and who may read it.
    pub(crate) metrics: Option<(Metrics, MetricsAccess)>,
    /// Whether the database takes writes.
    pub(crate) health: Health,
    /// What is on its way to the audit log.
    pub(crate) audit: AuditBuffer,
    /// The origins whose pages may call, besides the server's own.
    pub(crate) allowed_origins: Vec<HeaderValue>,
    /// What open pages are told.
    pub(crate) feed: Arc<Feed>,
    /// What goes on when its caller has gone away.
    pub(crate) calls: TaskTracker,
}

impl std::fmt::Debug for Api {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Api").field("gate", &self.gate).finish_non_exhaustive()
    }
}

/// The descriptions of what the server offers, for programs.
#[derive(Debug)]
pub(crate) struct Reference {
    /// That of the API of keys.
    pub(crate) document: Written,
    /// That of the application.
    pub(crate) application: Written,
}

impl Api {
    /// A place for a file that is sent or read; each takes a handle of the system's.
    ///
    /// # Errors
    /// `unavailable` when there are too many.
    pub(crate) fn transfer(&self) -> Result<OwnedSemaphorePermit, ApiError> {
        Arc::clone(&self.transfers).try_acquire_owned().map_err(|_| ApiError::busy(BUSY_SECONDS))
    }

    /// What serves an app, and `describe`s its API to whoever asks.
    ///
    /// # Errors
    /// When the capability sheets cannot be written as JSON.
    pub(crate) fn new(app: App, describe: fn() -> Reference) -> Result<Self, serde_json::Error> {
        let App { scheduler, settings, worker, health, signed_files, connecting, doctor, pages: _ } =
            app;
        let limit = settings.rate_limit;
        let body = serde_json::to_vec(&serde_json::json!({ "data": scheduler.platforms() }))?;
        let gate = Gate::new(scheduler.clone(), limit);
        let uploads = Uploads::new(settings.uploads_per_minute);
        let transfers = Arc::new(Semaphore::new(settings.connections.all()));
        let batches = settings.batches_per_minute.unwrap_or(BATCHES_PER_MINUTE);
        let batches =
            RateLimit { per_minute: batches, burst: batches.saturating_add(batches.get()) };
        Ok(Self {
            scheduler,
            gate,
            bodies: BodyBudget::new(),
            transfers,
            uploads,
            batches: Limits::new(batches),
            logins: Limits::new(LOGINS),
            authorizations: Limits::new(AUTHORIZATIONS),
            exchanges: Limits::new(EXCHANGES),
            calendars: Limits::new(CALENDARS),
            pages: PagesInProgress::new(),
            worker,
            signed_files,
            connecting,
            doctor,
            examination: Semaphore::new(1),
            rehearsals: Semaphore::new(1),
            sheets: Written::new(body),
            reference: LazyLock::new(describe),
            metrics: None,
            health,
            audit: AuditBuffer::default(),
            allowed_origins: settings.allowed_origins,
            feed: Feed::new(settings.connections.all()),
            calls: TaskTracker::new(),
        })
    }

    /// What is found of the server, and of a workspace; for one caller at a time.
    ///
    /// # Errors
    /// `unsupported` where nobody looks; `rate_limited` while it is done for another.
    pub(crate) async fn examine(&self, workspace: WorkspaceId) -> Result<Value, ApiError> {
        let doctor = self.doctor.as_ref().ok_or(Refusal::from(Unsupported::Examination))?;
        let Ok(_turn) = self.examination.try_acquire() else {
            let message = "The server is being examined for somebody else; try again in a moment.";
            return Err(Refusal::rate_limited(message, EXAMINED_AGAIN).into());
        };
        doctor.examine(workspace).await.map_err(ApiError::internal)
    }

    /// What would become of the calendar of a workspace; for one caller at a time.
    ///
    /// # Errors
    /// `rate_limited` while it is done for another; those of the rehearsal.
    pub(crate) async fn rehearse(
        &self,
        member: &Member,
        days: Option<&str>,
    ) -> Result<Rehearsal, ApiError> {
        let Ok(_turn) = self.rehearsals.try_acquire() else {
            let message = "Another calendar is being rehearsed; try again in a moment.";
            return Err(Refusal::rate_limited(message, REHEARSED_AGAIN).into());
        };
        Ok(self.scheduler.rehearse(&member.caller(), days).await?)
    }

    /// The address of a page of this server.
    pub(crate) fn page_at(&self, path: &str) -> String {
        format!("{}/{path}", self.connecting.server.as_str().trim_end_matches('/'))
    }

    /// Why a program is not let in to the tools, or not far enough: where it may be let in by OAuth,
    /// with what it has to ask its person for.
    pub(crate) fn challenged(
        &self,
        why: ApiError,
        oauth: Option<&str>,
        scopes: Option<Scopes>,
    ) -> ApiError {
        match self.scheduler.oauth() {
            Some(server) => why.challenging(&server.challenge(oauth, scopes)),
            None => why,
        }
    }

    /// Waits for a call that reaches beyond the store, such as to a network. It goes on to its end
    /// when the caller goes away: what a network did is then written down, a token that was
    /// exchanged is kept, and what a model's answer costs is counted or given back.
    pub(crate) async fn to_its_end<T, F>(
        &self,
        call: impl FnOnce(Scheduler) -> F,
    ) -> Result<T, ApiError>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, AppError>> + Send + 'static,
    {
        ended(self.calls.spawn(call(self.scheduler.clone()).in_current_span()).await)
    }
}

/// What came of a call. A panic goes on as one: its words may quote a text, and an error would
/// bring them into the log.
fn ended<T>(call: Result<Result<T, AppError>, JoinError>) -> Result<T, ApiError> {
    match call {
        Ok(result) => Ok(result?),
        Err(error) => match error.try_into_panic() {
            Ok(words) => resume_unwind(words),
            Err(cancelled) => Err(ApiError::internal(cancelled)),
        },
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use tokio::task::JoinHandle;

    use super::*;

    #[tokio::test]
    async fn a_panic_of_a_call_is_no_error_with_its_words() {
        let call: JoinHandle<Result<(), AppError>> = tokio::spawn(async { panic!("a caption") });
        let joined = call.await;
        let ended = catch_unwind(AssertUnwindSafe(|| ended(joined)));
        assert!(ended.is_err(), "{:?}", ended.map_err(|_| ()));
    }
}
