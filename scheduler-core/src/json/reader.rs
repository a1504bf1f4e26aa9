//! A deserializer around another one, whose errors are data: what is wrong, and where.
//!
//! An error has to pass through the wrapped deserializer, which would make text of it. So it is
//! laid aside meanwhile, and picked up on the other side.

use std::cell::Cell;
use std::fmt;

use serde::de::{
    self, DeserializeSeed, Deserializer, EnumAccess, Expected, MapAccess, SeqAccess, Unexpected,
    VariantAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use crate::error::{Invalid, JsonKind};

/// One step from a value to one inside it.
#[derive(Debug)]
pub(super) enum Step {
    Field(String),
    Item(usize),
}

/// What is wrong with a value.
#[derive(Debug)]
pub(super) enum Problem {
    /// The wrapped deserializer could not read it.
    Unreadable,
    /// It could not read one of these names there.
    UnreadableName(&'static [&'static str]),
    /// The type that reads it does not take it, for a reason that has no more data.
    NotAllowed,
    /// A field of the object that is read.
    Field { name: String, problem: Invalid },
    /// The value itself.
    Value(Invalid),
    /// A value of another kind than is expected.
    Kind { found: JsonKind, expected: String },
}

/// What is wrong, and where: the steps to it, the last one first.
#[derive(Debug)]
pub(super) struct Fault {
    pub(super) steps: Vec<Step>,
    pub(super) problem: Problem,
}

impl Fault {
    fn inside(mut self, step: Step) -> Self {
        self.steps.push(step);
        self
    }
}

impl From<Problem> for Fault {
    fn from(problem: Problem) -> Self {
        Self { steps: Vec::new(), problem }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:?}", self.problem)
    }
}

impl std::error::Error for Fault {}

impl de::Error for Fault {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Problem::NotAllowed.into()
    }

    fn invalid_type(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        let expected = expected.to_string();
        Problem::Kind { found: kind_of(found), expected }.into()
    }

    fn invalid_value(found: Unexpected<'_>, expected: &dyn Expected) -> Self {
        match found {
            // A text is wanted, but this one is none of the kind.
            Unexpected::Str(_) => Problem::Value(Invalid::NotA(expected.to_string())).into(),
            found => Self::invalid_type(found, expected),
        }
    }

    fn unknown_variant(_: &str, known: &'static [&'static str]) -> Self {
        Problem::Value(Invalid::UnknownValue { known }).into()
    }

    fn unknown_field(name: &str, known: &'static [&'static str]) -> Self {
        let name = name.to_owned();
        let problem = Invalid::UnknownField { name: name.clone(), known };
        Problem::Field { name, problem }.into()
    }

    fn missing_field(name: &'static str) -> Self {
        Problem::Field { name: name.to_owned(), problem: Invalid::Required(name) }.into()
    }

    fn duplicate_field(name: &'static str) -> Self {
        Problem::Field { name: name.to_owned(), problem: Invalid::Repeated(name) }.into()
    }
}

fn kind_of(found: Unexpected<'_>) -> JsonKind {
    match found {
        Unexpected::Map => JsonKind::Object,
        Unexpected::Seq => JsonKind::List,
        Unexpected::Str(_) => JsonKind::String,
        Unexpected::Signed(_) | Unexpected::Unsigned(_) | Unexpected::Float(_) => JsonKind::Number,
        Unexpected::Bool(_) => JsonKind::Bool,
        Unexpected::Unit => JsonKind::Null,
        _ => JsonKind::Other,
    }
}

/// Where an error lies while it passes through the wrapped deserializer.
#[derive(Default)]
pub(super) struct Slot(Cell<Option<Fault>>);

impl Slot {
    fn lay<E: de::Error>(&self, fault: Fault) -> E {
        self.0.set(Some(fault));
        E::custom("")
    }

    fn pick_up<E>(&self, _: E) -> Fault {
        self.0.take().unwrap_or_else(|| Problem::Unreadable.into())
    }
}

/// The deserializer.
pub(super) struct Reader<'a, D> {
    inner: D,
    slot: &'a Slot,
    /// For the key of an object: where to note it.
    key: Option<&'a Cell<String>>,
}

impl<'a, D> Reader<'a, D> {
    pub(super) const fn new(inner: D, slot: &'a Slot) -> Self {
        Self { inner, slot, key: None }
    }

