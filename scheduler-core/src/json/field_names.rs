//! The names of the fields of a body.

use serde::de::value::Error;
use serde::de::{Deserialize, Deserializer, Error as _, Visitor};
use serde::forward_to_deserialize_any;

/// The names of the fields of a body, in the order of its type; none for a type that is not a
/// struct.
pub(super) fn field_names<T: for<'de> Deserialize<'de>>() -> &'static [&'static str] {
    let mut asked = Asked(&[]);
    // It reads nothing, so that no type is made of it.
    let _: Result<T, Error> = T::deserialize(&mut asked);
    asked.0
}

/// What keeps the names of fields that a type asks for.
struct Asked(&'static [&'static str]);

impl<'de> Deserializer<'de> for &mut Asked {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, _: V) -> Result<V::Value, Error> {
        Err(Error::custom("there is nothing to read"))
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        self.0 = fields;
        self.deserialize_any(visitor)
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf option
        unit unit_struct newtype_struct seq tuple tuple_struct map enum identifier ignored_any
    }
}
