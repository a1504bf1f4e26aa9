//! The JSON of a chat endpoint.

use reqwest::StatusCode;
use scheduler_core::ports::{AssistantError, Prompt};
use serde::Deserialize;
use serde_json::json;

use super::unavailable;

/// Longest words of a refusal that are kept, in characters.
const REFUSAL_CHARACTERS: usize = 300;

#[derive(Deserialize)]
struct Completion {
    choices: Vec<Choice>,
}

#[derive(Deserialize)]
struct Choice {
    message: Message,
    #[serde(default)]
    finish_reason: Option<String>,
}

#[derive(Deserialize)]
struct Message {
    #[serde(default)]
    content: Option<String>,
    #[serde(default)]
    refusal: Option<String>,
}

#[derive(Deserialize)]
struct Models {
    data: Vec<Model>,
}

#[derive(Deserialize)]
struct Model {
    id: String,
}

#[derive(Deserialize)]
struct ErrorBody {
    error: ErrorDetail,
}

#[derive(Deserialize)]
struct ErrorDetail {
    #[serde(default)]
    code: Option<serde_json::Value>,
}

/// The body of a call.
pub(super) fn body(model: &str, prompt: &Prompt) -> String {
    let mut body = json!({
        "model": model,
        "messages": [
            {"role": "system", "content": prompt.instructions},
            {"role": "user", "content": prompt.input},
        ],
    });
    if prompt.json {
        body["response_format"] = json!({"type": "json_object"});
    }
    body.to_string()
}

/// Why an answer of a status is none; `None` for a good one. Quotes nothing of the body: it may
/// repeat what was sent.
pub(super) fn fault(status: StatusCode, body: &[u8]) -> Option<AssistantError> {
    if status == StatusCode::OK {
        return None;
    }
    // Some providers filter what they are sent before any model sees it.
    let code = serde_json::from_slice::<ErrorBody>(body).ok().and_then(|body| body.error.code);
    let code = code.as_ref().and_then(serde_json::Value::as_str).unwrap_or_default();
    if matches!(code, "content_filter" | "content_policy_violation") {
        return Some(AssistantError::Declined(None));
    }
    let number = status.as_u16();
    Some(unavailable(match number {
        401 | 403 => format!("its key was refused ({number})"),
        404 => "there is no such address or model (404)".to_owned(),
        429 => "it was called too often, or its credit is used up (429)".to_owned(),
        _ => format!("it answered with status {number}"),
    }))
}

/// The names of the models of a list; `None` when it is none, or an empty one.
pub(super) fn models(body: &[u8]) -> Option<Vec<String>> {
    let models = serde_json::from_slice::<Models>(body).ok()?.data;
    let names: Vec<String> = models.into_iter().map(|model| model.id).collect();
    (!names.is_empty()).then_some(names)
}

