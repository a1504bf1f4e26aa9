//! Posts that come again.

mod change;
mod create;
mod list;
mod preview;
mod remove;
mod show;

use scheduler_core::error::ErrorCode as Code;

use crate::endpoint::Endpoint;

pub(super) static ENDPOINTS: &[&Endpoint] = &[
    &list::ENDPOINT,
    &create::ENDPOINT,
    &preview::ENDPOINT,
    &show::ENDPOINT,
    &change::ENDPOINT,
    &remove::ENDPOINT,
];

/// Why the posts of an entry would be refused.
const REFUSES: &[Code] = &[
    Code::NotFound,
    Code::AccountNotConnected,
    Code::ChannelLimit,
    Code::MediaUnusable,
    Code::ValidationFailed,
];
