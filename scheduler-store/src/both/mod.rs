//! The operations whose statements are the same in SQLite and PostgreSQL.
//!
//! This folder is compiled once inside `sqlite` and once inside `postgres`: a function over any
//! sqlx database needs more bounds than body, and two copies would drift apart. `Backend` is the
//! store and `Connection` its driver's connection; what differs stands in each `dialect`.

mod accounts;
mod approvals;
mod assistant;
mod audit;
mod clock;
mod connecting;
pub(super) mod deliveries;
mod history;
mod idempotency;
mod inbox;
mod keys;
mod media;
mod notifiers;
pub(super) mod posts;
mod publishes;
mod readings;
mod redeliver;
mod resealing;
mod sessions;
pub(super) mod settle;
pub(super) mod shared;
mod snippets;
mod webhooks;
mod work;
mod workspaces;

#[cfg(test)]
use super::plans;
use super::{Backend, Connection, dialect};

pub(super) use posts::count;
pub(super) use posts::find::fill_words;
pub(super) use posts::read::{by_key as post_by_key, by_target as post_by_target};
