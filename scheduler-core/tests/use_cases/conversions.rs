//! Pictures that a network would refuse, in the hands of the engine.

use chrono::TimeDelta;
use scheduler_core::media::MediaKind;
use scheduler_core::ports::{ExamineError, Step};
use scheduler_core::rules::MediaFacts;
use serde_json::json;

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
