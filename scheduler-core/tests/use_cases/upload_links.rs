//! Links under which people give files that a program cannot read.

use scheduler_core::app::{NewUploadLink, Scheduler};
use scheduler_core::error::ErrorCode;
use scheduler_core::media::{UPLOAD_LINK_LIFETIME, UPLOAD_LINKS_MAX, UploadLinkInput};

use crate::support::{World, done, refused};

fn made(world: &World, input: &UploadLinkInput) -> NewUploadLink {
    done(world.scheduler.create_upload_link(world.caller.workspace.id, input)).unwrap()
}

#[test]
fn what_is_asked_for() {
    let world = World::empty();
    let long = "n".repeat(2_001);
    for (name, note, files, want) in [
        ("nothing in particular", None, None, Ok(1)),
        ("the most", Some("a note"), Some(35), Ok(35)),
        ("an empty note", Some(" "), Some(1), Ok(1)),
        ("no file", None, Some(0), Err("files")),
        ("too many", None, Some(36), Err("files")),
        ("fewer than none", None, Some(-1), Err("files")),
        ("a long note", Some(long.as_str()), None, Err("note")),
    ] {
        let input = UploadLinkInput { note: note.map(str::to_owned), files };
        let made = world.scheduler.create_upload_link(world.caller.workspace.id, &input);
        let found = refused(done(made)).map(|link| link.files);
        let found = found.map_err(|refusal| refusal.field.unwrap_or_default());
        assert_eq!(found.as_ref().map_err(String::as_str).copied(), want, "{name}");
    }
}

#[test]
fn a_link_is_looked_at_often_and_used_once() {
    let world = World::empty();
    let scheduler: &Scheduler = &world.scheduler;
    let link = made(&world, &UploadLinkInput::default());
    for _ in 0..2 {
        let open = done(scheduler.upload_link(&link.pass)).unwrap().unwrap();
        assert_eq!(open.workspace, world.caller.workspace);
    }
    let used = done(scheduler.use_upload_link(&link.pass)).unwrap().unwrap();
    assert!(done(scheduler.use_upload_link(&link.pass)).unwrap().is_none(), "used");
    assert!(done(scheduler.upload_link(&link.pass)).unwrap().is_none());
    done(scheduler.give_back_upload_link(&used.link)).unwrap();
    assert!(done(scheduler.upload_link(&link.pass)).unwrap().is_some(), "given back");
    world.clock.advance(UPLOAD_LINK_LIFETIME);
    assert!(done(scheduler.upload_link(&link.pass)).unwrap().is_none(), "half an hour later");
    assert!(done(scheduler.use_upload_link(&link.pass)).unwrap().is_none());
}

#[test]
fn a_workspace_has_a_number_of_them_open() {
    let world = World::empty();
    for _ in 0..UPLOAD_LINKS_MAX {
        made(&world, &UploadLinkInput::default());
    }
    let workspace = world.caller.workspace.id;
    let input = UploadLinkInput::default();
    let more = done(world.scheduler.create_upload_link(workspace, &input));
    assert_eq!(refused(more).unwrap_err().code, ErrorCode::Unavailable);
    world.clock.advance(UPLOAD_LINK_LIFETIME);
    made(&world, &input);
}
