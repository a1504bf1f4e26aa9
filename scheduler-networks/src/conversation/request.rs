//! A request as a value.

use std::fmt;
use std::ops::Range;

use scheduler_core::media::{FileFolder, Recipe};
use scheduler_core::ports::JobFile;
use secrecy::{ExposeSecret, SecretString};
use serde_json::Value;
use url::Url;

use super::{FormPart, FormWithLinks, JsonWithFiles, JsonWithLinks, PartContent};
use crate::proof::{Proof, ProofKey};

/// An HTTP method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Reads.
    Get,
    /// Does.
    Post,
    /// Replaces.
    Put,
    /// Changes.
    Patch,
    /// Removes.
    Delete,
}

impl Method {
    /// Its name.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Get => "GET",
            Self::Post => "POST",
            Self::Put => "PUT",
            Self::Patch => "PATCH",
            Self::Delete => "DELETE",
        }
    }
}

/// The value of a header.
#[derive(Clone, Debug)]
pub enum HeaderValue {
    /// May be shown.
    Plain(String),
    /// Prints as `[redacted]`.
    Secret(SecretString),
    /// What the driver signs as it sends.
    Signed(Box<Proof>),
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
    pub recipe: Option<Box<Recipe>>,
    /// Its media type; what a recipe makes has its own.
    pub media_type: String,
    /// Which of its bytes; `None` for all.
    pub range: Option<Range<u64>>,
}

impl FileBody {
    /// A file of a job, whole: as it came, or as what its network takes of it.
    #[must_use]
    pub fn of(file: &JobFile) -> Self {
        let media_type = file.facts.mime_type.clone();
        Self {
            folder: file.folder.clone(),
            recipe: file.recipe.map(Box::new),
            media_type: media_type.unwrap_or_else(|| "application/octet-stream".to_owned()),
            range: None,
        }
    }

    /// What a recipe makes of it.
    #[must_use]
    pub fn made_by(self, recipe: &Recipe) -> Self {
        Self { recipe: Some(Box::new(*recipe)), ..self }
    }

    /// Some of its bytes.
    #[must_use]
    pub fn bytes(self, range: Range<u64>) -> Self {
        Self { range: Some(range), ..self }
    }
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
    /// A PDF that is made of images as it is sent, a page of each; they have to be JPEGs by then.
    ImagesAsPdf(Vec<FileBody>),
    /// Bytes and files one after the other, as one file of a media type.
    Joined {
        /// The media type.
        content_type: &'static str,
        /// What it is made of.
        pieces: Vec<Piece>,
    },
    /// A form with files: `multipart/form-data`.
    Multipart(Vec<FormPart>),
    /// JSON with files in it, as base64.
    JsonWithFiles(Box<JsonWithFiles>),
    /// JSON with links to files, which the network fetches.
    JsonWithLinks(Box<JsonWithLinks>),
    /// A form with links to files, which the network fetches.
    FormWithLinks(Box<FormWithLinks>),
}

impl Body {
    /// The files whose bytes it carries, in their order.
    #[must_use]
    pub fn files(&self) -> Vec<&FileBody> {
        match self {
            Self::File(file) => vec![file],
            Self::ImagesAsPdf(files) => files.iter().collect(),
            Self::Joined { pieces, .. } => {
                let files = pieces.iter().filter_map(|piece| match piece {
                    Piece::File(file) => Some(file),
                    Piece::Bytes(_) => None,
                });
                files.collect()
            }
            Self::Multipart(parts) => {
                let files = parts.iter().filter_map(|part| match &part.content {
                    PartContent::File { file, .. } => Some(file),
                    PartContent::Text(_) | PartContent::Json(_) | PartContent::Bytes { .. } => None,
                });
                files.collect()
            }
            Self::JsonWithFiles(json) => json.files.iter().map(|(_, file)| file).collect(),
            Self::Empty
            | Self::Json(_)
            | Self::Form(_)
            | Self::Bytes { .. }
            | Self::JsonWithLinks(_)
            | Self::FormWithLinks(_) => Vec::new(),
        }
    }
}

/// A piece of a body that is made of several.
#[derive(Clone, PartialEq)]
pub enum Piece {
    /// Bytes of our own.
    Bytes(Vec<u8>),
    /// A file.
    File(FileBody),
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
        let method = Method::Post;
        Self { method, url, headers: Vec::new(), body, is_visible: false }
    }

    /// The same by another method.
    #[must_use]
    pub fn method(self, method: Method) -> Self {
        Self { method, ..self }
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

    /// The same with a token that is bound to a key, and with the proof of that key.
    ///
    /// Source: RFC 9449, section 7.1.
    #[must_use]
    pub(crate) fn bound(self, key: &ProofKey, token: &SecretString) -> Self {
        let proof = Proof { key: key.clone(), token: Some(token.clone()), client: None };
        let value = SecretString::from(format!("DPoP {}", token.expose_secret()));
        self.with("authorization", HeaderValue::Secret(value)).proven(proof)
    }

    /// The same with a proof.
    #[must_use]
    pub(crate) fn proven(self, proof: Proof) -> Self {
        self.with("dpop", HeaderValue::Signed(Box::new(proof)))
    }

    /// The proof that goes with it.
    pub(crate) fn proof(&self) -> Option<&Proof> {
        self.headers.iter().find_map(|header| match &header.value {
            HeaderValue::Signed(proof) => Some(&**proof),
            HeaderValue::Plain(_) | HeaderValue::Secret(_) => None,
        })
    }

    /// The same with one more header, which is never shown.
    #[must_use]
    pub fn secret_header(self, name: &'static str, value: String) -> Self {
        self.with(name, HeaderValue::Secret(SecretString::from(value)))
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
            Self::ImagesAsPdf(_) => "[pdf of images]",
            Self::Joined { .. } => "[bytes and files]",
            Self::Multipart(_) => "[form with files]",
            Self::JsonWithFiles(_) => "[json with files]",
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
                HeaderValue::Signed(_) => "[signed]".to_owned(),
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
        Body::ImagesAsPdf(images) => images.iter().map(shown_file).collect(),
        Body::Joined { content_type, .. } => (*content_type).into(),
        Body::Multipart(parts) => {
            let parts = parts.iter().map(|part| match &part.content {
                PartContent::Text(text) => serde_json::json!({ "name": part.name, "text": text }),
                PartContent::Json(value) => serde_json::json!({ "name": part.name, "json": value }),
                PartContent::Bytes { file_name, media_type, bytes } => serde_json::json!({
                    "name": part.name,
                    "fileName": file_name,
                    "mediaType": media_type,
                    "text": String::from_utf8_lossy(bytes),
                }),
                PartContent::File { file_name, file } => serde_json::json!({
                    "name": part.name,
                    "fileName": file_name,
                    "file": shown_file(file),
                }),
            });
            parts.collect()
        }
        Body::JsonWithFiles(json) => {
            let mut value = json.value.clone();
            for (pointer, file) in &json.files {
                if let Some(place) = value.pointer_mut(pointer) {
                    *place = format!("base64: {}", shown_file(file)).into();
                }
            }
            value
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
    serde_json::json!({
        "request": format!("{} {}", request.method.as_str(), request.url),
        "headers": headers,
        "body": body,
        "visible": request.is_visible,
    })
}

#[cfg(test)]
fn shown_file(file: &FileBody) -> String {
    let recipe = file.recipe.as_ref().map_or("as it came", |recipe| recipe.name);
    let bytes = file.range.as_ref().map(|range| format!(", bytes {range:?}")).unwrap_or_default();
    format!("{}, {}, {recipe}{bytes}", file.folder.as_str(), file.media_type)
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
