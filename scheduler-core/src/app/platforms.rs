//! The capability sheets.

use std::collections::BTreeMap;

use crate::platform::{CapabilitySheet, Platform};

use super::Scheduler;

impl Scheduler {
    /// The sheet of every network, by its wire name.
    #[must_use]
    pub fn platforms(&self) -> BTreeMap<&'static str, &'static CapabilitySheet> {
        Platform::known().map(|platform| (platform.as_str(), platform.sheet())).collect()
    }
}
