//! Settings of other systems that have an option here.

use serde_json::{Map, Value};

/// A setting of another system.
#[derive(Clone, Copy, Debug)]
pub(super) struct Setting {
    /// The network, in the words of the system.
    pub(super) network: &'static str,
    /// Where it stands among the settings of the network, as a JSON pointer; `{id}` is the account.
    pub(super) at: &'static str,
    /// The option.
    pub(super) option: &'static str,
    /// What the values are called here; none for values that are the same.
    pub(super) values: &'static [(&'static str, &'static str)],
}

/// The options that follow from the settings of an account. What is not set is left out, and so is
/// a value that nothing here corresponds to.
pub(super) fn options(
    table: &[Setting],
    network: &str,
    account: &str,
    settings: &Value,
) -> Map<String, Value> {
    let of_network = table.iter().filter(|setting| setting.network == network);
    let found = of_network.filter_map(|setting| {
        let value = settings.pointer(&setting.at.replace("{id}", account))?;
        let value = match value {
            Value::Null => return None,
            Value::String(text) if text.is_empty() => return None,
            Value::String(text) if !setting.values.is_empty() => {
                let (_, ours) = setting.values.iter().find(|(theirs, _)| theirs == text)?;
                Value::from(*ours)
            }
            other => other.clone(),
        };
        Some((setting.option.to_owned(), value))
    });
    found.collect()
}
