//! What is remembered of an upload while it goes on.

use super::state::{Remembered, StateFile};
use crate::printer::Printer;

/// What is remembered, and where it is kept. A place that cannot be written is told of once.
pub(super) struct Memory {
    /// What is remembered.
    pub(super) remembered: Remembered,
    state: Option<StateFile>,
    printer: Printer,
}

impl Memory {
    /// What is remembered so far.
    pub(super) const fn new(
        remembered: Remembered,
        state: Option<StateFile>,
        printer: Printer,
    ) -> Self {
        Self { remembered, state, printer }
    }

    /// A part has arrived.
    pub(super) fn arrived(&mut self, number: u32, etag: String) {
        self.remembered.parts.insert(number, etag);
        self.save();
    }

    /// No part has arrived.
    pub(super) fn forget_parts(&mut self) {
        self.remembered.parts.clear();
        self.save();
    }

    /// Writes it down.
    pub(super) fn save(&mut self) {
        let Some(state) = &self.state else { return };
        if let Err(error) = state.save(&self.remembered) {
            self.printer.warning(&format!(
                "this upload begins anew when it is interrupted: {error:#}; see --state"
            ));
            self.state = None;
        }
    }
}
