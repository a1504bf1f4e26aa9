//! Pages for people, which another crate makes: what it is told of a request, and how it reads it.
//!
//! A page is an [`Endpoint`], so that the router, the metrics and the audit log know it as they
//! know any other. Its visitor is let in by a session that a cookie holds.

mod files;
mod program;

use std::net::IpAddr;
use std::sync::{Arc, Mutex, PoisonError};

use chrono::DateTime;
use futures_util::future::BoxFuture;
use http::header::ACCEPT;
use http::{HeaderName, HeaderValue, Method, StatusCode};
use scheduler_core::app::{Member, Scheduler};
use scheduler_core::connecting::Pass;
use scheduler_core::error::{AppError, ErrorCode, Refusal};
use scheduler_core::rehearsal::Rehearsal;
use scheduler_core::session::Role;
use warp::reply::Response;

use crate::api::Api;
use crate::audit::Acting;
use crate::call::Call;
use crate::connect_pages::ConnectPages;
use crate::endpoint::{Endpoint, Handler};
use crate::error::ApiError;
use crate::extract::{Body, Head};
use crate::feed;
use crate::pattern;

pub use crate::extract::Form;
pub use crate::written::Written;
pub use files::Brought;
pub use program::Program;

/// Bytes that the form of a page holds at most: a text of 64 000 characters, each of which a form
/// writes as up to twelve bytes, and what goes with it.
///
/// Source: our decision.
const FORM_MAX_BYTES: usize = 1 << 20;

/// Names a request that a page has made by itself, without anything that a person did.
pub const UNATTENDED: HeaderName = HeaderName::from_static("x-unattended");

/// The place in a stream that a browser has come to.
const LAST_EVENT_ID: HeaderName = HeaderName::from_static("last-event-id");

/// What answers a page.
pub type PageHandler = fn(Visit) -> BoxFuture<'static, Response>;

impl Endpoint {
    /// A page: `pattern` is a path with `{name}` and `{workspaceId}` in place of any segment, and
    /// `{id}` in place of an id.
    #[must_use]
    pub const fn page(
        name: &'static str,
        method: Method,
        pattern: &'static str,
        handler: PageHandler,
    ) -> Self {
        Self {
            name,
            method,
            pattern,
            query: &[],
            handler: Handler::Page(handler),
            description: None,
        }
    }
}

/// A request for a page.
#[derive(Debug)]
pub struct Visit {
    api: Arc<Api>,
    method: Method,
    head: Head,
    pattern: &'static str,
    /// Threads may share a visit; its body is only ever read by its owner.
    body: Mutex<Body>,
    acting: Arc<Mutex<Option<Acting>>>,
}

/// Rides on the answer of a page that has changed something.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Changed;

/// The same answer, which has changed something: it is noted in the audit log, as is one that sends
/// the browser on (303).
#[must_use]
pub fn changed(mut response: Response) -> Response {
    response.extensions_mut().insert(Changed);
    response
}

/// Why a visitor gets something else than the page.
#[derive(Debug)]
pub struct Declined(ApiError);

impl Declined {
    /// The code of the refusal.
    #[must_use]
    pub fn code(&self) -> ErrorCode {
        self.0.code()
    }

    /// What was wrong, and what to do, for a person.
    #[must_use]
    pub fn message(&self) -> &str {
        self.0.message()
    }

    /// The answer: the page that is made of the status and the message, with the headers that go
    /// with the refusal.
    pub fn into_page(self, page: impl FnOnce(StatusCode, &str) -> Response) -> Response {
        self.0.into_page(page)
    }
}

impl From<AppError> for Declined {
    fn from(error: AppError) -> Self {
        Self(error.into())
    }
}

impl From<Refusal> for Declined {
    fn from(refusal: Refusal) -> Self {
        Self(refusal.into())
    }
}

impl Visit {
    /// A visit, and who it turns out to be of.
    pub(crate) fn of(call: Call) -> (Self, Arc<Mutex<Option<Acting>>>) {
        let acting = Arc::default();
        let Call { api, method, head, body, pattern, .. } = call;
        let body = Mutex::new(body);
        (Self { api, method, head, pattern, body, acting: Arc::clone(&acting) }, acting)
    }

