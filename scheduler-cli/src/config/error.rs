//! Why settings cannot be used.

use std::path::PathBuf;

/// Why the settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ConfigError {
    /// The file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Unreadable {
        /// Which.
        path: PathBuf,
        /// What the system answered.
        source: std::io::Error,
    },
    /// The file is no TOML.
    #[error("{}, line {line}: {reason}", path.display())]
    Syntax {
        /// Which.
        path: PathBuf,
        /// Where, counted from 1.
        line: usize,
        /// What is wrong with it.
        reason: String,
    },
    /// The file holds a key that nobody reads.
    #[error("{}: unknown key {key:?}{}", path.display(), meant(nearest.as_deref()))]
    UnknownKey {
        /// The configuration file.
        path: PathBuf,
        /// The key.
        key: String,
        /// The known key that is most like it, where one is near enough.
        nearest: Option<String>,
    },
    /// A value is wrong. The value itself is not shown: it may be a secret.
    #[error("{place} {reason}")]
    Value {
        /// The variable, or the key and its file.
        place: String,
        /// What is wrong, to follow the place in a sentence.
        reason: String,
    },
}

/// What an unknown key may be meant to be.
fn meant(nearest: Option<&str>) -> String {
    nearest.map_or_else(
        || "; scheduler.example.toml lists every key".to_owned(),
        |nearest| format!("; did you mean {nearest:?}?"),
    )
}
