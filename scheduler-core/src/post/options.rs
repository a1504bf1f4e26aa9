//! The options of a target as a caller sends them: how many values, and how many bytes.

use std::cell::Cell;
use std::fmt::{self, Display};

use serde::de::{DeserializeSeed, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use crate::error::Refusal;

/// Bytes that the options of one target hold at most, written as JSON without spaces.
///
/// Source: our decision; the longest options that a network takes are a tenth of it.
pub const OPTIONS_MAX_BYTES: usize = 64 << 10;

/// Values that the options of one target hold at most, at any depth: each list, object, text,
/// number, `true`, `false` and `null` is one.
///
/// Source: our decision; the most that a network takes are the parts of a thread.
pub const OPTIONS_MAX_VALUES: usize = 1_000;

/// Characters of an option's key that a refusal repeats.
const SHOWN_CHARACTERS: usize = 64;

/// Refuses options that hold too much, naming the option that holds the most of it.
///
/// # Errors
/// `invalid_request` naming the option of those that stand in this field.
pub(crate) fn check(field: &dyn Display, options: &Map<String, Value>) -> Result<(), Refusal> {
    let refused = |measure: fn(&Value) -> usize, message: String| {
        let largest = options.iter().max_by_key(|(key, value)| key.len() + measure(value));
        let key: String =
            largest.into_iter().flat_map(|(key, _)| key.chars().take(SHOWN_CHARACTERS)).collect();
        let message = format!("{message} {key:?} holds the most; make it smaller or leave it out.");
        Err(Refusal::invalid(format!("{field}.{key}"), message))
    };
    if options.values().map(count_values).sum::<usize>() > OPTIONS_MAX_VALUES {
        let message = format!(
            "The options of a target hold at most {OPTIONS_MAX_VALUES} values, counted at every depth."
        );
        return refused(count_values, message);
    }
    let bytes = json_bytes(options);
    if bytes > OPTIONS_MAX_BYTES {
        let message = format!("The options are {bytes} bytes, the limit is {OPTIONS_MAX_BYTES}.");
        return refused(json_bytes, message);
    }
    Ok(())
}

/// The number of values at any depth, itself among them.
pub(crate) fn count_values(value: &Value) -> usize {
    1 + match value {
        Value::Array(items) => items.iter().map(count_values).sum::<usize>(),
        Value::Object(members) => members.values().map(count_values).sum(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => 0,
    }
}

/// How long a value is, written as JSON without spaces.
pub(crate) fn json_bytes<T: Serialize + ?Sized>(value: &T) -> usize {
    struct Count(usize);

    impl std::io::Write for Count {
        fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
            self.0 += bytes.len();
            Ok(bytes.len())
        }

        fn flush(&mut self) -> std::io::Result<()> {
            Ok(())
        }
    }

    let mut count = Count(0);
    // Only a type that cannot be written as JSON at all ends before its end.
    let _ = serde_json::to_writer(&mut count, value);
    count.0
}

/// Reads the options of a target. Of what holds more values than it may, the first above the limit
/// is the last that is kept: a value takes 16 times the memory of its text, and a body that is
/// refused must not take that much.
///
/// # Errors
/// For what is neither an object nor `null`.
pub(super) fn read<'de, D>(deserializer: D) -> Result<Option<Map<String, Value>>, D::Error>
where
    D: Deserializer<'de>,
{
    Ok(Option::<Bounded>::deserialize(deserializer)?.map(|Bounded(options)| options))
}

struct Bounded(Map<String, Value>);

impl<'de> Deserialize<'de> for Bounded {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let left = Cell::new(OPTIONS_MAX_VALUES + 1);
        deserializer.deserialize_map(MembersVisitor(&left)).map(Self)
    }
}

/// Reads values for as long as any are left; always the value itself.
#[derive(Clone, Copy)]
struct ValueVisitor<'a>(&'a Cell<usize>);

impl ValueVisitor<'_> {
    fn count(&self) {
        self.0.set(self.0.get().saturating_sub(1));
    }
}

impl<'de> DeserializeSeed<'de> for ValueVisitor<'_> {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        self.count();
        deserializer.deserialize_any(self)
    }
}

