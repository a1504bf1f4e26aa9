//! Pictures and videos that a network would refuse, in the hands of the engine.

use std::sync::atomic::Ordering;

use chrono::TimeDelta;
use scheduler_core::app::Settings;
use scheduler_core::ids::{MediaId, WorkspaceId};
use scheduler_core::media::{FileKey, MediaKind};
use scheduler_core::platform::Platform;
use scheduler_core::ports::{Derived, ExamineError, Step};
use scheduler_core::rules::MediaFacts;
use serde_json::json;
use uuid::Uuid;

use crate::fakes::{live, step};
use crate::publish::{failure, target};
use crate::support::{World, body};

fn bitmap() -> MediaFacts {
    MediaFacts {
        mime_type: Some("image/bmp".to_owned()),
        size_bytes: Some(100_000),
        width: Some(640),
        height: Some(480),
        ..MediaFacts::of_kind(MediaKind::Image)
    }
}

#[test]
fn what_is_made_of_a_picture_goes_in_its_place_and_nothing_is_sent_before() {
    let unusable = || Err(ExamineError::Unusable("The file is damaged.".to_owned()));
    let busy = || Err(ExamineError::Temporary("The server is stopping.".to_owned()));
    for (name, made, want, types) in [
        ("made", vec![], "none", vec!["image/png"]),
        ("not at once", vec![busy()], "none", vec!["image/png"]),
        ("not at all", vec![unusable()], "media_unusable true 1", vec![]),
    ] {
        let world = World::new();
        let file = world.measured(&bitmap());
        let fields = json!({"mediaIds": [file], "scheduledAt": "2026-11-21T13:00:00Z"});
        let post = world.create(body(&["mastodon"], fields));
        assert!(world.examiner.recipes.lock().unwrap().is_empty(), "{name}");
        world.examiner.made.lock().unwrap().extend(made);
        world.work_after(TimeDelta::hours(1));
        world.work_after(TimeDelta::hours(1));
        assert_eq!(failure(&target(&world, &post)), want, "{name}");
        let jobs = world.network.jobs.lock().unwrap();
        let of_jobs: Vec<_> = jobs
            .iter()
            .map(|job| (job.files[0].facts.mime_type.as_deref().unwrap(), job.files[0].recipe))
            .collect();
        assert_eq!(of_jobs.iter().map(|job| job.0).collect::<Vec<_>>(), types, "{name}");
        assert!(of_jobs.iter().all(|job| job.1.unwrap().name == "mastodon-image"), "{name}");
    }
}

#[test]
fn a_picture_that_fits_goes_as_it_is() {
    let world = World::new();
    let file = world.measured(&MediaFacts { mime_type: Some("image/png".to_owned()), ..bitmap() });
    let post = world.create(body(&["mastodon"], json!({"mediaIds": [file], "publishNow": true})));
    world.work();
    assert_eq!(failure(&target(&world, &post)), "none");
    assert_eq!(world.network.jobs.lock().unwrap()[0].files[0].recipe, None);
    assert!(world.examiner.recipes.lock().unwrap().is_empty());
}

#[test]
fn what_was_sent_before_its_picture_went_is_still_followed() {
    let world = World::new();
    let until = world.now() + TimeDelta::hours(2);
    world.network.script([Ok(Step::Wait { progress: step(1), until }), live()]);
    let file = world.measured(&bitmap());
    let fields = json!({"mediaIds": [file], "scheduledAt": world.now() + TimeDelta::hours(1)});
    let post = world.create(body(&["mastodon"], fields));
    world.work_after(TimeDelta::hours(1));
    let gone = ExamineError::Unusable("The file is damaged.".to_owned());
    world.examiner.made.lock().unwrap().push_back(Err(gone));
    world.work_after(TimeDelta::hours(1));
    assert_eq!(failure(&target(&world, &post)), "none");
    let jobs = world.network.jobs.lock().unwrap();
    assert_eq!((jobs.len(), jobs[1].files[0].facts.mime_type.as_deref()), (2, Some("image/jpeg")));
}

fn film(mime_type: &str) -> MediaFacts {
    MediaFacts {
        mime_type: Some(mime_type.to_owned()),
        size_bytes: Some(4_000_000),
        width: Some(1_280),
        height: Some(720),
        duration_seconds: Some(20.0),
        fps: Some(25.0),
        ..MediaFacts::of_kind(MediaKind::Video)
    }
}

/// A world whose server makes videos, and in which the next answers are these.
fn making(answers: Vec<Result<Derived, ExamineError>>) -> World {
    let world = World::new();
    world.examiner.films.store(true, Ordering::Relaxed);
    world.examiner.made.lock().unwrap().extend(answers);
    world
}

