//! The operations whose statements are the same in SQLite and PostgreSQL.
//!
//! This folder is compiled once inside `sqlite` and once inside `postgres`: a function over any
//! sqlx database needs more bounds than body, and two copies would drift apart. `Backend` is the
//! store and `Connection` its driver's connection; what differs stands in each `dialect`.

mod account_sets;
mod accounts;
mod approvals;
mod assistant;
mod audit;
mod calendar;
mod clock;
mod connecting;
pub(super) mod deliveries;
mod feeds;
mod grants;
mod history;
mod idempotency;
mod inbox;
mod keys;
pub(super) mod links;
mod media;
mod notifiers;
mod passkeys;
pub(super) mod posts;
mod publishes;
mod readings;
mod recurrences;
mod redeliver;
mod resealing;
mod sessions;
pub(super) mod settle;
pub(super) mod shared;
mod snippets;
mod upload_links;
mod webhooks;
mod work;
mod workspaces;

#[cfg(test)]
use super::plans;
use super::{Backend, Connection, dialect};

pub(super) use posts::count;
pub(super) use posts::find::fill_words;
pub(super) use posts::read::{by_key as post_by_key, by_target as post_by_target};
