//! Files of one target, and what it says of them, from the dry run to the job of the adapter.

use chrono::TimeDelta;
use scheduler_core::ids::MediaId;
use scheduler_core::media::{MediaKind, MediaStatus};
use scheduler_core::platform::Platform;
use scheduler_core::post::Post;
use scheduler_core::rules::MediaFacts;
use serde_json::{Value, json};

use crate::publish::{failure, target};
use crate::support::{World, done, outcome, refused};

/// A file that no workspace has.
const NOBODYS: &str = "00000000-0000-0000-0000-000000000000";

const LATER: &str = "2026-11-21T13:00:00Z";

/// A post with these files that goes to Bluesky, and to Mastodon with these fields.
fn post(files: &[MediaId], fields: Value) -> Value {
    let mut mastodon = json!({"platform": "mastodon"});
    mastodon.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    json!({
        "content": "Hello",
        "mediaIds": files,
        "altTexts": files.iter().enumerate().map(|(n, _)| format!("file {n}")).collect::<Vec<_>>(),
        "targets": [{"platform": "bluesky"}, mastodon],
    })
}

fn timed(mut post: Value, fields: Value) -> Value {
    post.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    post
}

fn ready(world: &World) -> MediaId {
    world.file(MediaStatus::Ready)
}

/// The own files of the target on Mastodon, and the alternative texts that it gives.
fn shown(post: &Post) -> (Option<Vec<MediaId>>, Vec<Option<String>>) {
    let target = post.targets.iter().find(|it| it.platform == Platform::Mastodon).unwrap();
    let texts = target.files.details.values().map(|details| details.alt_text.clone());
    (target.files.media_ids.clone(), texts.collect())
}

#[test]
fn each_network_gets_its_files_with_its_words() {
    let world = World::new();
    let [one, two, other] = [(); 3].map(|()| ready(&world));
    for (name, fields, want) in [
        ("as the post has them", json!({}), vec![(one, "file 0"), (two, "file 1")]),
        (
            "in another order",
            json!({"mediaIds": [two, one]}),
            vec![(two, "file 1"), (one, "file 0")],
        ),
        ("some", json!({"mediaIds": [two]}), vec![(two, "file 1")]),
        ("none", json!({"mediaIds": []}), vec![]),
        ("null", json!({"mediaIds": null, "files": null}), vec![(one, "file 0"), (two, "file 1")]),
        (
            "other words",
            json!({"files": {two.to_string(): {"altText": "the second"}}}),
            vec![(one, "file 0"), (two, "the second")],
        ),
        (
            "another file",
            json!({"mediaIds": [other, one], "files": {other.to_string(): {"altText": "another"}}}),
            vec![(other, "another"), (one, "file 0")],
        ),
        ("without words", json!({"mediaIds": [other]}), vec![(other, "")]),
    ] {
        let body = timed(post(&[one, two], fields), json!({"publishNow": true}));
        world.create(body);
        world.work();
        let jobs = std::mem::take(&mut *world.network.jobs.lock().unwrap());
        let sent = |platform| {
            let job = jobs.iter().find(|job| job.account.platform == platform).unwrap();
            let files = job.files.iter();
            files
                .map(|file| (file.id, file.alt_text.clone().unwrap_or_default()))
                .collect::<Vec<_>>()
        };
        let want: Vec<_> = want.into_iter().map(|(id, text)| (id, text.to_owned())).collect();
        assert_eq!(sent(Platform::Mastodon), want, "{name}");
        let of_post = [(one, "file 0".to_owned()), (two, "file 1".to_owned())];
        assert_eq!(sent(Platform::Bluesky), of_post, "{name}, on the other network");
    }
}

#[test]
fn what_is_said_of_a_file_goes_along() {
    let world = World::new();
    let file = ready(&world);
    let details = json!({"files": {file.to_string(): {"focus": {"x": 0.5, "y": -1}}}});
    world.create(timed(post(&[file], details), json!({"publishNow": true})));
    world.work();
    let jobs = world.network.jobs.lock().unwrap();
    let focus = |platform| {
        let job = jobs.iter().find(|job| job.account.platform == platform).unwrap();
        job.files[0].details.focus.map(|focus| (focus.x, focus.y))
    };
    assert_eq!((focus(Platform::Mastodon), focus(Platform::Bluesky)), (Some((0.5, -1.0)), None));
}

