//! The thumbnail of a video, from the dry run to the last look.

use chrono::TimeDelta;
use scheduler_core::ids::MediaId;
use scheduler_core::media::{MediaKind, MediaListInput, MediaStatus};
use scheduler_core::platform::Platform;
use scheduler_core::ports::{NetworkError, NetworkErrorKind};
use scheduler_core::target::TargetStatus;
use serde_json::{Value, json};

use crate::publish::failure;
use crate::support::{World, done, outcome, refused};

/// A file that no workspace has.
const NOBODYS: &str = "00000000-0000-0000-0000-000000000000";

fn world() -> World {
    let world = World::empty();
    world.connect(Platform::Youtube, "me");
    world.connect(Platform::Bluesky, "me");
    world
}

/// A video for YouTube with this thumbnail.
fn post(world: &World, thumbnail: &Value) -> Value {
    let video = world.file_of(&world.caller, MediaKind::Video, MediaStatus::Ready);
    let options = json!({"title": "A title", "thumbnailMediaId": thumbnail});
    json!({
        "content": "Hello",
        "mediaIds": [video],
        "targets": [
            {"platform": "bluesky", "options": {"thumbnailMediaId": NOBODYS}},
            {"platform": "youtube", "options": options},
        ],
    })
}

fn with(mut post: Value, fields: Value) -> Value {
    let Value::Object(fields) = fields else { panic!("{fields}") };
    post.as_object_mut().unwrap().extend(fields);
    post
}

/// The rules of YouTube that the dry run names.
fn rules(world: &World, post: &Value) -> Vec<String> {
    let report = world.check_as(&world.caller, post.clone()).unwrap();
    let of_youtube = report.issues.iter().filter(|issue| issue.platform == Some(Platform::Youtube));
    of_youtube.map(|issue| issue.rule.to_string()).collect()
}

#[test]
fn the_dry_run_and_creating_look_at_it() {
    let world = world();
    let of = |kind, status| json!(world.file_of(&world.caller, kind, status));
    for (name, thumbnail, want) in [
        ("an image", of(MediaKind::Image, MediaStatus::Ready), ""),
        ("none", Value::Null, ""),
        ("no id", json!("x"), "youtube.thumbnail_media_id.malformed"),
        (
            "a video",
            of(MediaKind::Video, MediaStatus::Ready),
            "youtube.thumbnail_media_id.type_not_supported",
        ),
        (
            "one that is on its way",
            of(MediaKind::Image, MediaStatus::Processing),
            "youtube.thumbnail_media_id.not_ready",
        ),
    ] {
        let post = post(&world, &thumbnail);
        assert_eq!(rules(&world, &post).join(" "), want, "{name}");
        let created = world.create_as(&world.caller, with(post, json!({"saveAsDraft": true})));
        assert_eq!(
            outcome(&created),
            if want.is_empty() { "ok" } else { "validation_failed" },
            "{name}"
        );
    }
}

#[test]
fn a_file_of_others_is_not_found() {
    let world = world();
    let foreign = world.file_of(&world.stranger(), MediaKind::Image, MediaStatus::Ready);
    for thumbnail in [json!(foreign), json!(NOBODYS)] {
        let post = post(&world, &thumbnail);
        let field = "targets[1].options.thumbnailMediaId";
        let checked = world.check_as(&world.caller, post.clone());
        assert_eq!(outcome(&checked), format!("invalid_request {field}"));
        let created = world.create_as(&world.caller, with(post, json!({"saveAsDraft": true})));
        assert_eq!(outcome(&created), format!("not_found {field}"));
    }
}

fn scheduled(world: &World) -> (scheduler_core::post::Post, MediaId) {
    let thumbnail = world.file(MediaStatus::Ready);
    let post = with(post(world, &json!(thumbnail)), json!({"scheduledAt": "2026-11-21T13:00:00Z"}));
    (world.create(post), thumbnail)
}

