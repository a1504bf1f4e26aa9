//! How long history is kept.

use chrono::TimeDelta;
use scheduler_core::webhook::HISTORY_KEPT;

use super::{ConfigError, Sources};

/// Days that history can be kept at most; more is surely a mistake.
pub(crate) const LONGEST_DAYS: u32 = 3_650;

/// How long events and their deliveries are kept after their end.
///
/// # Errors
/// [`ConfigError::Value`], naming the setting.
pub(crate) fn history_kept(sources: &Sources) -> Result<TimeDelta, ConfigError> {
    let found = sources.parsed(None, "history_days", |text| {
        let days = text.parse().ok().filter(|days| (1..=LONGEST_DAYS).contains(days));
        days.ok_or_else(|| format!("must be a whole number of days from 1 to {LONGEST_DAYS}"))
    })?;
    Ok(found.map_or(HISTORY_KEPT, |days| TimeDelta::days(days.into())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::tests::sources;

    #[test]
    fn from_a_day_to_ten_years() {
        let wrong = "SCHEDULER_HISTORY_DAYS must be a whole number of days from 1 to 3650";
        for (text, want) in [
            ("", Ok(HISTORY_KEPT)),
            ("1", Ok(TimeDelta::days(1))),
            ("3650", Ok(TimeDelta::days(3_650))),
            ("0", Err(wrong.to_owned())),
            ("3651", Err(wrong.to_owned())),
            ("90 days", Err(wrong.to_owned())),
        ] {
            let found = history_kept(&sources(&[("SCHEDULER_HISTORY_DAYS", text)], &[]));
            assert_eq!(found.map_err(|error| error.to_string()), want, "{text}");
        }
    }
}
