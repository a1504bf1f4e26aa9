//! Files: declared, uploaded or fetched, examined, deleted.

use std::sync::Arc;

use chrono::TimeDelta;
use scheduler_core::app::{
    Caller, CompleteInput, Settings, ShownMedia, UploadInstructions, UploadView,
};
use scheduler_core::engine::{LEASE, Ran};
use scheduler_core::error::{ErrorCode, Refusal};
use scheduler_core::ids::MediaId;
use scheduler_core::key::Scope;
use scheduler_core::media::{
    FileKey, LINK_LIFETIME, Media, MediaFacts, MediaKind, MediaStatus, MediaView, PartPlan,
    Transfer, UPLOAD_PATIENCE, UploadedPart,
};
use scheduler_core::plan::Plan;
use scheduler_core::ports::{
    ClaimRequest, ExamineError, Examined, FetchError, Files as _, FilesError, MediaStore as _,
    WorkQueue as _,
};
use serde_json::{Value, json};

use crate::support::{World, body, done, outcome, refused};

const MIB: u64 = 1 << 20;

impl World {
    fn declare(&self, body: Value) -> Result<UploadInstructions, Refusal> {
        self.declare_as(&self.caller, body)
    }

    fn declare_as(&self, caller: &Caller, body: Value) -> Result<UploadInstructions, Refusal> {
        let input = serde_json::from_value(body).unwrap();
        refused(done(self.scheduler.declare_media(caller, input)))
    }

    fn confirm(&self, id: MediaId) -> Result<MediaView, Refusal> {
        refused(done(self.scheduler.confirm_upload(&self.caller, id)))
    }

    fn complete(&self, id: MediaId, parts: &[UploadedPart]) -> Result<MediaView, Refusal> {
        refused(done(self.scheduler.complete_upload(
            &self.caller,
            id,
            CompleteInput { parts: Some(parts.to_vec()) },
        )))
    }

    fn erase(&self, id: MediaId) -> Result<MediaView, Refusal> {
        refused(done(self.scheduler.delete_media(&self.caller, id)))
    }

    fn shown(&self, id: MediaId) -> Result<ShownMedia, Refusal> {
        refused(done(self.scheduler.show_media(&self.caller, id)))
    }

    fn stored(&self, id: MediaId) -> Media {
        done(self.store.media(self.caller.workspace.id, &[id])).unwrap().remove(0)
    }

    fn key(&self, id: MediaId) -> FileKey {
        FileKey::folder(self.caller.workspace.id, id).original()
    }

    /// A declared file of four bytes.
    fn small(&self) -> MediaId {
        self.declare(json!({"kind": "image", "sizeBytes": 4})).unwrap().media.id
    }

    /// A file of four bytes that is ready.
    fn ready(&self) -> MediaId {
        let id = self.small();
        self.files.put(self.key(id), "four".into());
        self.confirm(id).unwrap();
        assert_eq!(self.work(), [Ran::FileExamined]);
        id
    }

    fn fetched(
        &self,
        answers: impl IntoIterator<Item = Result<Vec<&'static str>, FetchError>>,
    ) -> MediaId {
        self.source.answers.lock().unwrap().extend(answers);
        let body = json!({"kind": "video", "sourceUrl": "https://a.example/v"});
        self.declare(body).unwrap().media.id
    }
}

fn code<T>(result: Result<T, Refusal>) -> Option<ErrorCode> {
    result.err().map(|refusal| refusal.code)
}

#[test]
fn what_a_declaration_says_back() {
    let world = World::new();
    for (name, size, mode) in [
        ("small", 1, "single"),
        ("16 MiB", 16 * MIB, "single"),
        ("one byte more", 16 * MIB + 1, "multipart"),
    ] {
        let body = json!({"kind": "video", "sizeBytes": size, "fileName": "v.mp4", "fps": 30});
        let declared = world.declare(body).unwrap();
        assert_eq!(declared.media.status, MediaStatus::AwaitingUpload, "{name}");
        let upload = serde_json::to_value(&declared.upload).unwrap();
        assert_eq!(upload["mode"], mode, "{name}");
        match declared.upload {
            UploadView::Single { upload_url, .. } => assert!(upload_url.contains("put"), "{name}"),
            UploadView::Multipart { part_size, parts } => {
                assert_eq!(part_size, 16 * MIB);
                let numbers: Vec<u32> = parts.iter().map(|part| part.part_number).collect();
                assert_eq!(numbers, [1, 2]);
            }
            UploadView::Ingest {} => panic!("{name}"),
        }
    }
    let source = json!({"kind": "image", "sourceUrl": "https://a.example/?secret"});
    let declared = world.declare(source).unwrap();
    assert_eq!(declared.media.status, MediaStatus::Ingesting);
    assert_eq!(serde_json::to_value(&declared.upload).unwrap(), json!({"mode": "ingest"}));
    assert!(!format!("{:?}", world.stored(declared.media.id)).contains("secret"));
}

