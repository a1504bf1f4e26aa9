//! Wall-clock times without a zone, as `scheduledLocal` writes them.

use chrono::NaiveDateTime;

/// The text is not a wall-clock time of the form `YYYY-MM-DDTHH:MM`.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{0:?} is not a local time; send YYYY-MM-DDTHH:MM without a zone, such as 2026-12-01T09:00"
)]
pub struct LocalTimeError(pub String);

const FORMAT: &str = "%Y-%m-%dT%H:%M";

/// Reads `YYYY-MM-DDTHH:MM`.
///
/// ```
/// use scheduler_core::timing::{format_local, parse_local};
/// assert_eq!(format_local(parse_local("2026-12-01T09:00")?), "2026-12-01T09:00");
/// assert!(parse_local("2026-12-01T09:00Z").is_err(), "a wall-clock time has no zone");
/// # Ok::<(), scheduler_core::timing::LocalTimeError>(())
/// ```
///
/// # Errors
/// [`LocalTimeError`] for any other form, a zone, seconds, or a date that no calendar has.
pub fn parse_local(text: &str) -> Result<NaiveDateTime, LocalTimeError> {
    let refuse = || LocalTimeError(text.to_owned());
    // The format parser alone would take "2026-1-1T9:0" and signs.
    let shaped = text.len() == 16
        && text.bytes().enumerate().all(|(index, byte)| match index {
            4 | 7 => byte == b'-',
            10 => byte == b'T',
            13 => byte == b':',
            _ => byte.is_ascii_digit(),
        });
    if !shaped {
        return Err(refuse());
    }
    NaiveDateTime::parse_from_str(text, FORMAT).map_err(|_| refuse())
}

/// Writes a wall-clock time the way [`parse_local`] reads it; seconds are dropped.
#[must_use]
pub fn format_local(local: NaiveDateTime) -> String {
    local.format(FORMAT).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forms() {
        for (text, ok) in [
            ("2026-12-01T09:00", true),
            ("2024-02-29T23:59", true),
            ("2026-02-29T09:00", false),
            ("2026-12-01T24:00", false),
            ("2026-12-01T09:60", false),
            ("2026-12-01T09:00:00", false),
            ("2026-12-01T09:00Z", false),
            ("2026-12-01 09:00", false),
            ("2026-1-01T009:00", false),
            ("+026-12-01T09:00", false),
            ("２026-12-01T09:0", false),
            ("", false),
        ] {
            let parsed = parse_local(text);
            assert_eq!(parsed.is_ok(), ok, "{text:?}");
            if let Ok(local) = parsed {
                assert_eq!(format_local(local), text);
            }
        }
    }
}
