//! What a client calls itself, for the log.
//!
//! In the revisions without a handshake it says so within each call. In the earlier ones it says so
//! once, in `initialize`; the answer gives it an id of a session to send with all that follows,
//! which holds that name and nothing else. No session is kept.

use http::header::USER_AGENT;
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue};
use percent_encoding::{NON_ALPHANUMERIC, percent_decode_str, utf8_percent_encode};
use rmcp::model::Implementation;
use rmcp::service::{RequestContext, RoleServer};
use serde::Deserialize;

/// Characters of what a client names itself that are noted. Source: our decision.
const NAME_MAX_CHARACTERS: usize = 100;

/// Source: Model Context Protocol 2025-11-25, Session Management.
pub(crate) const SESSION: HeaderName = HeaderName::from_static("mcp-session-id");

/// What begins an id that holds a name.
const BEGINNING: &str = "client.";

/// What is read of the first message of a client.
#[derive(Deserialize)]
struct Message {
    method: String,
    params: Beginning,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Beginning {
    client_info: Implementation,
}

/// The id that holds the name of a client, of the body of its `initialize`; `None` of any other.
pub(crate) fn session_of(body: &[u8]) -> Option<HeaderValue> {
    let message: Message = serde_json::from_slice(body).ok()?;
    let name = bounded(&called(&message.params.client_info));
    let id = format!("{BEGINNING}{}", utf8_percent_encode(&name, NON_ALPHANUMERIC));
    HeaderValue::from_str(&id).ok().filter(|_| message.method == "initialize")
}

/// What the client of a request calls itself.
pub(crate) fn client_of(context: &RequestContext<RoleServer>) -> String {
    let parts = context.extensions.get::<Parts>();
    // Not `client_info` of the context: where the call itself does not say it, and no session is
    // kept, that is the name of the library.
    client_name(context.meta.client_info().as_ref(), parts.map(|parts| &parts.headers))
}

/// The name of a client for the log: what it says within its call, or has said at the beginning, or
/// says as every client of HTTP may.
pub(crate) fn client_name(said: Option<&Implementation>, headers: Option<&HeaderMap>) -> String {
    let header = |name| headers.and_then(|headers| headers.get(name)?.to_str().ok());
    let at_first = || {
        let name = header(SESSION)?.strip_prefix(BEGINNING)?;
        Some(percent_decode_str(name).decode_utf8_lossy().into_owned())
    };
    let name = said.map(called).or_else(at_first);
    let name = name.or_else(|| header(USER_AGENT).map(str::to_owned));
    bounded(&name.unwrap_or_else(|| "unnamed".to_owned()))
}

fn called(client: &Implementation) -> String {
    format!("{}/{}", client.name, client.version)
}

fn bounded(name: &str) -> String {
    name.chars().filter(|one| !one.is_control()).take(NAME_MAX_CHARACTERS).collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_is_said_in_the_call_comes_before_what_was_said_at_first_and_the_header() {
        let beginning = json!({
            "jsonrpc": "2.0", "id": 1, "method": "initialize",
            "params": {"clientInfo": {"name": "Ärger\n", "version": "1.0"}},
        });
        let session = session_of(beginning.to_string().as_bytes()).unwrap();
        let agent = HeaderValue::from_static("agent/2");
        let now = Implementation::new("now", "3");
        let headers = |all: &[(HeaderName, &HeaderValue)]| {
            all.iter().map(|(name, value)| (name.clone(), (*value).clone())).collect::<HeaderMap>()
        };
        let both = headers(&[(SESSION, &session), (USER_AGENT, &agent)]);
        let foreign = HeaderValue::from_static("of-another-server");
        for (said, headers, want) in [
            (Some(&now), Some(&both), "now/3"),
            (None, Some(&both), "Ärger/1.0"),
            (None, Some(&headers(&[(SESSION, &foreign), (USER_AGENT, &agent)])), "agent/2"),
            (None, Some(&HeaderMap::new()), "unnamed"),
            (None, None, "unnamed"),
        ] {
            assert_eq!(client_name(said, headers), want);
        }
    }

    #[test]
    fn only_the_first_message_is_answered_with_an_id_which_is_bounded() {
        let message = |method: &str, name: &str| {
            let info = json!({"name": name, "version": "1"});
            json!({"method": method, "params": {"clientInfo": info}}).to_string()
        };
        assert_eq!(session_of(message("tools/call", "a").as_bytes()), None);
        assert_eq!(session_of(br#"{"method": "initialize", "params": {}}"#), None);
        let long = session_of(message("initialize", &"ü".repeat(1_000)).as_bytes()).unwrap();
        let headers = HeaderMap::from_iter([(SESSION, long)]);
        assert_eq!(client_name(None, Some(&headers)), "ü".repeat(NAME_MAX_CHARACTERS));
    }
}