#[test]
fn what_cannot_be_declared() {
    let world = World::new();
    let pro = world.caller_on(Plan::Pro);
    let reader = world.caller_with(&[Scope::MediaRead]);
    let sized = |bytes: u64| json!({"kind": "video", "sizeBytes": bytes});
    for (name, caller, body, want) in [
        ("without the scope", &reader, sized(1), "forbidden"),
        ("no size", &world.caller, json!({"kind": "image"}), "invalid_request sizeBytes"),
        (
            "a source that is not public",
            &world.caller,
            json!({"kind": "image", "sourceUrl": "http://localhost"}),
            "invalid_request sourceUrl",
        ),
        ("at the ceiling", &world.caller, sized(10 << 30), "ok"),
        ("over the ceiling", &world.caller, sized((10 << 30) + 1), "file_too_large"),
        ("over the plan", &pro, sized((2 << 30) + 1), "file_too_large"),
    ] {
        assert_eq!(outcome(&world.declare_as(caller, body)), want, "{name}");
    }
    let refusal = world.declare_as(&pro, sized((2 << 30) + 1)).unwrap_err();
    assert_eq!((refusal.limit, refusal.upgrade_to.as_deref()), (Some(2 << 30), Some("studio")));
    let ceiling = world.declare(sized((10 << 30) + 1)).unwrap_err();
    assert_eq!(ceiling.limit, None, "it is no matter of the plan");
}

#[test]
fn the_bytes_of_a_month() {
    let mut settings = Settings::default();
    settings.plans.studio.upload_bytes_a_month = 100 * MIB;
    let world = World::with(settings);
    let large = json!({"kind": "video", "sizeBytes": 60 * MIB});
    let first = world.declare(large.clone()).unwrap().media.id;
    let refusal = world.declare(large.clone()).unwrap_err();
    assert_eq!((refusal.code, refusal.limit), (ErrorCode::UploadLimit, Some(100 * MIB)));
    assert_eq!(world.files.kept().len(), 1, "nothing is left open of what was refused");
    world.declare(json!({"kind": "video", "sizeBytes": 40 * MIB})).unwrap();
    assert_eq!(
        code(world.declare(json!({"kind": "image", "sizeBytes": 1}))),
        Some(ErrorCode::UploadLimit)
    );
    let source = json!({"kind": "image", "sourceUrl": "https://a.example/i"});
    assert_eq!(code(world.declare(source)), Some(ErrorCode::UploadLimit), "of unknown size");
    // A deleted file was uploaded all the same; one that never came was not.
    world.erase(first).unwrap();
    assert_eq!(code(world.declare(large.clone())), Some(ErrorCode::UploadLimit));
    world.clock.advance(TimeDelta::days(31));
    world.declare(large).unwrap();
}

#[test]
fn an_upload_in_one_piece() {
    let world = World::new();
    let id = world.small();
    let nothing = world.confirm(id).unwrap_err();
    assert_eq!(nothing.code, ErrorCode::MediaUnusable);
    world.files.put(world.key(id), "three".into());
    let another = world.confirm(id).unwrap_err();
    assert!(another.message.contains("5 bytes have arrived, but 4"), "{}", another.message);
    assert_eq!(world.stored(id).status, MediaStatus::AwaitingUpload, "it can be sent again");

    world.files.put(world.key(id), "four".into());
    assert_eq!(world.confirm(id).unwrap().status, MediaStatus::Processing);
    assert_eq!(world.confirm(id).unwrap().status, MediaStatus::Processing, "a repeat");
    assert_eq!(world.work(), [Ran::FileExamined]);
    let ready = world.confirm(id).unwrap();
    assert_eq!(ready.status, MediaStatus::Ready);
    assert_eq!((ready.width, ready.height), (Some(640), Some(480)));
    assert!(ready.preview_url.is_some());
    let preview = refused(done(world.scheduler.media_preview(&world.caller, id))).unwrap();
    assert_eq!(preview, "preview");
}

