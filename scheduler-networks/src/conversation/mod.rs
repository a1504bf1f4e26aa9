//! What an adapter says to its network, as values: requests, answers, and what follows from them.
//!
//! A conversation sends nothing and knows no clock. It is asked for its next turn with all the
//! answers that it has had so far, and gives either another request or its result. The same job,
//! progress and answers always give the same turn, so every exchange can be tested as a table and
//! every crash replayed. [`Driver`](crate::driver::Driver) is the only place that sends.

mod after;
mod answer;
mod embedding;
mod form;
mod linking;
mod protocol;
mod request;
mod timeout;

use scheduler_core::account::{Account, Credentials};
use scheduler_core::ports::{
    Authorization, AuthorizeInput, ConnectInput, Connected, Located, NetworkError,
    NetworkErrorKind, PublishJob, Step,
};
use scheduler_core::target::{FailureCode, Remote};
use serde_json::Value;

pub use after::AfterConversation;
pub use answer::Answer;
pub use embedding::JsonWithFiles;
pub use form::{FormPart, PartContent};
pub use linking::{FETCH_TIMEOUT, FormWithLinks, JsonWithLinks, LinkedFile};
pub(crate) use protocol::{Job, Protocol, Session, StoredProgress, unreadable_account};
#[cfg(test)]
pub(crate) use request::shown;
pub use request::{Body, FileBody, Header, HeaderValue, Method, Piece, Request};
pub use scheduler_core::ports::ApiVersion;
pub use timeout::CallTimeout;
pub(crate) use timeout::base64_length;

/// What a conversation does next.
#[derive(Debug)]
pub enum Turn<T> {
    /// It says this, and goes on with the answer.
    Send(Request),
    /// It is over.
    Done(T),
}

/// The next turn of a conversation, or the error that ends it.
pub type TurnResult<T> = Result<Turn<T>, NetworkError>;

impl<T> Turn<T> {
    /// The same with another result, once it is over.
    pub fn map<U>(self, result: impl FnOnce(T) -> U) -> Turn<U> {
        match self {
            Self::Send(request) => Turn::Send(request),
            Self::Done(done) => Turn::Done(result(done)),
        }
    }
}

/// The result of a part of a conversation once it is over; a request of it is sent first.
macro_rules! or_send {
    ($turn:expr) => {
        match $turn {
            $crate::conversation::Turn::Send(request) => {
                return Ok($crate::conversation::Turn::Send(request));
            }
            $crate::conversation::Turn::Done(done) => done,
        }
    };
}
pub(crate) use or_send;

/// Where in a thread a publish stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part {
    /// The part that is sent next, from 1 on.
    pub number: usize,
    /// How many there are; 1 for a post that is no thread.
    pub of: usize,
}

/// Whether this is the number of the first part, counted from 0; progress leaves it out.
pub(crate) const fn is_first_part(part: &usize) -> bool {
    *part == 0
}

/// The conversations of one network.
///
/// `answers` are those to the requests of this conversation, in order, empty at its start. An
/// error ends a conversation. A progress that cannot be read, such as one of a later release, is
/// an error of the kind [`InDoubt`](scheduler_core::ports::NetworkErrorKind::InDoubt), visible,
/// and [`Located::Unknown`]: nothing is ever sent again because of it.
pub trait Conversation: Send + Sync {
    /// Whether this network's posts can take files. Where it is false, a post with files is
    /// refused before anything is sent.
    fn sends_files(&self) -> bool {
        false
    }

    /// The version of the network's interface that is spoken, where it has versions.
    fn api_version(&self) -> Option<ApiVersion> {
        None
    }

    /// The progress with which a publish begins, from the job alone.
    fn begin(&self, job: &PublishJob) -> Value;

    /// True when the next step makes something that others can see.
    fn is_visible(&self, progress: &Value) -> bool;

    /// What is live of a publish that stopped half-way.
    fn live_part(&self, progress: &Value) -> Option<Remote>;

    /// The progress without the step that it stands at, once the post is live; `None` when that
    /// was the last.
    fn skip(&self, _progress: &Value) -> Option<Value> {
        None
    }

    /// Which part is next, where the progress can be read.
    fn part(&self, progress: &Value) -> Option<Part>;

    /// How long the visible request of the step at `progress` may take, with the bytes of the files
    /// that it carries. The driver holds the step to it, and nobody repeats or looks for a call
    /// that may still be under way.
    fn call_timeout(&self, job: &PublishJob, progress: &Value) -> CallTimeout;

    /// The next turn of a step. At most one request of a step is visible.
    ///
    /// # Errors
    /// [`NetworkError`] by kind.
    fn advance(&self, job: &PublishJob, progress: &Value, answers: &[Answer]) -> TurnResult<Step>;

    /// The next turn of a look whether the visible call of a step was done. No request is visible.
    ///
    /// # Errors
    /// [`NetworkError`] by kind.
    fn locate(&self, job: &PublishJob, progress: &Value, answers: &[Answer])
    -> TurnResult<Located>;

    /// As [`Network::renews`](scheduler_core::ports::Network::renews).
    fn renews(&self, _credentials: &Credentials) -> bool {
        true
    }

    /// The next turn of an exchange of credentials for new ones.
    ///
    /// # Errors
    /// [`NetworkError`] by kind.
    fn refresh(
        &self,
        account: &Account,
        credentials: &Credentials,
        answers: &[Answer],
    ) -> TurnResult<Credentials>;

    /// The next turn of finding the page on which a person lets us in.
    ///
    /// # Errors
    /// [`NetworkError`] by kind; [`FailureCode::Unsupported`] where the network has none.
    fn authorize(&self, _input: &AuthorizeInput, _answers: &[Answer]) -> TurnResult<Authorization> {
        Err(no_page())
    }

    /// As [`Network::client_document`](scheduler_core::ports::Network::client_document).
    fn client_document(&self, _redirect_uri: &str) -> Option<Value> {
        None
    }

    /// The next turn of opening accounts.
    ///
    /// # Errors
    /// [`NetworkError`] by kind.
    fn connect(&self, input: &ConnectInput, answers: &[Answer]) -> TurnResult<Vec<Connected>>;
}

fn no_page() -> NetworkError {
    let message = "This network is connected with what it has given you, not on a page.";
    let error = NetworkError::new(NetworkErrorKind::Permanent, message);
    error.with_code(FailureCode::Unsupported)
}
