//! A request as the networks see it.

use std::sync::OnceLock;

use http::header::{AUTHORIZATION, CONTENT_TYPE};
use http::uri::Authority;
use http::{HeaderMap, Method};
use percent_encoding::percent_decode_str;
use serde_json::Value;

use crate::body::Body;

/// A request whose body has arrived.
#[derive(Debug)]
pub(crate) struct Request {
    pub(crate) method: Method,
    /// Path below the network's own, percent-encoding kept, starting with `/`.
    pub(crate) path: String,
    query: Vec<(String, String)>,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Body,
    json: OnceLock<Option<Value>>,
}

impl Request {
    /// Puts a request together; a query that is no form counts as none.
    pub(crate) fn new(
        method: Method,
        path: &str,
        query: Option<&str>,
        headers: HeaderMap,
        body: Body,
    ) -> Self {
        let query =
            query.and_then(|text| serde_urlencoded::from_str(text).ok()).unwrap_or_default();
        Self { method, path: path.to_owned(), query, headers, body, json: OnceLock::new() }
    }

    /// Returns the first value of a query parameter.
    pub(crate) fn query(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Returns every value of a query parameter, in order.
    pub(crate) fn query_all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.query.iter().filter(move |(key, _)| key == name).map(|(_, value)| value.as_str())
    }

    /// Returns all query parameters, in order.
    pub(crate) fn query_pairs(&self) -> &[(String, String)] {
        &self.query
    }

    /// Returns a header's text.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// Returns the address at which the sandbox was asked, without a slash at its end.
    pub(crate) fn asked_at(&self) -> Option<String> {
        let host = self.header("host").filter(|host| host.parse::<Authority>().is_ok())?;
        let is_https = self.header("x-forwarded-proto") == Some("https");
        Some(format!("{}://{host}", if is_https { "https" } else { "http" }))
    }

    /// Returns the declared type of the body without its parameters, in lower case.
    pub(crate) fn content_type(&self) -> String {
        let declared =
            self.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or("");
        declared.split(';').next().unwrap_or("").trim().to_ascii_lowercase()
    }

    /// Returns the token of an `Authorization: Bearer` header.
    pub(crate) fn bearer(&self) -> Option<&str> {
        self.authorized("bearer")
    }

    /// Returns the token of an `Authorization: DPoP` header.
    pub(crate) fn bound(&self) -> Option<&str> {
        self.authorized("dpop")
    }

    fn authorized(&self, by: &str) -> Option<&str> {
        let value = self.headers.get(AUTHORIZATION)?.to_str().ok()?;
        let (scheme, token) = value.split_once(' ')?;
        scheme.eq_ignore_ascii_case(by).then(|| token.trim())
    }

    /// Reads the body as JSON; `None` when it is larger than what is kept or no JSON.
    pub(crate) fn json(&self) -> Option<&Value> {
        let read = || serde_json::from_slice(self.body.whole()?).ok();
        self.json.get_or_init(read).as_ref()
    }

    /// Returns the segments of the path, percent-decoded.
    pub(crate) fn segments(&self) -> Vec<String> {
        self.path
            .split('/')
            .filter(|segment| !segment.is_empty())
            .map(|segment| percent_decode_str(segment).decode_utf8_lossy().into_owned())
            .collect()
    }
}

#[cfg(test)]
impl Request {
    /// Makes a request without a connection.
    pub(crate) fn of(
        method: Method,
        path: &str,
        headers: &[(&'static str, &str)],
        body: Vec<u8>,
    ) -> Self {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.insert(*name, value.parse().unwrap());
        }
        let content_type = map.get(CONTENT_TYPE).map_or("", |value| value.to_str().unwrap());
        let body = Body::of(body, content_type);
        Self::new(method, path, None, map, body)
    }
}
