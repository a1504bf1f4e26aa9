//! What the tests share: the server as a process, the sandbox, a receiver of events.

mod api;
mod binary;
mod bucket;
mod database;
#[path = "../../../scheduler-cli/src/commands/demo/document.rs"]
pub(crate) mod document;
#[path = "../../../scheduler-http/tests/exchange/mod.rs"]
mod exchange;
#[path = "../../../scheduler-cli/src/commands/demo/film.rs"]
pub(crate) mod film;
mod networks;
mod offers;
mod receiver;
mod service;
mod tenants;
mod watched;

pub(crate) use api::{Api, client, client_of_forms, post_ended};
pub(crate) use binary::{example, scheduler};
pub(crate) use bucket::Bucket;
pub(crate) use database::{Backend, backends};
pub(crate) use networks::Networks;
pub(crate) use offers::Offers;
pub(crate) use receiver::Receiver;
pub(crate) use service::{Limit, Running, Service, Setup};
pub(crate) use tenants::Tenant;
pub(crate) use watched::{Watched, free_port};

use std::time::Duration;

/// How long a state is waited for before the test fails; generous, since machines are shared.
pub(crate) const TIMEOUT: Duration = Duration::from_secs(600);

/// Asks again and again until there is an answer.
pub(crate) async fn wait_for<T, F>(what: &str, mut ask: impl FnMut() -> F) -> T
where
    F: Future<Output = Option<T>>,
{
    let begun = std::time::Instant::now();
    loop {
        if let Some(found) = ask().await {
            return found;
        }
        assert!(begun.elapsed() < TIMEOUT, "waited in vain for {what}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}
