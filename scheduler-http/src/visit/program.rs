//! A program that has shown a key, a session, or a token that a person has granted it, and what it
//! asks within the server in a protocol of another crate.

use std::sync::Arc;

use bytes::Bytes;
use futures_util::stream;
use http::header::{AUTHORIZATION, CONTENT_LENGTH};
use http::{HeaderValue, Request, StatusCode};
use http_body_util::BodyExt as _;
use scheduler_core::app::{Caller, Credential, Member, Scheduler};
use scheduler_core::audit::ToolCall;
use scheduler_core::error::{AccessRefusal, ErrorCode, Refusal};
use scheduler_core::key::{Scope, Scopes};
use warp::reply::Response;

use super::{Declined, Visit};
use crate::api::Api;
use crate::call::Call;
use crate::endpoint::Endpoint;
use crate::error::ApiError;
use crate::extract::{Body, FromTool, Head, Query};
use crate::{router, routes};

/// Bytes that a body holds at most, as one of the API does.
const BODY_MAX_BYTES: usize = 1 << 20;

/// A program that was let in by its key, by its token, by the session of a person, or by the program
/// that this is part of.
///
/// What it asks is answered by the endpoints of the API as if it had come over a connection with
/// the same credential: that is looked at again, its scopes count, and so does its limit of
/// requests. Endpoints of the application answer a session as they do elsewhere; a key or a token
/// they answer as a member of its workspace who drafts where it writes anything, else as one who
/// reads, and never as more. Whoever asks looks at the scopes first.
pub struct Program {
    api: Arc<Api>,
    caller: Arc<Caller>,
    local_member: Option<Arc<Member>>,
    authorization: HeaderValue,
    endpoints: Vec<&'static Endpoint>,
}

impl std::fmt::Debug for Program {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Program").field("caller", &self.caller.by).finish_non_exhaustive()
    }
}

impl Declined {
    /// The answer of the API to the refusal.
    #[must_use]
    pub fn into_answer(self) -> Response {
        self.0.into_response()
    }
}

impl Visit {
    /// Admits a program, and reads what it has sent: only for a host that this server is called by,
    /// from no page of another origin, by its key or session, by the limit of requests, as JSON.
    /// Whom the program itself lets in comes over no connection, and so for no host.
    ///
    /// # Errors
    /// In this order: 421 `invalid_request` for another host; `forbidden` for an origin that is
    /// neither the server's own nor among `allowed_origins`; `unauthorized`; `rate_limited`; those
    /// of a body.
    pub async fn into_program(mut self) -> Result<(Program, Request<Bytes>), Declined> {
        let server = &self.api.connecting.server;
        let local_member = self.head.local_member().cloned();
        if local_member.is_none() && !self.head.is_for(server) {
            let message = format!(
                "This server does not answer to that host; use {}, or have its operator set public_url.",
                server.host_str().unwrap_or("localhost")
            );
            let refusal = Refusal::new(ErrorCode::InvalidRequest, message);
            return Err(Declined(ApiError::with_status(refusal, StatusCode::MISDIRECTED_REQUEST)));
        }
        if !self.head.is_of_origin(server, &self.api.allowed_origins) {
            let message = "Pages of other origins are refused, unless the operator names them in allowed_origins.";
            return Err(Refusal::new(ErrorCode::Forbidden, message).into());
        }
        let admitted = self.api.gate.admit_to_tools(&self.head).await;
        let caller = admitted.map_err(|why| {
            let is_unknown = why.code() == ErrorCode::Unauthorized;
            let shown = self.head.bearer().map(|_| "invalid_token");
            Declined(if is_unknown { self.api.challenged(why, shown, None) } else { why })
        })?;
        let workspace = caller.workspace.id;
        let body = self.body.get_mut().unwrap_or_else(std::sync::PoisonError::into_inner);
        let read = body.bytes(&self.head, &self.api.bodies, workspace, BODY_MAX_BYTES).await;
        let (body, charge) = read.map_err(Declined)?;
        // Given back before anything is asked within: each of those requests is charged for its own
        // body, and would wait in vain for a share that this one holds.
        drop(charge);
        let authorization = self.head.only(&AUTHORIZATION).cloned();
        let authorization = authorization.unwrap_or(HeaderValue::from_static(""));
        let request = self.head.request(self.method, body).map_err(ApiError::internal);
        let request = request.map_err(Declined)?;
        let endpoints = routes::api().chain(routes::application()).collect();
        Ok((Program { api: self.api, caller, local_member, authorization, endpoints }, request))
    }
}

impl Program {
    /// Who it is, and what it may do.
    #[must_use]
    pub fn caller(&self) -> &Caller {
        &self.caller
    }

    /// The use cases.
    #[must_use]
    pub fn scheduler(&self) -> &Scheduler {
        &self.api.scheduler
    }

    /// Notes a call of a tool in the audit log: its name, where it came in, who called it and what
    /// came of it.
    pub fn note(&self, tool: &str, path: &str, call: ToolCall) {
        self.api.audit.note_call(&self.api.scheduler, &self.caller, tool, path, call);
    }

    /// The answer to a program that a person has connected, and that needs more than was granted: it
    /// asks its person then. `None` for one that has these scopes, and for one with a key.
    #[must_use]
    pub fn needing(&self, scopes: &[Scope]) -> Option<Response> {
        let Credential::Grant(_) = self.caller.by else { return None };
        let granted = self.caller.scopes;
        let missing: Vec<Scope> =
            scopes.iter().copied().filter(|scope| !granted.allows(*scope)).collect();
        if missing.is_empty() {
            return None;
        }
        let all: Vec<Scope> = granted.iter().chain(missing.iter().copied()).collect();
        let why = ApiError::from(Refusal::from(AccessRefusal::MissingScope(missing)));
        let (error, all) = (Some("insufficient_scope"), Some(Scopes::of(&all)));
        Some(self.api.challenged(why, error, all).into_response())
    }

    /// Answers what a tool asks of the API of keys, or of the application, with the credential of
    /// the program.
    pub async fn answer(&self, mut request: Request<Bytes>) -> (StatusCode, Bytes) {
        // A body of unknown length would be charged as the longest that there can be.
        let length = HeaderValue::from(request.body().len());
        request.headers_mut().insert(CONTENT_LENGTH, length);
        request.headers_mut().insert(AUTHORIZATION, self.authorization.clone());
        request.extensions_mut().insert(FromTool);
        match (&self.local_member, self.caller.by) {
            (Some(member), _) => drop(request.extensions_mut().insert(Arc::clone(member))),
            (None, Credential::Key(_) | Credential::Grant(_)) => {
                request.extensions_mut().insert(Arc::clone(&self.caller));
            }
            (None, Credential::Session(_) | Credential::Program) => {}
        }
        let (method, head) = (request.method().clone(), Head::take(&mut request));
        let response = match router::find(&self.endpoints, &method, head.path()) {
            Ok(endpoint) => {
                let body = stream::once(std::future::ready(Ok(request.into_body())));
                let (api, query) = (Arc::clone(&self.api), Query::default());
                let (body, pattern) = (Body::new(body), endpoint.pattern);
                endpoint.answer(Call { api, method, head, body, query, pattern }).await
            }
            Err(error) => error.into_response(),
        };
        let (parts, body) = response.into_parts();
        match body.collect().await {
            Ok(body) => (parts.status, body.to_bytes()),
            Err(error) => {
                tracing::warn!(%error, "an answer within the server broke off");
                (StatusCode::INTERNAL_SERVER_ERROR, Bytes::new())
            }
        }
    }
}
