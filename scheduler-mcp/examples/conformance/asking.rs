//! What asks the client before it is done, in the revision without a handshake.

use rmcp::model::{ClientCapabilities, ErrorData};
use serde_json::{Value, json};

use crate::suite::{opened, sealed};

/// What comes of a call.
pub(crate) enum Answer {
    /// The client is asked this first.
    Asks(Value),
    /// It is done, and says this.
    Done(String),
}

/// Asks a person for one thing.
fn question(message: &str, field: &str, kind: &str) -> Value {
    json!({"method": "elicitation/create", "params": {
        "mode": "form",
        "message": message,
        "requestedSchema": {
            "type": "object", "properties": {field: {"type": kind}}, "required": [field],
        },
    }})
}

/// Asks the model of the client.
fn sampling(text: &str) -> Value {
    json!({"method": "sampling/createMessage", "params": {
        "messages": [{"role": "user", "content": {"type": "text", "text": text}}],
        "maxTokens": 100,
    }})
}

fn roots() -> Value {
    json!({"method": "roots/list", "params": {}})
}

fn asks(requests: &Value, state: Option<&str>) -> Answer {
    let mut asked = json!({"resultType": "input_required", "inputRequests": requests});
    if let Some(state) = state {
        asked["requestState"] = json!(sealed(state));
    }
    Answer::Asks(asked)
}

/// What a person has written into a field, where they have.
fn written<'a>(said: &'a Value, question: &str, field: &str) -> Option<&'a Value> {
    let said = said.get(question).filter(|said| said["action"] == "accept")?;
    said["content"].get(field)
}

/// Calls a tool that asks.
///
/// # Errors
/// When there is no such tool, or the state was changed.
pub(crate) fn tool(
    name: &str,
    said: &Value,
    state: Option<&str>,
    client: Option<ClientCapabilities>,
) -> Result<Answer, ErrorData> {
    let state = state.map(opened).transpose()?;
    let name_question = question("What is your name?", "name", "string");
    Ok(match name {
        "test_input_required_result_elicitation" => {
            match written(said, "user_name", "name").and_then(Value::as_str) {
                Some(name) => Answer::Done(format!("Hello, {name}!")),
                None => asks(&json!({"user_name": name_question}), None),
            }
        }
        "test_input_required_result_sampling" => match said.get("capital_question") {
            Some(said) => Answer::Done(said["content"].to_string()),
            None => {
                let question = sampling("What is the capital of France?");
                asks(&json!({"capital_question": question}), None)
            }
        },
        "test_input_required_result_list_roots" => match said.get("client_roots") {
            Some(said) => Answer::Done(said["roots"].to_string()),
            None => asks(&json!({"client_roots": roots()}), None),
        },
        "test_input_required_result_request_state"
        | "test_input_required_result_tampered_state" => {
            match (written(said, "confirm", "ok"), state) {
                (Some(_), Some("confirm")) => Answer::Done("state-ok".to_owned()),
                _ => {
                    let confirm = question("Please confirm", "ok", "boolean");
                    asks(&json!({"confirm": confirm}), Some("confirm"))
                }
            }
        }
        "test_input_required_result_multiple_inputs" => {
            let has_all = ["user_name", "greeting", "client_roots"]
                .iter()
                .all(|question| said.get(question).is_some());
            if has_all && state == Some("all") {
                return Ok(Answer::Done(said.to_string()));
            }
            let all = json!({
                "user_name": name_question,
                "greeting": sampling("Generate a greeting"),
                "client_roots": roots(),
            });
            asks(&all, Some("all"))
        }
        "test_input_required_result_multi_round" => {
            let color = question("Step 2: What is your favorite color?", "color", "string");
            let name = written(said, "step1", "name").and_then(Value::as_str);
            match (state, name, written(said, "step2", "color")) {
                (Some("first"), Some(name), _) => {
                    asks(&json!({"step2": color}), Some(&format!("second {name}")))
                }
                (Some(state), _, Some(color)) if state.starts_with("second ") => {
                    Answer::Done(format!("{state}: {color}"))
                }
                _ => {
                    let name = question("Step 1: What is your name?", "name", "string");
                    asks(&json!({"step1": name}), Some("first"))
                }
            }
        }
        "test_input_required_result_capabilities" => {
            let client = client.unwrap_or_default();
            let mut all = json!({});
            if client.sampling.is_some() {
                all["greeting"] = sampling("Generate a greeting");
            }
            if client.elicitation.is_some() {
                all["user_name"] = name_question;
            }
            asks(&all, None)
        }
        _ => return Err(ErrorData::invalid_params("There is no such tool.", None)),
    })
}

/// Fills a prompt that asks.
///
/// # Errors
/// When there is no such prompt.
pub(crate) fn prompt(name: &str, said: &Value) -> Result<Answer, ErrorData> {
    if name != "test_input_required_result_prompt" {
        return Err(ErrorData::invalid_params("There is no such prompt.", None));
    }
    Ok(match written(said, "user_context", "context") {
        Some(context) => Answer::Done(format!("Mind this: {context}")),
        None => {
            let question = question("What context should the prompt use?", "context", "string");
            asks(&json!({"user_context": question}), None)
        }
    })
}