    /// Has the wrapped deserializer read a value; `expected` says what it is where the type that
    /// reads it has no words for people.
    fn read<'de, V: Visitor<'de>>(
        self,
        visitor: V,
        expected: Option<&'static str>,
        read: impl FnOnce(D, Watched<'a, V>) -> Result<V::Value, D::Error>,
    ) -> Result<V::Value, Fault>
    where
        D: Deserializer<'de>,
    {
        let Self { inner, slot, key } = self;
        read(inner, Watched { visitor, slot, key, expected }).map_err(|error| slot.pick_up(error))
    }
}

macro_rules! expecting {
    ($($method:ident => $expected:literal,)*) => {$(
        fn $method<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
            self.read(visitor, Some($expected), |inner, visitor| inner.deserialize_any(visitor))
        }
    )*};
}

impl<'de, D: Deserializer<'de>> Deserializer<'de> for Reader<'_, D> {
    type Error = Fault;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.read(visitor, None, |inner, visitor| inner.deserialize_any(visitor))
    }

    expecting! {
        deserialize_bool => "true or false",
        deserialize_u32 => "a whole number from 0 to 4294967295",
        deserialize_u64 => "a whole number, 0 or more,",
        deserialize_f64 => "a number",
        deserialize_seq => "a list",
        deserialize_map => "an object",
    }

    fn deserialize_struct<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.deserialize_map(visitor)
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.read(visitor, None, |inner, visitor| inner.deserialize_option(visitor))
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(
        self,
        name: &'static str,
        visitor: V,
    ) -> Result<V::Value, Fault> {
        self.read(visitor, None, |inner, visitor| inner.deserialize_newtype_struct(name, visitor))
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        name: &'static str,
        variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let value = self
            .read(visitor, None, |inner, visitor| inner.deserialize_enum(name, variants, visitor));
        value.map_err(|fault| {
            let is_own = fault.steps.is_empty() && matches!(fault.problem, Problem::Unreadable);
            if is_own { Problem::UnreadableName(variants).into() } else { fault }
        })
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Fault> {
        self.read(visitor, None, |inner, visitor| inner.deserialize_ignored_any(visitor))
    }

    forward_to_deserialize_any! {
        i8 i16 i32 i64 i128 u8 u16 u128 f32 char str string bytes byte_buf unit unit_struct tuple
        tuple_struct identifier
    }

    fn is_human_readable(&self) -> bool {
        self.inner.is_human_readable()
    }
}

/// A visitor whose errors are laid aside.
struct Watched<'a, V> {
    visitor: V,
    slot: &'a Slot,
    key: Option<&'a Cell<String>>,
    expected: Option<&'static str>,
}

impl<'a, V> Watched<'a, V> {
    fn visit<T, E: de::Error>(
        self,
        visit: impl FnOnce(V, &'a Slot) -> Result<T, Fault>,
    ) -> Result<T, E> {
        visit(self.visitor, self.slot).map_err(|mut fault| {
            if fault.steps.is_empty()
                && let (Problem::Kind { expected, .. }, Some(words)) =
                    (&mut fault.problem, self.expected)
            {
                words.clone_into(expected);
            }
            self.slot.lay(fault)
        })
    }

    fn note(&self, text: &str) {
        if let Some(key) = self.key {
            key.set(text.to_owned());
        }
    }
}

macro_rules! watched {
    ($($method:ident: $value:ty,)*) => {$(
        fn $method<E: de::Error>(self, value: $value) -> Result<V::Value, E> {
            self.visit(|visitor, _| visitor.$method(value))
        }
    )*};
}

impl<'de, V: Visitor<'de>> Visitor<'de> for Watched<'_, V> {
    type Value = V::Value;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.visitor.expecting(formatter)
    }

    watched! {
        visit_bool: bool,
        visit_i64: i64,
        visit_u64: u64,
        visit_f64: f64,
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<V::Value, E> {
        self.note(value);
        self.visit(|visitor, _| visitor.visit_str(value))
    }

    fn visit_borrowed_str<E: de::Error>(self, value: &'de str) -> Result<V::Value, E> {
        self.note(value);
        self.visit(|visitor, _| visitor.visit_borrowed_str(value))
    }

    fn visit_string<E: de::Error>(self, value: String) -> Result<V::Value, E> {
        self.note(&value);
        self.visit(|visitor, _| visitor.visit_string(value))
    }

    fn visit_unit<E: de::Error>(self) -> Result<V::Value, E> {
        self.visit(|visitor, _| visitor.visit_unit())
    }

    fn visit_none<E: de::Error>(self) -> Result<V::Value, E> {
        self.visit(|visitor, _| visitor.visit_none())
    }

    fn visit_some<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        self.visit(|visitor, slot| visitor.visit_some(Reader::new(inner, slot)))
    }

