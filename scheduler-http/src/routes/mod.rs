//! The routes: one file an endpoint, the folder its resource.
//!
//! Only the path and the method of a request may make a route pass it on. Whatever else is wrong
//! with it ends as an answer of the route that it came to.

mod accounts;
mod ai;
mod approve;
mod connect;
mod files;
mod health;
mod media;
mod platforms;
mod posts;
mod reference;
mod targets;
mod webhooks;

use std::convert::Infallible;
use std::future::ready;
use std::sync::Arc;

use warp::filters::BoxedFilter;
use warp::reply::Response;
use warp::{Filter, Rejection};

use crate::api::Api;
use crate::endpoints::{Endpoint, MONITORING_ENDPOINTS, allowed_methods, methods_among};
use crate::error::ApiError;
use crate::extract::{Body, Head};

/// The endpoint that answered; rides on its answer for the log.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Matched(pub(crate) &'static Endpoint);

/// Every route, as a balanced tree, and the answer to what fits none of them.
pub(crate) fn all(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    let routes = vec![
        // The most frequent first.
        posts::show::route(api),
        posts::create::route(api),
        posts::list::route(api),
        posts::update::route(api),
        posts::delete::route(api),
        posts::retry::route(api),
        posts::refresh_metrics::route(api),
        targets::read_metrics::route(api),
        targets::list_readings::route(api),
        targets::show_insights::route(api),
        targets::list_comments::route(api),
        targets::act_on_comment::route(api),
        targets::edit::route(api),
        targets::take_down::route(api),
        targets::change_account::route(api),
        media::list::route(api),
        media::create::route(api),
        media::show::route(api),
        media::delete::route(api),
        media::uploaded::route(api),
        media::complete::route(api),
        media::thumb::route(api),
        media::posts::route(api),
        accounts::list::route(api),
        accounts::audience::route(api),
        accounts::list_boards::route(api),
        accounts::list_playlists::route(api),
        accounts::create_playlist::route(api),
        accounts::show_creator::route(api),
        accounts::list_mentions::route(api),
        platforms::list::route(api),
        platforms::validate::route(api),
        ai::captions::route(api),
        ai::review::route(api),
        ai::show_review::route(api),
        webhooks::list::route(api),
        webhooks::create::route(api),
        webhooks::delete::route(api),
        files::read::route(api),
        files::send::route(api),
        connect::show::route(api),
        connect::start::route(api),
        connect::callback::route(api),
        connect::pick::show_route(api),
        connect::pick::route(api),
        approve::show::route(api),
        approve::decide::route(api),
        reference::openapi::route(api),
        reference::page::route(api),
        health::live::route(api),
        health::ready::route(api),
        health::metrics::route(api),
    ];
    without_end_slash().and(joined(routes)).or(unmatched(allowed_methods)).unify().boxed()
}

/// The routes of a server that is there to be monitored alone.
pub(crate) fn monitoring(api: &Arc<Api>) -> BoxedFilter<(Response,)> {
    let routes =
        vec![health::live::route(api), health::ready::route(api), health::metrics::route(api)];
    let unmatched = unmatched(|path| methods_among(MONITORING_ENDPOINTS.iter(), path));
    without_end_slash().and(joined(routes)).or(unmatched).unify().boxed()
}

/// Refuses a path that ends in `/`, which the path filters take as if it did not.
fn without_end_slash() -> impl Filter<Extract = (), Error = Rejection> + Clone {
    let accept = |head: Head| {
        let ends_in_slash = head.path().ends_with('/');
        ready(if ends_in_slash { Err(warp::reject::not_found()) } else { Ok(()) })
    };
    head().and_then(accept).untuple_one()
}

/// Joins routes in pairs, the pairs in pairs, until one is left.
fn joined(mut routes: Vec<BoxedFilter<(Response,)>>) -> BoxedFilter<(Response,)> {
    if routes.len() <= 1 {
        return routes.pop().unwrap_or_else(|| unmatched(allowed_methods).boxed());
    }
    let right = routes.split_off(routes.len() / 2);
    joined(routes).or(joined(right)).unify().boxed()
}

/// Answers what no route takes: 405 for a path that exists, else 404.
fn unmatched(
    allowed: impl Fn(&str) -> Option<String> + Copy + Send + Sync + 'static,
) -> impl Filter<Extract = (Response,), Error = Rejection> + Clone {
    head().map(move |head: Head| {
        let error = match allowed(head.path()) {
            Some(allowed) => ApiError::wrong_method(&allowed),
            None => ApiError::no_such_path(),
        };
        error.into_response()
    })
}

/// Takes GET, and HEAD as a GET without a body.
fn get() -> impl Filter<Extract = (), Error = Rejection> + Copy {
    warp::get().or(warp::head()).unify()
}

/// Gives a route the head of the request.
fn head() -> impl Filter<Extract = (Head,), Error = Rejection> + Copy {
    warp::ext::get::<Head>()
}

/// Gives a route the body of the request, unread.
fn body() -> impl Filter<Extract = (Body,), Error = Rejection> + Copy {
    warp::body::stream().map(Body::new)
}

/// Gives a route what it works with.
fn with(api: &Arc<Api>) -> impl Filter<Extract = (Arc<Api>,), Error = Infallible> + Clone + use<> {
    let api = Arc::clone(api);
    warp::any().map(move || Arc::clone(&api))
}

/// Makes the answer of an endpoint out of what came of it.
async fn answered(
    endpoint: &'static Endpoint,
    result: impl Future<Output = Result<Response, ApiError>>,
) -> Response {
    let mut response = result.await.unwrap_or_else(ApiError::into_response);
    response.extensions_mut().insert(Matched(endpoint));
    response
}
