//! Rows of readings.

use scheduler_core::ports::{ReadMode, ReadingState, StoreError};
use scheduler_core::reading::Reading;
use uuid::Uuid;

use super::account::OpenAccountRow;
use super::{find, from_json, narrow, row, to_json};
use crate::instant::Instant;

/// A reading from its columns.
pub(crate) fn read_reading(
    what: &'static str,
    at: Instant,
    figures: &str,
) -> Result<Reading, StoreError> {
    Ok(Reading { at: at.0, figures: from_json(what, figures)? })
}

row! {
    /// A row of `readings`.
    pub(crate) struct ReadingRow {
        at: Instant,
        figures: String,
    }
}

impl ReadingRow {
    pub(crate) fn read(self) -> Result<Reading, StoreError> {
        read_reading("readings.figures", self.at, &self.figures)
    }
}

/// A new row of `readings`.
pub(crate) struct ReadingValues {
    pub(crate) target_id: Uuid,
    pub(crate) at: Instant,
    pub(crate) figures: String,
}

impl ReadingValues {
    pub(crate) fn of(target_id: Uuid, reading: &Reading) -> Result<Self, StoreError> {
        let figures = to_json("readings.figures", &reading.figures)?;
        Ok(Self { target_id, at: Instant(reading.at), figures })
    }
}

row! {
    /// A row of `accounts` with everything, and how the readings of the account stand.
    pub(crate) struct ReadingAccountRow {
        ..pub(crate) account: OpenAccountRow,
        look_due_at: Instant,
        blocked_until: Option<Instant>,
        failures: i64,
        mode: String,
    }
}

impl ReadingAccountRow {
    pub(crate) fn state(&self) -> Result<ReadingState, StoreError> {
        Ok(ReadingState {
            look_due_at: self.look_due_at.0,
            blocked_until: self.blocked_until.map(|at| at.0),
            failures: narrow("reading_states.failures", self.failures)?,
            mode: find("reading_states.mode", ReadMode::ALL, |mode| mode.as_str(), &self.mode)?,
        })
    }
}
