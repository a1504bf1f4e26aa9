//! How commands reach the API: a server over a connection, or the handlers within this process over
//! the database of this machine.

use std::io;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use http::header::HOST;
use http::{HeaderMap, HeaderValue, Method, Request, Response, StatusCode};
use scheduler_client::transport::{self, Pieces, TakesFiles, Transport};
use scheduler_client::{Error, Refused as RefusedCall};
use scheduler_core::error::ErrorCode;
use scheduler_http::Local;
use scheduler_http::endpoints::{Access, all};

use crate::config::ClientSettings;
use crate::failure::{Failure, Needs, Refused};

pub(crate) use scheduler_client::transport::{Route, cause};
pub(crate) use scheduler_client::{Answer, Call, Client, segment};

/// What the log of a server has.
const USER_AGENT: &str = concat!("scheduler/", env!("CARGO_PKG_VERSION"));

/// How long a call may take behind which a model writes, once or twice.
pub(crate) const MODEL_TIMEOUT: Duration = Duration::from_secs(300);

/// The client of a server; [`Failure::Other`] when the system offers no TLS.
pub(crate) fn connect(settings: ClientSettings) -> Result<Client, Failure> {
    let builder = Client::builder(settings.base).secret_key(settings.api_key);
    Ok(builder.user_agent(USER_AGENT).build()?)
}

/// A client of the handlers in this process, over what is called so.
pub(crate) fn local(local: Local, name: String) -> Client {
    Client::over(Arc::new(WithinProcess(local)), name)
}

/// The handlers in this process.
#[derive(Debug)]
struct WithinProcess(Local);

#[async_trait]
impl Transport for WithinProcess {
    async fn exchange(
        &self,
        mut request: Request<Bytes>,
        _: Option<Duration>,
    ) -> Result<Response<Bytes>, Error> {
        request.headers_mut().insert(HOST, HeaderValue::from_static("localhost"));
        let answered = Box::pin(self.0.answer(request)).await;
        answered.map(response).map_err(|error| Error::Transport(error.into()))
    }

    fn needs_key(&self) -> bool {
        false
    }

    fn files(&self) -> Option<&dyn TakesFiles> {
        self.0.takes_files().then_some(self)
    }
}

#[async_trait]
impl TakesFiles for WithinProcess {
    async fn put(&self, request: Request<Pieces>) -> io::Result<Response<Bytes>> {
        Box::pin(self.0.send(request)).await.map(response)
    }
}

fn response((status, headers, body): (StatusCode, HeaderMap, Bytes)) -> Response<Bytes> {
    let mut response = Response::new(body);
    (*response.status_mut(), *response.headers_mut()) = (status, headers);
    response
}

/// Connections for calls of at most `timeout` that are none of the API's.
pub(crate) fn build(timeout: Duration, route: Route) -> Result<reqwest::Client, Failure> {
    Ok(transport::connections(USER_AGENT, timeout, route)?)
}

/// The failure of a call that brought no answer.
pub(crate) fn unreachable(base: &str, error: &reqwest::Error) -> Failure {
    Error::unreachable(base, error).into()
}

/// The failure of an answer that is none of this program's.
pub(crate) fn not_ours(base: &str, status: StatusCode) -> Failure {
    Error::not_ours(base, status).into()
}

impl From<RefusedCall> for Refused {
    /// With what a person has to know beyond the words of the server.
    fn from(refused: RefusedCall) -> Self {
        let RefusedCall { mut error, retry_after, request_id, method, path, .. } = refused;
        if let Some(wait) = retry_after {
            error.message = format!("{} Try again in {} s.", error.message, wait.as_secs());
        }
        if let (ErrorCode::Internal, Some(id)) = (error.code, request_id) {
            error.message = format!("{} (request {id})", error.message);
        }
        Self::new(error, needs_of(&method, &path))
    }
}

/// What the endpoint of a request declares that it needs.
fn needs_of(method: &Method, path: &str) -> Needs {
    let found = all().find(|endpoint| endpoint.method == *method && endpoint.matches(path));
    match found.map(|endpoint| endpoint.access()) {
        Some(Access::Scope(scope)) => Needs::Scopes(vec![scope]),
        Some(Access::All(scopes) | Access::AnyOf(scopes)) => Needs::Scopes(scopes.to_vec()),
        Some(Access::Role(role)) => Needs::Role(role),
        Some(Access::Keyless | Access::AnyKey) | None => Needs::Scopes(Vec::new()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    use scheduler_core::key::Scope;
    use scheduler_core::session::Role;

    #[test]
    fn endpoints_say_what_a_request_needs() {
        const ID: &str = "01993b5c-2b7e-7000-8000-000000000001";
        for (method, path, want) in [
            (Method::GET, "/posts?limit=1".to_owned(), &[Scope::PostsRead][..]),
            (Method::POST, "/posts".to_owned(), &[Scope::PostsWrite, Scope::PostsPublish]),
            (Method::DELETE, format!("/posts/{ID}"), &[Scope::PostsWrite]),
            (Method::DELETE, format!("/media/{ID}"), &[Scope::MediaWrite]),
            (
                Method::POST,
                format!("/posts/{ID}/targets/{ID}/comments/a%2Fb"),
                &[Scope::PostsPublish],
            ),
            (Method::GET, "/workspace/webhooks".to_owned(), &[Scope::WebhooksRead]),
            (Method::GET, "/platforms".to_owned(), &[]),
            (Method::GET, "/nowhere".to_owned(), &[]),
        ] {
            let needs = needs_of(&method, &Call::new(method.clone(), &path).whole_path());
            assert_eq!(needs, Needs::Scopes(want.to_vec()), "{method} {path}");
        }
        let needs = needs_of(&Method::GET, &Call::get("/keys").of_application().whole_path());
        assert_eq!(needs, Needs::Role(Role::Owner));
    }
}
