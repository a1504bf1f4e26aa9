//! The slots to come.

mod list;
mod move_slot;
mod order;
mod swap;

use scheduler_core::error::ErrorCode as Code;

use crate::endpoint::Endpoint;

pub(super) static ENDPOINTS: &[&Endpoint] =
    &[&list::ENDPOINT, &move_slot::ENDPOINT, &swap::ENDPOINT, &order::ENDPOINT];

/// What a move in the queue is refused for.
const REFUSES: &[Code] =
    &[Code::NotFound, Code::AlreadyStarted, Code::SlotTaken, Code::PostLimit, Code::MediaUnusable];
