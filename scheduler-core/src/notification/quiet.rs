//! The hours in which nobody wants to be told anything.

use std::fmt;
use std::str::FromStr;

use chrono::{DateTime, Days, NaiveTime, Utc};
use serde::{Deserialize, Serialize};

use crate::object::only_from_object;
use crate::timing::Zone;

/// From when to when on every day people are left alone; what happens meanwhile is told at the end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(remote = "Self", deny_unknown_fields)]
pub struct QuietHours {
    /// When they begin, `HH:MM`.
    #[serde(with = "clock")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub from: NaiveTime,
    /// When they end, `HH:MM`; on the next day where this is not after the beginning.
    #[serde(with = "clock")]
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub to: NaiveTime,
    /// The IANA zone of that clock.
    #[cfg_attr(feature = "schema", schemars(with = "String"))]
    pub timezone: Zone,
}

only_from_object!(QuietHours);

const FORM: &str = "%H:%M";

/// The text names no hours.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0:?} names no hours; write them as 22:00-07:00")]
pub struct QuietHoursError(pub String);

impl QuietHours {
    /// Reads hours such as `22:00-07:00`, by the clock of a zone.
    ///
    /// ```
    /// use scheduler_core::notification::QuietHours;
    /// let night = QuietHours::parse("22:00-07:00", "Europe/Berlin".parse()?)?;
    /// assert_eq!(night.to_string(), "22:00-07:00 (Europe/Berlin)");
    /// let midnight = "2026-11-21T23:30:00Z".parse()?;
    /// assert_eq!(night.ends(midnight), Some("2026-11-22T06:00:00Z".parse()?));
    /// assert_eq!(night.ends("2026-11-22T06:00:00Z".parse()?), None);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// When the text is of another form, or both times are the same.
    pub fn parse(text: &str, timezone: Zone) -> Result<Self, QuietHoursError> {
        let unknown = || QuietHoursError(text.to_owned());
        let (from, to) = text.split_once('-').ok_or_else(unknown)?;
        let read = |text: &str| NaiveTime::parse_from_str(text.trim(), FORM).map_err(|_| unknown());
        let hours = Self { from: read(from)?, to: read(to)?, timezone };
        if hours.from == hours.to { Err(unknown()) } else { Ok(hours) }
    }

    /// When the quiet hours end in which an instant lies; `None` when it lies in none.
    #[must_use]
    pub fn ends(&self, at: DateTime<Utc>) -> Option<DateTime<Utc>> {
        let local = self.timezone.local(at);
        let (time, today) = (local.time(), local.date());
        let end = match (self.from < self.to, self.from <= time, time < self.to) {
            (true, true, true) | (false, _, true) => today,
            (false, true, _) => today.checked_add_days(Days::new(1))?,
            (true, _, _) | (false, false, false) => return None,
        };
        // Where the clocks change in between, the end may have passed already.
        Some(self.timezone.instant(end.and_time(self.to))).filter(|end| *end > at)
    }
}

impl fmt::Display for QuietHours {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (from, to) = (self.from.format(FORM), self.to.format(FORM));
        write!(formatter, "{from}-{to} ({})", self.timezone)
    }
}

impl FromStr for QuietHours {
    type Err = QuietHoursError;

    /// Reads what [`fmt::Display`] writes.
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let unknown = || QuietHoursError(text.to_owned());
        let (hours, zone) = text.split_once(" (").ok_or_else(unknown)?;
        let zone = zone.strip_suffix(')').ok_or_else(unknown)?;
        Self::parse(hours, zone.parse().map_err(|_| unknown())?)
    }
}

/// A time of day in JSON.
mod clock {
    use chrono::NaiveTime;
    use serde::{Deserialize as _, Deserializer, Serializer, de};

    pub(super) fn serialize<S: Serializer>(
        time: &NaiveTime,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        serializer.collect_str(&time.format(super::FORM))
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<NaiveTime, D::Error> {
        let text = String::deserialize(deserializer)?;
        NaiveTime::parse_from_str(&text, super::FORM).map_err(|_| {
            de::Error::invalid_value(de::Unexpected::Str(&text), &"a time such as 22:00")
        })
    }
}