    fn visit_newtype_struct<D: Deserializer<'de>>(self, inner: D) -> Result<V::Value, D::Error> {
        self.visit(|visitor, slot| visitor.visit_newtype_struct(Reader::new(inner, slot)))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, list: A) -> Result<V::Value, A::Error> {
        self.visit(|visitor, slot| visitor.visit_seq(Items { list, slot, index: 0 }))
    }

    fn visit_map<A: MapAccess<'de>>(self, object: A) -> Result<V::Value, A::Error> {
        self.visit(|visitor, slot| {
            visitor.visit_map(Members { object, slot, key: Cell::default() })
        })
    }

    fn visit_enum<A: EnumAccess<'de>>(self, choice: A) -> Result<V::Value, A::Error> {
        self.visit(|visitor, slot| visitor.visit_enum(Choice { choice, slot }))
    }
}

/// What reads one value, whose errors are laid aside.
struct Seed<'a, S> {
    seed: S,
    slot: &'a Slot,
    key: Option<&'a Cell<String>>,
}

impl<'de, S: DeserializeSeed<'de>> DeserializeSeed<'de> for Seed<'_, S> {
    type Value = S::Value;

    fn deserialize<D: Deserializer<'de>>(self, inner: D) -> Result<S::Value, D::Error> {
        let Self { seed, slot, key } = self;
        seed.deserialize(Reader { inner, slot, key }).map_err(|fault| slot.lay(fault))
    }
}

/// The items of a list.
struct Items<'a, A> {
    list: A,
    slot: &'a Slot,
    index: usize,
}

impl<'de, A: SeqAccess<'de>> SeqAccess<'de> for Items<'_, A> {
    type Error = Fault;

    fn next_element_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Fault> {
        let slot = self.slot;
        let item = self.list.next_element_seed(Seed { seed, slot, key: None });
        let item = item.map_err(|error| slot.pick_up(error).inside(Step::Item(self.index)))?;
        self.index += 1;
        Ok(item)
    }

    fn size_hint(&self) -> Option<usize> {
        self.list.size_hint()
    }
}

/// The members of an object.
struct Members<'a, A> {
    object: A,
    slot: &'a Slot,
    key: Cell<String>,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Members<'_, A> {
    type Error = Fault;

    fn next_key_seed<S: DeserializeSeed<'de>>(
        &mut self,
        seed: S,
    ) -> Result<Option<S::Value>, Fault> {
        let slot = self.slot;
        let key = self.object.next_key_seed(Seed { seed, slot, key: Some(&self.key) });
        key.map_err(|error| slot.pick_up(error))
    }

    fn next_value_seed<S: DeserializeSeed<'de>>(&mut self, seed: S) -> Result<S::Value, Fault> {
        let slot = self.slot;
        let value = self.object.next_value_seed(Seed { seed, slot, key: None });
        value.map_err(|error| slot.pick_up(error).inside(Step::Field(self.key.take())))
    }

    fn size_hint(&self) -> Option<usize> {
        self.object.size_hint()
    }
}

/// One of the values of an enum.
struct Choice<'a, A> {
    choice: A,
    slot: &'a Slot,
}

impl<'de, 'a, A: EnumAccess<'de>> EnumAccess<'de> for Choice<'a, A> {
    type Error = Fault;
    type Variant = Choice<'a, A::Variant>;

    fn variant_seed<S: DeserializeSeed<'de>>(
        self,
        seed: S,
    ) -> Result<(S::Value, Self::Variant), Fault> {
        let slot = self.slot;
        let chosen = self.choice.variant_seed(Seed { seed, slot, key: None });
        let (value, choice) = chosen.map_err(|error| slot.pick_up(error))?;
        Ok((value, Choice { choice, slot }))
    }
}

impl<'de, A: VariantAccess<'de>> VariantAccess<'de> for Choice<'_, A> {
    type Error = Fault;

    fn unit_variant(self) -> Result<(), Fault> {
        self.choice.unit_variant().map_err(|error| self.slot.pick_up(error))
    }

    fn newtype_variant_seed<S: DeserializeSeed<'de>>(self, seed: S) -> Result<S::Value, Fault> {
        let slot = self.slot;
        let value = self.choice.newtype_variant_seed(Seed { seed, slot, key: None });
        value.map_err(|error| slot.pick_up(error))
    }

    fn tuple_variant<V: Visitor<'de>>(self, length: usize, visitor: V) -> Result<V::Value, Fault> {
        let slot = self.slot;
        let visitor = Watched { visitor, slot, key: None, expected: None };
        self.choice.tuple_variant(length, visitor).map_err(|error| slot.pick_up(error))
    }

    fn struct_variant<V: Visitor<'de>>(
        self,
        fields: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Fault> {
        let slot = self.slot;
        let visitor = Watched { visitor, slot, key: None, expected: None };
        self.choice.struct_variant(fields, visitor).map_err(|error| slot.pick_up(error))
    }
}
