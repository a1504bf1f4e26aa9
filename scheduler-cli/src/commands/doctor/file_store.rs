//! Whether files can be kept, read and erased.

use std::sync::Arc;

use scheduler_core::ports::{ByteStream, Files, FilesError};
use scheduler_store::{FilesUrl, SealingKey};
use scheduler_worker::SystemClock;
use tokio::time::timeout;

use super::finding::{Finding, Id, needed};
use super::probe::{Probe, nearest_folder, try_folder};
use super::reach::TIMEOUT;
use super::settings::Settings;
use super::subject::{OpenedFiles, Subject};
use crate::config::MediaSettings;
use crate::files::FileStore;
use crate::optional::bucket::has_keys;

/// Opens the file store, or says why it is not. Without the key of the server its links are not
/// those that the server makes.
pub(super) async fn open(
    settings: &Settings,
    key: Option<&SealingKey>,
    clock: Arc<SystemClock>,
) -> Result<OpenedFiles, Finding> {
    let storage = needed(&settings.storage, "its settings cannot be read")?;
    let media = needed(&settings.media, "its settings cannot be read")?;
    if let FilesUrl::Folder(folder) = &storage.files
        && !folder.exists()
    {
        return Err(of_missing(folder));
    }
    let public_url = settings.server.as_ref().and_then(|server| server.public_url.clone());
    let public_url = public_url.or_else(|| settings.own_url());
    let is_bucket = matches!(storage.files, FilesUrl::Bucket(_));
    let has_links = is_bucket || (key.is_some() && public_url.is_some());
    let without_key = SealingKey::from_bytes([0; 32]);
    let media = MediaSettings { public_url, ..media.clone() };
    let opening = FileStore::open(&storage.files, &media, key.unwrap_or(&without_key), clock);
    let reason = match timeout(TIMEOUT, opening).await {
        Ok(Ok(store)) => return Ok(OpenedFiles { store, has_links }),
        Ok(Err(error)) => format!("{error:#}"),
        Err(_) => "it does not answer in time".to_owned(),
    };
    let advice = "correct --files, or the folder that it names, which must be writable for the \
                  user that the server runs as";
    Err(Finding::problem(Id::FilesFolder, reason, advice))
}

/// Keeps a small file, reads it whole and in part, and erases it.
pub(super) async fn check(subject: &Subject) -> Result<Finding, Finding> {
    let store = &subject.files.as_ref().map_err(Finding::clone)?.store;
    let files = store.files();
    let probe = Probe::new(&*subject.clock);
    let tried = timeout(TIMEOUT, try_out(&*files, &probe)).await;
    // Who has not answered once need not be waited for as long again.
    let time_limit = if tried.is_ok() { TIMEOUT } else { TIMEOUT / 5 };
    let erased = timeout(time_limit, files.erase(&probe.folder)).await;
    let (id, reason) = match (tried, erased) {
        (Ok(Ok(())), Ok(Ok(()))) => {
            match timeout(TIMEOUT, files.size(&probe.folder.original())).await {
                Ok(Ok(None)) => return Ok(Finding::ok("a file was kept, read and erased")),
                Ok(Ok(Some(_))) => fault("what was erased is still there"),
                Ok(Err(error)) => fault(error.to_string()),
                Err(_) => silent(),
            }
        }
        (Ok(Err(fault)), _) => fault,
        (Ok(Ok(())), Ok(Err(error))) => fault(format!("what was kept cannot be erased: {error}")),
        (Err(_), _) | (_, Err(_)) => silent(),
    };
    let (id, reason, advice) = match (store, id) {
        (FileStore::Folder(_), _) => (
            Id::FilesFault,
            reason,
            "make room, and see that the user that the server runs as may write to the folder of \
             --files",
        ),
        (FileStore::Bucket(_), Id::BucketAbsent) => {
            (id, reason, "make the bucket at the service, or correct the bucket of --files")
        }
        (FileStore::Bucket(_), _) if !has_keys() => (
            Id::BucketKeys,
            format!("there are no keys, and {reason}"),
            "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
        ),
        (FileStore::Bucket(_), Id::BucketKeys) => (
            id,
            reason,
            "correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or let their user put, get, list \
             and delete objects of the bucket",
        ),
        (FileStore::Bucket(_), _) => (
            id,
            reason,
            "see that the service runs and that the endpoint and the region of --files are right",
        ),
    };
    Ok(Finding::problem(id, reason, advice))
}

/// What does not work, by what it is called of a bucket.
fn fault(reason: impl Into<String>) -> (Id, String) {
    let reason = reason.into();
    // The port has no name for it: a folder has no keys.
    let is_of_keys = reason.contains(" keys");
    (if is_of_keys { Id::BucketKeys } else { Id::BucketUnreachable }, reason)
}

fn silent() -> (Id, String) {
    (Id::BucketUnreachable, "it does not answer in time".to_owned())
}

/// What is said of a folder that does not exist.
fn of_missing(folder: &std::path::Path) -> Finding {
    let shown = folder.display();
    match nearest_folder(folder).map(|folder| try_folder(&folder)) {
        Some(Ok(())) => {
            Finding::ok(format!("{shown} does not exist yet; the first start makes it"))
        }
        Some(Err(error)) => Finding::problem(
            Id::FilesFolder,
            format!("{shown} does not exist and cannot be made: {error}"),
            "make it for the user that the server runs as, or correct --files",
        ),
        None => Finding::problem(
            Id::FilesFolder,
            format!("{shown} lies in no folder"),
            "correct --files",
        ),
    }
}

/// # Errors
/// What does not work.
async fn try_out(files: &dyn Files, probe: &Probe) -> Result<(), (Id, String)> {
    let key = probe.folder.original();
    let failed = |what: &str, error: FilesError| fault(format!("a file cannot be {what}: {error}"));
    let bytes = ByteStream::once(probe.bytes.clone());
    files.write(&key, "text/plain", bytes).await.map_err(|error| match error {
        // What is kept needs nothing that was there before but the place itself.
        FilesError::Missing => (Id::BucketAbsent, "there is no such bucket".to_owned()),
        FilesError::Refused(_)
        | FilesError::Unavailable(_)
        | FilesError::Full
        | FilesError::Interrupted(_) => failed("kept", error),
    })?;
    let read = async |range| files.read(&key, range).await?.collect().await;
    let whole = read(None).await.map_err(|error| failed("read", error))?;
    let part = read(Some(3..9)).await.map_err(|error| failed("read in part", error))?;
    if whole != probe.bytes || part != probe.bytes.slice(3..9) {
        return Err(fault("what was kept is read as something else"));
    }
    Ok(())
}