impl<'de> Visitor<'de> for ValueVisitor<'_> {
    type Value = Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a JSON value")
    }

    fn visit_unit<E>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E>(self, value: bool) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_i64<E>(self, value: i64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_u64<E>(self, value: u64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_f64<E>(self, value: f64) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_str<E>(self, value: &str) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_string<E>(self, value: String) -> Result<Value, E> {
        Ok(value.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Value, A::Error> {
        let mut items = Vec::new();
        while self.0.get() > 0 {
            let Some(item) = list.next_element_seed(self)? else { return Ok(items.into()) };
            items.push(item);
        }
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(items.into())
    }

    fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Value, A::Error> {
        MembersVisitor(self.0).visit_map(map).map(Value::Object)
    }
}

struct MembersVisitor<'a>(&'a Cell<usize>);

impl<'de> Visitor<'de> for MembersVisitor<'_> {
    type Value = Map<String, Value>;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a map")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Map<String, Value>, A::Error> {
        let mut members = Map::new();
        while self.0.get() > 0 {
            let Some(key) = map.next_key()? else { return Ok(members) };
            members.insert(key, map.next_value_seed(ValueVisitor(self.0))?);
        }
        while map.next_entry::<IgnoredAny, IgnoredAny>()?.is_some() {}
        Ok(members)
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn read_text(text: &str) -> Option<Map<String, Value>> {
        read(&mut serde_json::Deserializer::from_str(text)).unwrap()
    }

    #[test]
    fn options_are_read_as_they_are_sent() {
        let sent = json!({
            "a": null, "b": [true, -5, 5, 2.5, "x\ny", {}, []], "c": {"d": {"e": ["é"]}},
        });
        assert_eq!(read_text(&sent.to_string()).map(Value::Object), Some(sent.clone()));
        assert_eq!(read(sent.clone()).unwrap().map(Value::Object), Some(sent));
        assert_eq!(read_text("null"), None);
        assert_eq!(read_text("{}"), Some(Map::new()));
        let refused = read(&mut serde_json::Deserializer::from_str("[1]")).unwrap_err();
        assert!(refused.to_string().starts_with("invalid type: sequence, expected a map"));
    }

    #[test]
    fn what_holds_too_much_is_refused_by_the_name_of_the_largest_option() {
        let zeros = |count: usize| Value::Array(vec![json!(0); count]);
        let text = |bytes: usize| Value::String("x".repeat(bytes));
        let deep = (0..600).map(|number| (number.to_string(), json!({"a": 1})));
        for (name, options, want) in [
            ("as many values as may be", json!({"x": zeros(999)}), None),
            ("one value more", json!({"x": zeros(1_000)}), Some("targets[3].options.x")),
            ("far more", json!({"x": zeros(500_000)}), Some("targets[3].options.x")),
            (
                "many small options beside a larger one",
                json!({"a": zeros(300), "b": zeros(400), "c": zeros(399)}),
                Some("targets[3].options.b"),
            ),
            (
                "deep ones",
                json!({"a": 1, "x": Value::Object(deep.collect())}),
                Some("targets[3].options.x"),
            ),
            ("as many bytes as may be", json!({"x": text(OPTIONS_MAX_BYTES - 8)}), None),
            (
                "one byte more",
                json!({"x": text(OPTIONS_MAX_BYTES - 7)}),
                Some("targets[3].options.x"),
            ),
            (
                "a long key",
                json!({"k".repeat(OPTIONS_MAX_BYTES): 1}),
                Some(&*format!("targets[3].options.{}", "k".repeat(64))),
            ),
        ] {
            let read = read_text(&options.to_string()).unwrap();
            assert!(
                read.values().map(count_values).sum::<usize>() <= OPTIONS_MAX_VALUES + 1,
                "{name}"
            );
            let refused = check(&"targets[3].options", &read).err();
            assert_eq!(refused.and_then(|refusal| refusal.field).as_deref(), want, "{name}");
        }
    }

    #[test]
    fn the_bytes_of_a_value_are_those_of_its_text() {
        for value in [json!(null), json!({"a": ["é\n\u{1}", 1.5, {"b": {}}]}), json!("")] {
            assert_eq!(json_bytes(&value), value.to_string().len());
        }
    }
}
