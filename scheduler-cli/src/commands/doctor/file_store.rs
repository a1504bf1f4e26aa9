//! Whether files can be kept, read and erased.

use scheduler_core::ports::{ByteStream, Files, FilesError};
use tokio::time::timeout;

use super::finding::Finding;
use super::id::Id;
use super::probe::{Probe, nearest_folder, try_folder};
use super::subject::{FilesLook, PATIENCE, Subject};
use crate::files::FileStore;
use crate::optional::bucket::has_keys;

/// Keeps a small file, reads it whole and in part, and erases it.
pub(super) async fn check(subject: &Subject) -> Finding {
    let store = match &subject.files {
        FilesLook::Unknown => return Finding::skipped("its settings cannot be read"),
        FilesLook::Missing(folder) => return of_missing(folder),
        FilesLook::Failed(reason) => {
            let advice = "correct --files, or the folder that it names, which must be writable for \
                          the user that the server runs as";
            return Finding::problem(Id::FilesFolder, reason.clone(), advice);
        }
        FilesLook::Opened { store, .. } => store,
    };
    let files = store.files();
    let probe = Probe::new(&*subject.clock);
    let tried = timeout(PATIENCE, try_out(&*files, &probe)).await;
    // Who has not answered once need not be waited for as long again.
    let patience = if tried.is_ok() { PATIENCE } else { PATIENCE / 5 };
    let erased = timeout(patience, files.erase(&probe.folder)).await;
    let fault = match (tried, erased) {
        (Ok(Ok(())), Ok(Ok(()))) => {
            match timeout(PATIENCE, files.size(&probe.folder.original())).await {
                Ok(Ok(None)) => return Finding::ok("a file was kept, read and erased"),
                Ok(Ok(Some(_))) => Fault::of("what was erased is still there"),
                Ok(Err(error)) => Fault::of(error.to_string()),
                Err(_) => Fault::Silent,
            }
        }
        (Ok(Err(fault)), _) => fault,
        (Ok(Ok(())), Ok(Err(error))) => {
            Fault::of(format!("what was kept cannot be erased: {error}"))
        }
        (Err(_), _) | (_, Err(_)) => Fault::Silent,
    };
    match store {
        FileStore::Folder(_) => Finding::problem(
            Id::FilesFault,
            fault.words(),
            "make room, and see that the user that the server runs as may write to the folder of \
             --files",
        ),
        FileStore::Bucket(_) => of_bucket(fault),
    }
}

/// What does not work.
enum Fault {
    /// It does not answer.
    Silent,
    /// There is no such bucket.
    NoBucket,
    /// The keys are refused.
    Keys(String),
    /// Something else.
    Other(String),
}

impl Fault {
    fn of(reason: impl Into<String>) -> Self {
        let reason = reason.into();
        // The port has no name for it: a folder has no keys.
        if reason.contains(" keys") { Self::Keys(reason) } else { Self::Other(reason) }
    }

    fn words(self) -> String {
        match self {
            Self::Silent => "it does not answer in time".to_owned(),
            Self::NoBucket => "there is no such bucket".to_owned(),
            Self::Keys(reason) | Self::Other(reason) => reason,
        }
    }
}

fn of_bucket(fault: Fault) -> Finding {
    match fault {
        Fault::NoBucket => Finding::problem(
            Id::BucketAbsent,
            fault.words(),
            "make the bucket at the service, or correct the bucket of --files",
        ),
        Fault::Silent | Fault::Keys(_) | Fault::Other(_) if !has_keys() => Finding::problem(
            Id::BucketKeys,
            format!("there are no keys, and {}", fault.words()),
            "set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY",
        ),
        Fault::Keys(_) => Finding::problem(
            Id::BucketKeys,
            fault.words(),
            "correct AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or let their user put, get, list \
             and delete objects of the bucket",
        ),
        Fault::Silent | Fault::Other(_) => Finding::problem(
            Id::BucketUnreachable,
            fault.words(),
            "see that the service runs and that the endpoint and the region of --files are right",
        ),
    }
}

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
async fn try_out(files: &dyn Files, probe: &Probe) -> Result<(), Fault> {
    let key = probe.folder.original();
    let failed =
        |what: &str, error: FilesError| Fault::of(format!("a file cannot be {what}: {error}"));
    let bytes = ByteStream::once(probe.bytes.clone());
    files.write(&key, "text/plain", bytes).await.map_err(|error| match error {
        // What is kept needs nothing that was there before but the place itself.
        FilesError::Missing => Fault::NoBucket,
        FilesError::Refused(_)
        | FilesError::Unavailable(_)
        | FilesError::Full
        | FilesError::Interrupted(_) => failed("kept", error),
    })?;
    let read = async |range| files.read(&key, range).await?.collect().await;
    let whole = read(None).await.map_err(|error| failed("read", error))?;
    let part = read(Some(3..9)).await.map_err(|error| failed("read in part", error))?;
    if whole != probe.bytes || part != probe.bytes.slice(3..9) {
        return Err(Fault::of("what was kept is read as something else"));
    }
    Ok(())
}
