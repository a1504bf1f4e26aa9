//! Finds the endpoint of a request.
//!
//! Only the path and the method of a request may lead past an endpoint. Whatever else is wrong with
//! it ends as an answer of the endpoint that it came to.

use std::sync::Arc;

use http::Method;
use warp::Filter;
use warp::filters::BoxedFilter;
use warp::reply::Response;

use crate::api::Api;
use crate::call::Call;
use crate::endpoint::Endpoint;
use crate::error::ApiError;
use crate::extract::{Body, Head, Query};

/// Answers every request by one of these endpoints, or says why none takes it.
pub(crate) fn filter(
    api: &Arc<Api>,
    endpoints: Vec<&'static Endpoint>,
) -> BoxedFilter<(Response,)> {
    let api = Arc::clone(api);
    let endpoints: Arc<[_]> = endpoints.into();
    warp::method()
        .and(warp::ext::get::<Head>())
        .and(warp::body::stream().map(Body::new))
        .then(move |method, head: Head, body| {
            let api = Arc::clone(&api);
            let found = find(&endpoints, &method, head.path());
            async move {
                match found {
                    Ok(endpoint) => {
                        let (query, pattern) = (Query::default(), endpoint.pattern);
                        let call = Call { api, method, head, body, query, pattern };
                        endpoint.answer(call).await
                    }
                    Err(error) => error.into_response(),
                }
            }
        })
        .boxed()
}

/// The endpoint that takes a method on a path.
///
/// # Errors
/// 405 with the methods that the path takes, 404 for a path that does not exist.
pub(crate) fn find(
    endpoints: &[&'static Endpoint],
    method: &Method,
    path: &str,
) -> Result<&'static Endpoint, ApiError> {
    let found = endpoints.iter().find(|endpoint| endpoint.takes(method) && endpoint.matches(path));
    found.copied().ok_or_else(|| match allowed_methods(endpoints, path) {
        Some(allowed) => ApiError::wrong_method(&allowed),
        None if endpoints.iter().any(|endpoint| endpoint.matches_but_for_ids(path)) => {
            ApiError::no_id_in_path()
        }
        None => ApiError::no_such_path(),
    })
}

/// The methods that a path takes, as the header `Allow` lists them; `None` for a path that does
/// not exist.
fn allowed_methods(endpoints: &[&'static Endpoint], path: &str) -> Option<String> {
    let mut methods = Vec::new();
    for endpoint in endpoints.iter().filter(|endpoint| endpoint.matches(path)) {
        methods.push(endpoint.method.as_str());
        if endpoint.method == Method::GET {
            methods.push("HEAD");
        }
    }
    (!methods.is_empty()).then(|| methods.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::routes;

    #[test]
    fn allowed_methods_of_paths() {
        let id = "0190a0a0-0000-7000-8000-000000000000";
        let all: Vec<_> = routes::all().collect();
        for (path, want) in [
            ("/v1/posts".to_owned(), Some("GET, HEAD, POST")),
            (format!("/v1/posts/{id}"), Some("GET, HEAD, PATCH, DELETE")),
            (format!("/v1/posts/{id}/retry"), Some("POST")),
            ("/v1/posts/retry".to_owned(), Some("POST")),
            ("/v1/posts/batch".to_owned(), Some("POST")),
            ("/v1/posts/many".to_owned(), None),
            ("/v1/posts/metrics/refresh".to_owned(), Some("POST")),
            (format!("/v1/posts/{id}/targets/{id}/comments"), Some("GET, HEAD")),
            (format!("/v1/posts/{id}/targets/{id}/comments/a%2Fb%25"), Some("POST")),
            (format!("/v1/posts/{id}/targets/{id}/comments/a/b"), None),
            (format!("/v1/posts/{id}/targets/{id}/remote"), Some("PATCH, DELETE")),
            ("/v1/posts/".to_owned(), None),
            ("/posts".to_owned(), None),
            ("/healthz".to_owned(), Some("GET, HEAD")),
            (format!("/files/{id}/{id}/original"), Some("GET, HEAD, PUT")),
            (format!("/files/{id}/{id}/"), None),
            (format!("/files/{id}/original"), None),
            ("/connect/bluesky/client-metadata.json".to_owned(), Some("GET, HEAD")),
            ("/v1/openapi.json".to_owned(), Some("GET, HEAD")),
            ("/openapi.json".to_owned(), None),
            ("/connect/bluesky".to_owned(), None),
            ("/".to_owned(), None),
        ] {
            assert_eq!(allowed_methods(&all, &path).as_deref(), want, "{path}");
        }
    }

    #[test]
    fn names_and_places_are_unique() {
        let all: Vec<_> = routes::all().collect();
        for (index, endpoint) in all.iter().enumerate() {
            for other in &all[index + 1..] {
                assert_ne!(endpoint.name, other.name);
                assert!(
                    (&endpoint.method, endpoint.pattern) != (&other.method, other.pattern),
                    "{} and {}",
                    endpoint.name,
                    other.name
                );
            }
        }
    }
}
