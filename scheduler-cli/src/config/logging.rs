//! The log: what goes into it, and how it is written.

use tracing_subscriber::EnvFilter;

use super::{ConfigError, Sources};

/// How a line of the log is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LogFormat {
    /// For a person.
    Pretty,
    /// One JSON object a line.
    Json,
}

/// What goes into the log, and how.
#[derive(Debug)]
pub(crate) struct LogSettings {
    /// What goes into it.
    pub(crate) filter: EnvFilter,
    /// How it is written.
    pub(crate) format: LogFormat,
}

impl LogSettings {
    /// Reads the settings; `default` is the filter when none is set.
    ///
    /// # Errors
    /// [`ConfigError::Value`]
    pub(crate) fn load(sources: &Sources, default: &str) -> Result<Self, ConfigError> {
        let parse = |text: &str| {
            EnvFilter::try_new(text).map_err(|_| "must be a filter such as info or warn,sqlx=debug")
        };
        let filter = sources.parsed(None, "log", parse)?.unwrap_or_else(|| EnvFilter::new(default));
        let format = sources.parsed(None, "log_format", |text| match text {
            "pretty" => Ok(LogFormat::Pretty),
            "json" => Ok(LogFormat::Json),
            _ => Err("must be pretty or json"),
        })?;
        Ok(Self { filter, format: format.unwrap_or(LogFormat::Pretty) })
    }
}
