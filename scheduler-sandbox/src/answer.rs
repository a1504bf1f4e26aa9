//! An HTTP answer as a value.

use bytes::Bytes;
use http::header::{CONTENT_TYPE, HeaderName, HeaderValue, LOCATION};
use http::{Response, StatusCode};
use http_body_util::Full;
use serde_json::Value;

/// The type of JSON, as most networks write it.
const JSON: &str = "application/json; charset=utf-8";

/// An answer that a network or the control gives.
#[derive(Clone, Debug)]
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    headers: Vec<(HeaderName, HeaderValue)>,
    body: Bytes,
}

impl Answer {
    fn new(status: StatusCode, content_type: &'static str, body: Bytes) -> Self {
        let headers = vec![(CONTENT_TYPE, HeaderValue::from_static(content_type))];
        Self { status, headers, body }
    }

    /// Builds an answer with a JSON body.
    pub(crate) fn json(status: StatusCode, body: &Value) -> Self {
        Self::new(status, JSON, Bytes::from(body.to_string()))
    }

    /// Returns the same answer, whose JSON is said to be JSON and no more: its character set is not
    /// named.
    pub(crate) fn plain_json(mut self) -> Self {
        for (name, value) in &mut self.headers {
            if *name == CONTENT_TYPE && *value == JSON {
                *value = HeaderValue::from_static("application/json");
            }
        }
        self
    }

    /// Builds an answer 200 with a JSON body.
    pub(crate) fn ok(body: &Value) -> Self {
        Self::json(StatusCode::OK, body)
    }

    /// Builds an answer with a page.
    pub(crate) fn html(status: StatusCode, body: String) -> Self {
        Self::new(status, "text/html; charset=utf-8", Bytes::from(body))
    }

    /// Builds an answer with a picture, which is of one colour.
    pub(crate) fn picture() -> Self {
        // A GIF of one pixel.
        let bytes =
            b"GIF89a\x01\0\x01\0\x80\0\0\x17\x49\x4b\0\0\0,\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;";
        Self::new(StatusCode::OK, "image/gif", Bytes::from_static(bytes))
    }

    /// Builds an answer without a body.
    pub(crate) fn empty(status: StatusCode) -> Self {
        Self { status, headers: Vec::new(), body: Bytes::new() }
    }

    /// Builds a redirect (302); a target that no header can hold becomes 400.
    pub(crate) fn redirect(target: &str) -> Self {
        match HeaderValue::from_str(target) {
            Ok(value) => Self {
                status: StatusCode::FOUND,
                headers: vec![(LOCATION, value)],
                body: Bytes::new(),
            },
            Err(_) => Self::empty(StatusCode::BAD_REQUEST),
        }
    }

    /// Returns its body.
    pub(crate) fn body(&self) -> &[u8] {
        &self.body
    }

    /// Adds a header; a value that no header can hold is left out.
    pub(crate) fn with_header(mut self, name: &'static str, value: &str) -> Self {
        if let Ok(value) = HeaderValue::from_str(value) {
            self.headers.push((HeaderName::from_static(name), value));
        }
        self
    }

    /// Turns the value into what hyper sends.
    pub(crate) fn into_response(self) -> Response<Full<Bytes>> {
        let mut response = Response::new(Full::new(self.body));
        *response.status_mut() = self.status;
        for (name, value) in self.headers {
            response.headers_mut().append(name, value);
        }
        response
    }
}

#[cfg(test)]
impl Answer {
    /// Reads the body of an answer as JSON.
    pub(crate) fn body_json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }
}
