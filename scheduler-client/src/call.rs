//! One request to the API.

use std::time::Duration;

use http::header::{CONTENT_TYPE, HeaderMap, HeaderName, HeaderValue, IF_MATCH};
use http::{Method, Request};
use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};
use serde_json::Value;
use url::{Position, Url};

use scheduler_core::bytes::Bytes;

use crate::error::Error;

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

/// What is encoded in a segment of a path. Source: RFC 3986, section 2.3.
const MEANINGFUL: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~');

/// One of the two APIs of a server.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Surface {
    /// That of keys, for programs.
    Api,
    /// That of the application, for people who are logged in.
    Application,
}

impl Surface {
    /// What its paths begin with.
    const fn base(self) -> &'static str {
        match self {
            Self::Api => "/v1",
            Self::Application => "/app/v1",
        }
    }
}

/// A request to the API, for whatever the client has no method of.
///
/// ```
/// use scheduler_client::Call;
/// let call = Call::get("/posts").query("limit", Some(10)).query("status", None::<&str>);
/// ```
#[derive(Clone, Debug)]
pub struct Call<'a> {
    method: Method,
    surface: Surface,
    path: &'a str,
    query: Vec<(&'static str, String)>,
    body: Option<&'a Value>,
    idempotency_key: Option<&'a str>,
    revision: Option<i64>,
    time_limit: Option<Duration>,
    is_keyless: bool,
    is_repeatable: bool,
}

impl<'a> Call<'a> {
    /// A request without a body to a path below that of the API, such as `/posts`. What stands in
    /// the path and comes from outside goes through [`segment`] first.
    #[must_use]
    pub const fn new(method: Method, path: &'a str) -> Self {
        Self {
            method,
            surface: Surface::Api,
            path,
            query: Vec::new(),
            body: None,
            idempotency_key: None,
            revision: None,
            time_limit: None,
            is_keyless: false,
            is_repeatable: false,
        }
    }

    /// A GET.
    #[must_use]
    pub const fn get(path: &'a str) -> Self {
        Self::new(Method::GET, path)
    }

    /// A POST with a body.
    #[must_use]
    pub const fn post(path: &'a str, body: &'a Value) -> Self {
        Self::new(Method::POST, path).with_body(body)
    }

    /// A PATCH with a body.
    #[must_use]
    pub const fn patch(path: &'a str, body: &'a Value) -> Self {
        Self::new(Method::PATCH, path).with_body(body)
    }

    /// A PUT with a body.
    #[must_use]
    pub const fn put(path: &'a str, body: &'a Value) -> Self {
        Self::new(Method::PUT, path).with_body(body)
    }

    /// The same with a body.
    #[must_use]
    pub const fn with_body(mut self, body: &'a Value) -> Self {
        self.body = Some(body);
        self
    }

    /// The same to the application instead of the API of keys.
    #[must_use]
    pub const fn of_application(mut self) -> Self {
        self.surface = Surface::Application;
        self
    }

    /// The same without a key.
    #[must_use]
    pub const fn keyless(mut self) -> Self {
        self.is_keyless = true;
        self
    }

    /// The same with a parameter, where it has a value.
    #[must_use]
    pub fn query(mut self, name: &'static str, value: Option<impl ToString>) -> Self {
        self.query.extend(value.map(|value| (name, value.to_string())));
        self
    }

    /// The same, only for a post that is still at this revision.
    #[must_use]
    pub const fn at_revision(mut self, revision: i64) -> Self {
        self.revision = Some(revision);
        self
    }

    /// The same with an answer that may take this long, in place of a minute.
    #[must_use]
    pub const fn with_time_limit(mut self, time_limit: Duration) -> Self {
        self.time_limit = Some(time_limit);
        self
    }

    /// The same under an idempotency key, of 8 to 200 characters, where there is one.
    #[must_use]
    pub const fn idempotent(mut self, key: Option<&'a str>) -> Self {
        self.idempotency_key = key;
        self
    }

    /// The same, which may be sent again when its answer was lost: a second time changes nothing.
    /// GET and PUT and what has an idempotency key are so anyway.
    #[must_use]
    pub const fn repeatable(mut self) -> Self {
        self.is_repeatable = true;
        self
    }

    /// Its method.
    #[must_use]
    pub const fn method(&self) -> &Method {
        &self.method
    }

    /// Its path from the root of the server, without parameters.
    #[must_use]
    pub fn whole_path(&self) -> String {
        let below = self.path.split('?').next().unwrap_or(self.path);
        format!("{}{below}", self.surface.base())
    }

    /// How long its answer may take, where it says so itself.
    pub(crate) const fn time_limit(&self) -> Option<Duration> {
        self.time_limit
    }

    pub(crate) const fn needs_key(&self) -> bool {
        !self.is_keyless
    }

    /// Whether a second time changes nothing.
    pub(crate) fn may_be_repeated(&self) -> bool {
        let is_safe = matches!(self.method, Method::GET | Method::HEAD | Method::PUT);
        is_safe || self.is_repeatable || self.idempotency_key.is_some()
    }

    /// Whether the server makes it once under a key.
    pub(crate) const fn has_key(&self) -> bool {
        self.idempotency_key.is_some()
    }

