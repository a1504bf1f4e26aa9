//! Which bytes of files a request has handed over.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use futures_util::{Stream, TryStreamExt as _};
use scheduler_core::ports::FilesError;

use crate::stored_files::OpenedFile;

/// How much of a request's files is still to be handed over to the connection. While some is, the
/// request is not whole, and no server does what it asks for.
#[derive(Debug)]
pub(crate) struct HandedOver(Arc<AtomicU64>);

impl HandedOver {
    pub(crate) fn of(files: &[OpenedFile]) -> Self {
        let left: u64 = files.iter().map(|file| file.length).sum();
        Self(Arc::new(AtomicU64::new(left)))
    }

    pub(crate) fn is_whole(&self) -> bool {
        self.0.load(Ordering::Acquire) == 0
    }

    /// The bytes of a file as the body of a request; an error of the store breaks it off.
    pub(crate) fn counted(&self, file: OpenedFile) -> reqwest::Body {
        reqwest::Body::wrap_stream(self.counting(file))
    }

    /// The bytes of a file, each counted as it passes.
    pub(crate) fn counting(
        &self,
        file: OpenedFile,
    ) -> impl Stream<Item = Result<bytes::Bytes, FilesError>> + Send + use<> + 'static {
        let left = Arc::clone(&self.0);
        file.into_stream().inspect_ok(move |piece| {
            let length = u64::try_from(piece.len()).unwrap_or(u64::MAX);
            let less = |left: u64| Some(left.saturating_sub(length));
            let _ = left.fetch_update(Ordering::AcqRel, Ordering::Acquire, less);
        })
    }
}
