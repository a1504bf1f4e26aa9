//! Short JSON Schemas of what tools take and give, made from the types of the API.
//!
//! A client hands the whole list of tools to its model, so that every word costs. Of a type of the
//! API only what matters here is shown, one level deep; whatever else it has is still taken and
//! given.

use std::sync::Arc;

use rmcp::model::JsonObject;
use schemars::JsonSchema;
use schemars::generate::SchemaSettings;
use serde_json::{Map, Value, json};

/// Names that are listed one by one, at most; a longer list is a text.
const LISTED_NAMES: usize = 6;

/// An object that is put together of fields.
#[derive(Clone, Debug, Default)]
pub(crate) struct Shape {
    properties: Map<String, Value>,
    required: Vec<&'static str>,
}

impl Shape {
    /// The fields of a type of the API, as it reads them.
    pub(crate) fn read<T: JsonSchema>(self, names: &[&'static str]) -> Self {
        let settings = SchemaSettings::draft2020_12().for_deserialize();
        self.fields(&derived::<T>(settings), names, false)
    }

    /// The fields of a type of the API, as it writes them; those that it always writes are
    /// required.
    pub(crate) fn written<T: JsonSchema>(self, names: &[&'static str]) -> Self {
        let settings = SchemaSettings::draft2020_12().for_serialize();
        self.fields(&derived::<T>(settings), names, true)
    }

    fn fields(mut self, schema: &Value, names: &[&'static str], is_output: bool) -> Self {
        let always = schema["required"].as_array().map(Vec::as_slice).unwrap_or_default();
        for name in names {
            // A name that the type does not have is found by a test: nothing fits `false`.
            let found = schema["properties"].get(*name);
            let field = found.map_or(Value::Bool(false), |field| short(field, schema, is_output));
            self.properties.insert((*name).to_owned(), field);
            if is_output && always.iter().any(|field| field == name) {
                self.required.push(*name);
            }
        }
        self
    }

    /// A field of one's own.
    pub(crate) fn with(mut self, name: &'static str, schema: Value) -> Self {
        self.properties.insert(name.to_owned(), schema);
        self
    }

    /// The same, which has to be there.
    pub(crate) fn needs(mut self, name: &'static str, schema: Value) -> Self {
        self.required.push(name);
        self.with(name, schema)
    }

    /// The same, of which nothing has to be there.
    pub(crate) fn optional(self) -> Self {
        Self { required: Vec::new(), ..self }
    }

    /// Words that explain a field.
    pub(crate) fn says(mut self, name: &str, words: &str) -> Self {
        if let Some(Value::Object(field)) = self.properties.get_mut(name) {
            field.insert("description".to_owned(), json!(words));
        }
        self
    }

    /// The schema as one within another.
    pub(crate) fn value(self) -> Value {
        Value::Object(self.object())
    }

    /// A list of such objects.
    pub(crate) fn list(self) -> Value {
        json!({"type": "array", "items": self.value()})
    }

    fn object(self) -> JsonObject {
        let mut object = Map::new();
        object.insert("type".to_owned(), json!("object"));
        if !self.properties.is_empty() {
            object.insert("properties".to_owned(), Value::Object(self.properties));
        }
        if !self.required.is_empty() {
            object.insert("required".to_owned(), json!(self.required));
        }
        object
    }

    /// The schema of a tool.
    pub(crate) fn done(self) -> Arc<JsonObject> {
        Arc::new(self.object())
    }
}

/// A text.
pub(crate) fn text() -> Value {
    json!({"type": "string"})
}

/// A text that these words explain.
pub(crate) fn said(words: &str) -> Value {
    json!({"type": "string", "description": words})
}

/// A whole number.
pub(crate) fn number() -> Value {
    json!({"type": "integer"})
}

/// True or false.
pub(crate) fn flag() -> Value {
    json!({"type": "boolean"})
}

/// A list of texts.
pub(crate) fn texts() -> Value {
    json!({"type": "array", "items": {"type": "string"}})
}

fn derived<T: JsonSchema>(settings: SchemaSettings) -> Value {
    settings.into_generator().into_root_schema_for::<T>().to_value()
}

/// A schema without its words and without what lies deeper.
fn short(field: &Value, root: &Value, is_output: bool) -> Value {
    if let Some(target) = field.get("$ref").and_then(Value::as_str) {
        let target = target.strip_prefix('#').and_then(|place| root.pointer(place));
        return target.map_or_else(|| json!({}), |target| short(target, root, is_output));
    }
    for word in ["anyOf", "oneOf"] {
        if let Some(choices) = field.get(word).and_then(Value::as_array) {
            return choice(choices, root, is_output);
        }
    }
    let mut shown = Map::new();
    match field.get("type") {
        Some(Value::Array(kinds)) => {
            let mut kinds = kinds.clone();
            if !is_output {
                kinds.retain(|kind| kind != "null");
            }
            let kinds = if kinds.len() == 1 { kinds.remove(0) } else { Value::Array(kinds) };
            shown.insert("type".to_owned(), kinds);
        }
        Some(kind) => {
            shown.insert("type".to_owned(), kind.clone());
        }
        None => {}
    }
    if let Some(names) = field.get("enum").and_then(Value::as_array)
        && !is_output
        && names.len() <= LISTED_NAMES
    {
        let names = names.iter().filter(|name| !name.is_null()).cloned().collect();
        shown.insert("enum".to_owned(), Value::Array(names));
    }
    if let Some(items) = field.get("items").filter(|items| items.is_object()) {
        let items = short(items, root, is_output);
        if items.as_object().is_some_and(|items| !items.is_empty()) {
            shown.insert("items".to_owned(), items);
        }
    }
    Value::Object(shown)
}

/// One of several: the one that is not null, else the kinds of all.
fn choice(choices: &[Value], root: &Value, is_output: bool) -> Value {
    let mut kinds: Vec<Value> = Vec::new();
    for one in choices {
        let kind = if one.get("const").is_some_and(Value::is_string) {
            json!("string")
        } else {
            short(one, root, is_output).get("type").cloned().unwrap_or(Value::Null)
        };
        match kind {
            Value::Null => return json!({}),
            Value::Array(several) => kinds.extend(several),
            one => kinds.push(one),
        }
    }
    kinds.dedup();
    if !is_output {
        kinds.retain(|kind| kind != "null");
    }
    match kinds.as_slice() {
        [one] => json!({"type": one}),
        _ => json!({"type": kinds}),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use scheduler_core::post::{PostInput, PostView};

    #[test]
    fn fields_come_from_the_types_of_the_api() {
        let input = Shape::default().read::<PostInput>(&["content", "mediaIds", "queue"]).value();
        assert_eq!(
            input,
            json!({"type": "object", "properties": {
                "content": {"type": "string"},
                "mediaIds": {"type": "array", "items": {"type": "string"}},
                "queue": {"type": "boolean"},
            }})
        );
        let names = ["id", "status", "linkUrl", "targets", "revision"];
        let output = Shape::default().written::<PostView>(&names).value();
        assert_eq!(output["properties"]["id"], json!({"type": "string"}));
        assert_eq!(output["properties"]["status"], json!({"type": "string"}));
        assert_eq!(output["properties"]["linkUrl"], json!({"type": ["string", "null"]}));
        assert_eq!(output["properties"]["targets"]["items"], json!({"type": "object"}));
        let required = output["required"].as_array().unwrap();
        assert!(required.contains(&json!("id")) && required.contains(&json!("revision")));
        let none = Shape::default().written::<PostView>(&["nothing"]).value();
        assert_eq!(none["properties"]["nothing"], json!(false), "nothing fits what there is not");
    }
}
