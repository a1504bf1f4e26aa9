//! A value that lets in whoever knows it.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A value that lets in whoever knows it, such as an address for an upload. It is stored as it is,
/// and prints as `[redacted]`.
#[derive(Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub(crate) struct Redacted<T>(pub(crate) T);

impl<T> fmt::Debug for Redacted<T> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("[redacted]")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_stored_as_it_is_and_never_printed() {
        let address = Redacted("https://a.example/secret".to_owned());
        assert_eq!(format!("{address:?}"), "[redacted]");
        let stored = serde_json::to_value(&address).unwrap();
        assert_eq!(stored, "https://a.example/secret");
        assert_eq!(serde_json::from_value::<Redacted<String>>(stored).unwrap(), address);
    }
}
