//! The query of an address.

use std::collections::BTreeMap;
use std::str::FromStr;

use scheduler_core::error::Refusal;

use super::head::Head;
use crate::parameter::Parameter;

/// The parameters of a query, each known to its endpoint, and at most once unless it may be
/// repeated.
#[derive(Debug, Default)]
pub(crate) struct Query(BTreeMap<String, Vec<String>>);

impl Query {
    /// Reads the query.
    ///
    /// # Errors
    /// `invalid_request` naming a parameter that is not among the known ones or that is repeated.
    pub(crate) fn read(head: &Head, known: &[Parameter]) -> Result<Self, Refusal> {
        let Some(query) = head.query() else { return Ok(Self::default()) };
        let pairs: Vec<(String, String)> = serde_urlencoded::from_str(query)
            .map_err(|_| Refusal::invalid("query", "The query of the address is not readable."))?;
        let mut parameters: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (name, value) in pairs {
            let Some(parameter) = known.iter().find(|parameter| parameter.name == name) else {
                return Err(unknown(&name, known));
            };
            let values = parameters.entry(name.clone()).or_default();
            if !values.is_empty() && !parameter.is_repeatable {
                let message = format!("{name} is sent more than once.");
                return Err(Refusal::invalid(name, message));
            }
            values.push(value);
        }
        Ok(Self(parameters))
    }

    /// Takes out the value of a parameter.
    pub(crate) fn take(&mut self, name: &str) -> Option<String> {
        self.take_all(name).pop()
    }

    /// Takes out the value of a parameter as what it stands for; `form` says what that is.
    ///
    /// # Errors
    /// `invalid_request` naming the parameter.
    pub(crate) fn parsed<T: FromStr>(
        &mut self,
        name: &str,
        form: &str,
    ) -> Result<Option<T>, Refusal> {
        let parsed = self.take(name).map(|value| value.parse());
        let refuse = |_| Refusal::invalid(name, format!("{name} is {form}."));
        parsed.transpose().map_err(refuse)
    }

    /// Takes out every value of a parameter that may be repeated.
    pub(crate) fn take_all(&mut self, name: &str) -> Vec<String> {
        self.0.remove(name).unwrap_or_default()
    }
}

fn unknown(name: &str, known: &[Parameter]) -> Refusal {
    let name: String = name.chars().take(100).collect();
    let names: Vec<&str> = known.iter().map(|parameter| parameter.name).collect();
    let known = if names.is_empty() {
        "it takes none".to_owned()
    } else {
        format!("it takes {}", names.join(", "))
    };
    let message = format!("{name:?} is not a query parameter of this endpoint; {known}.");
    Refusal::invalid(name, message)
}
