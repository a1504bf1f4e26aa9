//! Gathering what is looked at.

use std::sync::Arc;

use scheduler_core::ports::Clock as _;
use scheduler_store::{Database, Inspection, SchemaState};
use scheduler_worker::SystemClock;
use secrecy::ExposeSecret as _;
use tokio::sync::OnceCell;
use tokio::time::timeout;

use super::finding::{Finding, needed};
use super::reach::TIMEOUT;
use super::settings::Settings;
use super::stored::Stored;
use super::subject::Subject;
use super::{database, file_store, secret_key};
use crate::client::{Route, build};
use crate::failure::Failure;

/// Opens what the settings lead to, as far as that changes nothing.
///
/// # Errors
/// [`Failure::Other`] when the system offers no TLS.
pub(super) async fn subject(settings: Settings) -> Result<Subject, Failure> {
    let client = build(TIMEOUT, Route::Direct)?;
    let clock = Arc::new(SystemClock::new());
    let database = inspected(&settings, &clock).await;
    let inspection = database.as_ref().ok().and_then(Option::as_ref).map(|(seen, _)| seen);
    let storage = needed(&settings.storage, "its setting cannot be read");
    let key = storage.and_then(|storage| secret_key::read(storage, inspection));
    let (mut store, mut fault_of_store) = (None, None);
    if let (Some(storage), Ok(key)) = (&settings.storage, &key)
        && inspection.is_some_and(|seen| seen.schema == SchemaState::Current)
    {
        let opened = Database::open(storage.database.expose_secret(), key);
        match timeout(TIMEOUT, opened).await {
            Ok(Ok(opened)) => store = Some(opened),
            Ok(Err(error)) => fault_of_store = Some(database::of_fault(Some(&error), &settings)),
            Err(_) => fault_of_store = Some(database::of_fault(None, &settings)),
        }
    }
    let skipped = |why: &str| Err(Finding::skipped(why));
    let stored = match (&database, &store) {
        (Err(_), _) => skipped("this needs the database"),
        (Ok(None), _) => Ok(None),
        (Ok(Some((seen, _))), _) if seen.schema == SchemaState::Empty => Ok(None),
        (Ok(Some(_)), Some(store)) => {
            Stored::at(store, &settings.plans.unwrap_or_default(), clock.now()).await.map(Some)
        }
        (Ok(Some((seen, _))), None) if seen.schema == SchemaState::Current => {
            skipped("the database cannot be read with the key")
        }
        (Ok(Some(_)), None) => skipped("the database belongs to another release"),
    };
    let files = file_store::open(&settings, key.as_ref().ok(), Arc::clone(&clock)).await;
    Ok(Subject {
        settings,
        key,
        database,
        fault_of_store,
        stored,
        files,
        clock,
        client,
        runs_here: OnceCell::new(),
        store,
        is_of_one_workspace: false,
    })
}

/// What is seen in the database, and when.
async fn inspected(
    settings: &Settings,
    clock: &SystemClock,
) -> Result<Option<(Inspection, chrono::DateTime<chrono::Utc>)>, Finding> {
    let storage = needed(&settings.storage, "its setting cannot be read")?;
    let looked = timeout(TIMEOUT, Inspection::of(storage.database.expose_secret())).await;
    let at = clock.now();
    match looked {
        Err(_) => Err(database::of_fault(None, settings)),
        Ok(Err(error)) => Err(database::of_fault(Some(&error), settings)),
        Ok(Ok(seen)) => Ok(seen.map(|seen| (seen, at))),
    }
}
