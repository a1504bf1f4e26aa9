//! A network, as the engine sees it.

use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use async_trait::async_trait;
use chrono::{DateTime, NaiveDate, TimeDelta, Utc};
use serde_json::{Map, Value};

use super::{
    Authorization, AuthorizeInput, ConnectInput, Connected, NetworkError, NetworkErrorKind,
};
use crate::account::{Account, Credentials};
use crate::ids::{MediaId, TargetId};
use crate::media::{FileFolder, MediaFacts, Recipe};
use crate::platform::{FileDetails, Platform};
use crate::target::{FailureCode, Remote};

/// A file of a post, for an adapter.
#[derive(Clone, Debug, PartialEq)]
pub struct JobFile {
    /// Its id.
    pub id: MediaId,
    /// Where its bytes are kept.
    pub folder: FileFolder,
    /// What is known of it, as the network gets it.
    pub facts: MediaFacts,
    /// What was made of it for the network; `None` where it goes as it came.
    pub recipe: Option<Recipe>,
    /// What it shows, for people who cannot see it.
    pub alt_text: Option<String>,
    /// The name it came with.
    pub file_name: Option<String>,
    /// What the target says of it beside that; its own `alt_text` is always `None`.
    pub details: FileDetails,
}

impl JobFile {
    /// A file that goes as it came, of which nothing is said.
    #[must_use]
    pub fn new(id: MediaId, folder: FileFolder, facts: MediaFacts) -> Self {
        let details = FileDetails::default();
        Self { id, folder, facts, recipe: None, alt_text: None, file_name: None, details }
    }
}

/// Everything that an adapter needs to publish one target.
#[derive(Clone, Debug)]
pub struct PublishJob {
    /// The target; part of what makes a publish repeatable.
    pub target_id: TargetId,
    /// Raised when the publish begins anew under other names.
    pub revision: u32,
    /// The shared text of the post.
    pub content: String,
    /// A link that goes with it.
    pub link_url: Option<String>,
    /// The files that go with it, in their order. A network that cannot send them refuses the
    /// post with [`FailureCode::Unsupported`], and never sends it without them.
    pub files: Vec<JobFile>,
    /// The file that the settings name as a thumbnail, or as the image of the link's card.
    pub thumbnail: Option<JobFile>,
    /// The files of each later part of the thread that the settings hold, in their order; no more
    /// than there are parts.
    pub thread_files: Vec<Vec<JobFile>>,
    /// Settings for this network.
    pub options: Map<String, Value>,
    /// The account to act as.
    pub account: Account,
    /// What opens it.
    pub credentials: Credentials,
    /// When this publish first began; the same on every attempt.
    pub begun_at: DateTime<Utc>,
    /// The present instant.
    pub now: DateTime<Utc>,
}

impl PublishJob {
    /// All files that go with it, each with the number of the part that shows it: 0 for the post
    /// itself, 1 for the first that follows it in its thread.
    pub fn files_by_part(&self) -> impl Iterator<Item = (usize, &JobFile)> {
        let parts = std::iter::once(&self.files).chain(&self.thread_files).enumerate();
        parts.flat_map(|(part, files)| files.iter().map(move |file| (part, file)))
    }

    /// A file that the publish began with.
    ///
    /// # Errors
    /// [`FailureCode::MediaUnusable`] when the post has lost it since.
    pub fn file(&self, id: MediaId) -> Result<&JobFile, NetworkError> {
        let of_parts = self.thread_files.iter().flatten();
        let mut files = self.files.iter().chain(of_parts).chain(&self.thumbnail);
        files.find(|file| file.id == id).ok_or_else(|| {
            NetworkError::unusable_media(
                "A file that this publish began with is not part of the post any more.",
            )
        })
    }
}

/// A post that is live, and what follows. `P` is the progress: a value as it is stored, or an
/// adapter's own type.
#[derive(Clone, Debug, PartialEq)]
pub struct Live<P = Value> {
    /// What the network calls it; `None` where it has not said, and what was known before stays.
    pub remote: Option<Remote>,
    /// Progress with which further steps begin, such as a first comment or a look whether the
    /// network has accepted a video. The post is told to be live before the first of them, and
    /// stays live whatever becomes of them.
    pub then: Option<P>,
}

impl<P> From<Remote> for Live<P> {
    /// A post that nothing follows.
    fn from(remote: Remote) -> Self {
        Self { remote: Some(remote), then: None }
    }
}

impl<P> Live<P> {
    /// The same with its progress in another form.
    pub fn map<Q>(self, form: impl FnOnce(P) -> Q) -> Live<Q> {
        Live { remote: self.remote, then: self.then.map(form) }
    }
}