#[test]
fn what_is_refused() {
    let world = World::new();
    let file = ready(&world);
    let foreign = world.file_of(&world.stranger(), MediaKind::Image, MediaStatus::Ready);
    for (name, fields, want) in [
        (
            "of others",
            json!({"mediaIds": [file, foreign]}),
            "not_found targets[1].mediaIds[1]".to_owned(),
        ),
        (
            "of nobody",
            json!({"mediaIds": [NOBODYS]}),
            "not_found targets[1].mediaIds[0]".to_owned(),
        ),
        (
            "words of another file",
            json!({"files": {NOBODYS: {}}}),
            format!("invalid_request targets[1].files.{NOBODYS}"),
        ),
        (
            "words of a file that it goes without",
            json!({"mediaIds": [], "files": {file.to_string(): {}}}),
            format!("invalid_request targets[1].files.{file}"),
        ),
        (
            "twice",
            json!({"mediaIds": [file, file]}),
            "invalid_request targets[1].mediaIds[1]".to_owned(),
        ),
    ] {
        let body = post(&[file], fields);
        let checked = outcome(&world.check_as(&world.caller, body.clone()));
        // A dry run knows no other code.
        assert_eq!(checked, want.replace("not_found", "invalid_request"), "{name}");
        let created = world.create_as(&world.caller, timed(body, json!({"saveAsDraft": true})));
        assert_eq!(outcome(&created), want, "{name}");
    }
}

#[test]
fn the_rules_look_at_the_files_that_each_network_gets() {
    let world = World::new();
    let (image, on_its_way) = (ready(&world), world.file(MediaStatus::Processing));
    let video = world.file_of(&world.caller, MediaKind::Video, MediaStatus::Ready);
    let text =
        |length: usize| json!({"files": {image.to_string(): {"altText": "a".repeat(length)}}});
    for (name, files, fields, want) in [
        ("five images", vec![image], json!({"mediaIds": [image]}), ""),
        ("mixed", vec![image, video], json!({"mediaIds": [image]}), "bluesky.media.mixed"),
        ("mixed there", vec![image], json!({"mediaIds": [image, video]}), "mastodon.media.mixed"),
        ("on its way", vec![image], json!({"mediaIds": [on_its_way]}), "mastodon.media.not_ready"),
        ("an alternative text", vec![image], text(1_000), ""),
        ("a longer one", vec![image], text(1_001), "mastodon.alt_text.too_long"),
        (
            "without effect",
            vec![image],
            json!({"files": {image.to_string(): {"title": "A title"}}}),
            "mastodon.files.no_effect",
        ),
    ] {
        let body = post(&files, fields);
        let report = world.check_as(&world.caller, body).unwrap();
        let rules: Vec<&str> = report.issues.iter().map(|issue| &*issue.rule).collect();
        assert_eq!(rules.join(" "), want, "{name}: {:?}", report.issues);
    }
    // A post may have files for one network alone.
    let alone = post(&[], json!({"mediaIds": [image]}));
    let alone = timed(alone, json!({"content": "", "mediaIds": null}));
    let report = world.check_as(&world.caller, alone).unwrap();
    let rules: Vec<&str> = report.issues.iter().map(|issue| &*issue.rule).collect();
    assert_eq!(rules, ["bluesky.text.missing"]);
}

#[test]
fn a_change_keeps_what_is_not_sent() {
    let world = World::new();
    let [one, two] = [(); 2].map(|()| ready(&world));
    let words = json!({two.to_string(): {"altText": "the second"}});
    let fields = json!({"mediaIds": [two], "files": words});
    let targets = |fields: Value| json!({"targets": post(&[], fields)["targets"]});
    for (name, change, want) in [
        ("the text", json!({"content": "Hi"}), (Some(vec![two]), vec!["the second"])),
        (
            "its options",
            targets(json!({"options": {"sensitive": true}})),
            (Some(vec![two]), vec!["the second"]),
        ),
        (
            "other files",
            targets(json!({"mediaIds": [two, one]})),
            (Some(vec![two, one]), vec!["the second"]),
        ),
        ("those of the post", targets(json!({"mediaIds": null, "files": null})), (None, vec![])),
        ("other words", targets(json!({"files": {}})), (Some(vec![two]), vec![])),
    ] {
        let created =
            world.create(timed(post(&[one], fields.clone()), json!({"scheduledAt": LATER})));
        assert_eq!(shown(&created), (Some(vec![two]), vec![Some("the second".to_owned())]));
        let changed = world.patch(created.id, change).unwrap();
        let words = want.1.into_iter().map(|text| Some(text.to_owned())).collect();
        assert_eq!(shown(&changed), (want.0, words), "{name}");
        assert_eq!(shown(&world.post(created.id)), shown(&changed), "{name}, as stored");
    }
    let created = world.create(timed(post(&[one], fields), json!({"scheduledAt": LATER})));
    let lost = outcome(&world.patch(created.id, targets(json!({"mediaIds": [one]}))));
    assert_eq!(lost, format!("invalid_request targets[1].files.{two}"), "words without their file");
}