#[test]
fn it_is_kept_and_counted_while_its_post_is_not_finished() {
    let world = world();
    for timing in [json!({"scheduledAt": "2026-11-21T13:00:00Z"}), json!({"saveAsDraft": true})] {
        let thumbnail = world.file(MediaStatus::Ready);
        let post = world.create(with(post(&world, &json!(thumbnail)), timing.clone()));
        let erase =
            || outcome(&refused(done(world.scheduler.delete_media(&world.caller, thumbnail))));
        assert_eq!(erase(), "in_use", "{timing}");
        let posts = refused(done(world.scheduler.posts_of_media(
            &world.caller,
            thumbnail,
            &scheduler_core::post::PageInput::default(),
        )));
        let ids: Vec<_> = posts.unwrap().data.iter().map(|post| post.id).collect();
        assert_eq!(ids, [post.id], "{timing}");
        let every = MediaListInput::default();
        let listed = world.scheduler.list_media(&world.caller, &every);
        let listed = refused(done(listed)).unwrap();
        let listed = listed.data.iter().find(|listed| listed.media.id == thumbnail).unwrap();
        assert_eq!(listed.post_count, 1, "{timing}");
        world.delete(post.id).unwrap();
        assert_eq!(erase(), "ok", "{timing}");
    }
}

#[test]
fn updating_looks_at_it() {
    let world = world();
    let (post, _) = scheduled(&world);
    let video = world.file_of(&world.caller, MediaKind::Video, MediaStatus::Ready);
    let targets = |thumbnail: Value| {
        let options = json!({"title": "A title", "thumbnailMediaId": thumbnail});
        json!({"targets": [{"platform": "youtube", "options": options}]})
    };
    assert_eq!(outcome(&world.patch(post.id, targets(json!(video)))), "validation_failed");
    assert_eq!(
        outcome(&world.patch(post.id, targets(json!(NOBODYS)))),
        "not_found targets[0].options.thumbnailMediaId"
    );
    let other = world.file(MediaStatus::Ready);
    assert_eq!(outcome(&world.patch(post.id, targets(json!(other)))), "ok");
}

#[test]
fn the_last_look_and_a_retry_miss_a_deleted_one() {
    let world = world();
    let (post, thumbnail) = scheduled(&world);
    world.put_file(&world.caller, thumbnail, MediaKind::Image, MediaStatus::Deleted);
    world.network.take_calls();
    world.work_after(TimeDelta::hours(1));
    let stored = world.post(post.id);
    let of = |platform| stored.targets.iter().find(|target| target.platform == platform).unwrap();
    assert_eq!(failure(of(Platform::Youtube)), "media_unusable true 1");
    assert!(of(Platform::Bluesky).failure().is_none(), "it has no thumbnail");
    assert_eq!(outcome(&world.retry(post.id)), "media_unusable");
}

#[test]
fn the_last_look_sees_what_a_thumbnail_became() {
    let world = world();
    let (post, thumbnail) = scheduled(&world);
    world.put_file(&world.caller, thumbnail, MediaKind::Video, MediaStatus::Ready);
    world.work_after(TimeDelta::hours(1));
    let stored = world.post(post.id);
    let failures: Vec<String> = stored.targets.iter().map(failure).collect();
    assert_eq!(failures, ["none", "validation_failed true 1"]);
}

#[test]
fn a_deleted_thumbnail_of_what_is_live_does_not_keep_others_from_a_retry() {
    let world = world();
    let (post, thumbnail) = scheduled(&world);
    world.network.script([Err(NetworkError::new(NetworkErrorKind::Permanent, "no"))]);
    world.work_after(TimeDelta::hours(1));
    let stored = world.post(post.id);
    let statuses: Vec<(Platform, TargetStatus)> =
        stored.targets.iter().map(|target| (target.platform, target.status())).collect();
    assert_eq!(
        statuses,
        [(Platform::Bluesky, TargetStatus::Failed), (Platform::Youtube, TargetStatus::Published)]
    );
    world.put_file(&world.caller, thumbnail, MediaKind::Image, MediaStatus::Deleted);
    assert_eq!(outcome(&world.retry(post.id)), "ok");
}
