//! Files: declared, uploaded or fetched, examined, deleted.

use std::sync::Arc;

use chrono::TimeDelta;
use scheduler_core::app::{Settings, UploadView};
use scheduler_core::engine::{LEASE, RunOutcome};
use scheduler_core::error::ErrorCode;
use scheduler_core::ids::MediaId;
use scheduler_core::key::Scope;
use scheduler_core::media::{
    FileKey, LINK_LIFETIME, MediaChange, MediaListInput, MediaStatus, Transfer, UPLOAD_TIMEOUT,
    UploadedPart,
};
use scheduler_core::plan::Plan;
use scheduler_core::ports::{ClaimRequest, Place, WorkQueue as _};
use serde_json::json;

use crate::media_support::{MIB, code, parts_of};
use crate::support::{World, body, done, outcome, refused};

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
    assert_eq!(
        (refusal.limit(), refusal.upgrade_to().map(Plan::as_str)),
        (Some(2 << 30), Some("studio"))
    );
    let ceiling = world.declare(sized((10 << 30) + 1)).unwrap_err();
    assert_eq!(ceiling.limit(), None, "it is no matter of the plan");
}

#[test]
fn the_bytes_of_a_month() {
    let mut settings = Settings::default();
    settings.plans.studio.upload_bytes_a_month = 100 * MIB;
    let world = World::with(settings);
    let large = json!({"kind": "video", "sizeBytes": 60 * MIB});
    let first = world.declare(large.clone()).unwrap().media.id;
    let refusal = world.declare(large.clone()).unwrap_err();
    assert_eq!((refusal.code, refusal.limit()), (ErrorCode::UploadLimit, Some(100 * MIB)));
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
    assert!(another.message().contains("5 bytes have arrived, but 4"), "{}", another.message());
    assert_eq!(world.stored(id).status, MediaStatus::AwaitingUpload, "it can be sent again");

    world.files.put(world.key(id), "four".into());
    assert_eq!(world.confirm(id).unwrap().status, MediaStatus::Processing);
    assert_eq!(world.confirm(id).unwrap().status, MediaStatus::Processing, "a repeat");
    assert_eq!(world.work(), [RunOutcome::FileExamined]);
    let ready = world.confirm(id).unwrap();
    assert_eq!(ready.status, MediaStatus::Ready);
    assert_eq!((ready.width, ready.height), (Some(640), Some(480)));
    assert!(ready.preview_url.is_some());
    let preview = refused(done(world.scheduler.media_preview(&world.caller, id))).unwrap();
    assert_eq!(preview, "preview");
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
    for number in [0, 1_001] {
        let repeat = world.complete(id, &[with(number)]);
        assert_eq!(outcome(&repeat), "invalid_request parts", "a repeat with part {number}");
    }
    assert_eq!(world.work(), [RunOutcome::FileExamined]);
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
    assert_eq!(world.work_after(UPLOAD_TIMEOUT - TimeDelta::seconds(1)), []);
    assert_eq!(
        world.work_after(TimeDelta::seconds(1)),
        [RunOutcome::FileGivenUp, RunOutcome::FileErased]
    );
    let media = world.stored(id);
    assert_eq!(media.status, MediaStatus::Failed);
    assert!(media.error.unwrap().contains("24 hours"));
    assert_eq!(world.files.kept(), Vec::<String>::new());
    assert_eq!(code(world.confirm(id)), Some(ErrorCode::MediaUnusable));
    // A link that was given out at the last moment may still bring bytes.
    world.files.put(world.key(id), "late".into());
    assert_eq!(world.work_after(UPLOAD_TIMEOUT + LINK_LIFETIME), [RunOutcome::FileErased]);
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
    assert_eq!(world.work(), [RunOutcome::FileExamined]);
    world.files.put(sent(id), "evil".into());
    assert_eq!(read(id), "four");
    assert_eq!(world.work_to_the_end(), [RunOutcome::FileErased]);
    let media = world.stored(id);
    assert_eq!((media.status, media.due_at), (MediaStatus::Ready, None));
    assert_eq!((read(id), world.files.kept().len()), ("four".into(), 2), "and the preview");

    // A store that takes any number of bytes got others before they were examined.
    let id = world.small();
    world.files.put(sent(id), "four".into());
    world.confirm(id).unwrap();
    world.files.put(sent(id), "others".into());
    assert_eq!(world.work(), [RunOutcome::FileGivenUp, RunOutcome::FileErased]);
    assert_eq!(world.stored(id).status, MediaStatus::Failed);
}

