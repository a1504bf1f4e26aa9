//! The only place that reads the clock and draws random numbers.

use chrono::{DateTime, SecondsFormat, Utc};
use uuid::Uuid;

use crate::step::{self, Seed};

/// Returns the time of the system clock.
#[expect(clippy::disallowed_methods, reason = "the sandbox is the outside world: it has a clock")]
pub(crate) fn now() -> DateTime<Utc> {
    Utc::now()
}

/// Returns at least 122 random bits in 16 bytes; within a step those that follow from its seed.
pub(crate) fn random_bytes() -> [u8; 16] {
    step::draw().unwrap_or_else(random_seed)
}

/// Returns 122 random bits in 16 bytes, which nothing repeats.
#[expect(clippy::disallowed_methods, reason = "the sandbox is the outside world: it makes ids")]
pub(crate) fn random_seed() -> Seed {
    Uuid::new_v4().into_bytes()
}

/// Returns at least 244 random bits as 64 hexadecimal digits, for secrets.
pub(crate) fn random_secret() -> String {
    format!("{}{}", hex::encode(random_bytes()), hex::encode(random_bytes()))
}

/// Writes a time as the networks do: UTC, milliseconds, `Z`.
pub(crate) fn timestamp(at: DateTime<Utc>) -> String {
    at.to_rfc3339_opts(SecondsFormat::Millis, true)
}
