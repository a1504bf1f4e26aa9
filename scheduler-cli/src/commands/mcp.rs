//! `scheduler mcp`: the tools of a server, for a client that starts this command.
//!
//! Each message of the client, a line of standard input, is sent to `POST /mcp`, and what is answered
//! is a line of standard output: whatever the server keeps to of a key, it keeps to here.

use std::collections::HashMap;
use std::sync::Arc;

use bytes::Bytes;
use clap::Args;
use http::header::{ACCEPT, CONTENT_TYPE, HeaderName, USER_AGENT};
use http::{HeaderMap, HeaderValue, Request, StatusCode};
use scheduler_client::Error;
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader, stdin, stdout};
use tokio::task::{AbortHandle, JoinError, JoinSet};

use crate::client::{Client, MODEL_TIMEOUT};
use crate::config::ClientOptions;
use crate::context::Context;
use crate::exit::Exit;
use crate::failure::Failure;

/// Where messages go.
const MESSAGES: &str = "/mcp";

/// Headers that repeat what a message says.
///
/// Source: Model Context Protocol 2026-07-28, Streamable HTTP.
const VERSION: HeaderName = HeaderName::from_static("mcp-protocol-version");
const METHOD: HeaderName = HeaderName::from_static("mcp-method");
const NAME: HeaderName = HeaderName::from_static("mcp-name");

/// Codes of failures that are not the server's. Source: JSON-RPC 2.0, section 5.1.
const NO_JSON: i64 = -32_700;
const NO_REQUEST: i64 = -32_600;
const BROKEN: i64 = -32_603;
const NOT_DONE: i64 = -32_000;

/// Whose tools.
#[derive(Args, Debug)]
pub(crate) struct McpArguments {
    #[command(flatten)]
    client: ClientOptions,
}

/// Speaks the protocol on standard input and output, until the client ends.
pub(crate) async fn run(context: Context, arguments: McpArguments) -> Result<Exit, Failure> {
    let client = Arc::new(context.client(arguments.client).await?);
    let mut conversation = Conversation::default();
    // Bytes, not text: what is no UTF-8 is answered, and ends nothing.
    let mut lines = BufReader::new(stdin()).split(b'\n');
    loop {
        tokio::select! {
            line = lines.next_segment() => match line? {
                Some(line) => conversation.take(&client, &line).await?,
                None => break,
            },
            Some(answered) = conversation.calls.join_next() => conversation.answer(answered).await?,
        }
    }
    // What the client has asked for before it ended is answered as well.
    while let Some(answered) = conversation.calls.join_next().await {
        conversation.answer(answered).await?;
    }
    Ok(Exit::Done)
}

/// What has been said so far, and what is not answered yet.
#[derive(Default)]
struct Conversation {
    /// The revision that was agreed on, where it is one that agrees.
    version: Option<HeaderValue>,
    /// What the client has called itself at the beginning.
    client: Option<HeaderValue>,
    /// What answers a request; a notification is not answered.
    calls: JoinSet<Option<Value>>,
    /// The requests that can be taken back, by their ids.
    under_way: HashMap<String, AbortHandle>,
}

impl Conversation {
    /// Sends a message on, or ends the call that it takes back.
    async fn take(&mut self, client: &Arc<Client>, line: &[u8]) -> Result<(), Failure> {
        if line.trim_ascii().is_empty() {
            return Ok(());
        }
        let message = match message_of(line) {
            Ok(message) => message,
            Err(refusal) => return write(&refusal).await,
        };
        match message["method"].as_str() {
            Some("notifications/cancelled") => {
                let id = message["params"]["requestId"].to_string();
                self.under_way.remove(&id).inspect(AbortHandle::abort);
                return Ok(());
            }
            Some("initialize") => self.client = agent(&message["params"]["clientInfo"]),
            _ => {}
        }
        let headers = self.headers(&message);
        let id = message.get("id").cloned();
        let known = id.as_ref().map(Value::to_string);
        let client = Arc::clone(client);
        let call = self.calls.spawn(async move {
            let answered = Box::pin(send(&client, headers, &message)).await;
            id.map(|id| answer_of(id, answered))
        });
        if let Some(id) = known {
            self.under_way.insert(id, call);
        }
        Ok(())
    }

