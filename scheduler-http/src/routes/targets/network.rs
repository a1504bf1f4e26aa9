//! What the networks have to do with a target.

use scheduler_core::error::ErrorCode as Code;
use scheduler_core::platform::{CapabilitySheet, Platform};

/// What every call to a network may be refused for, besides what the call itself is.
pub(super) const REFUSES: &[Code] = &[
    Code::NotFound,
    Code::NotPublished,
    Code::AccountNotConnected,
    Code::Unsupported,
    Code::NetworkError,
    Code::NetworkRefused,
    Code::InDoubt,
];

/// The networks whose sheets say so, in a sentence.
pub(super) fn whose(offers: impl Fn(&CapabilitySheet) -> bool) -> String {
    let names: Vec<&str> = Platform::ALL
        .into_iter()
        .map(Platform::sheet)
        .filter(|sheet| offers(sheet))
        .map(|sheet| sheet.name)
        .collect();
    names.join(", ")
}
