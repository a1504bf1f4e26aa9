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

/// A whole number that is not negative.
pub(crate) fn count() -> Value {
    json!({"type": "integer", "minimum": 0})
}

/// A whole number from 1 to the highest that is taken.
pub(crate) fn up_to(max: impl Into<Value>, default: impl Into<Value>) -> Value {
    json!({"type": "integer", "minimum": 1, "maximum": max.into(), "default": default.into()})
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

/// A schema of `components.schemas`.
pub(crate) fn named(name: &str) -> Value {
    json!({"$ref": format!("#/components/schemas/{name}")})
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