/// What came of one step.
#[derive(Clone, Debug, PartialEq)]
pub enum Step<P = Value> {
    /// The step is done; this is what is needed for the next.
    Next(P),
    /// The network needs time of its own; go on at `until`. Is no attempt and holds no worker.
    Wait {
        /// What is needed to go on.
        progress: P,
        /// When it is asked again.
        until: DateTime<Utc>,
    },
    /// The post is live.
    Live(Live<P>),
    /// The network has given this publish up, which ends the attempt; the next one, by the plan of
    /// retries or by a person, begins with `progress`. Nothing of this publish is in doubt.
    Failed {
        /// What is needed to try again.
        progress: P,
        /// What the network says.
        error: NetworkError,
    },
}

impl<P> Step<P> {
    /// The same with its progress in another form.
    pub fn map<Q>(self, form: impl FnOnce(P) -> Q) -> Step<Q> {
        match self {
            Self::Next(progress) => Step::Next(form(progress)),
            Self::Wait { progress, until } => Step::Wait { progress: form(progress), until },
            Self::Live(live) => Step::Live(live.map(form)),
            Self::Failed { progress, error } => Step::Failed { progress: form(progress), error },
        }
    }
}

/// What a look at the network has shown about a call whose answer was lost.
#[derive(Clone, Debug, PartialEq)]
pub enum Located<P = Value> {
    /// The post is live.
    Live(Live<P>),
    /// The effect of the call was found and is part of this progress.
    Continue(P),
    /// Nothing is there: a call that has ended did nothing, and the step may be taken again from
    /// this progress. While the call may still be under way this settles nothing; the engine then
    /// asks again once it must have ended.
    Absent(P),
    /// It is not settled, but the network recognises a repeat: the step may be taken again as soon
    /// as the call must have ended. The next attempt asks again.
    Repeat(P),
    /// It cannot be told yet; ask again at `until`.
    Wait {
        /// What this look has shown.
        progress: P,
        /// When it is asked again.
        until: DateTime<Utc>,
    },
    /// It cannot be known.
    Unknown,
}

impl<P> Located<P> {
    /// The same with its progress in another form.
    pub fn map<Q>(self, form: impl FnOnce(P) -> Q) -> Located<Q> {
        match self {
            Self::Live(live) => Located::Live(live.map(form)),
            Self::Continue(progress) => Located::Continue(form(progress)),
            Self::Absent(progress) => Located::Absent(form(progress)),
            Self::Repeat(progress) => Located::Repeat(form(progress)),
            Self::Wait { progress, until } => Located::Wait { progress: form(progress), until },
            Self::Unknown => Located::Unknown,
        }
    }
}

/// How long a call that others can see lasts at most where its adapter does not say: 2 minutes.
///
/// Source: our decision.
pub const CALL_WITHIN: TimeDelta = TimeDelta::minutes(2);

/// A version of a network's interface.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ApiVersion {
    /// What the network calls it, such as `v26.0`.
    pub name: String,
    /// The first day on which the network may refuse it, where that day is known.
    pub retires_on: Option<NaiveDate>,
}

/// A network that posts can be published to.
///
/// A publish is a list of steps. `progress` is the adapter's own value: what is done so far and
/// the ids to go on with. The engine stores it between steps.
///
/// ```
/// use async_trait::async_trait;
/// use scheduler_core::account::{Account, Credentials};
/// use scheduler_core::ports::{
///     ConnectInput, Connected, Located, Network, NetworkError, PublishJob, Step,
/// };
/// use scheduler_core::target::Remote;
/// use serde_json::{Value, json};
///
/// /// Standard output as a network. Nobody can look up what was printed there.
/// struct Printer;
///
/// #[async_trait]
/// impl Network for Printer {
///     async fn connect(&self, _: &ConnectInput) -> Result<Vec<Connected>, NetworkError> {
///         Ok(vec![Connected::new("printer", Credentials::new("none are needed", None))])
///     }
///
///     fn begin(&self, job: &PublishJob) -> Value {
///         json!({ "line": format!("{}: {}", job.target_id, job.content) })
///     }
///
///     fn is_visible(&self, _: &Value) -> bool {
///         true
///     }
///
///     async fn advance(&self, job: &PublishJob, progress: &Value) -> Result<Step, NetworkError> {
///         println!("{}", progress["line"]);
///         Ok(Step::Live(Remote::new(job.target_id.to_string(), None).into()))
///     }
///
///     async fn locate(&self, _: &PublishJob, _: &Value) -> Result<Located, NetworkError> {
///         // Rather ask a person than print it twice.
///         Ok(Located::Unknown)
///     }
///
///     fn live_part(&self, _: &Value) -> Option<Remote> {
///         None
///     }
///
///     async fn refresh(&self, _: &Account, old: &Credentials) -> Result<Credentials, NetworkError> {
///         Ok(old.clone())
///     }
/// }
/// ```
#[cfg_attr(feature = "mock", mockall::automock)]
#[async_trait]
pub trait Network: Send + Sync {
    /// The page on which a person lets us in, where the network has one.
    ///
    /// # Errors
    /// [`NetworkError`] by kind; [`FailureCode::Unsupported`] where it has none.
    async fn authorize(&self, _input: &AuthorizeInput) -> Result<Authorization, NetworkError> {
        let message = "This network is connected with what it has given you, not on a page.";
        let error = NetworkError::new(NetworkErrorKind::Permanent, message);
        Err(error.with_code(FailureCode::Unsupported))
    }

