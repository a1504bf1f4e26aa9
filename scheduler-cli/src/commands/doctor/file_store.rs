//! Whether files can be kept, read and erased.

use scheduler_core::ports::{ByteStream, Files, FilesError};
use tokio::time::timeout;

use super::finding::Finding;
use super::probe::{Probe, nearest_folder};
use super::subject::{FilesLook, PATIENCE, Subject};
use crate::files::FileStore;

/// Keeps a small file, reads it whole and in part, and erases it.
pub(super) async fn check(subject: &Subject) -> Finding {
    let (store, advice) = match &subject.files {
        FilesLook::Unknown => return Finding::skipped("its settings cannot be read"),
        FilesLook::Missing(folder) => return of_missing(folder),
        FilesLook::Failed(reason) => {
            return Finding::problem(
                reason.clone(),
                "correct --files, or the folder that it names",
            );
        }
        FilesLook::Opened { store: store @ FileStore::Folder(_), .. } => {
            (store, "see that the server's user may write to the folder")
        }
        FilesLook::Opened { store: store @ FileStore::Bucket(_), .. } => (
            store,
            "see that the endpoint, the region and the bucket of --files are right, and that \
             AWS_ACCESS_KEY_ID may put, get, list and delete objects",
        ),
    };
    let files = store.files();
    let probe = Probe::new(&*subject.clock);
    let tried = timeout(PATIENCE, try_out(&*files, &probe)).await;
    let erased = timeout(PATIENCE, files.erase(&probe.folder)).await;
    let reason = match (tried, erased) {
        (Ok(Ok(())), Ok(Ok(()))) => {
            match timeout(PATIENCE, files.size(&probe.folder.original())).await {
                Ok(Ok(None)) => return Finding::ok("a file was kept, read and erased"),
                Ok(Ok(Some(_))) => "what was erased is still there".to_owned(),
                Ok(Err(error)) => error.to_string(),
                Err(_) => "it does not answer in time".to_owned(),
            }
        }
        (Ok(Err(reason)), _) => reason,
        (Ok(Ok(())), Ok(Err(error))) => format!("what was kept cannot be erased: {error}"),
        (Err(_), _) | (_, Err(_)) => "it does not answer in time".to_owned(),
    };
    Finding::problem(reason, advice)
}

fn of_missing(folder: &std::path::Path) -> Finding {
    let shown = folder.display();
    match nearest_folder(folder).map(tempfile::tempfile_in) {
        Some(Ok(_)) => Finding::ok(format!("{shown} does not exist yet; the first start makes it")),
        Some(Err(error)) => Finding::problem(
            format!("{shown} does not exist and cannot be made: {error}"),
            "make it for the server's user, or correct --files",
        ),
        None => Finding::problem(format!("{shown} lies in no folder"), "correct --files"),
    }
}

/// # Errors
/// What does not work, as a fragment.
async fn try_out(files: &dyn Files, probe: &Probe) -> Result<(), String> {
    let key = probe.folder.original();
    let failed = |what: &str, error: FilesError| format!("a file cannot be {what}: {error}");
    let bytes = ByteStream::once(probe.bytes.clone());
    files.write(&key, "text/plain", bytes).await.map_err(|error| match error {
        // What is kept needs nothing that was there before but the place itself.
        FilesError::Missing => "a file cannot be kept: there is no such bucket".to_owned(),
        FilesError::Refused(_) | FilesError::Unavailable(_) | FilesError::Interrupted(_) => {
            failed("kept", error)
        }
    })?;
    let read = async |range| files.read(&key, range).await?.collect().await;
    let whole = read(None).await.map_err(|error| failed("read", error))?;
    let part = read(Some(3..9)).await.map_err(|error| failed("read in part", error))?;
    if whole != probe.bytes || part != probe.bytes.slice(3..9) {
        return Err("what was kept is read as something else".to_owned());
    }
    Ok(())
}
