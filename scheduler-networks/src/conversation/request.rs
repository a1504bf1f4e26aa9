//! A request as a value.

use std::fmt;

use scheduler_core::media::{FileFolder, Recipe};
use secrecy::SecretString;
use serde_json::Value;
use url::Url;

use super::{FormWithLinks, JsonWithLinks};

/// An HTTP method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Reads.
    Get,
    /// Does.
    Post,
}

/// The value of a header.
#[derive(Clone, Debug)]
pub enum HeaderValue {
    /// May be shown.
    Plain(String),
    /// Prints as `[redacted]`.
    Secret(SecretString),
}

/// A header of a request.
#[derive(Clone, Debug)]
pub struct Header {
    /// Its name, in lower case.
    pub name: &'static str,
    /// Its value.
    pub value: HeaderValue,
}

/// A file of a post, whose bytes the driver streams.
#[derive(Clone, PartialEq)]
pub struct FileBody {
    /// Where its bytes are kept.
    pub folder: FileFolder,
    /// What is made of it first; `None` sends it as it came.
    pub recipe: Option<&'static Recipe>,
    /// Its media type; what a recipe makes has its own.
    pub media_type: String,
}

/// A form with a file in it.
#[derive(Clone, PartialEq)]
pub struct FormWithFile {
    /// The other fields, before the file.
    pub fields: Vec<(&'static str, String)>,
    /// The name of the file's field.
    pub name: &'static str,
    /// What the file is called, without an extension; the driver adds that of its type.
    pub file_name: String,
    /// The file.
    pub file: FileBody,
}

/// What a request carries.
#[derive(Clone, PartialEq)]
pub enum Body {
    /// Nothing.
    Empty,
    /// JSON; keys are sorted, so that equal values are equal bytes.
    Json(Value),
    /// A form: `application/x-www-form-urlencoded`.
    Form(Vec<(&'static str, String)>),
    /// Bytes of a media type.
    Bytes {
        /// The media type.
        content_type: String,
        /// The bytes.
        bytes: Vec<u8>,
    },
    /// A file alone, under its own media type.
    File(FileBody),
    /// A form with a file: `multipart/form-data`.
    FormWithFile(Box<FormWithFile>),
    /// JSON with links to files, which the network fetches.
    JsonWithLinks(Box<JsonWithLinks>),
    /// A form with links to files, which the network fetches.
    FormWithLinks(Box<FormWithLinks>),
}

impl Body {
    /// The file whose bytes it carries.
    #[must_use]
    pub fn file(&self) -> Option<&FileBody> {
        match self {
            Self::File(file) => Some(file),
            Self::FormWithFile(form) => Some(&form.file),
            Self::Empty
            | Self::Json(_)
            | Self::Form(_)
            | Self::Bytes { .. }
            | Self::JsonWithLinks(_)
            | Self::FormWithLinks(_) => None,
        }
    }
}

/// A request to a network.
#[derive(Clone)]
pub struct Request {
    /// The method.
    pub method: Method,
    /// Where to, with its query.
    pub url: Url,
    /// Headers, besides those that follow from the body.
    pub headers: Vec<Header>,
    /// What it carries.
    pub body: Body,
    /// True when it makes something that others can see.
    pub is_visible: bool,
}

impl Request {
    /// A request that reads.
    #[must_use]
    pub const fn read(url: Url) -> Self {
        let (method, body) = (Method::Get, Body::Empty);
        Self { method, url, headers: Vec::new(), body, is_visible: false }
    }

    /// A request that does something that others cannot see.
    #[must_use]
    pub const fn act(url: Url, body: Body) -> Self {
        Self { method: Method::Post, url, headers: Vec::new(), body, is_visible: false }
    }

    /// The same, but others can see what it does.
    #[must_use]
    pub fn visible(self) -> Self {
        Self { is_visible: true, ..self }
    }

    /// The same with a token of the bearer scheme.
    #[must_use]
    pub fn bearer(self, token: &str) -> Self {
        let value = HeaderValue::Secret(SecretString::from(format!("Bearer {token}")));
        self.with("authorization", value)
    }

    /// The same with one more header, which may be shown.
    #[must_use]
    pub fn header(self, name: &'static str, value: String) -> Self {
        self.with(name, HeaderValue::Plain(value))
    }

    fn with(mut self, name: &'static str, value: HeaderValue) -> Self {
        self.headers.push(Header { name, value });
        self
    }
}

/// Paths and queries can hold tokens, and bodies captions: neither is printed.
impl fmt::Debug for Request {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Request")
            .field("method", &self.method)
            .field("host", &self.url.host_str())
            .field("headers", &self.headers)
            .field("body", &self.body)
            .field("is_visible", &self.is_visible)
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Body {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Self::Empty => "empty",
            Self::Json(_) => "[json]",
            Self::Form(_) => "[form]",
            Self::Bytes { .. } => "[bytes]",
            Self::File(_) => "[file]",
            Self::FormWithFile(_) => "[form with file]",
            Self::JsonWithLinks(_) => "[json with links]",
            Self::FormWithLinks(_) => "[form with links]",
        })
    }
}

/// Makes the whole of a request comparable with the sample of a network's documentation. Secrets
/// stay out.
#[cfg(test)]
pub(crate) fn shown(request: &Request) -> Value {
    let headers: serde_json::Map<String, Value> = request
        .headers
        .iter()
        .map(|header| {
            let value = match &header.value {
                HeaderValue::Plain(text) => text.clone(),
                HeaderValue::Secret(_) => "[redacted]".to_owned(),
            };
            (header.name.to_owned(), Value::String(value))
        })
        .collect();
    let body = match &request.body {
        Body::Empty => Value::Null,
        Body::Json(value) => value.clone(),
        Body::Form(pairs) => pairs.iter().map(|(name, value)| format!("{name}={value}")).collect(),
        Body::Bytes { content_type, bytes } => format!("{content_type}, {}", bytes.len()).into(),
        Body::File(file) => shown_file(file).into(),
        Body::FormWithFile(form) => {
            let FormWithFile { fields, name, file_name, file } = &**form;
            let fields: serde_json::Map<String, Value> = fields
                .iter()
                .map(|(name, value)| ((*name).to_owned(), Value::String(value.clone())))
                .collect();
            serde_json::json!({
                "fields": fields,
                "name": name,
                "fileName": file_name,
                "file": shown_file(file),
            })
        }
        Body::JsonWithLinks(json) => {
            let mut value = json.value.clone();
            for (pointer, linked) in &json.links {
                if let Some(place) = value.pointer_mut(pointer) {
                    *place = format!("link: {}", shown_file(&linked.file)).into();
                }
            }
            value
        }
        Body::FormWithLinks(form) => {
            let fields = form.fields.iter().map(|(name, value)| format!("{name}={value}"));
            let links = form.links.iter();
            let links =
                links.map(|(name, linked)| format!("{name}=link: {}", shown_file(&linked.file)));
            fields.chain(links).collect()
        }
    };
    let method = match request.method {
        Method::Get => "GET",
        Method::Post => "POST",
    };
    serde_json::json!({
        "request": format!("{method} {}", request.url),
        "headers": headers,
        "body": body,
        "visible": request.is_visible,
    })
}

#[cfg(test)]
fn shown_file(file: &FileBody) -> String {
    let recipe = file.recipe.map_or("as it came", |recipe| recipe.name);
    format!("{}, {}, {recipe}", file.folder.as_str(), file.media_type)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_prints_no_token_no_path_and_no_body() {
        let url = Url::parse("https://api.example/bot123:path/call?key=query").unwrap();
        let body = Body::Json(serde_json::json!({ "text": "caption" }));
        let request = Request::act(url.clone(), body)
            .bearer("token")
            .header("idempotency-key", "key-1".to_owned())
            .visible();
        let form = Request::act(url.clone(), Body::Form(vec![("password", "caption".to_owned())]));
        let bytes = Body::Bytes { content_type: "text/plain".to_owned(), bytes: b"caption".into() };
        for request in [request, form, Request::act(url, bytes)] {
            let printed = format!("{request:?} {:?}", Turn(&request));
            for secret in ["token", "caption", "bot123", "query", "password"] {
                assert!(!printed.contains(secret), "{secret}: {printed}");
            }
            assert!(printed.contains("api.example"), "{printed}");
        }
    }

    #[derive(Debug)]
    #[expect(dead_code, reason = "read by its Debug")]
    struct Turn<'a>(&'a Request);
}
