//! Parameters of a request as one JSON object, whichever way they were sent.

use serde_json::{Map, Value};

use crate::request::Request;

/// Collects query, form or JSON body into one object; names with brackets become lists and
/// objects (`media_ids[]=1`, `media_attributes[][id]=2`).
pub(crate) fn params(request: &Request) -> Map<String, Value> {
    let mut object = Map::new();
    for (name, value) in request.query_pairs() {
        insert(&mut object, name, Value::from(value.as_str()));
    }
    match request.content_type().as_str() {
        "application/json" => {
            if let Some(Value::Object(body)) = request.json() {
                object.extend(body.clone());
            }
        }
        "application/x-www-form-urlencoded" => {
            let pairs: Vec<(String, String)> = request
                .body
                .whole()
                .and_then(|body| serde_urlencoded::from_bytes(body).ok())
                .unwrap_or_default();
            for (name, value) in pairs {
                insert(&mut object, &name, Value::from(value));
            }
        }
        "multipart/form-data" => {
            for part in request.body.parts.iter().filter(|part| part.file_name.is_none()) {
                let text = String::from_utf8_lossy(&part.head).into_owned();
                insert(&mut object, &part.name, Value::from(text));
            }
        }
        _ => {}
    }
    object
}

/// Returns a parameter as text; numbers and booleans are written out.
pub(crate) fn text(params: &Map<String, Value>, name: &str) -> Option<String> {
    params.get(name).and_then(plain)
}

/// Returns a parameter as a list of texts.
pub(crate) fn texts(params: &Map<String, Value>, name: &str) -> Option<Vec<String>> {
    params.get(name)?.as_array().map(|items| items.iter().filter_map(plain).collect())
}

/// Returns a parameter as a truth value, by the rules of form fields.
pub(crate) fn flag(params: &Map<String, Value>, name: &str) -> Option<bool> {
    text(params, name).map(|text| !matches!(text.as_str(), "" | "0" | "f" | "false" | "off"))
}

fn plain(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.clone()),
        Value::Number(number) => Some(number.to_string()),
        Value::Bool(truth) => Some(truth.to_string()),
        Value::Null | Value::Array(_) | Value::Object(_) => None,
    }
}

fn insert(object: &mut Map<String, Value>, name: &str, value: Value) {
    let (first, rest) = name.split_at(name.find('[').unwrap_or(name.len()));
    if rest.is_empty() {
        object.insert(first.to_owned(), value);
    } else {
        nest(object.entry(first).or_insert(Value::Null), rest, value);
    }
}

/// Puts a value below `place`; `path` is what remains of the name, brackets first.
fn nest(place: &mut Value, path: &str, value: Value) {
    let inner = path.strip_prefix('[').and_then(|path| path.split_once(']'));
    let Some((key, rest)) = inner else {
        *place = value;
        return;
    };
    if !key.is_empty() {
        if !place.is_object() {
            *place = Value::Object(Map::new());
        }
        nest(&mut place[key], rest, value);
        return;
    }
    if !place.is_array() {
        *place = Value::Array(Vec::new());
    }
    let Value::Array(items) = place else { return };
    let next_key = rest.strip_prefix('[').and_then(|rest| rest.split_once(']')).map(|(key, _)| key);
    let continues = match (next_key, items.last()) {
        (Some(key), Some(Value::Object(last))) => !key.is_empty() && !last.contains_key(key),
        _ => false,
    };
    if !continues {
        items.push(Value::Null);
    }
    if let Some(last) = items.last_mut() {
        nest(last, rest, value);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn brackets_build_lists_and_objects() {
        for (name, form, want) in [
            ("plain", "a=1&b=2", json!({"a":"1","b":"2"})),
            ("list", "m[]=1&m[]=2", json!({"m":["1","2"]})),
            ("object", "p[x]=1&p[y][]=2&p[y][]=3", json!({"p":{"x":"1","y":["2","3"]}})),
            (
                "list of objects",
                "m[][id]=1&m[][d]=x&m[][id]=2",
                json!({"m":[{"id":"1","d":"x"},{"id":"2"}]}),
            ),
        ] {
            let pairs: Vec<(String, String)> = serde_urlencoded::from_str(form).unwrap();
            let mut object = Map::new();
            for (key, value) in pairs {
                insert(&mut object, &key, Value::from(value));
            }
            assert_eq!(Value::Object(object), want, "{name}");
        }
    }
}
