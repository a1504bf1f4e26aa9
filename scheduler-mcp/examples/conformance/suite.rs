//! The handler of what the suite names.
#![expect(deprecated, reason = "the suite asks for logging in the revisions that have it")]

use std::fmt::Write as _;
use std::sync::OnceLock;

use rmcp::handler::server::ServerHandler;
use rmcp::model::{
    CacheScope, CallToolRequestParams, CallToolResponse, CompleteRequestParams, CompleteResult,
    CompletionInfo, ErrorCode, ErrorData, GetPromptRequestParams, GetPromptResponse,
    Implementation, InputRequiredResult, ListPromptsResult, ListResourceTemplatesResult,
    ListResourcesResult, ListToolsResult, LoggingLevel, LoggingMessageNotificationParam,
    PaginatedRequestParams, ProgressNotificationParam, ProtocolVersion, ReadResourceRequestParams,
    ReadResourceResponse, ReadResourceResult, ServerCapabilities, ServerConfig,
    SetLevelRequestParams, SubscribeRequestParams, Tool, UnsubscribeRequestParams,
};
use rmcp::service::{RequestContext, RoleServer};
use scheduler_http::visit::Program;
use scheduler_mcp::mount::Mounted;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value, json};
use sha2::{Digest as _, Sha256};

use crate::{asking, offered};

/// How long a client may keep a list, in milliseconds. Source: our decision.
const LASTS: u64 = 1_000;

static SEAL: OnceLock<[u8; 32]> = OnceLock::new();

/// Has the states that clients are given sealed with these bytes.
pub(crate) fn seal_with(bytes: [u8; 32]) {
    SEAL.get_or_init(|| bytes);
}

/// A state that a client hands back, with what shows that it is unchanged.
pub(crate) fn sealed(state: &str) -> String {
    let mut hash = Sha256::new();
    hash.update(SEAL.get().copied().unwrap_or_default());
    hash.update(state);
    let mut sealed = format!("{state}.");
    for byte in hash.finalize() {
        let _ = write!(sealed, "{byte:02x}");
    }
    sealed
}

/// The state that was sealed.
///
/// # Errors
/// When it was changed.
pub(crate) fn opened(given: &str) -> Result<&str, ErrorData> {
    let state = given.rsplit_once('.').map_or("", |(state, _)| state);
    if sealed(state) == given {
        return Ok(state);
    }
    Err(ErrorData::invalid_params("The requestState was changed.", None))
}

/// A result, from how it is written without saying that it is whole.
fn whole<T: DeserializeOwned>(mut value: Value) -> Result<T, ErrorData> {
    value["resultType"] = json!("complete");
    read(value)
}

/// A value of the protocol, from how it is written.
pub(crate) fn read<T: DeserializeOwned>(value: Value) -> Result<T, ErrorData> {
    serde_json::from_value(value).map_err(|why| ErrorData::internal_error(why.to_string(), None))
}

/// What the suite names.
#[derive(Clone, Debug)]
pub(crate) struct Suite;

impl Mounted for Suite {
    fn of(_: Program) -> Self {
        Self
    }
}

/// True for a request of the revision without a handshake.
fn is_of_2026(context: &RequestContext<RoleServer>) -> bool {
    let newest = ProtocolVersion::V_2026_07_28;
    context.protocol_version().is_some_and(|version| version.as_str() >= newest.as_str())
}

/// Sends three messages for the log, unless the request asks for none: in the revision without a
/// handshake each request says whether it wants them.
async fn log(context: &RequestContext<RoleServer>) {
    if is_of_2026(context) && context.meta.log_level().is_none() {
        return;
    }
    for message in ["Tool execution started", "Tool processing data", "Tool execution completed"] {
        let message = LoggingMessageNotificationParam::new(LoggingLevel::Info, json!(message));
        let sent = context.peer.notify_logging_message(message).await;
        drop(sent);
    }
}

/// Sends how far it has come, where the request names a token for that.
async fn progress(context: &RequestContext<RoleServer>) {
    let Some(token) = context.meta.get_progress_token() else { return };
    for done in [0.0, 50.0, 100.0] {
        let message = ProgressNotificationParam::new(token.clone(), done).with_total(100.0);
        drop(context.peer.notify_progress(message).await);
    }
}

impl ServerHandler for Suite {
    fn get_info(&self) -> ServerConfig {
        let capabilities = ServerCapabilities::builder().enable_tools().enable_resources();
        let capabilities = capabilities.enable_prompts().enable_completions();
        let capabilities = capabilities.enable_logging().build();
        ServerConfig::new(capabilities).with_server_info(Implementation::new("conformance", "1"))
    }