fn parts_of(world: &World, id: MediaId) -> (PartPlan, Vec<UploadedPart>) {
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

#[test]
fn an_upload_in_parts() {
    let world = World::new();
    let id = world.declare(json!({"kind": "video", "sizeBytes": 40 * MIB})).unwrap().media.id;
    assert_eq!(outcome(&world.confirm(id)), "invalid_request id");
    let (_, mut parts) = parts_of(&world, id);
    assert_eq!(parts.len(), 3);
    parts.reverse();
    let with = |number: u32| UploadedPart { part_number: number, etag: "x".to_owned() };
    for (name, list, want) in [
        ("one is missing", parts[..2].to_vec(), "invalid_request parts"),
        ("none", vec![], "invalid_request parts"),
        ("one too many", [&parts[..], &[with(4)]].concat(), "invalid_request parts"),
        ("part 0", [&parts[..], &[with(0)]].concat(), "invalid_request parts"),
        ("one twice", [&parts[..], &parts[..1]].concat(), "invalid_request parts"),
        ("another ETag", [&parts[..2], &[with(1)]].concat(), "media_unusable"),
    ] {
        assert_eq!(outcome(&world.complete(id, &list)), want, "{name}");
        assert_eq!(world.stored(id).status, MediaStatus::AwaitingUpload, "{name}");
    }
    assert_eq!(world.complete(id, &parts).unwrap().status, MediaStatus::Processing);
    assert_eq!(world.complete(id, &parts).unwrap().status, MediaStatus::Processing, "a repeat");
    assert_eq!(world.work(), [Ran::FileExamined]);
    let small = world.small();
    assert_eq!(outcome(&world.complete(small, &parts)), "invalid_request parts");
}

#[test]
fn the_answer_to_completing_was_lost() {
    let world = World::new();
    let id = world.declare(json!({"kind": "video", "sizeBytes": 17 * MIB})).unwrap().media.id;
    let (plan, parts) = parts_of(&world, id);
    let Transfer::Multipart { upload, .. } = world.stored(id).transfer else { panic!() };
    // The parts were put together, and the server died before it wrote that down.
    let files: &dyn scheduler_core::ports::Files = &*world.files;
    done(files.finish_parts(&world.key(id), &upload, plan, &parts)).unwrap();
    assert_eq!(world.complete(id, &parts).unwrap().status, MediaStatus::Processing);
}

#[test]
fn fresh_addresses_while_an_upload_is_not_finished() {
    let world = World::new();
    let id = world.small();
    let first = world.shown(id).unwrap().upload.unwrap();
    world.clock.advance(TimeDelta::hours(2));
    let later = world.shown(id).unwrap().upload.unwrap();
    assert!(first != later, "the link has a later end");
    let reader = world.caller_with(&[Scope::MediaRead]);
    let shown = refused(done(world.scheduler.show_media(&reader, id))).unwrap();
    assert_eq!(shown.upload, None, "a reader does not write");
    let id = world.ready();
    assert_eq!(world.shown(id).unwrap().upload, None);
}

#[test]
fn an_upload_that_does_not_come() {
    let world = World::new();
    let id = world.declare(json!({"kind": "video", "sizeBytes": 17 * MIB})).unwrap().media.id;
    parts_of(&world, id);
    assert_eq!(world.work_after(UPLOAD_PATIENCE - TimeDelta::seconds(1)), []);
    assert_eq!(world.work_after(TimeDelta::seconds(1)), [Ran::FileGivenUp, Ran::FileErased]);
    let media = world.stored(id);
    assert_eq!(media.status, MediaStatus::Failed);
    assert!(media.error.unwrap().contains("24 hours"));
    assert_eq!(world.files.kept(), Vec::<String>::new());
    assert_eq!(code(world.confirm(id)), Some(ErrorCode::MediaUnusable));
    // A link that was given out at the last moment may still bring bytes.
    world.files.put(world.key(id), "late".into());
    assert_eq!(world.work_after(UPLOAD_PATIENCE + LINK_LIFETIME), [Ran::FileErased]);
    assert_eq!(world.files.kept(), Vec::<String>::new());
    assert_eq!(world.stored(id).due_at, None);
    assert_eq!(world.work_to_the_end(), []);
}

#[test]
fn bytes_that_come_after_a_file_was_examined_do_not_take_its_place() {
    let world = World::new();
    let sent = |id| FileKey::folder(world.caller.workspace.id, id).sent();
    let read = |id| {
        let files: &dyn scheduler_core::ports::Files = &*world.files;
        done(done(files.read(&world.key(id), None)).unwrap().collect()).unwrap()
    };
    let id = world.small();
    let UploadView::Single { upload_url, .. } = world.shown(id).unwrap().upload.unwrap() else {
        panic!()
    };
    assert!(upload_url.contains(sent(id).as_str()), "{upload_url}");
    world.files.put(sent(id), "four".into());
    world.confirm(id).unwrap();
    assert_eq!(world.work(), [Ran::FileExamined]);
    world.files.put(sent(id), "evil".into());
    assert_eq!(read(id), "four");
    assert_eq!(world.work_to_the_end(), [Ran::FileErased]);
    let media = world.stored(id);
    assert_eq!((media.status, media.due_at), (MediaStatus::Ready, None));
    assert_eq!((read(id), world.files.kept().len()), ("four".into(), 2), "and the preview");

    // A store that takes any number of bytes got others before they were examined.
    let id = world.small();
    world.files.put(sent(id), "four".into());
    world.confirm(id).unwrap();
    world.files.put(sent(id), "others".into());
    assert_eq!(world.work(), [Ran::FileGivenUp, Ran::FileErased]);
    assert_eq!(world.stored(id).status, MediaStatus::Failed);
}

#[test]
fn a_file_that_is_deleted_while_it_is_examined_leaves_no_bytes() {
    let world = World::new();
    let id = world.small();
    world.files.put(world.key(id), "four".into());
    world.confirm(id).unwrap();
    // Long after its declaration, when nobody comes back to erase it once more.
    world.clock.advance(UPLOAD_PATIENCE + TimeDelta::hours(2));
    let (scheduler, store) = (world.scheduler.clone(), Arc::clone(&world.store));
    let (caller, now) = (world.caller.clone(), world.now());
    *world.examiner.meanwhile.lock().unwrap() = Some(Box::new(move || {
        done(scheduler.delete_media(&caller, id)).unwrap();
        let request = ClaimRequest {
            now,
            lease_until: now + LEASE,
            lanes: 10,
            per_lane: 10,
            without_platforms: Vec::new(),
            without_deliveries: false,
            without_media: false,
        };
        for claim in done(store.claim(&request)).unwrap() {
            assert_eq!(done(scheduler.run(&claim)).unwrap(), Ran::FileErased);
        }
    }));
    assert_eq!(world.work_to_the_end(), [Ran::Lost]);
    assert_eq!(world.stored(id).status, MediaStatus::Deleted);
    assert_eq!(world.files.kept(), Vec::<String>::new());
}

#[test]
fn no_link_outlives_the_last_look_for_late_bytes() {
    let world = World::new();
    let id = world.small();
    // Nobody has given the upload up yet.
    world.clock.advance(UPLOAD_PATIENCE + TimeDelta::minutes(30));
    let UploadView::Single { upload_url, .. } = world.shown(id).unwrap().upload.unwrap() else {
        panic!()
    };
    let end = world.stored(id).last_link_end().timestamp();
    assert!(upload_url.ends_with(&format!("expires={end}")), "{upload_url}");
}

#[test]
fn a_preview_that_is_gone_is_not_found() {
    let world = World::new();
    let id = world.ready();
    let files: &dyn scheduler_core::ports::Files = &*world.files;
    done(files.erase(&FileKey::folder(world.caller.workspace.id, id))).unwrap();
    let preview = refused(done(world.scheduler.media_preview(&world.caller, id)));
    assert_eq!(code(preview), Some(ErrorCode::NotFound));
}

#[test]
fn a_file_is_fetched() {
    let world = World::new();
    let id = world.fetched([
        Err(FetchError::Temporary("It did not answer.".to_owned())),
        Ok(vec!["be", "broken"]),
        Ok(vec!["fi", "lm"]),
    ]);
    assert_eq!(world.work(), [Ran::FileDeferred]);
    assert_eq!(world.work_after(TimeDelta::seconds(5)), [Ran::FileDeferred]);
    assert_eq!(world.files.kept(), Vec::<String>::new(), "nothing is kept of a broken one");
    let rest = world.work_after(TimeDelta::seconds(30));
    assert_eq!(rest, [Ran::FileFetched, Ran::FileExamined]);
    assert_eq!(world.stored(id).status, MediaStatus::Ready);
    let asked = world.source.asked.lock().unwrap();
    assert_eq!(asked.len(), 3);
    assert_eq!(asked[0], ("https://a.example/v".to_owned(), 10 << 30));
}

#[test]
fn a_file_that_cannot_be_fetched() {
    let refused = || Err(FetchError::Refused("It answered 404.".to_owned()));
    let down = || Err(FetchError::Temporary("It did not answer.".to_owned()));
    for (name, answers, want) in [
        ("refused", vec![refused()], "It answered 404."),
        ("too long", vec![Ok(vec!["a", "too long"])], "The file is too long."),
        ("down", (0..5).map(|_| down()).collect(), "It did not answer."),
    ] {
        let world = World::new();
        let id = world.fetched(answers);
        world.work_to_the_end();
        let media = world.stored(id);
        assert_eq!(
            (media.status, media.error.as_deref()),
            (MediaStatus::Failed, Some(want)),
            "{name}"
        );
        assert_eq!(world.files.kept(), Vec::<String>::new(), "{name}");
    }
}

#[test]
fn fetching_keeps_to_what_the_plan_has_left() {
    let mut settings = Settings::default();
    settings.plans.studio.upload_bytes_a_month = 1_000;
    let world = World::with(settings);
    world.declare(json!({"kind": "image", "sizeBytes": 400})).unwrap();
    world.fetched([Ok(vec!["film"])]);
    world.work();
    assert_eq!(world.source.asked.lock().unwrap()[0].1, 600);

    let full = "The bytes that the plan allows in this month are used up.";
    let overtaken = world.fetched([Ok(vec!["film"])]);
    let (scheduler, caller) = (world.scheduler.clone(), world.caller.clone());
    *world.source.meanwhile.lock().unwrap() = Some(Box::new(move || {
        let other = serde_json::from_value(json!({"kind": "image", "sizeBytes": 593})).unwrap();
        done(scheduler.declare_media(&caller, other)).unwrap();
    }));
    assert_eq!(world.work(), [Ran::FileGivenUp, Ran::FileErased]);
    assert_eq!(world.stored(overtaken).error.as_deref(), Some(full));

    let late = world.fetched([]);
    world.declare(json!({"kind": "image", "sizeBytes": 3})).unwrap();
    assert_eq!(world.work(), [Ran::FileGivenUp, Ran::FileErased]);
    assert_eq!(world.stored(late).error.as_deref(), Some(full));
}

#[test]
fn what_an_examination_finds() {
    let film = Examined {
        facts: MediaFacts {
            mime_type: Some("video/mp4".to_owned()),
            duration_seconds: Some(2.5),
            ..MediaFacts::of_kind(MediaKind::Video)
        },
        preview: None,
    };
    let world = World::new();
    world.examiner.answers.lock().unwrap().extend([
        Err(ExamineError::Temporary("No memory.".to_owned())),
        Err(ExamineError::Files(FilesError::Unavailable("down".to_owned()))),
        Ok(film),
    ]);
    let id = world.small();
    world.files.put(world.key(id), "four".into());
    world.confirm(id).unwrap();
    assert_eq!(
        world.work_to_the_end(),
        [Ran::FileDeferred, Ran::FileDeferred, Ran::FileExamined, Ran::FileErased]
    );
    let media = world.stored(id);
    assert_eq!(
        (media.kind, media.size_bytes),
        (MediaKind::Video, Some(4)),
        "what it is, not what was said"
    );
    assert_eq!(media.mime_type.as_deref(), Some("video/mp4"));
    let preview = refused(done(world.scheduler.media_preview(&world.caller, id)));
    assert_eq!(code(preview), Some(ErrorCode::NotFound));

    for broken in [
        ExamineError::Unusable("It is cut off.".to_owned()),
        ExamineError::Files(FilesError::Missing),
    ] {
        let world = World::new();
        world.examiner.answers.lock().unwrap().push_back(Err(broken));
        let id = world.small();
        world.files.put(world.key(id), "four".into());
        world.confirm(id).unwrap();
        assert_eq!(world.work(), [Ran::FileGivenUp, Ran::FileErased]);
        assert_eq!(world.stored(id).status, MediaStatus::Failed);
        assert_eq!(world.files.kept(), Vec::<String>::new());
    }
}

#[test]
fn a_deleted_file_leaves_no_bytes() {
    let world = World::new();
    let id = world.ready();
    assert_eq!(world.files.kept().len(), 2);
    assert_eq!(world.erase(id).unwrap().status, MediaStatus::Deleted);
    assert_eq!(world.work(), [Ran::FileErased]);
    assert_eq!(world.files.kept(), Vec::<String>::new());
    assert_eq!(world.erase(id).unwrap().status, MediaStatus::Deleted, "a repeat");
    assert_eq!(world.shown(id).unwrap().media.status, MediaStatus::Deleted, "the record stays");
    assert_eq!(code(world.erase(MediaId(uuid::Uuid::nil()))), Some(ErrorCode::NotFound));
    let theirs = refused(done(world.scheduler.delete_media(&world.stranger(), id)));
    assert_eq!(code(theirs), Some(ErrorCode::NotFound));
}

/// A worker that has lost its claim, and a network's worker that has lost its, write after the
/// bytes were removed, long after the last link has ended.
#[test]
fn bytes_that_come_back_after_a_deletion_go_too() {
    let world = World::new();
    let id = world.ready();
    world.clock.advance(TimeDelta::days(30));
    world.erase(id).unwrap();
    assert_eq!(world.work(), [Ran::FileErased]);
    let folder = world.stored(id).folder();
    for key in [folder.original(), folder.preview(), folder.derived("bluesky-image")] {
        world.files.put(key, "late".into());
    }
    assert_eq!(world.work_after(UPLOAD_PATIENCE + LINK_LIFETIME), [Ran::FileErased]);
    assert_eq!(world.files.kept(), Vec::<String>::new());
    assert_eq!(world.stored(id).due_at, None);
    assert_eq!(world.work_after(TimeDelta::days(30)), []);
}

#[test]
fn what_was_made_of_a_file_goes_with_it() {
    let world = World::new();
    let id = world.ready();
    let folder = world.stored(id).folder();
    world.files.put(folder.derived("bluesky-image"), "smaller".into());
    assert_eq!(world.files.kept().len(), 3);
    world.erase(id).unwrap();
    world.work();
    assert_eq!(world.files.kept(), Vec::<String>::new());
}

/// The store's name for an upload is lost where its record was never stored, or has changed.
#[test]
fn erasing_removes_the_uploads_in_parts_of_a_file() {
    let world = World::new();
    let id = world.declare(json!({"kind": "video", "sizeBytes": 17 * MIB})).unwrap().media.id;
    done(world.files.begin_parts(&world.key(id))).unwrap();
    world.erase(id).unwrap();
    world.work();
    assert_eq!(world.files.kept(), Vec::<String>::new());
}

#[test]
fn a_file_in_use() {
    let world = World::new();
    let id = world.ready();
    let post = world.create(body(&["bluesky"], json!({"mediaIds": [id], "queue": true})));
    assert_eq!(code(world.erase(id)), Some(ErrorCode::InUse));
    let draft = world.create(body(&["bluesky"], json!({"mediaIds": [id], "saveAsDraft": true})));
    let posts = refused(done(world.scheduler.posts_of_media(&world.caller, id))).unwrap();
    assert_eq!(posts.len(), 2);
    let listed = refused(done(world.scheduler.list_media(&world.caller, None))).unwrap();
    assert_eq!(listed[0].post_count, Some(2));
    world.delete(post.id).unwrap();
    assert_eq!(code(world.erase(id)), Some(ErrorCode::InUse), "a draft needs it too");
    world.delete(draft.id).unwrap();
    assert_eq!(world.erase(id).unwrap().status, MediaStatus::Deleted);
    let late = body(&["bluesky"], json!({"mediaIds": [id], "queue": true}));
    assert!(world.create_as(&world.caller, late).is_err());
}

#[test]
fn the_list_is_bounded() {
    let world = World::new();
    let ids: Vec<MediaId> = (0..3).map(|_| world.small()).collect();
    let list = |limit| refused(done(world.scheduler.list_media(&world.caller, limit)));
    let newest: Vec<MediaId> = list(Some("2")).unwrap().iter().map(|media| media.id).collect();
    assert_eq!(newest, [ids[2], ids[1]]);
    assert_eq!(list(None).unwrap().len(), 3);
    for limit in ["0", "201", "two"] {
        assert_eq!(outcome(&list(Some(limit))), "invalid_request limit");
    }
}
