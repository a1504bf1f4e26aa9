//! A text model behind a chat endpoint, as many providers offer it.
//!
//! Base URL: the sandbox's URL and `/assistant/v1`; a call is `POST /chat/completions`,
//! `GET /models` lists the one model. Any key is taken until it is expired by a fault.
//!
//! It writes captions for the networks that the instructions list as lines `- name (…): …`, and
//! reviews when the instructions ask for a `"score"`. What it says next can be chosen, by
//! `POST /assistant/says` with `{"kind", "times"?}`:
//!
//! | kind | what is said |
//! |---|---|
//! | `refusal` | the field `refusal` instead of a text |
//! | `filtered` | nothing, since a filter stepped in |
//! | `prose` | a sentence instead of JSON |
//! | `other` | JSON of another form |
//! | `missing` | captions without the last network; a review without its score |
//! | `empty` | captions that are empty; a review without suggestions |
//! | `long` | captions that are too long for any network |
//! | `cut` | half of the JSON, ended by the limit on length |
//! | `broken` | an answer that is no JSON at all |
//! | `none` | an answer without a choice |
//!
//! Source: <https://platform.openai.com/docs/api-reference/chat>.

mod says;
mod text;

use std::collections::BTreeSet;

use http::{Method, StatusCode};
use serde_json::{Value, json};

use self::says::{Says, Script};
use crate::answer::Answer;
use crate::network::{Context, LivePost, Network, Operation, Refusal};
use crate::request::Request;

const NAME: &str = "assistant";

/// The only model.
const MODEL: &str = "sandbox-model";

/// The imitated endpoint.
#[derive(Debug, Default)]
pub(crate) struct Assistant {
    script: Script,
    expired: BTreeSet<String>,
    calls: u64,
}

impl Assistant {
    fn answer(&mut self, request: &Request, context: &Context<'_>) -> Answer {
        let path = request.path.trim_end_matches('/');
        let is_known = match path {
            "/says" | "/v1/chat/completions" => request.method == Method::POST,
            "/v1/models" => request.method == Method::GET,
            _ => false,
        };
        if !is_known {
            return error(StatusCode::NOT_FOUND, "invalid_request_error", "Unknown request URL.");
        }
        if path == "/says" {
            return match self.script.add(request.json()) {
                Ok(()) => Answer::json(StatusCode::CREATED, &json!({})),
                Err(sentence) => error(StatusCode::BAD_REQUEST, "control", &sentence),
            };
        }
        let key = request.bearer().unwrap_or_default();
        if key.is_empty() || self.expired.contains(key) {
            return wrong_key();
        }
        if path == "/v1/models" {
            let models = json!([{"id": MODEL, "object": "model", "owned_by": "sandbox"}]);
            return Answer::ok(&json!({"object": "list", "data": models}));
        }
        match text::Chat::read(request.json()) {
            Ok(chat) => self.complete(&chat, context),
            Err(sentence) => error(StatusCode::BAD_REQUEST, "invalid_request_error", sentence),
        }
    }

    fn complete(&mut self, chat: &text::Chat, context: &Context<'_>) -> Answer {
        self.calls += 1;
        let says = self.script.next();
        let (content, refusal, finish) = match says {
            Some(Says::Broken) => {
                return Answer::html(StatusCode::OK, "{\"choices\":[{\"me".into());
            }
            Some(Says::Refusal) => (Value::Null, json!("I cannot help with that."), "stop"),
            Some(Says::Filtered) => (Value::Null, Value::Null, "content_filter"),
            Some(Says::Cut) => {
                let whole = chat.reply(None);
                let half: String = whole.chars().take(whole.chars().count() / 2).collect();
                (json!(half), Value::Null, "length")
            }
            says => (json!(chat.reply(says)), Value::Null, "stop"),
        };
        let message = json!({"role": "assistant", "content": content, "refusal": refusal});
        let choice = json!({"index": 0, "message": message, "finish_reason": finish});
        let choices = if says == Some(Says::None) { vec![] } else { vec![choice] };
        Answer::ok(&json!({
            "id": format!("chatcmpl-{}", self.calls),
            "object": "chat.completion",
            "created": context.now.timestamp(),
            "model": chat.model,
            "choices": choices,
            "usage": {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2},
        }))
    }
}

fn wrong_key() -> Answer {
    error(StatusCode::UNAUTHORIZED, "invalid_request_error", "Incorrect API key provided.")
}

fn error(status: StatusCode, kind: &str, message: &str) -> Answer {
    Answer::json(status, &json!({"error": {"message": message, "type": kind, "code": null}}))
}

impl Network for Assistant {
    fn name(&self) -> &'static str {
        NAME
    }

    fn operation(&self, _: &Request) -> Operation {
        Operation::Other
    }

    fn handle(&mut self, request: &Request, context: &Context<'_>) -> Answer {
        self.answer(request, context)
    }

    fn refuse(&self, refusal: Refusal, _: &Request, _: &Context<'_>) -> Answer {
        match refusal {
            Refusal::ServerError => error(
                StatusCode::INTERNAL_SERVER_ERROR,
                "server_error",
                "The server had an error while processing your request.",
            ),
            Refusal::RateLimited(wait) => {
                let kind = "rate_limit_error";
                error(StatusCode::TOO_MANY_REQUESTS, kind, "Rate limit reached for requests.")
                    .with_header("retry-after", &wait.as_secs().to_string())
            }
            Refusal::Permanent => {
                let message = "The model does not exist or you do not have access to it.";
                error(StatusCode::NOT_FOUND, "invalid_request_error", message)
            }
        }
    }

    fn expire_tokens(&mut self, request: &Request, _: &Context<'_>) {
        self.expired.extend(request.bearer().map(str::to_owned));
    }

    fn create_account(&mut self, _: Option<&str>, context: &Context<'_>) -> Result<Value, String> {
        let url = format!("{}/v1", context.base);
        Ok(json!({"platform": NAME, "url": url, "key": "sandbox", "model": MODEL}))
    }

    fn posts(&self) -> Vec<LivePost> {
        Vec::new()
    }

    fn reset(&mut self, accounts: bool) {
        let expired = std::mem::take(&mut self.expired);
        *self = Self { calls: self.calls, ..Self::default() };
        if !accounts {
            self.expired = expired;
        }
    }
}
