//! The tools, resources and prompts that the suite names, and what they answer.

use rmcp::model::Tool;
use serde_json::{Value, json};

use crate::suite::schema;

/// A picture of one pixel.
const PNG: &str =
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4z8AAAAMBAQDJ/pLvAAAAAElFTkSuQmCC";
/// A sound without samples.
const WAV: &str = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAIA+AAACABAAZGF0YQAAAAA=";

/// Every tool without arguments.
const PLAIN: [&str; 19] = [
    "test_simple_text",
    "test_image_content",
    "test_audio_content",
    "test_embedded_resource",
    "test_multiple_content_types",
    "test_tool_with_logging",
    "test_logging_tool",
    "test_error_handling",
    "test_tool_with_progress",
    "test_streaming_elicitation",
    "test_missing_capability",
    "test_input_required_result_elicitation",
    "test_input_required_result_sampling",
    "test_input_required_result_list_roots",
    "test_input_required_result_request_state",
    "test_input_required_result_tampered_state",
    "test_input_required_result_multiple_inputs",
    "test_input_required_result_multi_round",
    "test_input_required_result_capabilities",
];

/// Every tool.
pub(crate) fn tools() -> Vec<Tool> {
    let nothing = json!({"type": "object", "properties": {}});
    let plain = PLAIN.map(|name| Tool::new(name, "For the suite", schema(nothing.clone())));
    let header = json!({
        "type": "object",
        "properties": {"region": {"type": "string", "x-mcp-header": "Region"}},
    });
    let mut all = Vec::from(plain);
    all.push(Tool::new("test_custom_header", "For the suite", schema(header)));
    all.push(Tool::new("json_schema_2020_12_tool", "For the suite", schema(wide_schema())));
    all
}

/// A schema with what JSON Schema 2020-12 has.
fn wide_schema() -> Value {
    json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "$defs": {"address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }},
        "properties": {
            "name": {"type": "string"},
            "address": {"$ref": "#/$defs/address"},
            "contactMethod": {"type": "string", "enum": ["phone", "email"]},
            "phone": {"type": "string"},
            "email": {"type": "string"},
        },
        "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
        "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
        "then": {"required": ["phone"]},
        "else": {"required": ["email"]},
        "additionalProperties": false,
    })
}

/// A result that is one text.
pub(crate) fn text(text: &str) -> Value {
    json!({"content": [{"type": "text", "text": text}]})
}

/// A prompt that is one text.
pub(crate) fn message(text: &str) -> Value {
    json!({"messages": [{"role": "user", "content": {"type": "text", "text": text}}]})
}

/// What a tool answers that asks nothing.
pub(crate) fn result_of(name: &str) -> Option<Value> {
    let image = json!({"type": "image", "data": PNG, "mimeType": "image/png"});
    Some(match name {
        "test_simple_text" => text("This is a simple text response for testing."),
        "test_image_content" => json!({"content": [image]}),
        "test_audio_content" => {
            json!({"content": [{"type": "audio", "data": WAV, "mimeType": "audio/wav"}]})
        }
        "test_embedded_resource" => json!({"content": [{"type": "resource", "resource": {
            "uri": "test://embedded-resource",
            "mimeType": "text/plain",
            "text": "This is an embedded resource content.",
        }}]}),
        "test_multiple_content_types" => json!({"content": [
            {"type": "text", "text": "Multiple content types test:"},
            image,
            {"type": "resource", "resource": {
                "uri": "test://mixed-content-resource",
                "mimeType": "application/json",
                "text": "{\"test\":\"data\",\"value\":123}",
            }},
        ]}),
        "test_error_handling" => json!({
            "isError": true,
            "content": text("This tool intentionally returns an error for testing")["content"],
        }),
        "test_tool_with_logging"
        | "test_logging_tool"
        | "test_tool_with_progress"
        | "test_streaming_elicitation"
        | "test_custom_header"
        | "json_schema_2020_12_tool" => text("Done."),
        _ => return None,
    })
}

/// The resources, as they are listed.
pub(crate) fn resources() -> Value {
    json!([
        {
            "uri": "test://static-text", "name": "A text", "description": "A text that stays",
            "mimeType": "text/plain",
        },
        {
            "uri": "test://static-binary", "name": "A picture", "description": "Of one pixel",
            "mimeType": "image/png",
        },
    ])
}

/// The templates of resources, as they are listed.
pub(crate) fn templates() -> Value {
    json!([{
        "uriTemplate": "test://template/{id}/data", "name": "Data", "description": "Of an id",
        "mimeType": "application/json",
    }])
}

/// What a resource holds.
pub(crate) fn resource(uri: &str) -> Option<Value> {
    let id = uri.strip_prefix("test://template/").and_then(|rest| rest.strip_suffix("/data"));
    if let Some(id) = id {
        let data = json!({"id": id, "templateTest": true, "data": format!("Data for ID: {id}")});
        return Some(json!([
            {"uri": uri, "mimeType": "application/json", "text": data.to_string()},
        ]));
    }
    Some(match uri {
        "test://static-text" => json!([{
            "uri": uri, "mimeType": "text/plain",
            "text": "This is the content of the static text resource.",
        }]),
        "test://static-binary" => json!([{"uri": uri, "mimeType": "image/png", "blob": PNG}]),
        _ => return None,
    })
}

/// The prompts, as they are listed.
pub(crate) fn prompts() -> Value {
    let argument = |name: &str| json!({"name": name, "required": true});
    json!([
        {"name": "test_simple_prompt", "description": "Without arguments"},
        {
            "name": "test_prompt_with_arguments", "description": "With two arguments",
            "arguments": [argument("arg1"), argument("arg2")],
        },
        {
            "name": "test_prompt_with_embedded_resource", "description": "With a resource",
            "arguments": [argument("resourceUri")],
        },
        {"name": "test_prompt_with_image", "description": "With a picture"},
        {"name": "test_input_required_result_prompt", "description": "Asks first"},
    ])
}

/// A prompt that asks nothing, filled with its arguments.
pub(crate) fn prompt(name: &str, arguments: &Value) -> Option<Value> {
    let given = |name: &str| arguments[name].as_str().unwrap_or_default().to_owned();
    let says = |text: &str| json!({"role": "user", "content": {"type": "text", "text": text}});
    Some(match name {
        "test_simple_prompt" => message("This is a simple prompt for testing."),
        "test_prompt_with_arguments" => {
            let (first, second) = (given("arg1"), given("arg2"));
            message(&format!("Prompt with arguments: arg1='{first}', arg2='{second}'"))
        }
        "test_prompt_with_embedded_resource" => json!({"messages": [
            {"role": "user", "content": {"type": "resource", "resource": {
                "uri": given("resourceUri"), "mimeType": "text/plain",
                "text": "Embedded resource content for testing.",
            }}},
            says("Please process the embedded resource above."),
        ]}),
        "test_prompt_with_image" => json!({"messages": [
            {"role": "user", "content": {"type": "image", "data": PNG, "mimeType": "image/png"}},
            says("Please analyze the image above."),
        ]}),
        _ => return None,
    })
}