#[test]
fn a_file_of_a_target_is_kept_while_its_post_is_not_finished() {
    let world = World::new();
    let [one, two] = [(); 2].map(|()| ready(&world));
    let body = post(&[one], json!({"mediaIds": [two]}));
    let created = world.create(timed(body, json!({"scheduledAt": LATER})));
    let erase = |id| outcome(&refused(done(world.scheduler.delete_media(&world.caller, id))));
    assert_eq!(erase(two), "in_use");
    world.delete(created.id).unwrap();
    assert_eq!(erase(two), "ok");
}

/// A post that goes to Mastodon as a thread of these parts.
fn thread(parts: Value) -> Value {
    json!({
        "content": "Hello",
        "targets": [{"platform": "mastodon", "options": {"thread": parts}}],
    })
}

#[test]
fn each_part_of_a_thread_gets_its_files() {
    let world = World::new();
    let [one, two] = [(); 2].map(|()| ready(&world));
    let picture = world.measured(&MediaFacts {
        mime_type: Some("image/bmp".to_owned()),
        size_bytes: Some(100_000),
        width: Some(640),
        height: Some(480),
        ..MediaFacts::of_kind(MediaKind::Image)
    });
    let parts = json!([
        "two",
        {"text": "three", "mediaIds": [two, one], "altTexts": [null, "one"]},
        {"mediaIds": [picture]},
    ]);
    let body = thread(parts);
    let report = world.check_as(&world.caller, body.clone()).unwrap();
    let found: Vec<(Option<usize>, &str)> =
        report.issues.iter().map(|issue| (issue.part, &*issue.message)).collect();
    let converted = "Thread part 4: File 1 will be converted for Mastodon: BMP to JPEG or PNG.";
    assert_eq!(found, [(Some(2), converted)]);
    let created = world.create(timed(body, json!({"scheduledAt": LATER})));
    let erase = |id| outcome(&refused(done(world.scheduler.delete_media(&world.caller, id))));
    assert_eq!(erase(two), "in_use");
    world.work_after(TimeDelta::hours(1));
    assert_eq!(failure(&target(&world, &created)), "none");
    let jobs = world.network.jobs.lock().unwrap();
    let sent: Vec<Vec<_>> = jobs[0]
        .thread_files
        .iter()
        .map(|files| files.iter().map(|file| (file.id, file.alt_text.as_deref())).collect())
        .collect();
    assert_eq!(sent, [vec![], vec![(two, None), (one, Some("one"))], vec![(picture, None)]]);
    assert!(jobs[0].thread_files[2][0].recipe.is_some(), "it is converted as others are");
    assert!(jobs[0].files.is_empty());
}

#[test]
fn what_is_refused_of_parts() {
    let world = World::new();
    let (file, on_its_way) = (ready(&world), world.file(MediaStatus::Processing));
    let video = world.file_of(&world.caller, MediaKind::Video, MediaStatus::Ready);
    let of = |files: Value| json!([{"text": "two", "mediaIds": files}]);
    for (name, parts, want) in [
        ("a file", of(json!([file])), ""),
        ("a file alone", json!([{"mediaIds": [file]}]), ""),
        ("nothing", json!([{}]), "mastodon.thread.empty"),
        ("a file twice", of(json!([file, file])), "mastodon.thread.file_repeated"),
        ("no id", of(json!(["x"])), "mastodon.thread.wrong_type"),
        ("mixed", of(json!([file, video])), "mastodon.media.mixed"),
        ("on its way", of(json!([on_its_way])), "mastodon.media.not_ready"),
        (
            "words of nothing",
            json!([{"text": "two", "altTexts": ["a"]}]),
            "mastodon.thread.too_many_alt_texts",
        ),
        (
            "long words",
            json!([{"text": "two", "mediaIds": [file], "altTexts": ["a".repeat(1_001)]}]),
            "mastodon.alt_text.too_long",
        ),
        ("a typo", json!([{"text": "two", "media": [file]}]), "mastodon.thread.wrong_type"),
    ] {
        let report = world.check_as(&world.caller, thread(parts)).unwrap();
        let rules: Vec<&str> = report.issues.iter().map(|issue| &*issue.rule).collect();
        assert_eq!(rules.join(" "), want, "{name}: {:?}", report.issues);
    }
    let body = thread(of(json!([file, NOBODYS])));
    let field = "targets[0].options.thread[0].mediaIds[1]";
    let checked = outcome(&world.check_as(&world.caller, body.clone()));
    assert_eq!(checked, format!("invalid_request {field}"));
    let created = world.create_as(&world.caller, timed(body, json!({"saveAsDraft": true})));
    assert_eq!(outcome(&created), format!("not_found {field}"));
}
