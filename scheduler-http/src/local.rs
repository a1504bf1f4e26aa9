//! The server's answers without a socket, for a program that works on the same database.

use std::convert::Infallible;
use std::io;
use std::sync::Arc;

use bytes::Bytes;
use http::{HeaderMap, Request, StatusCode};
use http_body_util::{BodyExt as _, Full};
use scheduler_core::app::Member;
use tower::Service as _;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::api::Api;
use crate::app::App;
use crate::extract::Head;
use crate::{router, routes, server};

/// Answers the requests of a person whom the program itself lets in, such as whoever runs a command
/// on the server's machine: with the same handlers as a server, and without a session.
#[derive(Clone)]
pub struct Local {
    api: Arc<Api>,
    routes: BoxedFilter<(Response,)>,
    member: Arc<Member>,
}

impl std::fmt::Debug for Local {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Local").field("member", &self.member).finish_non_exhaustive()
    }
}

impl Local {
    /// Answers of an app to a person.
    ///
    /// # Errors
    /// When the capability sheets cannot be written as JSON.
    pub fn new(app: App, member: Member) -> io::Result<Self> {
        let api = Arc::new(Api::new(app, server::describe)?);
        let routes = router::filter(&api, routes::application().collect());
        Ok(Self { api, routes, member: Arc::new(member) })
    }

    /// Answers a request to the application.
    ///
    /// # Errors
    /// When the answer breaks off.
    pub async fn answer(
        &self,
        mut request: Request<Bytes>,
    ) -> io::Result<(StatusCode, HeaderMap, Bytes)> {
        request.extensions_mut().insert(Arc::clone(&self.member));
        let head = Head::take(&mut request);
        request.extensions_mut().insert(head);
        let mut service = warp::service(self.routes.clone());
        let answered: Result<_, Infallible> = service.call(request.map(Full::new)).await;
        let Ok(response) = answered;
        // The program may end before a second has passed.
        self.api.audit.store(&self.api.scheduler).await;
        let (parts, body) = response.into_parts();
        let body = body.collect().await.map_err(io::Error::other)?;
        Ok((parts.status, parts.headers, body.to_bytes()))
    }
}
