//! What the networks have to do with an account.

use scheduler_core::error::ErrorCode as Code;

/// What a question to an account's network may be refused for.
pub(super) const REFUSES: &[Code] = &[
    Code::NotFound,
    Code::AccountNotConnected,
    Code::Unsupported,
    Code::NetworkError,
    Code::NetworkRefused,
    Code::InDoubt,
];
