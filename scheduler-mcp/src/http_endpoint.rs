//! `POST /mcp`: the tools, for programs that the server lets in.

use std::sync::Arc;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::FutureExt as _;
use http::header::{CONTENT_TYPE, IF_MATCH};
use http::{HeaderName, Method, Request};
use rmcp::model::Implementation;
use scheduler_core::app::Credential;
use scheduler_core::audit::ToolCall;
use scheduler_core::error::AppError;
use scheduler_core::key::{Confirmation, Scopes};
use scheduler_http::endpoints::Endpoint;
use scheduler_http::visit::Program;
use serde::Deserialize as _;
use serde_json::Value;
use warp::reply::Response;

use crate::api::{Answer, Api, Call, Unanswered};
use crate::catalogue::entries;
use crate::client::client_name;
use crate::mount::{Mounted, answer};
use crate::server::Tools;
use crate::tool::Definition;

const IDEMPOTENCY_KEY: HeaderName = HeaderName::from_static("idempotency-key");

const PATH: &str = "/mcp";

/// What a server is given.
#[must_use]
pub const fn endpoints() -> &'static [&'static Endpoint] {
    static MCP: Endpoint =
        Endpoint::page("mcp", Method::POST, PATH, |visit| answer::<Tools>(visit).boxed());
    static ALL: [&Endpoint; 1] = [&MCP];
    &ALL
}

impl Mounted for Tools {
    fn of(program: Program) -> Self {
        Self::new(Arc::new(Within(program)))
    }

    fn refusal(program: &Program, request: &Request<Bytes>) -> Option<Response> {
        let called = called_by(request.body())?;
        let response = program.needing(called.tool.scopes)?;
        let client = client_name(called.client.as_ref(), Some(request.headers()));
        program.note(called.tool.name, PATH, ToolCall { client, outcome: "forbidden".to_owned() });
        Some(response)
    }
}

/// The tool that a request calls, and what its client calls itself within it.
struct Called {
    tool: &'static Definition,
    client: Option<Implementation>,
}

fn called_by(body: &[u8]) -> Option<Called> {
    let message: Value = serde_json::from_slice(body).ok()?;
    let parameters = &message["params"];
    let name = parameters["name"].as_str().filter(|_| message["method"] == "tools/call")?;
    let tool = entries().iter().map(|entry| entry.definition).find(|tool| tool.name == name)?;
    let client = &parameters["_meta"]["io.modelcontextprotocol/clientInfo"];
    Some(Called { tool, client: Implementation::deserialize(client).ok() })
}

/// The API of a program that was let in, within this server.
pub(crate) struct Within(pub(crate) Program);

#[async_trait]
impl Api for Within {
    async fn call(&self, call: Call) -> Result<Answer, Unanswered> {
        let mut request = Request::builder().method(call.method.clone()).uri(call.address());
        if let Some(key) = &call.idempotency_key {
            request = request.header(IDEMPOTENCY_KEY, key);
        }
        if let Some(revision) = call.revision {
            request = request.header(IF_MATCH, format!("\"{revision}\""));
        }
        let body = match &call.body {
            Some(body) => {
                request = request.header(CONTENT_TYPE, "application/json");
                Bytes::from(body.to_string())
            }
            None => Bytes::new(),
        };
        let request = request.body(body).map_err(|error| Unanswered(error.to_string()))?;
        let (status, body) = Box::pin(self.0.answer(request)).await;
        let body = if body.is_empty() { Ok(Value::Null) } else { serde_json::from_slice(&body) };
        let body = body.map_err(|error| Unanswered(format!("the answer is no JSON: {error}")))?;
        Ok(Answer { status, body })
    }

    fn scopes(&self) -> Scopes {
        self.0.caller().scopes
    }

    fn confirmation(&self) -> Confirmation {
        self.0.caller().agents.confirmation
    }

    async fn count_live_call(&self) -> Result<(), AppError> {
        self.0.scheduler().count_live_call(self.0.caller()).await
    }

    fn note(&self, tool: &str, call: ToolCall) {
        self.0.note(tool, PATH, call);
    }

    fn caller(&self) -> String {
        match self.0.caller().by {
            Credential::Key(id) => format!("key {}", id.0),
            Credential::Grant(id) => format!("grant {}", id.0),
            Credential::Session(id) => format!("session {}", id.0),
            Credential::Program => "program".to_owned(),
        }
    }
}
