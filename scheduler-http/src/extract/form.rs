//! Names and values of a form, or of an address that a browser is sent to.

use std::fmt;

use scheduler_core::error::{ErrorCode, Refusal};

/// The names and values of a form, in their order. Prints no values: they may be secrets.
#[derive(Clone, Default)]
pub struct Form(Vec<(String, String)>);

impl Form {
    /// Reads what is written as `name=value&…`.
    ///
    /// # Errors
    /// `invalid_request` when it is not.
    pub fn parse(text: &[u8]) -> Result<Self, Refusal> {
        serde_urlencoded::from_bytes(text).map(Self).map_err(|_| {
            Refusal::new(ErrorCode::InvalidRequest, "What the browser has sent is not readable.")
        })
    }

    /// The names and values that came otherwise.
    pub(crate) const fn of(pairs: Vec<(String, String)>) -> Self {
        Self(pairs)
    }

    /// The value of a name that stands there exactly once.
    #[must_use]
    pub fn only(&self, name: &str) -> Option<&str> {
        let mut values = self.0.iter().filter(|(found, _)| found == name);
        let (_, value) = values.next()?;
        values.next().is_none().then_some(value.as_str())
    }

    /// Every name with its value.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// Every value of a name.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0.iter().filter(move |(found, _)| found == name).map(|(_, value)| value.as_str())
    }
}

impl fmt::Debug for Form {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.0.iter().map(|(name, _)| name)).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values() {
        let form = Form::parse(b"a=1&b=2&b=3&c=%26+%C3%A9&d").unwrap();
        for (name, want) in
            [("a", Some("1")), ("b", None), ("c", Some("& é")), ("d", Some("")), ("e", None)]
        {
            assert_eq!(form.only(name), want, "{name}");
        }
        assert_eq!(form.all("b").collect::<Vec<_>>(), ["2", "3"]);
        assert!(!format!("{form:?}").contains('é'));
    }
}
