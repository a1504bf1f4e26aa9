//! What the tests of files share.

use scheduler_core::app::{Caller, CompleteInput, ShownMedia, UploadInstructions};
use scheduler_core::engine::RunOutcome;
use scheduler_core::error::{ErrorCode, Refusal};
use scheduler_core::ids::MediaId;
use scheduler_core::media::{FileKey, Media, MediaView, PartPlan, Transfer, UploadedPart};
use scheduler_core::ports::{FetchError, MediaStore as _};
use serde_json::{Value, json};

use crate::support::{World, done, refused};

pub(crate) const MIB: u64 = 1 << 20;

impl World {
    pub(crate) fn declare(&self, body: Value) -> Result<UploadInstructions, Refusal> {
        self.declare_as(&self.caller, body)
    }

    pub(crate) fn declare_as(
        &self,
        caller: &Caller,
        body: Value,
    ) -> Result<UploadInstructions, Refusal> {
        let input = serde_json::from_value(body).unwrap();
        refused(done(self.scheduler.declare_media(caller, input, None))).map(|made| made.value)
    }

    pub(crate) fn confirm(&self, id: MediaId) -> Result<MediaView, Refusal> {
        refused(done(self.scheduler.confirm_upload(&self.caller, id)))
    }

    pub(crate) fn complete(
        &self,
        id: MediaId,
        parts: &[UploadedPart],
    ) -> Result<MediaView, Refusal> {
        refused(done(self.scheduler.complete_upload(
            &self.caller,
            id,
            CompleteInput { parts: Some(parts.to_vec()) },
        )))
    }

    pub(crate) fn erase(&self, id: MediaId) -> Result<MediaView, Refusal> {
        refused(done(self.scheduler.delete_media(&self.caller, id)))
    }

    pub(crate) fn shown(&self, id: MediaId) -> Result<ShownMedia, Refusal> {
        refused(done(self.scheduler.show_media(&self.caller, id)))
    }

    pub(crate) fn stored(&self, id: MediaId) -> Media {
        done(self.store.media(self.caller.workspace.id, &[id])).unwrap().remove(0)
    }

    pub(crate) fn key(&self, id: MediaId) -> FileKey {
        FileKey::folder(self.caller.workspace.id, id).original()
    }

    /// A declared file of four bytes.
    pub(crate) fn small(&self) -> MediaId {
        self.declare(json!({"kind": "image", "sizeBytes": 4})).unwrap().media.id
    }

    /// A file of four bytes that is ready.
    pub(crate) fn ready(&self) -> MediaId {
        let id = self.small();
        self.files.put(self.key(id), "four".into());
        self.confirm(id).unwrap();
        assert_eq!(self.work(), [RunOutcome::FileExamined]);
        id
    }

    pub(crate) fn fetched(
        &self,
        answers: impl IntoIterator<Item = Result<Vec<&'static str>, FetchError>>,
    ) -> MediaId {
        self.source.answers.lock().unwrap().extend(answers);
        let body = json!({"kind": "video", "sourceUrl": "https://a.example/v"});
        self.declare(body).unwrap().media.id
    }
}

pub(crate) fn code<T>(result: Result<T, Refusal>) -> Option<ErrorCode> {
    result.err().map(|refusal| refusal.code)
}

pub(crate) fn parts_of(world: &World, id: MediaId) -> (PartPlan, Vec<UploadedPart>) {
    let media = world.stored(id);
    let Transfer::Multipart { upload, part_bytes } = &media.transfer else { panic!() };
    let plan = PartPlan { size_bytes: media.size_bytes.unwrap(), part_bytes: *part_bytes };
    let part = |part_number| {
        let bytes = vec![7_u8; usize::try_from(plan.bytes_of(part_number)).unwrap()];
        let etag = world.files.put_part(upload, part_number, bytes.into()).unwrap();
        UploadedPart { part_number, etag }
    };
    (plan, (1..=plan.count()).map(part).collect())
}
