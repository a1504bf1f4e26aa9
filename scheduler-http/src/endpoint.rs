//! What an endpoint declares, once, in its file `routes/<resource>/<verb>.rs`.

use std::sync::{Arc, PoisonError};

use futures_util::future::BoxFuture;
use http::Method;
use scheduler_core::app::{Caller, Member};
use scheduler_core::session::Role;
use warp::reply::Response;

use crate::access::{Access, RATE_LIMIT, RATE_LIMIT_POLICY};
use crate::audit::Acting;
use crate::call::Call;
use crate::error::ApiError;
use crate::openapi::description::Description;
use crate::parameter::Parameter;
use crate::pattern;
use crate::visit::{PageHandler, Visit};

/// One endpoint. The router, the header `Allow`, the labels of metrics and the OpenAPI document are
/// made from it.
#[derive(Debug)]
pub struct Endpoint {
    /// The operation's name: verb and resource.
    pub name: &'static str,
    /// The method; where it is GET, HEAD is taken as well.
    pub method: Method,
    /// The path, with `{…}` in place of a uuid, and `{name}`, `{commentId}` or the places of a file
    /// in place of any segment.
    pub pattern: &'static str,
    /// The parameters of the query that it reads.
    pub query: &'static [Parameter],
    /// Who may call it, and what answers them.
    pub(crate) handler: Handler,
    /// What the OpenAPI document says of it; `None` outside of the API.
    pub(crate) description: Option<fn() -> Description>,
}

/// What a handler gives: the answer, or why there is none.
pub(crate) type Handling = BoxFuture<'static, Result<Response, ApiError>>;

/// Who may call an endpoint, and what answers them.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Handler {
    /// Anyone, without a key.
    Keyless(fn(Call) -> Handling),
    /// Whoever has a key that does.
    Keyed(Access, fn(Call, Arc<Caller>) -> Handling),
    /// The same; it makes something, once for each Idempotency-Key.
    Repeatable(Access, fn(Call, Arc<Caller>) -> Handling),
    /// Whoever has a session of this role, or one above it.
    Member(Role, fn(Call, Arc<Member>) -> Handling),
    /// A page, which lets its visitors in itself.
    Page(PageHandler),
}

/// A part of the server that has a document of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Surface {
    /// What keys open.
    Api,
    /// What sessions of people open.
    Application,
}

impl Surface {
    /// Where its paths begin.
    #[must_use]
    pub const fn base(self) -> &'static str {
        match self {
            Self::Api => "/v1",
            Self::Application => "/app/v1",
        }
    }
}

/// The endpoint that answered; rides on its answer for the log.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Matched(pub(crate) &'static Endpoint);

impl Endpoint {
    /// Who may call it.
    #[must_use]
    pub const fn access(&self) -> Access {
        match self.handler {
            Handler::Keyless(_) | Handler::Page(_) => Access::Keyless,
            Handler::Keyed(access, _) | Handler::Repeatable(access, _) => access,
            Handler::Member(least, _) => Access::Role(least),
        }
    }

    /// True when it makes something, once for each Idempotency-Key.
    #[must_use]
    pub const fn is_repeatable(&self) -> bool {
        matches!(self.handler, Handler::Repeatable(..))
    }

    /// True for a page of another crate.
    #[must_use]
    pub const fn is_page(&self) -> bool {
        matches!(self.handler, Handler::Page(_))
    }

    /// The part of the server whose document describes it; `None` for what stands beside them.
    #[must_use]
    pub fn surface(&self) -> Option<Surface> {
        self.description?;
        let surfaces = [Surface::Api, Surface::Application];
        surfaces.into_iter().find(|surface| self.pattern.starts_with(surface.base()))
    }

    /// True when a path has the form of the pattern.
    #[must_use]
    pub fn matches(&self, path: &str) -> bool {
        pattern::matches(self.pattern, path)
    }

    /// True when a path has the form of the pattern but for its ids.
    pub(crate) fn matches_but_for_ids(&self, path: &str) -> bool {
        pattern::matches_but_for_ids(self.pattern, path)
    }

    /// True when it takes a method.
    pub(crate) fn takes(&self, method: &Method) -> bool {
        self.method == *method || (*method == Method::HEAD && self.method == Method::GET)
    }

    /// Answers a request that has come to it.
    pub(crate) async fn answer(&'static self, mut call: Call) -> Response {
        let mut budget = None;
        let (api, path) = (Arc::clone(&call.api), call.head.path().to_owned());
        let mut acting = None;
        let handled = match self.handler {
            Handler::Keyless(handle) => handle(call).await,
            Handler::Keyed(access, handle) | Handler::Repeatable(access, handle) => {
                match call.admit(access, self.query, &mut budget).await {
                    Ok(caller) => {
                        acting = Some(Acting::from(&*caller));
                        handle(call, caller).await
                    }
                    Err(error) => Err(error),
                }
            }
            Handler::Member(least, handle) => {
                let program = call.head.program().cloned();
                match call.admit_member(least, self.query, &mut budget).await {
                    Ok(member) => {
                        let of_key = program.map(|caller| Acting::from(&*caller));
                        acting = Some(of_key.unwrap_or_else(|| Acting::from(&*member)));
                        handle(call, member).await
                    }
                    Err(error) => Err(error),
                }
            }
            Handler::Page(show) => {
                let (visit, visitor) = Visit::of(call);
                let page = show(visit).await;
                acting = visitor.lock().unwrap_or_else(PoisonError::into_inner).take();
                Ok(page)
            }
        };
        let mut response = handled.unwrap_or_else(ApiError::into_response);
        if let Some(acting) = acting {
            api.audit.note(&api.scheduler, acting, self, &path, &response);
        }
        response.extensions_mut().insert(Matched(self));
        if let Some(budget) = budget {
            let headers = [(RATE_LIMIT, budget.state()), (RATE_LIMIT_POLICY, budget.policy())];
            let headers = headers.into_iter();
            let headers = headers.filter_map(|(name, value)| Some((name, value.try_into().ok()?)));
            response.headers_mut().extend(headers);
        }
        response
    }
}