/// The text of an answer.
pub(super) fn read(status: StatusCode, body: &[u8]) -> Result<String, AssistantError> {
    if let Some(error) = fault(status, body) {
        return Err(error);
    }
    let completion: Completion = serde_json::from_slice(body)
        .map_err(|_| unavailable("its answer is not one of a chat endpoint"))?;
    let choice = completion.choices.into_iter().next();
    let Choice { message, finish_reason } =
        choice.ok_or_else(|| unavailable("its answer holds no choice"))?;
    if let Some(words) = message.refusal.filter(|words| !words.trim().is_empty()) {
        let words = words.trim().chars().filter(|character| *character != '\0');
        return Err(AssistantError::Declined(Some(words.take(REFUSAL_CHARACTERS).collect())));
    }
    match finish_reason.as_deref() {
        Some("content_filter") => return Err(AssistantError::Declined(None)),
        Some("length") => return Err(unavailable("its answer was cut at its limit on length")),
        Some(_) | None => {}
    }
    let content = message.content.filter(|content| !content.trim().is_empty());
    content.ok_or_else(|| unavailable("its answer is empty"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn completion(message: serde_json::Value, finish: &str) -> Vec<u8> {
        json!({"choices": [{"message": message, "finish_reason": finish}]}).to_string().into()
    }

    #[test]
    fn answers() {
        let cut = "unavailable: its answer was cut at its limit on length";
        let none = "unavailable: its answer is not one of a chat endpoint";
        for (name, status, body, want) in [
            ("a text", 200, completion(json!({"content": "Hi"}), "stop"), "Hi"),
            (
                "no finish reason",
                200,
                br#"{"choices":[{"message":{"content":"Hi"}}]}"#.to_vec(),
                "Hi",
            ),
            (
                "a refusal",
                200,
                completion(json!({"content": null, "refusal": " No. "}), "stop"),
                "declined: No.",
            ),
            (
                "an empty refusal is none",
                200,
                completion(json!({"content": "Hi", "refusal": ""}), "stop"),
                "Hi",
            ),
            ("filtered", 200, completion(json!({"content": ""}), "content_filter"), "declined: "),
            (
                "filtered at the door",
                400,
                br#"{"error":{"code":"content_filter","message":"x"}}"#.to_vec(),
                "declined: ",
            ),
            ("cut", 200, completion(json!({"content": "{\"a"}), "length"), cut),
            (
                "empty",
                200,
                completion(json!({"content": " "}), "stop"),
                "unavailable: its answer is empty",
            ),
            ("no content", 200, completion(json!({}), "stop"), "unavailable: its answer is empty"),
            (
                "no choice",
                200,
                br#"{"choices":[]}"#.to_vec(),
                "unavailable: its answer holds no choice",
            ),
            ("half of a JSON", 200, br#"{"choices":[{"mes"#.to_vec(), none),
            ("a page", 200, b"<html>".to_vec(), none),
            ("nothing", 200, Vec::new(), none),
            ("401", 401, Vec::new(), "unavailable: its key was refused (401)"),
            ("403", 403, Vec::new(), "unavailable: its key was refused (403)"),
            ("404", 404, Vec::new(), "unavailable: there is no such address or model (404)"),
            (
                "429",
                429,
                br#"{"error":{"code":"insufficient_quota"}}"#.to_vec(),
                "unavailable: it was called too often, or its credit is used up (429)",
            ),
            (
                "an error whose code is a number",
                400,
                br#"{"error":{"code":400}}"#.to_vec(),
                "unavailable: it answered with status 400",
            ),
            ("500", 500, b"secret".to_vec(), "unavailable: it answered with status 500"),
            ("a redirect", 302, Vec::new(), "unavailable: it answered with status 302"),
            (
                "an answer without a body",
                204,
                Vec::new(),
                "unavailable: it answered with status 204",
            ),
        ] {
            let got = match read(StatusCode::from_u16(status).unwrap(), &body) {
                Ok(text) => text,
                Err(AssistantError::Declined(words)) => {
                    format!("declined: {}", words.unwrap_or_default())
                }
                Err(AssistantError::Unavailable(what)) => format!("unavailable: {what}"),
            };
            assert_eq!(got, want, "{name}");
        }
    }

    #[test]
    fn words_of_a_refusal_are_bounded() {
        let body = completion(json!({"refusal": "é".repeat(1_000)}), "stop");
        let Err(AssistantError::Declined(Some(words))) = read(StatusCode::OK, &body) else {
            panic!("a refusal");
        };
        assert_eq!(words.chars().count(), REFUSAL_CHARACTERS);
    }

    #[test]
    fn a_call() {
        let prompt =
            Prompt { instructions: "Do.".to_owned(), input: "{\"a\":1}".to_owned(), json: true };
        let sent: serde_json::Value = serde_json::from_str(&body("m", &prompt)).unwrap();
        let messages = json!([
            {"role": "system", "content": "Do."},
            {"role": "user", "content": "{\"a\":1}"},
        ]);
        assert_eq!(
            sent,
            json!({"model": "m", "messages": messages, "response_format": {"type": "json_object"}})
        );
        let plain = body("m", &Prompt { json: false, ..prompt });
        assert!(!plain.contains("response_format"));
    }
}
