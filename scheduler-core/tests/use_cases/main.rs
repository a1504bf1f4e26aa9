//! The use cases and the engine over a store in memory, one file a use case.
#![expect(clippy::expect_used, clippy::unwrap_used, reason = "a test")]

mod accounts;
mod after;
mod after_support;
mod approvals;
mod asking;
mod assistant;
mod check;
mod check_and_create;
mod connecting;
mod create;
mod custom_rules;
mod delete;
mod deliver;
mod fakes;
mod follow;
mod keys;
mod list;
mod live;
mod live_changes;
mod media;
mod media_support;
mod media_work;
mod move_target;
mod paused;
mod publish;
mod readings;
mod retry;
mod states;
mod support;
mod thumbnails;
mod tokens;
mod under_way;
mod update;
mod webhooks;
mod workspaces;
