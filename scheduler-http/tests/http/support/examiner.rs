//! An examiner that takes every file for a picture.

use async_trait::async_trait;
use scheduler_core::media::{FileFolder, FileKey, MediaFacts, MediaKind, Recipe};
use scheduler_core::ports::{Derived, ExamineError, Examined, Examiner};

pub(crate) struct FakeExaminer;

#[async_trait]
impl Examiner for FakeExaminer {
    async fn examine(&self, _: &FileKey) -> Result<Examined, ExamineError> {
        let facts = MediaFacts {
            mime_type: Some("image/png".to_owned()),
            width: Some(64),
            height: Some(48),
            ..MediaFacts::of_kind(MediaKind::Image)
        };
        Ok(Examined { facts, preview: Some("a preview".into()) })
    }

    async fn derive(&self, folder: &FileFolder, _: &Recipe) -> Result<Derived, ExamineError> {
        Ok(Derived { key: folder.original(), facts: MediaFacts::of_kind(MediaKind::Image) })
    }
}
