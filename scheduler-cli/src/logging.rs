//! Starting the log, on standard error.

use std::io::IsTerminal as _;

use tracing_subscriber::fmt;

use crate::config::{LogFormat, LogSettings};

/// Starts the log of the process.
pub(crate) fn start(settings: LogSettings) {
    let log = fmt().with_env_filter(settings.filter).with_writer(std::io::stderr);
    match settings.format {
        LogFormat::Json => log.json().init(),
        LogFormat::Pretty => {
            let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            log.with_ansi(std::io::stderr().is_terminal() && !no_color).init();
        }
    }
}
