//! Starting the log, on standard error.

use std::io::IsTerminal as _;

use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{fmt, registry};

use crate::config::{LogFormat, LogSettings};

/// Starts the log of the process.
pub(crate) fn start(settings: LogSettings) {
    let registry = registry().with(settings.filter);
    let log = fmt::layer().with_writer(std::io::stderr);
    match settings.format {
        LogFormat::Json => registry.with(log.json()).init(),
        LogFormat::Pretty => {
            let no_color = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            let colours = std::io::stderr().is_terminal() && !no_color;
            registry.with(log.with_ansi(colours)).init();
        }
    }
}
