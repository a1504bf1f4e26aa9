//! The arguments of a call.

use serde_json::{Map, Value};

use crate::failure::Failure;

/// The arguments of a call; each is taken once.
#[derive(Clone, Debug, Default)]
pub(crate) struct Arguments(Map<String, Value>);

impl Arguments {
    pub(crate) const fn new(arguments: Map<String, Value>) -> Self {
        Self(arguments)
    }

    /// The value of an argument; `null` counts as not given.
    pub(crate) fn take(&mut self, name: &str) -> Option<Value> {
        self.0.remove(name).filter(|value| !value.is_null())
    }

    /// A text that may be left out.
    ///
    /// # Errors
    /// When it is no text.
    pub(crate) fn text(&mut self, name: &str) -> Result<Option<String>, Failure> {
        match self.take(name) {
            None => Ok(None),
            Some(Value::String(text)) => Ok(Some(text)),
            Some(_) => Err(Failure::argument(name, format!("{name} is a text."))),
        }
    }

    /// A text.
    ///
    /// # Errors
    /// When it is missing, empty or no text.
    pub(crate) fn needed(&mut self, name: &str) -> Result<String, Failure> {
        let text = self.text(name)?.filter(|text| !text.is_empty());
        text.ok_or_else(|| Failure::argument(name, format!("{name} is missing.")))
    }

    /// A whole number that may be left out.
    ///
    /// # Errors
    /// When it is none.
    pub(crate) fn number(&mut self, name: &str) -> Result<Option<i64>, Failure> {
        let Some(value) = self.take(name) else { return Ok(None) };
        let number = value.as_i64();
        let wrong = || Failure::argument(name, format!("{name} is a whole number."));
        number.map(Some).ok_or_else(wrong)
    }

    /// True or false; false when it is left out.
    ///
    /// # Errors
    /// When it is neither.
    pub(crate) fn flag(&mut self, name: &str) -> Result<bool, Failure> {
        match self.take(name) {
            None => Ok(false),
            Some(Value::Bool(flag)) => Ok(flag),
            Some(_) => Err(Failure::argument(name, format!("{name} is true or false."))),
        }
    }

    /// A list of texts; empty when it is left out.
    ///
    /// # Errors
    /// When it is none.
    pub(crate) fn texts(&mut self, name: &str) -> Result<Vec<String>, Failure> {
        let Some(value) = self.take(name) else { return Ok(Vec::new()) };
        let wrong = |_| Failure::argument(name, format!("{name} is a list of texts."));
        serde_json::from_value(value).map_err(wrong)
    }

    /// Those of these names that are given, as they are: `null` clears a field of the API.
    pub(crate) fn given(&mut self, names: &[&str]) -> Map<String, Value> {
        let found = names.iter().filter_map(|name| self.0.remove_entry(*name));
        found.collect()
    }

    /// Ends the reading.
    ///
    /// # Errors
    /// When there is an argument that nobody has read.
    pub(crate) fn finish(self) -> Result<(), Failure> {
        match self.0.keys().next() {
            None => Ok(()),
            Some(name) => {
                Err(Failure::argument(name, format!("This tool has no argument {name:?}.")))
            }
        }
    }
}
