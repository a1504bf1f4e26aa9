//! The query of an address.

use std::collections::BTreeMap;

use scheduler_core::error::Refusal;

use super::Head;
use crate::endpoints::Endpoint;

/// The query parameters of a request, each at most once and each known to its endpoint.
#[derive(Debug, Default)]
pub(crate) struct Parameters(BTreeMap<String, String>);

impl Parameters {
    /// Reads the parameters.
    ///
    /// # Errors
    /// `invalid_request` naming a parameter that the endpoint does not know or that is repeated.
    pub(crate) fn read(head: &Head, endpoint: &Endpoint) -> Result<Self, Refusal> {
        let Some(query) = head.query() else { return Ok(Self::default()) };
        let pairs: Vec<(String, String)> = serde_urlencoded::from_str(query)
            .map_err(|_| Refusal::invalid("query", "The query of the address is not readable."))?;
        let mut parameters = BTreeMap::new();
        for (name, value) in pairs {
            if !endpoint.parameters.contains(&name.as_str()) {
                return Err(unknown(&name, endpoint));
            }
            if parameters.insert(name.clone(), value).is_some() {
                let message = format!("{name} is sent more than once.");
                return Err(Refusal::invalid(name, message));
            }
        }
        Ok(Self(parameters))
    }

    /// Takes out the value of a parameter.
    pub(crate) fn take(&mut self, name: &str) -> Option<String> {
        self.0.remove(name)
    }
}

fn unknown(name: &str, endpoint: &Endpoint) -> Refusal {
    let name: String = name.chars().take(100).collect();
    let known = if endpoint.parameters.is_empty() {
        "it takes none".to_owned()
    } else {
        format!("it takes {}", endpoint.parameters.join(", "))
    };
    let message = format!("{name:?} is not a query parameter of this endpoint; {known}.");
    Refusal::invalid(name, message)
}
