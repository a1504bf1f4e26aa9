//! Faults of the disk, and the threads that may wait for it.

use std::io::{self, ErrorKind};

use scheduler_core::ports::FilesError;

/// A fault of the disk, for the core.
pub(super) fn fault(error: &io::Error) -> FilesError {
    match error.kind() {
        ErrorKind::NotFound => FilesError::Missing,
        ErrorKind::StorageFull | ErrorKind::QuotaExceeded => FilesError::Full,
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            FilesError::Unavailable("the server may not write to its folder of files".to_owned())
        }
        _ => FilesError::Unavailable(error.to_string()),
    }
}

/// Runs work on the disk on a thread that may block.
///
/// The work runs to its end also when nobody waits for it any more.
///
/// # Errors
/// Those of the work.
pub(super) async fn blocking<T, E>(
    work: impl FnOnce() -> Result<T, E> + Send + 'static,
) -> Result<T, E>
where
    T: Send + 'static,
    E: From<FilesError> + Send + 'static,
{
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| Err(broken_off().into()))
}

/// Work on the disk that did not come to its end.
pub(super) fn broken_off() -> FilesError {
    FilesError::Unavailable("work on the disk was broken off".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_are_told_apart() {
        for (kind, want) in [
            (ErrorKind::NotFound, "there are no such bytes"),
            (
                ErrorKind::StorageFull,
                "the file store takes nothing: too little of the disk is free",
            ),
            (
                ErrorKind::QuotaExceeded,
                "the file store takes nothing: too little of the disk is free",
            ),
            (
                ErrorKind::ReadOnlyFilesystem,
                "the file store does not work: the server may not write to its folder of files",
            ),
        ] {
            assert_eq!(fault(&kind.into()).to_string(), want, "{kind:?}");
        }
    }
}
