//! An examiner that finds what it is told, and a picture otherwise.

use std::sync::Mutex;

use async_trait::async_trait;
use scheduler_core::media::{FileFolder, FileKey, MediaFacts, MediaKind, Recipe};
use scheduler_core::ports::{Derived, ExamineError, Examined, Examiner};

#[derive(Default)]
pub(crate) struct FakeExaminer {
    /// What the next file is found to be.
    pub(crate) next: Mutex<Option<MediaFacts>>,
}

#[async_trait]
impl Examiner for FakeExaminer {
    async fn examine(&self, _: &FileKey) -> Result<Examined, ExamineError> {
        let picture = || MediaFacts {
            mime_type: Some("image/png".to_owned()),
            width: Some(64),
            height: Some(48),
            ..MediaFacts::of_kind(MediaKind::Image)
        };
        let facts = self.next.lock().unwrap().take().unwrap_or_else(picture);
        Ok(Examined { facts, preview: Some("a preview".into()) })
    }

    async fn derive(&self, folder: &FileFolder, _: &Recipe) -> Result<Derived, ExamineError> {
        Ok(Derived { key: folder.original(), facts: MediaFacts::of_kind(MediaKind::Image) })
    }
}
