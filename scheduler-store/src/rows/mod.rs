//! Rows as both databases give them, and the values of the core that they hold.
//!
//! Each row is a table of its columns (`row`), from which its reader and its list of columns come.

pub(crate) mod account;
pub(crate) mod account_set;
pub(crate) mod approval;
pub(crate) mod assistant;
pub(crate) mod audit;
pub(crate) mod calendar;
pub(crate) mod comment;
pub(crate) mod connecting;
pub(crate) mod facet;
pub(crate) mod feed;
pub(crate) mod grant;
pub(crate) mod key;
pub(crate) mod key_use;
pub(crate) mod last_change;
pub(crate) mod media;
pub(crate) mod notifier;
pub(crate) mod passkey;
pub(crate) mod post;
pub(crate) mod post_version;
pub(crate) mod reading;
pub(crate) mod recurrence;
mod row;
pub(crate) mod session;
pub(crate) mod short_link;
pub(crate) mod snippet;
pub(crate) mod target;
pub(crate) mod upload_link;
pub(crate) mod webhook;
pub(crate) mod words;
pub(crate) mod work;
pub(crate) mod workspace;

use std::str::FromStr;

use scheduler_core::ids::PersonId;
use scheduler_core::ports::StoreError;
use scheduler_core::session::Person;
use serde::Serialize;
use serde::de::DeserializeOwned;
use uuid::Uuid;

use crate::error::corrupt;

#[cfg(feature = "postgres")]
pub(crate) use row::Columns;
pub(crate) use row::{Bound, Values, column, list, numbered, row, values};

/// Reads a value from its name.
pub(crate) fn parse<T: FromStr>(what: &'static str, text: &str) -> Result<T, StoreError> {
    text.parse().map_err(|_| corrupt(what, "the name is not known to this version"))
}

/// Reads a person, where there is one.
pub(crate) fn person(
    what: &'static str,
    id: Option<Uuid>,
    name: Option<String>,
) -> Result<Option<Person>, StoreError> {
    let (Some(id), Some(name)) = (id, name) else { return Ok(None) };
    let name = name.parse().map_err(|_| corrupt(what, "it is not the name of a person"))?;
    Ok(Some(Person { id: PersonId(id), name }))
}

/// Finds the value of an enum that is written as `text`.
pub(crate) fn find<T: Copy>(
    what: &'static str,
    all: impl IntoIterator<Item = T>,
    name: impl Fn(&T) -> &'static str,
    text: &str,
) -> Result<T, StoreError> {
    all.into_iter()
        .find(|value| name(value) == text)
        .ok_or_else(|| corrupt(what, "the name is not known to this version"))
}

/// Reads a value from JSON.
pub(crate) fn from_json<T: DeserializeOwned>(
    what: &'static str,
    text: &str,
) -> Result<T, StoreError> {
    serde_json::from_str(text).map_err(|_| corrupt(what, "the JSON has another form"))
}

/// Writes a value as JSON.
pub(crate) fn to_json<T: Serialize>(what: &'static str, value: &T) -> Result<String, StoreError> {
    serde_json::to_string(value).map_err(|_| corrupt(what, "the value cannot be written as JSON"))
}

/// Reads the name that serde gives a value without fields.
pub(crate) fn from_name<T: DeserializeOwned>(
    what: &'static str,
    text: &str,
) -> Result<T, StoreError> {
    serde_json::from_value(serde_json::Value::String(text.to_owned()))
        .map_err(|_| corrupt(what, "the name is not known to this version"))
}

/// Writes the name that serde gives a value without fields.
pub(crate) fn to_name<T: Serialize>(what: &'static str, value: &T) -> Result<String, StoreError> {
    match serde_json::to_value(value) {
        Ok(serde_json::Value::String(name)) => Ok(name),
        Ok(_) | Err(_) => Err(corrupt(what, "the value has no name")),
    }
}

/// Reads a number that is not as wide as its column.
pub(crate) fn narrow<T: TryFrom<i64>>(what: &'static str, number: i64) -> Result<T, StoreError> {
    T::try_from(number).map_err(|_| corrupt(what, "the number is out of range"))
}

/// Writes a number into a column that is not as wide.
pub(crate) fn number<T: TryInto<i64>>(what: &'static str, value: T) -> Result<i64, StoreError> {
    value.try_into().map_err(|_| corrupt(what, "the number is out of range"))
}
