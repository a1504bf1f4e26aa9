//! How often figures are read anew.

use std::num::NonZeroU32;

use chrono::TimeDelta;
use scheduler_core::app::REFRESH_EVERY;

use super::{ConfigError, Sources};

/// How long a workspace waits between two requests for fresh readings.
///
/// # Errors
/// [`ConfigError::Value`], naming the setting.
pub(crate) fn refresh_every(sources: &Sources) -> Result<TimeDelta, ConfigError> {
    let expected = "must be a whole number of seconds from 1 on";
    let found = sources.value::<NonZeroU32>(None, "metrics_refresh_seconds", expected)?;
    Ok(found.map_or(REFRESH_EVERY, |seconds| TimeDelta::seconds(seconds.get().into())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::sources;

    #[test]
    fn the_wait_between_two_requests() {
        for (text, want) in [
            ("", Some(REFRESH_EVERY)),
            ("30", Some(TimeDelta::seconds(30))),
            ("0", None),
            ("ten", None),
        ] {
            let variables = [("SCHEDULER_METRICS_REFRESH_SECONDS", text)];
            assert_eq!(refresh_every(&sources(&variables, &[])).ok(), want, "{text}");
        }
    }
}
