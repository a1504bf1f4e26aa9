//! A network's conversations in its own types: what is stored of a publish and of an account is
//! read here, and what follows from a turn is written back.

use std::ops::Deref;

use scheduler_core::account::{Account, Credentials};
use scheduler_core::ports::{
    Access, Authorization, AuthorizeInput, ConnectInput, Connected, Located, NetworkError,
    NetworkErrorKind, PublishJob, Step,
};
use scheduler_core::target::Remote;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::{Answer, ApiVersion, CallTimeout, Conversation, Part, Turn, TurnResult, no_page};

/// How far a publish to one network has come, as its adapter stores it.
///
/// Installations hold stored values, so a field keeps its name and its form. A field that a later
/// release adds makes a value unreadable here, on purpose.
pub(crate) trait StoredProgress: Serialize + DeserializeOwned {
    /// What a person does when it cannot be read.
    const REMEDY: &'static str;

    /// The progress before the first step, from the job alone.
    fn begin(job: &PublishJob) -> Self;

    /// True when the next step makes something that others can see.
    fn is_visible(&self) -> bool;

    /// True for a value that this release can have stored.
    fn is_consistent(&self) -> bool {
        true
    }

    /// What is live of a publish that stopped half-way.
    fn live_part(&self) -> Option<Remote> {
        None
    }

    /// The progress without the step that it stands at, once the post is live; `None` when that
    /// was the last.
    fn skip(self) -> Option<Self> {
        None
    }

    /// Which part is next.
    fn part(&self) -> Part {
        Part { number: 1, of: 1 }
    }

    /// A stored value; `None` when it is not one of this release.
    fn read(value: &Value) -> Option<Self> {
        Self::deserialize(value).ok().filter(Self::is_consistent)
    }

    /// The value to store. `null`, which cannot be read back, if that ever failed.
    fn to_value(&self) -> Value {
        serde_json::to_value(self).unwrap_or_default()
    }

    /// The error for a value that cannot be read.
    fn unreadable() -> NetworkError {
        let what = "What is stored of this publish cannot be read, so nothing is sent again.";
        NetworkError::new(NetworkErrorKind::InDoubt, format!("{what} {}", Self::REMEDY))
    }
}

/// A job, or an access to an account, with the credentials read.
#[derive(Debug)]
pub(crate) struct Opened<'a, T, C> {
    stored: &'a T,
    /// What opens the account.
    pub(crate) credentials: C,
}

/// A publish in the name of an account.
pub(crate) type Job<'a, C> = Opened<'a, PublishJob, C>;

/// What is done in the name of an account besides publishing.
pub(crate) type Session<'a, C> = Opened<'a, Access, C>;

impl<T, C> Deref for Opened<'_, T, C> {
    type Target = T;

    fn deref(&self) -> &T {
        self.stored
    }
}

/// The conversations of one network about publishing, in its own types. See [`Conversation`], which
/// every protocol is.
pub(crate) trait Protocol: Send + Sync {
    /// How far a publish has come.
    type Progress: StoredProgress;

    /// What opens an account.
    type Credentials: DeserializeOwned;

    /// What an account is called at the network.
    const ACCOUNT: &'static str = "account";

    /// As [`Conversation::api_version`].
    fn api_version(&self) -> Option<ApiVersion> {
        None
    }

    /// As [`Conversation::begin`].
    fn begin(&self, job: &PublishJob) -> Self::Progress {
        Self::Progress::begin(job)
    }

    /// As [`Conversation::call_timeout`]. Unless a network says otherwise, files are there before
    /// the visible request, which is small. `progress` is `None` when it cannot be read.
    fn call_timeout(&self, _job: &PublishJob, _progress: Option<&Self::Progress>) -> CallTimeout {
        CallTimeout::USUAL
    }

    /// As [`Conversation::advance`].
    ///
    /// # Errors
    /// [`NetworkError`] by kind.
    fn advance(
        &self,
        job: &Job<'_, Self::Credentials>,
        progress: Self::Progress,
        answers: &[Answer],
    ) -> TurnResult<Step<Self::Progress>>;

    /// As [`Conversation::locate`].
    ///
    /// # Errors
    /// [`NetworkError`] by kind.
    fn locate(
        &self,
        job: &Job<'_, Self::Credentials>,
        progress: Self::Progress,
        answers: &[Answer],
    ) -> TurnResult<Located<Self::Progress>>;

    /// As [`Conversation::renews`].
    fn renews(&self, _credentials: &Self::Credentials) -> bool {
        true
    }

    /// As [`Conversation::refresh`], with the credentials as they are stored and as they are read.
    /// Where they do not expire there is nothing to exchange, and the same are given back.
    ///
    /// # Errors
    /// [`NetworkError`] by kind.
    fn refresh(
        &self,
        _account: &Account,
        stored: &Credentials,
        _credentials: Self::Credentials,
        _answers: &[Answer],
    ) -> TurnResult<Credentials> {
        Ok(Turn::Done(stored.clone()))
    }

