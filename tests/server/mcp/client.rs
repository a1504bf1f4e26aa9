//! Clients: one that others wrote, in each revision of the protocol, and bare requests.

use std::borrow::Cow;

use reqwest::header::ACCEPT;
use reqwest::{RequestBuilder, Response};
use rmcp::model::{
    CallToolRequestParams, CallToolResult, ClientCapabilities, ClientConfig, ElicitRequestParams,
    ElicitResult, ElicitationAction, ErrorData, Implementation, ProtocolVersion,
};
use rmcp::service::{RequestContext, RoleClient, RunningService};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;
use rmcp::{ClientHandler, ClientLifecycleMode, ClientServiceExt as _};
use serde_json::{Value, json};

use crate::support::{Service, client};

/// A person at a client, who says yes or no to whatever is asked; or whom it cannot ask.
#[derive(Clone, Copy, Debug)]
pub(super) struct Person {
    pub(super) can_be_asked: bool,
    pub(super) says_yes: bool,
}

impl Person {
    /// A client that has no form to put before anybody.
    pub(super) const NOT_ASKED: Self = Self { can_be_asked: false, says_yes: false };
}

impl ClientHandler for Person {
    fn get_info(&self) -> ClientConfig {
        let capabilities = if self.can_be_asked {
            ClientCapabilities::builder().enable_elicitation().build()
        } else {
            ClientCapabilities::default()
        };
        ClientConfig::new(capabilities, Implementation::new("a test", "1"))
    }

    async fn create_elicitation(
        &self,
        request: ElicitRequestParams,
        _: RequestContext<RoleClient>,
    ) -> Result<ElicitResult, ErrorData> {
        let ElicitRequestParams::FormElicitationParams { message, .. } = request else {
            panic!("only forms are asked for");
        };
        assert!(message.contains('?'), "{message}");
        if self.says_yes {
            let content = json!({"confirm": true});
            return Ok(ElicitResult::new(ElicitationAction::Accept).with_content(content));
        }
        Ok(ElicitResult::new(ElicitationAction::Decline))
    }
}

pub(super) type Connected = RunningService<RoleClient, Person>;

/// Every way in which a client may begin.
pub(super) fn eras() -> [ClientLifecycleMode; 3] {
    let preferred_versions = vec![ProtocolVersion::V_2026_07_28];
    [
        ClientLifecycleMode::Initialize,
        ClientLifecycleMode::Discover { preferred_versions: preferred_versions.clone() },
        ClientLifecycleMode::Auto { preferred_versions, legacy_version: None },
    ]
}

/// A client of a server, with a key.
pub(super) async fn connect<H: ClientHandler>(
    url: &str,
    key: &str,
    era: ClientLifecycleMode,
    person: H,
) -> RunningService<RoleClient, H> {
    let config = StreamableHttpClientTransportConfig::with_uri(format!("{url}/mcp"));
    connect_by(config.auth_header(key), era, person).await
}

/// A client that is set up in this way.
pub(super) async fn connect_by<H: ClientHandler>(
    config: StreamableHttpClientTransportConfig,
    era: ClientLifecycleMode,
    person: H,
) -> RunningService<RoleClient, H> {
    let transport = StreamableHttpClientTransport::with_client(client().clone(), config);
    Box::pin(person.serve_with_lifecycle(transport, era)).await.expect("the server speaks with it")
}

/// A client that calls itself so, and cannot ask its person.
pub(super) fn named(name: &str, version: &str) -> ClientConfig {
    ClientConfig::new(ClientCapabilities::default(), Implementation::new(name, version))
}

/// Calls a tool: whether it did well, and what it says.
pub(super) async fn call<H: ClientHandler>(
    client: &RunningService<RoleClient, H>,
    name: impl Into<Cow<'static, str>>,
    arguments: Value,
) -> (bool, Value) {
    let Value::Object(arguments) = arguments else { panic!("arguments are an object") };
    let name = name.into();
    let call = CallToolRequestParams::new(name.clone()).with_arguments(arguments);
    let result = client.call_tool(call).await.expect("an answer");
    if let Some(structured) =
        result.structured_content.as_ref().filter(|_| result.is_error != Some(true))
    {
        let tools = client.list_all_tools().await.expect("a list");
        let tool = tools.iter().find(|tool| tool.name == name).expect("what is called is listed");
        let schema = tool.output_schema.as_ref().expect("every tool says what it answers");
        let schema = Value::Object((**schema).clone());
        let schema = jsonschema::validator_for(&schema).expect("a schema");
        let wrong: Vec<String> =
            schema.iter_errors(structured).map(|error| error.to_string()).collect();
        assert!(wrong.is_empty(), "{name}: {wrong:?} in {structured}");
    }
    said(&result)
}

/// The same of a call that is to do well.
pub(super) async fn done<H: ClientHandler>(
    client: &RunningService<RoleClient, H>,
    name: &'static str,
    arguments: Value,
) -> Value {
    let (is_done, said) = call(client, name, arguments).await;
    assert!(is_done, "{name}: {said}");
    said
}

fn said(result: &CallToolResult) -> (bool, Value) {
    let text = serde_json::to_value(&result.content).unwrap();
    let text = text[0]["text"].as_str().expect("a text");
    let said: Value = serde_json::from_str(text).expect("JSON");
    let is_error = result.is_error == Some(true);
    assert_eq!(result.structured_content.is_some(), !is_error);
    if let Some(structured) = &result.structured_content {
        assert_eq!(*structured, said);
    }
    (!is_error, said)
}

/// A bare request, as a client of an earlier revision sends it.
pub(super) fn request(service: &Service, key: Option<&str>, body: &Value) -> RequestBuilder {
    let request = client().post(format!("{}/mcp", service.url));
    let request = request.header(ACCEPT, "application/json, text/event-stream").json(body);
    match key {
        Some(key) => request.bearer_auth(key),
        None => request,
    }
}

/// The body of a call of a tool.
pub(super) fn calling(name: &str, arguments: &Value) -> Value {
    json!({
        "jsonrpc": "2.0", "id": 1, "method": "tools/call",
        "params": {"name": name, "arguments": arguments},
    })
}

/// The JSON of an answer.
pub(super) async fn answered(response: Response) -> Value {
    let status = response.status();
    let text = response.text().await.expect("a body");
    assert!(status.is_success(), "{status}: {text}");
    serde_json::from_str(&text).expect("one JSON document")
}

/// A key of a preset, for which the person confirms what goes out.
pub(super) fn key(service: &Service, preset: &str) -> String {
    key_asking(service, preset, &["--confirm", "live"])
}

/// A key of a preset, with what it asks of agents.
pub(super) fn key_asking(service: &Service, preset: &str, asking: &[&str]) -> String {
    let setup = crate::support::Setup::new(service.data(), "");
    let name = format!("of {preset}");
    let create = ["keys", "create", "--name", &name, "--preset", preset];
    let output = setup.run(&[&create, asking].concat());
    String::from_utf8(output.stdout).expect("text").trim().to_owned()
}