    /// The version of the network's interface that is spoken, where it has versions.
    fn api_version(&self) -> Option<ApiVersion> {
        None
    }

    /// The document that describes this program to servers which read it instead of having the
    /// program registered, for browsers that come back to `redirect_uri`; `None` for a network
    /// without such servers. It is public.
    ///
    /// Source: draft-ietf-oauth-client-id-metadata-document.
    fn client_document(&self, _redirect_uri: &str) -> Option<Value> {
        None
    }

    /// Opens accounts with what a person gave, or with what came back from the network's page:
    /// every account that it opens, at least one. The person picks.
    ///
    /// # Errors
    /// [`NetworkError`] by kind; [`NetworkErrorKind::Permanent`] when something is missing or
    /// wrong.
    async fn connect(&self, input: &ConnectInput) -> Result<Vec<Connected>, NetworkError>;

    /// The progress with which a publish begins. Chooses every key that the network lets us
    /// choose, from the job alone, so that a repeat chooses the same.
    fn begin(&self, job: &PublishJob) -> Value;

    /// True when the next step makes something that others can see.
    fn is_visible(&self, progress: &Value) -> bool;

    /// How long the next step can last at most when others can see what it makes, from its
    /// beginning until the network can have done it for the last time: the whole conversation, the
    /// bytes of its files, and what the network may still do once nobody waits for its answer.
    /// The engine leases the work for as long, and nobody concludes before its end that nothing is
    /// there. [`CALL_WITHIN`] unless the adapter knows better.
    fn call_within(&self, _job: &PublishJob, _progress: &Value) -> TimeDelta {
        CALL_WITHIN
    }

    /// Takes the next step, with at most one call that others can see.
    ///
    /// # Errors
    /// [`NetworkError`] by kind. Anything but [`NetworkErrorKind::InDoubt`] and
    /// [`NetworkErrorKind::Unsettled`] means that nothing visible was done.
    async fn advance(&self, job: &PublishJob, progress: &Value) -> Result<Step, NetworkError>;

    /// Looks whether the visible call of the step at `progress` was done.
    ///
    /// # Errors
    /// [`NetworkError`] by kind, when the look itself failed; nothing is known then.
    async fn locate(&self, job: &PublishJob, progress: &Value) -> Result<Located, NetworkError>;

    /// What is live of a publish that stopped half-way, such as the first part of a thread.
    fn live_part(&self, progress: &Value) -> Option<Remote>;

    /// The progress without the step that it stands at, for steps that follow once a post is live
    /// and one of which has failed for good; `None` when it was the last.
    fn skip(&self, _progress: &Value) -> Option<Value> {
        None
    }

    /// True when [`Self::refresh`] can get new credentials for these, as far as can be told from
    /// them; otherwise a person has to connect the account again before they end.
    fn renews(&self, _account: &Account, _credentials: &Credentials) -> bool {
        true
    }

    /// Exchanges credentials for new ones.
    ///
    /// # Errors
    /// [`NetworkErrorKind::Reconnect`] only when the network has definitely refused them.
    async fn refresh(
        &self,
        account: &Account,
        credentials: &Credentials,
    ) -> Result<Credentials, NetworkError>;
}

/// The networks that are built in, by platform.
#[derive(Clone, Default)]
pub struct Networks(BTreeMap<Platform, Arc<dyn Network>>);

impl Networks {
    /// Adds or replaces a network.
    #[must_use]
    pub fn with(mut self, platform: Platform, network: Arc<dyn Network>) -> Self {
        self.0.insert(platform, network);
        self
    }

    /// The adapter of a platform, when there is one.
    #[must_use]
    pub fn network(&self, platform: Platform) -> Option<&Arc<dyn Network>> {
        self.0.get(&platform)
    }

    /// The platforms that have an adapter.
    pub fn platforms(&self) -> impl Iterator<Item = Platform> + '_ {
        self.0.keys().copied()
    }
}

impl fmt::Debug for Networks {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.0.keys()).finish()
    }
}