    /// Writes what was answered; nothing for what was taken back, and for a notification.
    async fn answer(&mut self, answered: Result<Option<Value>, JoinError>) -> Result<(), Failure> {
        let answer = match answered {
            Ok(answer) => answer,
            Err(ended) => self.broken(&ended),
        };
        let Some(answer) = answer else { return Ok(()) };
        self.under_way.remove(&answer["id"].to_string());
        if let Some(version) = answer["result"]["protocolVersion"].as_str() {
            self.version = HeaderValue::from_str(version).ok();
        }
        write(&answer).await
    }

    /// The answer to a request whose call has ended by a fault of this program; `None` for what was
    /// taken back.
    fn broken(&self, ended: &JoinError) -> Option<Value> {
        let mut under_way = self.under_way.iter().filter(|_| ended.is_panic());
        let (id, _) = under_way.find(|(_, call)| call.id() == ended.id())?;
        let id = serde_json::from_str(id).unwrap_or_default();
        let message = "The command has failed. Whether the server has done it is not known: send the call again with the same idempotencyKey.";
        Some(failed(id, BROKEN, message))
    }

    /// The headers that go with a message.
    fn headers(&self, message: &Value) -> HeaderMap {
        let parameters = &message["params"];
        let meta = |name: &str| &parameters["_meta"][format!("io.modelcontextprotocol/{name}")];
        let own_version = header(meta("protocolVersion"));
        let accepted = HeaderValue::from_static("application/json, text/event-stream");
        let mut headers = HeaderMap::from_iter([(ACCEPT, accepted)]);
        let agent = agent(meta("clientInfo")).or_else(|| self.client.clone());
        headers.extend(agent.map(|agent| (USER_AGENT, agent)));
        if own_version.is_some() {
            headers.extend(header(&message["method"]).map(|method| (METHOD, method)));
            let name = match message["method"].as_str() {
                Some("tools/call" | "prompts/get") => header(&parameters["name"]),
                Some("resources/read") => header(&parameters["uri"]),
                _ => None,
            };
            headers.extend(name.map(|name| (NAME, name)));
        }
        let version = own_version.or_else(|| self.version.clone());
        headers.extend(version.map(|version| (VERSION, version)));
        headers
    }
}

/// Reads a message.
///
/// # Errors
/// The answer to what is none.
fn message_of(line: &[u8]) -> Result<Value, Value> {
    let message: Value = serde_json::from_slice(line)
        .map_err(|_| failed(Value::Null, NO_JSON, "A message is one line of JSON, in UTF-8."))?;
    if message.is_object() {
        return Ok(message);
    }
    let why = "A message is one JSON object. Send the messages of a batch one by one.";
    Err(failed(Value::Null, NO_REQUEST, why))
}

/// Sends a message, and returns what was answered: a refusal is an answer as well, and nothing an
/// empty one.
async fn send(
    client: &Client,
    headers: HeaderMap,
    message: &Value,
) -> Result<(StatusCode, Value), Failure> {
    let mut request = Request::post(MESSAGES)
        .header(CONTENT_TYPE, "application/json")
        .body(Bytes::from(message.to_string()))
        .map_err(anyhow::Error::from)?;
    request.headers_mut().extend(headers);
    match client.raw(request, MODEL_TIMEOUT).await {
        // In words, not as JSON: of the part of the server that speaks the protocol.
        Err(Error::NotOurs { status, .. }) if is_of_the_message(status) => {
            Ok((status, Value::Null))
        }
        answered => Ok(answered?),
    }
}

/// A text as a header, where it can be one.
fn header(text: &Value) -> Option<HeaderValue> {
    HeaderValue::from_str(text.as_str()?).ok()
}

/// What a client calls itself, as the header that says so.
fn agent(client: &Value) -> Option<HeaderValue> {
    let name = client["name"].as_str()?;
    let version = client["version"].as_str().unwrap_or_default();
    HeaderValue::from_str(format!("{name}/{version}").trim_end_matches('/')).ok()
}

