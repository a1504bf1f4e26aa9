//! What follows a video, and progress of other releases.

use scheduler_core::ids::MediaId;
use scheduler_core::media::{FileKey, MediaFacts, MediaKind};
use serde_json::json;
use uuid::Uuid;

use super::*;
use crate::youtube::testing::{before_last, youtube_job};

fn with_thumbnail(mut job: PublishJob) -> PublishJob {
    let id = MediaId(Uuid::from_u128(0x99));
    job.thumbnail = Some(JobFile::new(
        id,
        FileKey::folder(job.account.workspace_id, id),
        MediaFacts::of_kind(MediaKind::Image),
    ));
    job
}

#[test]
fn what_follows_comes_in_order_and_the_thumbnail_of_a_short_last() {
    let comment = |text: &str| {
        let text = text.to_owned();
        Extra::FirstComment(FirstComment { text, not_sent_before: None, look_again_at: None })
    };
    let options = json!({
        "subtitles": [{ "language": "en" }, { "language": "de" }],
        "playlistId": " PL1 ",
        "firstComment": "a\r\nb",
    });
    let wide = with_thumbnail(youtube_job(options.clone()));
    let mut short = wide.clone();
    let facts = &mut short.files[0].facts;
    (facts.width, facts.height, facts.duration_seconds) = (Some(800), Some(800), Some(180.0));
    let mut long = short.clone();
    long.files[0].facts.duration_seconds = Some(180.1);
    let middle =
        [Extra::Subtitles(0), Extra::Subtitles(1), Extra::Playlist("PL1".into()), comment("a\nb")];
    let at_first = [&[Extra::Thumbnail][..], &middle, &[Extra::Watch]].concat();
    let at_last = [&middle[..], &[Extra::Watch, Extra::Thumbnail]].concat();
    for (name, job, want) in [
        ("a video", &wide, at_first.clone()),
        ("a Short", &short, at_last),
        ("upright and longer", &long, at_first),
        (
            "several playlists",
            &youtube_job(json!({ "playlistId": "PL1", "playlistIds": ["PL2", " PL1 ", "PL2"] })),
            vec![Extra::Playlist("PL1".into()), Extra::Playlist("PL2".into()), Extra::Watch],
        ),
        ("nothing wanted", &youtube_job(json!({})), vec![Extra::Watch]),
        (
            "blank",
            &youtube_job(json!({ "playlistId": " ", "firstComment": "\n" })),
            vec![Extra::Watch],
        ),
    ] {
        let Progress::Opening(opening) = Progress::begin(job) else { panic!("{name}") };
        assert_eq!(opening.extras, want, "{name}");
    }
}

#[test]
fn a_progress_is_read_back_and_that_of_another_release_is_not() {
    let job = youtube_job(json!({ "firstComment": "x" }));
    let begun = Progress::begin(&job).to_value();
    let sending = before_last(&job);
    for value in [begun, sending.clone()] {
        assert_eq!(Progress::read(&value).unwrap().to_value(), value);
    }
    let mut later = sending;
    later["sending"]["somethingNew"] = json!(1);
    for value in [later, json!({ "elsewhere": {} }), Value::Null] {
        assert_eq!(Progress::read(&value), None, "{value}");
    }
}

#[test]
fn what_is_stored_prints_no_address_that_lets_in() {
    let progress = Progress::read(&before_last(&youtube_job(json!({})))).unwrap();
    let printed = format!("{progress:?}");
    assert!(!printed.contains("upload_id"), "{printed}");
}