    async fn list_tools(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListToolsResult, ErrorData> {
        let tools = ListToolsResult::with_all_items(offered::tools());
        Ok(tools.with_ttl_ms(LASTS).with_cache_scope(CacheScope::Public))
    }

    fn get_tool(&self, name: &str) -> Option<Tool> {
        offered::tools().into_iter().find(|tool| tool.name == name)
    }

    async fn call_tool(
        &self,
        request: CallToolRequestParams,
        context: RequestContext<RoleServer>,
    ) -> Result<CallToolResponse, ErrorData> {
        match &*request.name {
            "test_tool_with_logging" | "test_logging_tool" => log(&context).await,
            "test_tool_with_progress" => progress(&context).await,
            "test_missing_capability" => {
                let missing = json!({"requiredCapabilities": {"sampling": {}}});
                let code = ErrorCode::MISSING_REQUIRED_CLIENT_CAPABILITY;
                return Err(ErrorData::new(code, "This needs sampling.", Some(missing)));
            }
            _ => {}
        }
        if let Some(result) = offered::result_of(&request.name) {
            return Ok(CallToolResponse::Complete(whole(result)?));
        }
        let said = request.input_responses.map(|said| json!(said)).unwrap_or_default();
        let state = request.request_state.as_deref();
        match asking::tool(&request.name, &said, state, context.client_capabilities())? {
            asking::Answer::Asks(asks) => Ok(read::<InputRequiredResult>(asks)?.into()),
            asking::Answer::Done(text) => {
                Ok(CallToolResponse::Complete(whole(offered::text(&text))?))
            }
        }
    }

    async fn list_resources(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourcesResult, ErrorData> {
        let listed = ListResourcesResult::with_all_items(read(offered::resources())?);
        Ok(listed.with_ttl_ms(LASTS).with_cache_scope(CacheScope::Public))
    }

    async fn list_resource_templates(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListResourceTemplatesResult, ErrorData> {
        let listed = ListResourceTemplatesResult::with_all_items(read(offered::templates())?);
        Ok(listed.with_ttl_ms(LASTS).with_cache_scope(CacheScope::Public))
    }

    async fn read_resource(
        &self,
        request: ReadResourceRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<ReadResourceResponse, ErrorData> {
        let Some(contents) = offered::resource(&request.uri) else {
            let data = json!({"uri": request.uri});
            return Err(ErrorData::resource_not_found("Resource not found", Some(data)));
        };
        let contents = ReadResourceResult::new(read(contents)?);
        Ok(contents.with_ttl_ms(LASTS).with_cache_scope(CacheScope::Public).into())
    }

    async fn subscribe(
        &self,
        _: SubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn unsubscribe(
        &self,
        _: UnsubscribeRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }

    async fn list_prompts(
        &self,
        _: Option<PaginatedRequestParams>,
        _: RequestContext<RoleServer>,
    ) -> Result<ListPromptsResult, ErrorData> {
        let listed = ListPromptsResult::with_all_items(read(offered::prompts())?);
        Ok(listed.with_ttl_ms(LASTS).with_cache_scope(CacheScope::Public))
    }

    async fn get_prompt(
        &self,
        request: GetPromptRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<GetPromptResponse, ErrorData> {
        let arguments = request.arguments.map(|given| json!(given)).unwrap_or_default();
        if let Some(prompt) = offered::prompt(&request.name, &arguments) {
            return Ok(GetPromptResponse::Complete(whole(prompt)?));
        }
        let said = request.input_responses.map(|said| json!(said)).unwrap_or_default();
        match asking::prompt(&request.name, &said)? {
            asking::Answer::Asks(asks) => Ok(read::<InputRequiredResult>(asks)?.into()),
            asking::Answer::Done(text) => {
                Ok(GetPromptResponse::Complete(whole(offered::message(&text))?))
            }
        }
    }

    async fn complete(
        &self,
        _: CompleteRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<CompleteResult, ErrorData> {
        let values = CompletionInfo::new(vec!["testValue1".to_owned()]);
        Ok(CompleteResult::new(values.map_err(|why| ErrorData::internal_error(why, None))?))
    }

    async fn set_level(
        &self,
        _: SetLevelRequestParams,
        _: RequestContext<RoleServer>,
    ) -> Result<(), ErrorData> {
        Ok(())
    }
}

/// A schema of a tool.
pub(crate) fn schema(value: Value) -> Map<String, Value> {
    value.as_object().cloned().unwrap_or_default()
}