/// The answer to a request: that of the server, or why there is none.
fn answer_of(id: Value, answered: Result<(StatusCode, Value), Failure>) -> Value {
    match answered {
        Ok((_, body)) if body["jsonrpc"].is_string() => body,
        Ok((StatusCode::NOT_FOUND, _)) => {
            failed(id, NOT_DONE, "The server has no tools: it was built without them.")
        }
        Ok((status, Value::Null)) if is_of_the_message(status) => {
            let message = format!(
                "The server has answered {status}: it does not take this message. Check its method and its parameters."
            );
            failed(id, NO_REQUEST, &message)
        }
        Ok((status, mut body)) => {
            let message = body["error"]["message"].as_str().map(str::to_owned);
            let message = message.unwrap_or_else(|| format!("The server has answered {status}."));
            let mut refusal = failed(id, NOT_DONE, &message);
            if body["error"].is_object() {
                refusal["error"]["data"] = body["error"].take();
            }
            refusal
        }
        Err(failure) => failed(id, NOT_DONE, &failure.to_string()),
    }
}

/// True for a status that says of the message itself that it is not taken.
const fn is_of_the_message(status: StatusCode) -> bool {
    matches!(
        status,
        StatusCode::BAD_REQUEST
            | StatusCode::NOT_ACCEPTABLE
            | StatusCode::UNSUPPORTED_MEDIA_TYPE
            | StatusCode::UNPROCESSABLE_ENTITY
    )
}

fn failed(id: Value, code: i64, message: &str) -> Value {
    json!({"jsonrpc": "2.0", "id": id, "error": {"code": code, "message": message}})
}

/// Writes a message, which is a line.
async fn write(message: &Value) -> Result<(), Failure> {
    let mut output = stdout();
    output.write_all(format!("{message}\n").as_bytes()).await?;
    Ok(output.flush().await?)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_message_is_answered() {
        for (line, want) in [
            (&b"{"[..], NO_JSON),
            (b"\"\xff\"", NO_JSON),
            (b"{\"method\": \"\xff\"}", NO_JSON),
            (b"[]", NO_REQUEST),
            (b"[{\"jsonrpc\": \"2.0\", \"id\": 1, \"method\": \"ping\"}]", NO_REQUEST),
            (b"7", NO_REQUEST),
            (b"null", NO_REQUEST),
        ] {
            let refusal = message_of(line).unwrap_err();
            assert_eq!((&refusal["id"], &refusal["error"]["code"]), (&Value::Null, &json!(want)));
        }
        assert_eq!(message_of(b"{\"id\": 1}\r").unwrap(), json!({"id": 1}));
    }

    #[test]
    fn a_refusal_without_words_is_of_the_request() {
        let id = || json!("a");
        for (status, body, want) in [
            (StatusCode::BAD_REQUEST, Value::Null, NO_REQUEST),
            (StatusCode::UNSUPPORTED_MEDIA_TYPE, Value::Null, NO_REQUEST),
            (StatusCode::NOT_FOUND, Value::Null, NOT_DONE),
            (StatusCode::FORBIDDEN, Value::Null, NOT_DONE),
            (StatusCode::FORBIDDEN, json!({"error": {"message": "No."}}), NOT_DONE),
            (StatusCode::BAD_GATEWAY, Value::Null, NOT_DONE),
        ] {
            let answer = answer_of(id(), Ok((status, body)));
            assert_eq!(
                (&answer["id"], &answer["error"]["code"]),
                (&id(), &json!(want)),
                "{status}"
            );
        }
    }

    #[tokio::test]
    async fn a_call_that_panics_is_answered_and_one_taken_back_is_not() {
        let mut conversation = Conversation::default();
        let call = conversation.calls.spawn(async { panic!("a fault") });
        conversation.under_way.insert("\"a\"".to_owned(), call);
        let ended = conversation.calls.join_next().await.unwrap().unwrap_err();
        let answer = conversation.broken(&ended).unwrap();
        assert_eq!((&answer["id"], &answer["error"]["code"]), (&json!("a"), &json!(BROKEN)));
        let call = conversation.calls.spawn(std::future::pending());
        call.abort();
        conversation.under_way.insert("2".to_owned(), call);
        let ended = conversation.calls.join_next().await.unwrap().unwrap_err();
        assert_eq!(conversation.broken(&ended), None);
    }
}