fn under_way(percent: u8) -> Result<Derived, ExamineError> {
    Err(ExamineError::InProgress { percent })
}

fn derived() -> Result<Derived, ExamineError> {
    let key = FileKey::folder(WorkspaceId(Uuid::nil()), MediaId(Uuid::nil())).derived("made");
    Ok(Derived { key, facts: film("video/mp4") })
}

fn recipes(world: &World) -> Vec<String> {
    world.examiner.recipes.lock().unwrap().clone()
}

#[test]
fn a_video_is_begun_as_its_post_is_saved_and_waited_for_without_spending_a_try() {
    let world = making(vec![under_way(0), under_way(10), under_way(70), derived()]);
    let file = world.measured(&film("video/x-msvideo"));
    let fields = json!({"mediaIds": [file], "scheduledAt": "2026-11-21T13:00:00Z"});
    let post = world.create(body(&["mastodon"], fields));
    assert_eq!(recipes(&world), ["video"], "begun with the post");

    world.work_after(TimeDelta::hours(1));
    let waiting = target(&world, &post);
    assert_eq!(failure(&waiting), "media_unusable false 0", "it counts as no attempt");
    assert_eq!(waiting.due_at(), Some(world.now() + TimeDelta::seconds(15)));
    world.work_after(TimeDelta::seconds(15));
    assert_eq!(failure(&target(&world, &post)), "media_unusable false 0");
    assert!(world.network.jobs.lock().unwrap().is_empty(), "nothing is sent before");

    world.work_after(TimeDelta::seconds(15));
    let published = target(&world, &post);
    assert_eq!((failure(&published), published.attempts), ("none".to_owned(), 1));
    let jobs = world.network.jobs.lock().unwrap();
    assert_eq!(jobs[0].files[0].facts.mime_type.as_deref(), Some("video/mp4"));
}

#[test]
fn a_video_that_cannot_be_made_ends_the_target() {
    let unusable = Err(ExamineError::Unusable("The file is damaged.".to_owned()));
    let world = making(vec![under_way(0), unusable]);
    let file = world.measured(&film("video/x-msvideo"));
    let fields = json!({"mediaIds": [file], "scheduledAt": "2026-11-21T13:00:00Z"});
    let post = world.create(body(&["mastodon"], fields));
    world.work_after(TimeDelta::hours(1));
    assert_eq!(failure(&target(&world, &post)), "media_unusable true 1");
    assert!(world.network.jobs.lock().unwrap().is_empty());
}

#[test]
fn only_videos_that_are_refused_of_posts_that_go_out_are_begun() {
    let later = json!({"scheduledAt": "2026-11-21T13:00:00Z"});
    let draft = json!({"saveAsDraft": true});
    for (name, facts, timing, want) in [
        ("refused", film("video/x-msvideo"), &later, 1),
        ("taken", film("video/mp4"), &later, 0),
        ("a picture", bitmap(), &later, 0),
        ("a draft", film("video/x-msvideo"), &draft, 0),
    ] {
        let world = making(vec![]);
        let mut fields = timing.clone();
        fields["mediaIds"] = json!([world.measured(&facts)]);
        let post = world.create(body(&["mastodon"], fields));
        assert_eq!(recipes(&world).len(), want, "{name}");
        if *timing == draft {
            world.patch(post.id, later.clone()).unwrap();
            assert_eq!(recipes(&world).len(), 1, "{name}, once it is scheduled");
        }
    }
}

#[test]
fn nothing_is_begun_of_a_post_that_the_plan_refuses() {
    let mut settings = Settings::default();
    settings.plans.studio.posts_a_month = 1;
    let world = World::with(settings);
    world.connect(Platform::Mastodon, "me");
    world.examiner.films.store(true, Ordering::Relaxed);
    let file = world.measured(&film("video/x-msvideo"));
    let later = json!({"mediaIds": [file], "scheduledAt": "2026-11-21T13:00:00Z"});
    world.create(body(&["mastodon"], later.clone()));
    let draft = json!({"mediaIds": [file], "saveAsDraft": true});
    let draft = world.create(body(&["mastodon"], draft));
    assert_eq!(recipes(&world).len(), 1);
    for (name, refused) in [
        ("a new one", world.create_as(&world.caller, body(&["mastodon"], later.clone()))),
        ("a draft", world.patch(draft.id, json!({"scheduledAt": "2026-11-21T13:00:00Z"}))),
    ] {
        assert_eq!(refused.unwrap_err().limit(), Some(1), "{name}");
        assert_eq!(recipes(&world).len(), 1, "{name}");
    }
}
