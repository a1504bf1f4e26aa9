//! What a grant allows.
//!
//! Source: <https://atproto.com/specs/permission>.

use http::StatusCode;
use serde_json::Value;

use crate::bluesky::error::XrpcError;
use crate::bluesky::input::parameter;
use crate::request::Request;

/// Something that a call needs to be allowed.
#[derive(Debug)]
enum Needed {
    Repo { collection: String, action: &'static str },
    Blob(String),
    Rpc { method: String, audience: String },
}

/// Checks whether a grant of these scopes allows a call.
///
/// # Errors
/// `ScopeMissingError`; `InvalidRequest` for a call without what it needs.
pub(in crate::bluesky) fn check(
    scopes: &str,
    method: &str,
    request: &Request,
) -> Result<(), XrpcError> {
    let scopes: Vec<Scope<'_>> = scopes.split(' ').map(Scope::read).collect();
    match needed(method, request)?.iter().find(|needed| !needed.is_allowed(&scopes)) {
        None => Ok(()),
        Some(missing) => Err(XrpcError {
            status: StatusCode::FORBIDDEN,
            error: "ScopeMissingError",
            message: format!("Missing required scope \"{}\"", missing.text()),
        }),
    }
}

fn needed(method: &str, request: &Request) -> Result<Vec<Needed>, XrpcError> {
    let writes = |actions: &[&'static str]| {
        let body = request.json();
        let collection = body.and_then(|body| body["collection"].as_str()).unwrap_or_default();
        let of = |action: &&'static str| Needed::Repo { collection: collection.to_owned(), action };
        actions.iter().map(of).collect()
    };
    Ok(match method {
        "com.atproto.repo.putRecord" => writes(&["create", "update"]),
        "com.atproto.repo.createRecord" => writes(&["create"]),
        "com.atproto.repo.deleteRecord" => writes(&["delete"]),
        "com.atproto.repo.uploadBlob" => vec![Needed::Blob(request.content_type())],
        "com.atproto.server.getServiceAuth" => vec![Needed::Rpc {
            method: parameter(request, "lxm")?.to_owned(),
            audience: parameter(request, "aud")?.to_owned(),
        }],
        method if method.starts_with("app.bsky.") => vec![Needed::Rpc {
            method: method.to_owned(),
            audience: crate::bluesky::VIEW_SERVICE.to_owned(),
        }],
        _ => Vec::new(),
    })
}

impl Needed {
    fn is_allowed(&self, scopes: &[Scope<'_>]) -> bool {
        scopes.iter().any(|scope| match self {
            Self::Repo { collection, action } => {
                let actions = scope.values("action");
                scope.is("repo", "collection", collection)
                    && (actions.is_empty() || actions.iter().any(|known| known == action))
            }
            Self::Blob(media_type) => {
                scope.kind == "blob"
                    && scope.named("accept").iter().any(|accepted| is_like(accepted, media_type))
            }
            Self::Rpc { method, audience } => {
                let known = scope.values("aud");
                scope.is("rpc", "lxm", method)
                    && known.iter().any(|known| known == "*" || known == audience)
            }
        })
    }

    /// The scope that would allow it, as the server words it.
    fn text(&self) -> String {
        match self {
            Self::Repo { collection, action } => format!("repo:{collection}?action={action}"),
            Self::Blob(media_type) => format!("blob:{media_type}"),
            Self::Rpc { method, audience } => format!("rpc:{method}?aud={audience}"),
        }
    }
}

fn is_like(accepted: &str, media_type: &str) -> bool {
    accepted == "*/*"
        || accepted == media_type
        || accepted.strip_suffix('*').is_some_and(|kind| media_type.starts_with(kind))
}

/// A scope: `kind:value?name=value&…`.
struct Scope<'a> {
    kind: &'a str,
    value: Option<&'a str>,
    pairs: Vec<(String, String)>,
}

impl<'a> Scope<'a> {
    fn read(text: &'a str) -> Self {
        let (head, query) = text.split_once('?').unwrap_or((text, ""));
        let (kind, value) = match head.split_once(':') {
            Some((kind, value)) => (kind, Some(value)),
            None => (head, None),
        };
        let pairs = serde_urlencoded::from_str(query).unwrap_or_default();
        Self { kind, value, pairs }
    }

    fn values(&self, name: &str) -> Vec<String> {
        let of_name = self.pairs.iter().filter(|(known, _)| known == name);
        of_name.map(|(_, value)| value.clone()).collect()
    }

    /// The values of the parameter that may also stand behind the kind.
    fn named(&self, name: &str) -> Vec<String> {
        self.value.map(str::to_owned).into_iter().chain(self.values(name)).collect()
    }

    fn is(&self, kind: &str, name: &str, wanted: &str) -> bool {
        self.kind == kind && self.named(name).iter().any(|known| known == "*" || known == wanted)
    }
}

/// Whether a text is a list of scopes that a grant can have.
pub(super) fn is_granted(scopes: &str) -> bool {
    let kinds = ["atproto", "repo", "blob", "rpc", "account", "identity", "include", "transition"];
    scopes.split(' ').any(|scope| scope == "atproto")
        && scopes.split(' ').all(|scope| kinds.contains(&Scope::read(scope).kind))
}

/// The scopes of a request, as the server's form has them.
pub(super) fn of(value: Option<&Value>) -> String {
    value.and_then(Value::as_str).unwrap_or("atproto").to_owned()
}