    /// The use cases.
    #[must_use]
    pub fn scheduler(&self) -> &Scheduler {
        &self.api.scheduler
    }

    /// Stores what has been noted for the audit log, so that a page of it has everything.
    pub async fn store_log(&self) {
        self.api.audit.store(&self.api.scheduler).await;
    }

    /// How browsers reach this server, and the pages on which accounts are connected.
    #[must_use]
    pub fn connecting(&self) -> &ConnectPages {
        &self.api.connecting
    }

    /// The address of a page of this server, for a link that is given away.
    #[must_use]
    pub fn page_at(&self, path: &str) -> String {
        self.api.page_at(path)
    }

    /// The method.
    #[must_use]
    pub const fn method(&self) -> &Method {
        &self.method
    }

    /// The path and the query.
    #[must_use]
    pub fn address(&self) -> String {
        let path = self.path();
        self.head.query().map_or_else(|| path.to_owned(), |query| format!("{path}?{query}"))
    }

    /// The path.
    #[must_use]
    pub fn path(&self) -> &str {
        self.head.path()
    }

    /// The names and values of the query; none where it is not readable.
    #[must_use]
    pub fn query(&self) -> Form {
        let query = self.head.query().unwrap_or_default();
        Form::parse(query.as_bytes()).unwrap_or_default()
    }

    /// What stands in the path for a parameter of the pattern; empty where it has no such
    /// parameter.
    #[must_use]
    pub fn segment(&self, name: &str) -> &str {
        pattern::segment(self.pattern, self.path(), name)
    }

    /// The value of a header that is sent once and is text.
    #[must_use]
    pub fn header(&self, name: &HeaderName) -> Option<&str> {
        self.head.only(name).and_then(|value| value.to_str().ok())
    }

    /// The value of a cookie.
    #[must_use]
    pub fn cookie(&self, name: &str) -> Option<&str> {
        self.head.cookie(name)
    }

    /// The address that the request has come from.
    #[must_use]
    pub fn peer(&self) -> Option<IpAddr> {
        self.head.peer()
    }

    /// True when what is sent cannot be read on its way: browsers reach the server by https, or
    /// the browser runs on the server's own machine.
    #[must_use]
    pub fn is_private(&self) -> bool {
        self.api.connecting.is_https() || self.head.is_of_this_machine()
    }

    /// The answer with what was written before; without it for who has it already.
    #[must_use]
    pub fn answer(&self, written: &Written, media_type: HeaderValue) -> Response {
        written.answer(&self.head, media_type)
    }

    /// Counts a try to sign in from this address.
    ///
    /// # Errors
    /// `rate_limited` when there were too many.
    pub fn count_sign_in(&self) -> Result<(), Declined> {
        let counted = self.api.logins.count(self.peer());
        counted.map(drop).map_err(Declined)
    }

    /// Counts what a member is asked about a program that wants to be connected, for which its
    /// document may be fetched.
    ///
    /// # Errors
    /// `rate_limited` when there was too much.
    pub fn count_authorization(&self, member: &Member) -> Result<(), Declined> {
        let counted = self.api.authorizations.count(member.by());
        counted.map(drop).map_err(Declined)
    }

    /// Admits the visitor: by the value of their session, by the limit of requests, by the role;
    /// and, of a request that changes something, only from a page of this server. What a page asks
    /// for by itself ([`UNATTENDED`], and a stream) is no visit, by which the session would last
    /// longer: one that is left open ends like any other.
    ///
    /// # Errors
    /// In this order: `forbidden` for what a page of another site has sent, `unauthorized`,
    /// `rate_limited`, `forbidden`.
    pub async fn admit(
        &mut self,
        session: Option<&str>,
        least: Role,
    ) -> Result<Arc<Member>, Declined> {
        self.refuse_other_sites()?;
        let member = if self.header(&UNATTENDED).is_some() || self.wants_stream() {
            self.scheduler().member(session).await?
        } else {
            self.scheduler().visitor(session).await?
        };
        let member = Arc::new(member);
        let admitted = self.api.gate.admit_as(&self.head, member, least, &mut None);
        let member = admitted.map_err(Declined)?;
        *self.acting.lock().unwrap_or_else(PoisonError::into_inner) = Some(Acting::from(&*member));
        Ok(member)
    }

