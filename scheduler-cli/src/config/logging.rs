//! The log: what goes into it, and how it is written.

use tracing::Level;
use tracing_subscriber::filter::{LevelFilter, Targets};

use super::error::ConfigError;
use super::sources::Sources;
use super::table::KEYS;
use super::value::LogFormat;

/// What goes into the log, and how.
#[derive(Debug)]
pub(crate) struct LogSettings {
    /// What goes into it.
    pub(crate) filter: Targets,
    /// How it is written.
    pub(crate) format: LogFormat,
}

impl LogSettings {
    /// Lines for a person, of this level and those above it.
    pub(crate) fn new(level: Level) -> Self {
        let filter = without_the_library(Targets::new().with_default(level));
        Self { filter, format: LogFormat::Pretty }
    }

    /// Reads the settings; `default` is the level when no filter is set.
    ///
    /// # Errors
    /// [`ConfigError::Value`]
    pub(crate) fn load(sources: &Sources, default: Level) -> Result<Self, ConfigError> {
        let unset = Self::new(default);
        let filter = sources.set(&KEYS.log)?.unwrap_or(unset.filter);
        let filter = without_the_library(filter);
        Ok(Self { filter, format: sources.get(&KEYS.log_format)? })
    }
}

/// The same without what the library of the Model Context Protocol says, unless everything is
/// wanted: it has four lines for each request, which has a line of its own, and an error for each
/// client that went away.
fn without_the_library(filter: Targets) -> Targets {
    const LIBRARY: &str = "rmcp";
    if filter.would_enable(LIBRARY, &Level::DEBUG) {
        return filter;
    }
    filter.with_target(LIBRARY, LevelFilter::OFF)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::sources;

    #[test]
    fn filters() {
        for (text, module, level, want) in [
            ("", "scheduler_http", Level::WARN, true),
            ("", "scheduler_http", Level::INFO, false),
            ("info", "scheduler_http", Level::INFO, true),
            ("info", "scheduler_http", Level::DEBUG, false),
            ("warn,scheduler_http=debug", "scheduler_http::worker", Level::DEBUG, true),
            ("warn,scheduler_http=debug", "sqlx", Level::INFO, false),
            ("off", "sqlx", Level::ERROR, false),
            ("info", "rmcp::service", Level::INFO, false),
            ("info", "rmcp::service", Level::ERROR, false),
            ("debug", "rmcp::service", Level::INFO, true),
        ] {
            let variables = [("SCHEDULER_LOG", text)];
            let settings = LogSettings::load(&sources(&variables, &[]), Level::WARN).unwrap();
            let is_logged = settings.filter.would_enable(module, &level);
            assert_eq!(is_logged, want, "{text:?}: {module} {level}");
        }
        let wrong = [("SCHEDULER_LOG", "sqlx=loud")];
        let error = LogSettings::load(&sources(&wrong, &[]), Level::WARN).unwrap_err();
        assert!(error.to_string().starts_with("SCHEDULER_LOG must be a filter"), "{error}");
    }
}