    /// It, as it goes to a transport: with the path from the root of the server alone.
    pub(crate) fn request(&self, bearer: Option<HeaderValue>) -> Result<Request<Bytes>, Error> {
        // Read by the rules of addresses, which encode what a person has typed.
        let whole = format!("http://server{}{}", self.surface.base(), self.path);
        let mut url = Url::parse(&whole).map_err(|_| Error::NotAnId(self.path.to_owned()))?;
        if !self.query.is_empty() {
            url.query_pairs_mut().extend_pairs(&self.query);
        }
        let mut headers = HeaderMap::new();
        headers.extend(bearer.map(|bearer| (http::header::AUTHORIZATION, bearer)));
        if let Some(key) = self.idempotency_key {
            let key = HeaderValue::from_str(key).map_err(|_| Error::IdempotencyKey)?;
            headers.insert(IDEMPOTENCY_KEY, key);
        }
        if let Some(revision) = self.revision {
            let tag = HeaderValue::from_str(&format!("\"{revision}\""));
            headers.extend(tag.ok().map(|tag| (IF_MATCH, tag)));
        }
        let body = match self.body {
            Some(body) => {
                headers.insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
                body.to_string().into()
            }
            None => Bytes::new(),
        };
        let request = Request::builder().method(self.method.clone());
        let request = request.uri(&url[Position::BeforePath..]).body(body);
        let mut request = request.map_err(|_| Error::NotAnId(self.path.to_owned()))?;
        *request.headers_mut() = headers;
        Ok(request)
    }
}

/// A text as one segment of a path: whatever has a meaning of its own there is percent-encoded.
///
/// ```
/// assert_eq!(scheduler_client::segment("did:plc:a/b")?, "did%3Aplc%3Aa%2Fb");
/// # Ok::<(), scheduler_client::Error>(())
/// ```
///
/// # Errors
/// [`Error::NotAnId`] for the segments that every client takes out of a path.
pub fn segment(text: &str) -> Result<String, Error> {
    if matches!(text, "" | "." | "..") {
        return Err(Error::NotAnId(text.to_owned()));
    }
    Ok(utf8_percent_encode(text, MEANINGFUL).to_string())
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use serde_json::json;
    use url::form_urlencoded;

    use super::*;

    #[test]
    fn an_id_is_one_segment_and_arrives_as_it_was() {
        for (name, id, want) in [
            ("plain", "Ugx_1-2.3~4", "Ugx_1-2.3~4"),
            ("slashes", "did:plc:a/b", "did%3Aplc%3Aa%2Fb"),
            ("percent signs", "100%25", "100%2525"),
            ("an emoji", "a😀", "a%F0%9F%98%80"),
            ("what ends a path", "a?b#c\\d", "a%3Fb%23c%5Cd"),
            ("a space and a plus", "a b+c", "a%20b%2Bc"),
            ("dots within", "a..", "a.."),
        ] {
            let segment = segment(id).unwrap();
            assert_eq!(segment, want, "{name}");
            let path = format!("/comments/{segment}");
            let request = Call::get(&path).request(None).unwrap();
            let last = request.uri().path().rsplit('/').next().unwrap();
            assert_eq!(last, want, "{name}: nothing is changed on the way");
            let decoded: Vec<Cow<'_, str>> =
                form_urlencoded::parse(last.as_bytes()).map(|(name, _)| name).collect();
            assert_eq!(decoded, [id], "{name}");
        }
        for id in ["", ".", ".."] {
            assert!(matches!(segment(id), Err(Error::NotAnId(_))), "{id:?}");
        }
    }

    #[test]
    fn a_call_becomes_a_request() {
        let body = json!({"content": "Hi"});
        let call = Call::patch("/posts/1", &body).at_revision(7).idempotent(Some("order-10"));
        let call = call.query("q", Some("a b&c")).query("limit", None::<u32>);
        let request = call.request(Some(HeaderValue::from_static("Bearer k"))).unwrap();
        assert_eq!(request.uri(), "/v1/posts/1?q=a+b%26c");
        let header = |name| request.headers().get(name).and_then(|value| value.to_str().ok());
        for (name, want) in [
            ("authorization", Some("Bearer k")),
            ("content-type", Some("application/json")),
            ("idempotency-key", Some("order-10")),
            ("if-match", Some("\"7\"")),
        ] {
            assert_eq!(header(name), want, "{name}");
        }
        assert_eq!(request.body(), r#"{"content":"Hi"}"#);
        let call = Call::new(Method::POST, "/login").of_application();
        assert_eq!(call.request(None).unwrap().uri(), "/app/v1/login");
        let split = Call::get("/posts").idempotent(Some("a\nb")).request(None);
        assert!(matches!(split, Err(Error::IdempotencyKey)), "{split:?}");
    }

    #[test]
    fn what_may_be_sent_again() {
        let body = Value::Null;
        for (name, call, want) in [
            ("a look", Call::get("/posts"), true),
            ("a replacement", Call::put("/snippets/a", &body), true),
            ("something new", Call::post("/posts", &body), false),
            ("the same under a key", Call::post("/posts", &body).idempotent(Some("k")), true),
            ("said to change nothing", Call::post("/x", &body).repeatable(), true),
            ("a change", Call::patch("/posts/1", &body), false),
            // The first cancels a post, the second would remove its record.
            ("a removal", Call::new(Method::DELETE, "/posts/1"), false),
        ] {
            assert_eq!(call.may_be_repeated(), want, "{name}");
        }
    }
}
