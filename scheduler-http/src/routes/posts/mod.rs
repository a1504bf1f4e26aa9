//! Posts.

pub(super) mod create;
pub(super) mod delete;
pub(super) mod list;
pub(super) mod refresh_metrics;
pub(super) mod retry;
pub(super) mod show;
pub(super) mod update;
