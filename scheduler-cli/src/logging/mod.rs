//! Starting the log, on standard error.

mod json;

use std::panic::PanicHookInfo;

use json::JsonLines;
use tracing_subscriber::fmt::format::JsonFields;
use tracing_subscriber::layer::SubscriberExt as _;
use tracing_subscriber::util::SubscriberInitExt as _;
use tracing_subscriber::{fmt, registry};

use crate::config::{LogFormat, LogSettings};

/// Starts the log of the process. Panics are logged by their place alone.
pub(crate) fn start(settings: LogSettings) {
    let registry = registry().with(settings.filter);
    let log = fmt::layer().with_writer(std::io::stderr);
    match settings.format {
        LogFormat::Json => {
            let log = log.fmt_fields(JsonFields::new()).event_format(JsonLines);
            registry.with(log).init();
        }
        LogFormat::Pretty => {
            let choice = anstream::AutoStream::choice(&std::io::stderr());
            let colours = choice != anstream::ColorChoice::Never;
            registry.with(log.with_ansi(colours)).init();
        }
    }
    std::panic::set_hook(Box::new(log_panic));
}

/// Logs where it was; the words of a panic may quote a caption or a token.
fn log_panic(panic: &PanicHookInfo<'_>) {
    let (file, line) = panic.location().map_or(("unknown", 0), |at| (at.file(), at.line()));
    tracing::error!(file, line, "panicked");
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Seek as _};
    use std::sync::Arc;

    use super::*;

    #[test]
    fn a_panic_is_logged_without_its_words() {
        let mut file = tempfile::tempfile().unwrap();
        let writer = Arc::new(file.try_clone().unwrap());
        let log = registry().with(fmt::layer().with_ansi(false).with_writer(writer));
        let before = std::panic::take_hook();
        std::panic::set_hook(Box::new(log_panic));
        let caught = tracing::subscriber::with_default(log, || {
            std::panic::catch_unwind(|| std::panic::panic_any("a caption".to_owned()))
        });
        std::panic::set_hook(before);
        assert!(caught.is_err());
        let mut logged = String::new();
        file.rewind().unwrap();
        file.read_to_string(&mut logged).unwrap();
        assert!(logged.contains("panicked") && logged.contains("logging/mod.rs"), "{logged}");
        assert!(!logged.contains("caption"), "{logged}");
    }
}
