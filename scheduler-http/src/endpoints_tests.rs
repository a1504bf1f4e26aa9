//! Paths and the methods that they take.

use super::*;

#[test]
fn allowed_methods_of_paths() {
    let id = "0190a0a0-0000-7000-8000-000000000000";
    for (path, want) in [
        ("/v1/posts".to_owned(), Some("GET, HEAD, POST")),
        (format!("/v1/posts/{id}"), Some("GET, HEAD, PATCH, DELETE")),
        (format!("/v1/posts/{id}/retry"), Some("POST")),
        ("/v1/posts/retry".to_owned(), None),
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
        ("/connect/youtube".to_owned(), Some("GET, HEAD, POST")),
        ("/connect/youtube/callback".to_owned(), Some("GET, HEAD")),
        ("/connect/youtube/pick".to_owned(), Some("GET, HEAD, POST")),
        ("/approve/x".to_owned(), Some("GET, HEAD, POST")),
        ("/v1/openapi.json".to_owned(), Some("GET, HEAD")),
        ("/docs".to_owned(), Some("GET, HEAD")),
        ("/openapi.json".to_owned(), None),
        ("/connect/".to_owned(), None),
        ("/".to_owned(), None),
    ] {
        assert_eq!(allowed_methods(&path).as_deref(), want, "{path}");
    }
}

#[test]
fn names_and_places_are_unique() {
    let pages = CONNECT_ENDPOINTS.iter().chain(&APPROVAL_ENDPOINTS);
    let others = FILE_ENDPOINTS.iter().chain(&REFERENCE_ENDPOINTS).chain(pages);
    let all: Vec<_> = ENDPOINTS.iter().chain(others).collect();
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
