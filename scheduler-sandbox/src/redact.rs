//! Keeping secrets out of what the control shows.

use serde_json::Value;

const HIDDEN: &str = "[redacted]";

/// Headers that carry tokens.
const SECRET_HEADERS: [&str; 6] =
    ["authorization", "cookie", "dpop", "proxy-authorization", "set-cookie", "x-api-key"];

/// Members of bodies and queries that carry secrets.
const SECRET_MEMBERS: [&str; 14] = [
    "access_token",
    "appsecret_proof",
    "assertion",
    "client_secret",
    "code",
    "code_verifier",
    "fb_exchange_token",
    "input_token",
    "password",
    "refresh_token",
    "secret",
    "token",
    "upload_id",
    "upload_token",
];

/// Returns a header's value as it may be shown.
pub(crate) fn header(name: &str, value: &str) -> String {
    if SECRET_HEADERS.contains(&name) { HIDDEN.to_owned() } else { value.to_owned() }
}

/// Returns a path as it may be shown: calls of Telegram carry the bot's token, `/bot1:secret/`, and
/// those of Discord that of a webhook, `/webhooks/1/secret`.
pub(crate) fn path(text: &str) -> String {
    let is_bot = |segment: &str| {
        let decoded = segment.replace("%3A", ":").replace("%3a", ":");
        let id = decoded.strip_prefix("bot").and_then(|token| token.split_once(':'));
        id.is_some_and(|(id, _)| id.parse::<u64>().is_ok())
    };
    let segments: Vec<&str> = text.split('/').collect();
    let is_of_webhook = |at: usize| {
        let before = |back: usize| at.checked_sub(back).and_then(|at| segments.get(at));
        before(2) == Some(&"webhooks") && before(1).is_some_and(|id| id.parse::<u64>().is_ok())
    };
    let shown = segments.iter().enumerate().map(|(at, segment)| match segment {
        _ if is_bot(segment) => format!("bot{HIDDEN}"),
        _ if is_of_webhook(at) => HIDDEN.to_owned(),
        segment => (*segment).to_owned(),
    });
    shown.collect::<Vec<_>>().join("/")
}

/// Returns a query as it may be shown.
pub(crate) fn query(text: &str) -> String {
    pairs(text).unwrap_or_else(|| text.to_owned())
}

/// Returns a body as it may be shown; one without secrets comes back byte by byte. `None` when it
/// has secrets that cannot be cut out.
pub(crate) fn body(content_type: &str, text: &str) -> Option<String> {
    if content_type == "multipart/form-data" {
        let has_secret =
            SECRET_MEMBERS.iter().any(|name| text.contains(&format!("name=\"{name}\"")));
        return (!has_secret).then(|| text.to_owned());
    }
    let hidden = if content_type == "application/x-www-form-urlencoded" {
        pairs(text)
    } else {
        serde_json::from_str(text)
            .ok()
            .and_then(|mut value: Value| hide(&mut value).then(|| value.to_string()))
    };
    Some(hidden.unwrap_or_else(|| text.to_owned()))
}

/// Returns a form without its secrets, or `None` when it has none.
fn pairs(text: &str) -> Option<String> {
    let mut pairs: Vec<(String, String)> = serde_urlencoded::from_str(text).ok()?;
    let mut found = false;
    for (name, value) in &mut pairs {
        if SECRET_MEMBERS.contains(&name.as_str()) {
            HIDDEN.clone_into(value);
            found = true;
        }
    }
    if found { serde_urlencoded::to_string(pairs).ok() } else { None }
}

/// Hides secrets at any depth and says whether there were any.
fn hide(value: &mut Value) -> bool {
    let mut found = false;
    match value {
        Value::Object(members) => {
            for (name, member) in members {
                if SECRET_MEMBERS.contains(&name.as_str()) && member.is_string() {
                    *member = Value::from(HIDDEN);
                    found = true;
                } else {
                    found |= hide(member);
                }
            }
        }
        Value::Array(items) => {
            for item in items {
                found |= hide(item);
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_hidden_and_the_rest_is_left_alone() {
        for (name, content_type, text, want) in [
            (
                "json",
                "application/json",
                r#"{"identifier":"a","password":"p"}"#,
                r#"{"identifier":"a","password":"[redacted]"}"#,
            ),
            (
                "nested",
                "application/json",
                r#"[{"a":{"token":"t"}}]"#,
                r#"[{"a":{"token":"[redacted]"}}]"#,
            ),
            (
                "no secret: as sent",
                "application/json",
                r#"{ "b": 1, "a": 2 }"#,
                r#"{ "b": 1, "a": 2 }"#,
            ),
            ("form", "application/x-www-form-urlencoded", "code=1&x=2", "code=%5Bredacted%5D&x=2"),
            ("text", "text/plain", "code=1", "code=1"),
        ] {
            assert_eq!(body(content_type, text).as_deref(), Some(want), "{name}");
        }
        let form = "Content-Disposition: form-data; name=\"client_secret\"\r\n\r\nx";
        assert_eq!(body("multipart/form-data", form), None);
        assert_eq!(header("authorization", "Bearer x"), HIDDEN);
        assert_eq!(header("accept", "x"), "x");
        for (name, text, want) in [
            ("a bot's token", "/telegram/bot1:AAx/getMe", "/telegram/bot[redacted]/getMe"),
            ("encoded", "/telegram/bot1%3AAAx/getMe", "/telegram/bot[redacted]/getMe"),
            (
                "a webhook's token",
                "/discord/api/v10/webhooks/12/AbC-d/messages/3",
                "/discord/api/v10/webhooks/12/[redacted]/messages/3",
            ),
            ("webhooks of a channel", "/channels/1/webhooks", "/channels/1/webhooks"),
            ("no token", "/bot/bottle/botany:x", "/bot/bottle/botany:x"),
        ] {
            assert_eq!(path(text), want, "{name}");
        }
    }
}
