//! What happens to files without a request: they are fetched, examined, given up, erased.

use chrono::TimeDelta;
use scheduler_core::app::Settings;
use scheduler_core::engine::{LEASE, RunOutcome};
use scheduler_core::error::ErrorCode;
use scheduler_core::ids::MediaId;
use scheduler_core::media::{LINK_LIFETIME, MediaFacts, MediaKind, MediaStatus, UPLOAD_TIMEOUT};
use scheduler_core::ports::{ExamineError, Examined, FetchError, Files as _, FilesError};
use serde_json::json;

use crate::media_support::{MIB, code};
use crate::support::{World, done, refused};

#[test]
fn a_file_is_fetched() {
    let world = World::new();
    let id = world.fetched([
        Err(FetchError::Temporary("It did not answer.".to_owned())),
        Ok(vec!["be", "broken"]),
        Ok(vec!["fi", "lm"]),
    ]);
    assert_eq!(world.work(), [RunOutcome::FileDeferred]);
    assert_eq!(world.work_after(TimeDelta::seconds(5)), [RunOutcome::FileDeferred]);
    assert_eq!(world.files.kept(), Vec::<String>::new(), "nothing is kept of a broken one");
    let rest = world.work_after(TimeDelta::seconds(30));
    assert_eq!(rest, [RunOutcome::FileFetched, RunOutcome::FileExamined]);
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
        done(scheduler.declare_media(&caller, other, None)).unwrap();
    }));
    assert_eq!(world.work(), [RunOutcome::FileGivenUp, RunOutcome::FileErased]);
    assert_eq!(world.stored(overtaken).error.as_deref(), Some(full));

    let late = world.fetched([]);
    world.declare(json!({"kind": "image", "sizeBytes": 3})).unwrap();
    assert_eq!(world.work(), [RunOutcome::FileGivenUp, RunOutcome::FileErased]);
    assert_eq!(world.stored(late).error.as_deref(), Some(full));
}

/// A caller who declares a picture gets what it got before there were documents.
#[test]
fn a_document_is_declared_as_one() {
    let document = || Examined {
        facts: MediaFacts {
            mime_type: Some("application/pdf".to_owned()),
            ..MediaFacts::of_kind(MediaKind::Document)
        },
        preview: None,
    };
    let declared = |kind: &str| {
        let world = World::new();
        world.examiner.answers.lock().unwrap().push_back(Ok(document()));
        let body = json!({"kind": kind, "sizeBytes": 4, "fileName": "slides.pdf"});
        let id = world.declare(body).unwrap().media.id;
        world.files.put(world.key(id), "%PDF".into());
        world.confirm(id).unwrap();
        world.work();
        world.stored(id)
    };
    let media = declared("document");
    assert_eq!((media.status, media.kind), (MediaStatus::Ready, MediaKind::Document));
    assert_eq!(media.mime_type.as_deref(), Some("application/pdf"));
    for kind in ["image", "video"] {
        let media = declared(kind);
        let told = "The file is a document; declare it with kind document.";
        assert_eq!((media.status, media.error.as_deref()), (MediaStatus::Failed, Some(told)));
    }
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
        [
            RunOutcome::FileDeferred,
            RunOutcome::FileDeferred,
            RunOutcome::FileExamined,
            RunOutcome::FileErased
        ]
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
        assert_eq!(world.work(), [RunOutcome::FileGivenUp, RunOutcome::FileErased]);
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
    assert_eq!(world.work(), [RunOutcome::FileErased]);
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
    assert_eq!(world.work(), [RunOutcome::FileErased]);
    let folder = world.stored(id).folder();
    for key in [folder.original(), folder.preview(), folder.derived("bluesky-image")] {
        world.files.put(key, "late".into());
    }
    assert_eq!(world.work_after(UPLOAD_TIMEOUT + LINK_LIFETIME), [RunOutcome::FileErased]);
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

/// A file that ends the process, such as by the memory that it takes, is not tried for ever.
#[test]
fn a_file_that_is_never_worked_on_to_its_end_is_given_up() {
    let world = World::new();
    let id = world.small();
    world.files.put(world.key(id), "four".into());
    world.confirm(id).unwrap();
    for _ in 0..30 {
        assert_eq!(world.claim_all().len(), 1, "a holder takes it and dies");
        world.clock.advance(LEASE);
    }
    assert_eq!(world.work(), [RunOutcome::FileGivenUp, RunOutcome::FileErased]);
    let media = world.stored(id);
    assert_eq!(media.status, MediaStatus::Failed);
    assert!(media.error.unwrap().contains("never came to its end"));
    assert_eq!(world.files.kept(), Vec::<String>::new());
}
