//! The server's answers without a socket, for a program that works on the same database.

use std::convert::Infallible;
use std::error::Error;
use std::io;
use std::sync::Arc;

use bytes::Bytes;
use futures_util::{Stream, TryStreamExt as _};
use http::{HeaderMap, Request, StatusCode};
use http_body_util::{BodyExt as _, Full, StreamBody};
use hyper::body::{Body, Frame};
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
        let pages = app.pages;
        let api = Arc::new(Api::new(app, server::describe)?);
        let answered = routes::application().chain(routes::api()).chain(routes::files());
        let answered = answered.chain(pages.iter().copied());
        let routes = router::filter(&api, answered.collect());
        Ok(Self { api, routes, member: Arc::new(member) })
    }

    /// True where the bytes of files go to [`send`](Self::send): their signed links lead to this
    /// server, and not to a bucket.
    #[must_use]
    pub fn takes_files(&self) -> bool {
        self.api.signed_files.is_some()
    }

    /// Answers a request to the application, to the API of keys, or to what the app has beside them.
    ///
    /// # Errors
    /// When the answer breaks off.
    pub async fn answer(
        &self,
        request: Request<Bytes>,
    ) -> io::Result<(StatusCode, HeaderMap, Bytes)> {
        self.answered(request.map(Full::new)).await
    }

    /// Answers a request whose body comes piece by piece, such as that of a signed link.
    ///
    /// # Errors
    /// When the answer breaks off.
    pub async fn send<S, E>(
        &self,
        request: Request<S>,
    ) -> io::Result<(StatusCode, HeaderMap, Bytes)>
    where
        S: Stream<Item = Result<Bytes, E>> + Send + Sync + 'static,
        E: Into<Box<dyn Error + Send + Sync>> + 'static,
    {
        self.answered(request.map(|pieces| StreamBody::new(pieces.map_ok(Frame::data)))).await
    }

    async fn answered<B>(
        &self,
        mut request: Request<B>,
    ) -> io::Result<(StatusCode, HeaderMap, Bytes)>
    where
        B: Body + Send + Sync + 'static,
        B::Error: Into<Box<dyn Error + Send + Sync>>,
    {
        request.extensions_mut().insert(Arc::clone(&self.member));
        let head = Head::take(&mut request);
        request.extensions_mut().insert(head);
        let mut service = warp::service(self.routes.clone());
        let answered: Result<_, Infallible> = service.call(request).await;
        let Ok(response) = answered;
        // The program may end before a second has passed.
        self.api.audit.store(&self.api.scheduler).await;
        let (parts, body) = response.into_parts();
        let body = body.collect().await.map_err(io::Error::other)?;
        Ok((parts.status, parts.headers, body.to_bytes()))
    }
}
