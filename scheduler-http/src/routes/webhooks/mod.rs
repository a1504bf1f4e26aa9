//! Webhook subscriptions.

pub(super) mod create;
pub(super) mod delete;
pub(super) mod list;
