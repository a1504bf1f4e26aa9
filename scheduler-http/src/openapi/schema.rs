//! Writing schemas.

use serde_json::{Map, Value, json};

/// A text.
pub(crate) fn text() -> Value {
    json!({"type": "string"})
}

/// An id.
pub(crate) fn uuid() -> Value {
    json!({"type": "string", "format": "uuid"})
}

/// An instant with its offset.
pub(crate) fn instant() -> Value {
    json!({"type": "string", "format": "date-time"})
}

/// An absolute address.
pub(crate) fn address() -> Value {
    json!({"type": "string", "format": "uri"})
}

/// A whole number that is not negative.
pub(crate) fn count() -> Value {
    json!({"type": "integer", "minimum": 0})
}

/// A whole number from 1.
pub(crate) fn positive() -> Value {
    json!({"type": "integer", "minimum": 1})
}

/// A number that is not negative.
pub(crate) fn amount() -> Value {
    json!({"type": "number", "minimum": 0})
}

/// A whole number from 1 to the highest that is taken.
pub(crate) fn up_to(max: impl Into<Value>, default: impl Into<Value>) -> Value {
    json!({"type": "integer", "minimum": 1, "maximum": max.into(), "default": default.into()})
}

/// `true` or `false`.
pub(crate) fn flag() -> Value {
    json!({"type": "boolean"})
}

/// A list.
pub(crate) fn list(items: Value) -> Value {
    json!({"type": "array", "items": items})
}

/// One of these texts.
pub(crate) fn one_of<'a>(names: impl IntoIterator<Item = &'a str>) -> Value {
    let names: Vec<&str> = names.into_iter().collect();
    json!({"type": "string", "enum": names})
}

/// One of these values of the core, by the names that they are written under.
pub(crate) fn one_of_all<T: serde::Serialize>(values: &[T]) -> Value {
    json!({"type": "string", "enum": values})
}

/// A schema of `components.schemas`.
pub(crate) fn named(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
}

/// The same, or null.
pub(crate) fn or_null(schema: Value) -> Value {
    let Value::Object(mut fields) = schema else { return schema };
    let Some(kind) = fields.get("type").cloned() else {
        return json!({"anyOf": [fields, {"type": "null"}]});
    };
    fields.insert("type".to_owned(), json!([kind, "null"]));
    if let Some(Value::Array(values)) = fields.get_mut("enum") {
        values.push(Value::Null);
    }
    Value::Object(fields)
}

/// The same with more keywords.
pub(crate) fn with(mut schema: Value, keywords: Value) -> Value {
    if let (Value::Object(fields), Value::Object(more)) = (&mut schema, keywords) {
        fields.extend(more);
    }
    schema
}

/// The same with words that explain it.
pub(crate) fn said(schema: Value, words: &str) -> Value {
    with(schema, json!({"description": words}))
}

/// An object with these fields and no others; one whose name ends in `?` may be missing.
pub(crate) fn object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    with(open_object(fields), json!({"additionalProperties": false}))
}

/// An object with these fields, and maybe others.
pub(crate) fn open_object<const N: usize>(fields: [(&str, Value); N]) -> Value {
    let mut properties = Map::new();
    let mut required = Vec::new();
    for (name, schema) in fields {
        match name.strip_suffix('?') {
            Some(name) => properties.insert(name.to_owned(), schema),
            None => {
                required.push(name);
                properties.insert(name.to_owned(), schema)
            }
        };
    }
    let mut object = json!({"type": "object", "properties": properties});
    if !required.is_empty() {
        object["required"] = json!(required);
    }
    object
}

/// The body of a list: `{"data": […]}`.
pub(crate) fn data_of(items: Value) -> Value {
    object([("data", list(items))])
}

/// Schemas with their names.
pub(crate) fn named_all<const N: usize>(schemas: [(&str, Value); N]) -> Vec<(String, Value)> {
    schemas.into_iter().map(|(name, schema)| (name.to_owned(), schema)).collect()
}
