//! A request that has arrived whole, with the network that it is for.

use http::{HeaderMap, HeaderName, HeaderValue, Method};
use serde::{Deserialize, Serialize};

use crate::body::Body;
use crate::request::Request;

/// A request and where it is for.
#[derive(Debug)]
pub(crate) struct Arrived {
    /// The network by its place; `None` for the control and the page.
    pub(crate) network: Option<usize>,
    /// Path from the root, percent-encoding kept.
    pub(crate) path: String,
    pub(crate) query: Option<String>,
    /// The request, its path without the first segment when it is for a network.
    pub(crate) request: Request,
}

/// A request as a journal has it.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Written {
    method: String,
    path: String,
    query: Option<String>,
    headers: Vec<(String, String)>,
    /// A body that is short text.
    text: Option<String>,
    /// Any other: what the networks look at.
    body: Option<Body>,
}

impl Arrived {
    /// Finds the network of a request among the names.
    pub(crate) fn new(
        platforms: &[&str],
        method: Method,
        path: &str,
        query: Option<&str>,
        headers: HeaderMap,
        body: Body,
    ) -> Self {
        let network = network_of(platforms, path);
        let (_, rest) = split(path);
        let own_path = match network {
            None => path,
            Some(_) if rest.is_empty() => "/",
            Some(_) => rest,
        };
        let request = Request::new(method, own_path, query, headers, body);
        Self { network, path: path.to_owned(), query: query.map(str::to_owned), request }
    }

    /// Returns the request for a journal.
    pub(crate) fn to_written(&self) -> Written {
        let request = &self.request;
        let header = |(name, value): (&HeaderName, &HeaderValue)| {
            (name.as_str().to_owned(), String::from_utf8_lossy(value.as_bytes()).into_owned())
        };
        let text = request.body.whole().and_then(|body| std::str::from_utf8(body).ok());
        Written {
            method: request.method.as_str().to_owned(),
            path: self.path.clone(),
            query: self.query.clone(),
            headers: request.headers.iter().map(header).collect(),
            text: text.map(str::to_owned),
            body: text.is_none().then(|| request.body.cut()),
        }
    }

    /// Reads a request of a journal.
    ///
    /// # Errors
    /// What it is that no request has.
    pub(crate) fn from_written(written: Written, platforms: &[&str]) -> Result<Self, String> {
        let method = Method::from_bytes(written.method.as_bytes()).map_err(|e| e.to_string())?;
        let mut headers = HeaderMap::new();
        for (name, value) in written.headers {
            let name: HeaderName = name.parse().map_err(|_| format!("{name} is no header"))?;
            let value = HeaderValue::from_bytes(value.as_bytes())
                .map_err(|_| format!("{name} is no header"))?;
            headers.append(name, value);
        }
        let body = written.body.unwrap_or_else(|| {
            Body::of(written.text.unwrap_or_default().into_bytes(), content_type(&headers))
        });
        let query = written.query.as_deref();
        Ok(Self::new(platforms, method, &written.path, query, headers, body))
    }
}

/// Returns the place of the network that a path is for; `None` for the control and the page.
pub(crate) fn network_of(platforms: &[&str], path: &str) -> Option<usize> {
    let (first, _) = split(path);
    platforms.iter().position(|platform| *platform == first)
}

/// Returns the declared type of a body with its parameters.
pub(crate) fn content_type(headers: &HeaderMap) -> &str {
    headers.get("content-type").and_then(|value| value.to_str().ok()).unwrap_or("")
}

/// Splits a path into its first segment and the rest, which starts with a slash or is empty.
pub(crate) fn split(path: &str) -> (&str, &str) {
    let path = path.strip_prefix('/').unwrap_or(path);
    path.split_at(path.find('/').unwrap_or(path.len()))
}
