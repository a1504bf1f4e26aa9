//! The capability sheets.

use std::collections::BTreeMap;

use crate::platform::{AccountLimits, CapabilitySheet, Platform};

use super::Scheduler;

impl Scheduler {
    /// The sheet of every network, by its wire name: the one with files, where the operator
    /// decides about them and has turned them on.
    #[must_use]
    pub fn platforms(&self) -> BTreeMap<&'static str, &'static CapabilitySheet> {
        let limits = self.limits_of_sheets();
        let sheet = |platform: Platform| (platform.as_str(), platform.sheet_for(&limits));
        Platform::known().map(sheet).collect()
    }

    /// The limits where no account is known: those of the sheets that [`Self::platforms`] shows.
    pub(super) fn limits_of_sheets(&self) -> AccountLimits {
        let takes_files = Some(self.settings.connect_twitter);
        AccountLimits { takes_files, ..AccountLimits::default() }
    }
}