    /// As [`Conversation::authorize`].
    ///
    /// # Errors
    /// [`NetworkError`] by kind.
    fn authorize(&self, _input: &AuthorizeInput, _answers: &[Answer]) -> TurnResult<Authorization> {
        Err(no_page())
    }

    /// As [`Conversation::client_document`].
    fn client_document(&self, _redirect_uri: &str) -> Option<Value> {
        None
    }

    /// As [`Conversation::connect`].
    ///
    /// # Errors
    /// [`NetworkError`] by kind.
    fn connect(&self, input: &ConnectInput, answers: &[Answer]) -> TurnResult<Vec<Connected>>;

    /// What opens an account, as it is stored.
    ///
    /// # Errors
    /// [`NetworkErrorKind::Reconnect`] when it cannot be read.
    fn credentials(stored: &Credentials) -> Result<Self::Credentials, NetworkError> {
        serde_json::from_str(stored.expose()).map_err(|_| unreadable_account(Self::ACCOUNT))
    }

    /// A job with its credentials read.
    ///
    /// # Errors
    /// [`NetworkErrorKind::Reconnect`] when they cannot be read.
    fn job<'a>(&self, job: &'a PublishJob) -> Result<Job<'a, Self::Credentials>, NetworkError> {
        Ok(Opened { stored: job, credentials: Self::credentials(&job.credentials)? })
    }

    /// An access with its credentials read.
    ///
    /// # Errors
    /// [`NetworkErrorKind::Reconnect`] when they cannot be read.
    fn session<'a>(
        &self,
        access: &'a Access,
    ) -> Result<Session<'a, Self::Credentials>, NetworkError> {
        let credentials = Self::credentials(&access.credentials)?;
        Ok(Opened { stored: access, credentials })
    }
}

/// The error for an account of which what is stored cannot be read; `account` is what the network
/// calls it.
pub(crate) fn unreadable_account(account: &str) -> NetworkError {
    let message = format!("What is stored of the {account} cannot be read. Connect it again.");
    NetworkError::new(NetworkErrorKind::Reconnect, message)
}

impl<P: Protocol> Conversation for P {
    fn sends_files(&self) -> bool {
        true
    }

    fn api_version(&self) -> Option<ApiVersion> {
        Protocol::api_version(self)
    }

    fn begin(&self, job: &PublishJob) -> Value {
        Protocol::begin(self, job).to_value()
    }

    fn is_visible(&self, progress: &Value) -> bool {
        P::Progress::read(progress).is_none_or(|progress| progress.is_visible())
    }

    fn live_part(&self, progress: &Value) -> Option<Remote> {
        P::Progress::read(progress)?.live_part()
    }

    fn skip(&self, progress: &Value) -> Option<Value> {
        P::Progress::read(progress)?.skip().map(|progress| progress.to_value())
    }

    fn part(&self, progress: &Value) -> Option<Part> {
        P::Progress::read(progress).map(|progress| progress.part())
    }

    fn call_timeout(&self, job: &PublishJob, progress: &Value) -> CallTimeout {
        Protocol::call_timeout(self, job, P::Progress::read(progress).as_ref())
    }

    fn advance(&self, job: &PublishJob, progress: &Value, answers: &[Answer]) -> TurnResult<Step> {
        let progress = P::Progress::read(progress).ok_or_else(P::Progress::unreadable)?;
        let step = Protocol::advance(self, &self.job(job)?, progress, answers)?;
        Ok(step.map(|step| step.map(|progress| progress.to_value())))
    }

    fn locate(
        &self,
        job: &PublishJob,
        progress: &Value,
        answers: &[Answer],
    ) -> TurnResult<Located> {
        let Some(progress) = P::Progress::read(progress) else {
            return Ok(Turn::Done(Located::Unknown));
        };
        let located = Protocol::locate(self, &self.job(job)?, progress, answers)?;
        Ok(located.map(|located| located.map(|progress| progress.to_value())))
    }

    fn renews(&self, stored: &Credentials) -> bool {
        // What cannot be read is told when the account is used.
        P::credentials(stored).map_or(true, |credentials| Protocol::renews(self, &credentials))
    }

    fn refresh(
        &self,
        account: &Account,
        stored: &Credentials,
        answers: &[Answer],
    ) -> TurnResult<Credentials> {
        Protocol::refresh(self, account, stored, P::credentials(stored)?, answers)
    }

    fn authorize(&self, input: &AuthorizeInput, answers: &[Answer]) -> TurnResult<Authorization> {
        Protocol::authorize(self, input, answers)
    }

    fn client_document(&self, redirect_uri: &str) -> Option<Value> {
        Protocol::client_document(self, redirect_uri)
    }

    fn connect(&self, input: &ConnectInput, answers: &[Answer]) -> TurnResult<Vec<Connected>> {
        Protocol::connect(self, input, answers)
    }
}