#[test]
fn a_file_that_is_deleted_while_it_is_examined_leaves_no_bytes() {
    let world = World::new();
    let id = world.small();
    world.files.put(world.key(id), "four".into());
    world.confirm(id).unwrap();
    // Long after its declaration, when nobody comes back to erase it once more.
    world.clock.advance(UPLOAD_TIMEOUT + TimeDelta::hours(2));
    let (scheduler, store) = (world.scheduler.clone(), Arc::clone(&world.store));
    let (caller, now) = (world.caller.clone(), world.now());
    *world.examiner.meanwhile.lock().unwrap() = Some(Box::new(move || {
        done(scheduler.delete_media(&caller, id)).unwrap();
        let request = ClaimRequest::new(now, now + LEASE, 10, 10).without([Place::Read]);
        for claim in done(store.claim(&request)).unwrap() {
            assert_eq!(done(scheduler.run(&claim)).unwrap(), RunOutcome::FileErased);
        }
    }));
    assert_eq!(world.work_to_the_end(), [RunOutcome::Lost, RunOutcome::FileErased]);
    assert_eq!(world.stored(id).status, MediaStatus::Deleted);
    assert_eq!(world.files.kept(), Vec::<String>::new());
}

#[test]
fn no_link_outlives_the_last_look_for_late_bytes() {
    let world = World::new();
    let id = world.small();
    // Nobody has given the upload up yet.
    world.clock.advance(UPLOAD_TIMEOUT + TimeDelta::minutes(30));
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
fn a_file_in_use() {
    let world = World::new();
    let id = world.ready();
    let post = world.create(body(&["bluesky"], json!({"mediaIds": [id], "queue": true})));
    assert_eq!(code(world.erase(id)), Some(ErrorCode::InUse));
    let draft = world.create(body(&["bluesky"], json!({"mediaIds": [id], "saveAsDraft": true})));
    let posts = refused(done(world.scheduler.posts_of_media(
        &world.caller,
        id,
        &scheduler_core::post::PageInput::default(),
    )))
    .unwrap();
    assert_eq!(posts.data.len(), 2);
    let listed =
        refused(done(world.scheduler.list_media(&world.caller, &MediaListInput::default())))
            .unwrap();
    assert_eq!(listed.data[0].post_count, 2);
    world.delete(post.id).unwrap();
    assert_eq!(code(world.erase(id)), Some(ErrorCode::InUse), "a draft needs it too");
    world.delete(draft.id).unwrap();
    assert_eq!(world.erase(id).unwrap().status, MediaStatus::Deleted);
    let late = body(&["bluesky"], json!({"mediaIds": [id], "queue": true}));
    assert!(world.create_as(&world.caller, late).is_err());
}

#[test]
fn the_list_is_bounded_and_goes_on() {
    let world = World::new();
    let ids: Vec<MediaId> = (0..5).map(|_| world.small()).collect();
    let list =
        |input: &MediaListInput| refused(done(world.scheduler.list_media(&world.caller, input)));
    let limited =
        |limit: &str| MediaListInput { limit: Some(limit.to_owned()), ..Default::default() };
    assert_eq!(list(&MediaListInput::default()).unwrap().data.len(), 5);
    let mut input = limited("2");
    let mut found = Vec::new();
    loop {
        let page = list(&input).unwrap();
        found.extend(page.data.iter().map(|listed| listed.media.id));
        assert!(page.data.len() == 2 || page.next_cursor.is_none());
        // A file that comes meanwhile stands on no later page.
        world.small();
        input.before = page.next_cursor;
        if input.before.is_none() {
            break;
        }
    }
    assert_eq!(found, ids.into_iter().rev().collect::<Vec<_>>());
    assert_eq!(list(&limited("8")).unwrap().next_cursor, None, "exactly all of them");
    for limit in ["0", "201", "two"] {
        assert_eq!(outcome(&list(&limited(limit))), "invalid_request limit");
    }
}

#[test]
fn a_file_is_described_and_found_by_it() {
    let world = World::new();
    let reader = world.caller_with(&[Scope::MediaRead]);
    let ids: Vec<MediaId> = (0..600).map(|_| world.small()).collect();
    let change = |id, body| {
        let change = serde_json::from_value(body).unwrap();
        refused(done(world.scheduler.update_media(&world.caller, id, &change)))
    };
    let described =
        json!({"name": "First cake", "labels": ["Cakes", "cakes"], "altText": "A cake"});
    let shown = change(ids[0], described).unwrap();
    assert_eq!(
        (shown.name.as_deref(), &*shown.labels, shown.alt_text.as_deref()),
        (Some("First cake"), &["Cakes".to_owned()][..], Some("A cake"))
    );
    change(ids[599], json!({"labels": ["cakes"]})).unwrap();
    let find = |input: MediaListInput| {
        let page = refused(done(world.scheduler.list_media(&reader, &input))).unwrap();
        assert_eq!(page.next_cursor, None);
        page.data.into_iter().map(|listed| listed.media.id).collect::<Vec<_>>()
    };
    let labelled = MediaListInput { label: vec!["CAKES".to_owned()], ..Default::default() };
    assert_eq!(find(labelled), [ids[599], ids[0]], "beyond what is read at once");
    let named = MediaListInput { q: Some("cak".to_owned()), ..Default::default() };
    assert_eq!(find(named), [ids[0]]);
    world.create(body(&["bluesky"], json!({"mediaIds": [world.ready()], "saveAsDraft": true})));
    let used = MediaListInput { used: Some("true".to_owned()), ..Default::default() };
    assert_eq!(find(used).len(), 1);
    assert_eq!(change(ids[0], json!({"name": null, "altText": ""})).unwrap().name, None);
    assert_eq!(world.stored(ids[0]).description.labels, ["Cakes"], "not sent");
    for (name, id, sent, want) in [
        ("a blank name", ids[0], json!({"name": " "}), "invalid_request name"),
        ("a long name", ids[0], json!({"name": "a".repeat(256)}), "invalid_request name"),
        ("a blank label", ids[0], json!({"labels": ["a", ""]}), "invalid_request labels[1]"),
        ("a long text", ids[0], json!({"altText": "a".repeat(1_001)}), "invalid_request altText"),
        ("no file", MediaId(uuid::Uuid::nil()), json!({}), "not_found"),
    ] {
        assert_eq!(outcome(&change(id, sent)), want, "{name}");
    }
    let change = MediaChange::default();
    let forbidden = refused(done(world.scheduler.update_media(&reader, ids[0], &change)));
    assert_eq!(outcome(&forbidden), "forbidden");
}

#[test]
fn posts_take_the_texts_of_files_where_they_say_nothing() {
    let world = World::new();
    let [one, two] = [world.ready(), world.ready()];
    for (id, text) in [(one, "A cake"), (two, "A cat")] {
        let change = serde_json::from_value(json!({"altText": text})).unwrap();
        refused(done(world.scheduler.update_media(&world.caller, id, &change))).unwrap();
    }
    let plain = world.ready();
    let draft = |more| body(&["bluesky"], more);
    let texts = |more| world.create(draft(more)).alt_texts;
    let some = |text: &str| Some(text.to_owned());
    let ids = json!([plain, one]);
    for (name, more, want) in [
        ("none sent", json!({"mediaIds": ids, "saveAsDraft": true}), vec![None, some("A cake")]),
        (
            "sent, as none",
            json!({"mediaIds": ids, "altTexts": [null, null], "saveAsDraft": true}),
            vec![None, None],
        ),
        (
            "sent, as others",
            json!({"mediaIds": ids, "altTexts": ["x"], "saveAsDraft": true}),
            vec![some("x")],
        ),
        ("no file has one", json!({"mediaIds": [plain], "saveAsDraft": true}), vec![]),
    ] {
        assert_eq!(texts(more), want, "{name}");
    }
    let post = world.create(draft(json!({"saveAsDraft": true, "targets": [{
        "platform": "bluesky",
        "mediaIds": [two, plain],
        "options": {"thread": [{"text": "x", "mediaIds": [one]}, "y"]},
    }]})));
    let target = &post.targets[0];
    assert_eq!(target.files.details_of(two).alt_text.as_deref(), Some("A cat"));
    assert_eq!(target.files.details_of(plain).alt_text, None);
    assert_eq!(
        target.options["thread"],
        json!([{"text": "x", "mediaIds": [one], "altTexts": ["A cake"]}, "y"])
    );
    let changed = world.patch(post.id, json!({"mediaIds": [one]})).unwrap();
    assert_eq!(changed.alt_texts, [some("A cake")]);
    let changed = world.patch(post.id, json!({"content": "Another text"})).unwrap();
    assert_eq!(changed.alt_texts, [some("A cake")]);
}