    /// Refuses what a page of another site has sent, where it may change something.
    ///
    /// # Errors
    /// `forbidden`.
    pub fn refuse_other_sites(&self) -> Result<(), Declined> {
        let is_safe = matches!(self.method, Method::GET | Method::HEAD);
        if is_safe || !self.head.is_of_other_site(&self.api.connecting.server) {
            return Ok(());
        }
        let message = "This was sent by a page of another site, and nothing was changed. Open the page here, and try again.";
        Err(Refusal::new(ErrorCode::Forbidden, message).into())
    }

    /// True when a stream of events is asked for.
    #[must_use]
    pub fn wants_stream(&self) -> bool {
        self.header(&ACCEPT).is_some_and(|kinds| kinds.contains("text/event-stream"))
    }

    /// What has changed in the workspace of a member since the place that is asked for, by ids
    /// alone, and what changes from now on: as a stream of events where one is asked for, else at
    /// once.
    ///
    /// # Errors
    /// `unavailable` when there are as many streams as there may be.
    pub async fn events(&self, member: &Arc<Member>) -> Result<Response, Declined> {
        let query = self.query();
        let place = self.header(&LAST_EVENT_ID).or_else(|| query.only("since"));
        let since = place.and_then(|place| DateTime::from_timestamp_micros(place.parse().ok()?));
        let answer = if self.wants_stream() && self.method != Method::HEAD {
            feed::stream(&self.api, member, since).await
        } else {
            feed::at_once(&self.api, member, since).await
        };
        answer.map_err(Declined)
    }

    /// Waits for a call that reaches beyond the store, such as to a network; it goes on to its end
    /// when the visitor goes away.
    ///
    /// # Errors
    /// Those of the call.
    pub async fn to_its_end<T, F>(&self, call: impl FnOnce(Scheduler) -> F) -> Result<T, Declined>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, AppError>> + Send + 'static,
    {
        self.api.to_its_end(call).await.map_err(Declined)
    }

    /// Looks at what the server needs, for an owner: `ok`, and the `checks` with a verdict each.
    ///
    /// # Errors
    /// `unsupported` where nobody looks; `rate_limited` while it is done for another.
    pub async fn examine(&self, member: &Member) -> Result<serde_json::Value, Declined> {
        member.require(Role::Owner)?;
        self.api.examine(member.workspace.id).await.map_err(Declined)
    }

    /// Rehearses the next `days` of the calendar of a member's workspace.
    ///
    /// # Errors
    /// `rate_limited` while another is rehearsed; those of the rehearsal.
    pub async fn rehearse(
        &self,
        member: &Member,
        days: Option<&str>,
    ) -> Result<Rehearsal, Declined> {
        self.api.rehearse(member, days).await.map_err(Declined)
    }

    /// Reads the form that a member has sent.
    ///
    /// # Errors
    /// `invalid_request` for a body that is none; `payload_too_large`; `unavailable` when too many
    /// bodies are in progress.
    pub async fn form(&mut self, member: &Member) -> Result<Form, Declined> {
        let body = self.body.get_mut().unwrap_or_else(PoisonError::into_inner);
        let (head, budget) = (&self.head, &self.api.bodies);
        let read = body.form_of_member(head, budget, member.workspace.id, FORM_MAX_BYTES);
        read.await.map_err(Declined)
    }

    /// Reads the form of whoever has shown this pass, which is one that is known.
    ///
    /// # Errors
    /// As [`Self::form`].
    pub async fn form_of(&mut self, pass: &Pass) -> Result<Form, Declined> {
        self.head.is_of_somebody_known();
        let body = self.body.get_mut().unwrap_or_else(PoisonError::into_inner);
        body.form(&self.head, &self.api.bodies, pass).await.map_err(Declined)
    }

    /// Reads the form of somebody who signs in.
    ///
    /// # Errors
    /// As [`Self::form`].
    pub async fn form_of_anyone(&mut self) -> Result<Form, Declined> {
        let body = self.body.get_mut().unwrap_or_else(PoisonError::into_inner);
        body.form_of_anyone(&self.head, &self.api.bodies).await.map_err(Declined)
    }
}
