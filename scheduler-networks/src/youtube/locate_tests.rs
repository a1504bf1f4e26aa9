//! Looking for a video as an exchange of values.

use scheduler_core::ports::{NetworkErrorKind, PublishJob};
use serde_json::{Value, json};

use super::*;
use crate::conversation::Conversation;
use crate::testing::{answered, answered_text, begun_at};
use crate::youtube::publish::PIECE_BYTES;
use crate::youtube::testing::{
    VIDEO, addresses, before_last, credentials, done, has, held, refused, whole, youtube,
    youtube_job,
};

const NAME: &str = "00000000-0000-0000-0000-000000000001.mp4";
const OTHER: &str = "00000000-0000-0000-0000-000000000002-1.mp4";

fn located(
    job: &PublishJob,
    progress: &Value,
    answers: &[Answer],
) -> (Vec<String>, Result<Located, NetworkError>) {
    let (asked, located) = held(answers, |answers| youtube().locate(job, progress, answers));
    assert!(asked.iter().all(|request| !request.is_visible));
    (addresses(&asked), located)
}

fn uploads(published_at: &str) -> Answer {
    answered(
        200,
        &json!({ "items": [{
            "snippet": { "title": "Harbour walk", "publishedAt": published_at },
            "contentDetails": { "videoId": VIDEO },
        }] }),
    )
}

fn video(title: &str, file: Option<Value>) -> Answer {
    let mut video = json!({ "id": VIDEO, "snippet": { "title": title } });
    if let Some(file) = file {
        video["fileDetails"] = file;
    }
    answered(200, &json!({ "items": [video] }))
}

fn gone() -> Answer {
    answered_text(404, "")
}

#[test]
fn the_session_says_whether_the_video_is_there() {
    let job = youtube_job(json!({}));
    let last = before_last(&job);
    let (asked, found) = located(&job, &last, &[whole()]);
    assert_eq!(asked.len(), 1);
    let Ok(Located::Live(live)) = found else { panic!("{found:?}") };
    assert_eq!(live.remote.unwrap().id, VIDEO);
    let (_, found) = located(&job, &last, &[has(PIECE_BYTES)]);
    assert_eq!(found, Ok(Located::Absent(last.clone())));
    let (_, found) = located(&job, &last, &[has(262_144)]);
    let Ok(Located::Absent(back)) = found else { panic!("{found:?}") };
    assert_eq!(back["sending"]["offset"], 262_144);
    let (_, found) = located(&job, &last, &[answered_text(503, "")]);
    assert_eq!(found.unwrap_err().kind, NetworkErrorKind::Temporary);
}

#[test]
fn before_the_last_piece_there_is_nothing_to_look_for() {
    let job = youtube_job(json!({}));
    let begun = youtube().begin(&job);
    let mut sending = before_last(&job);
    sending["sending"].as_object_mut().unwrap().remove("lastAt");
    for progress in [begun, sending] {
        let (asked, found) = located(&job, &progress, &[]);
        assert_eq!((asked.len(), found), (0, Ok(Located::Absent(progress))));
    }
}

#[test]
fn after_the_session_the_video_is_told_by_its_file() {
    let job = youtube_job(json!({}));
    let last = before_last(&job);
    let now = "2026-11-20T10:00:00Z";
    let total = (PIECE_BYTES + 1_000).to_string();
    let file = |size: &str, name: &str| Some(json!({ "fileSize": size, "fileName": name }));
    let is_live = |found: &Located| matches!(found, Located::Live(_));
    for (name, listed, shown, want) in [
        ("it", uploads(now), video("Harbour walk", file(&total, NAME)), true),
        (
            "without a name",
            uploads(now),
            video("Harbour walk", Some(json!({ "fileSize": total }))),
            true,
        ),
        ("another title", uploads(now), video("Other", file(&total, "a.mp4")), false),
        ("changed title", uploads(now), video("Other", file(&total, NAME)), true),
        ("another size", uploads(now), video("Harbour walk", file("5", NAME)), false),
        ("another target's", uploads(now), video("Harbour walk", file(&total, OTHER)), false),
        // The network need not keep the name that it was told.
        ("the network's name", uploads(now), video("Harbour walk", file(&total, "unknown")), true),
        (
            "only its name",
            uploads(now),
            video("Harbour walk", Some(json!({ "fileName": NAME }))),
            true,
        ),
        ("nothing known", uploads(now), video("Harbour walk", None), false),
    ] {
        let (asked, found) = located(&job, &last, &[gone(), listed, shown]);
        assert_eq!(asked.len(), 3, "{name}: {asked:?}");
        assert_eq!(is_live(&found.unwrap()), want, "{name}");
    }
    let (asked, found) = located(&job, &last, &[gone(), uploads("2026-11-20T09:44:59Z")]);
    assert_eq!(asked.len(), 2, "one that was there before is not asked about");
    assert!(matches!(found, Ok(Located::Wait { .. })), "{found:?}");
    let (asked, _) = located(&job, &last, &[gone(), refused(404, "playlistNotFound")]);
    assert_eq!(
        asked[1],
        "GET https://www.googleapis.com/youtube/v3/playlistItems?part=snippet%2CcontentDetails&playlistId=UUabcdefghijklmnopqrstuv&maxResults=50"
    );
}

#[test]
fn another_session_is_opened_only_after_ten_minutes_without_the_video() {
    let mut job = youtube_job(json!({}));
    let none = || refused(404, "playlistNotFound");
    let (_, found) = located(&job, &before_last(&job), &[gone(), none()]);
    let Ok(Located::Wait { mut progress, until }) = found else { panic!("{found:?}") };
    assert_eq!(until, begun_at() + TimeDelta::minutes(2));
    assert!(youtube().is_visible(&progress), "it stays open");
    for minutes in [2, 4, 6, 8] {
        job.now = begun_at() + TimeDelta::minutes(minutes);
        let (asked, found) = located(&job, &progress, &[none()]);
        assert_eq!(asked.len(), 1);
        let Ok(Located::Wait { progress: then, until }) = found else { panic!("{found:?}") };
        assert_eq!(until, begun_at() + TimeDelta::minutes(minutes + 2));
        progress = then;
    }
    job.now = begun_at() + TimeDelta::minutes(10);
    let (_, found) = located(&job, &progress, &[none()]);
    let Ok(Located::Absent(begun)) = found else { panic!("{found:?}") };
    assert_eq!(begun["opening"]["repeats"], 1);
}

#[test]
fn a_file_of_which_nothing_is_told_leaves_it_in_doubt() {
    let mut job = youtube_job(json!({}));
    for (name, at, title) in [
        ("its title", "2026-11-20T10:00:00Z", "Harbour walk"),
        ("another title", "2026-11-20T10:00:00Z", "Other"),
        ("another title, a little before", "2026-11-20T09:46:00Z", "Other"),
    ] {
        let perhaps = || [uploads(at), video(title, None)];
        let [listed, shown] = perhaps();
        job.now = begun_at();
        let (_, found) = located(&job, &before_last(&job), &[gone(), listed, shown]);
        let Ok(Located::Wait { progress, .. }) = found else { panic!("{name}: {found:?}") };
        for (minutes, is_over) in [(30, false), (59, false), (60, true)] {
            job.now = begun_at() + TimeDelta::minutes(minutes);
            let (_, found) = located(&job, &progress, &perhaps());
            assert_eq!(found == Ok(Located::Unknown), is_over, "{name}, {minutes}: {found:?}");
        }
    }
}

#[test]
fn a_video_that_not_everybody_sees_is_searched_for_at_last() {
    let mut job = youtube_job(json!({ "privacy": "private" }));
    let none = || answered(200, &json!({ "items": [] }));
    let (asked, found) = located(&job, &before_last(&job), &[gone(), none()]);
    assert_eq!(asked.len(), 2);
    let Ok(Located::Wait { progress, .. }) = found else { panic!("{found:?}") };
    job.now = begun_at() + TimeDelta::minutes(10);
    let hit = answered(200, &json!({ "items": [{ "id": { "videoId": VIDEO } }] }));
    let file = json!({ "fileSize": PIECE_BYTES + 1_000 });
    let answers = [none(), hit, video("Harbour walk", Some(file))];
    let (asked, found) = located(&job, &progress, &answers);
    assert_eq!(
        asked[1],
        "GET https://www.googleapis.com/youtube/v3/search?part=snippet&forMine=true&type=video&maxResults=50&order=date"
    );
    assert!(matches!(found, Ok(Located::Live(_))), "{found:?}");
    let (_, found) = located(&job, &progress, &[none(), none()]);
    assert!(matches!(found, Ok(Located::Absent(_))), "{found:?}");
}

#[test]
fn an_account_whose_uploads_are_not_known_is_asked_for_them() {
    let mut job = youtube_job(json!({}));
    let secret = json!({ "accessToken": "a" }).to_string();
    job.credentials = scheduler_core::account::Credentials::new(secret, None);
    let channel = answered(
        200,
        &json!({ "items": [{
            "id": "UC1",
            "contentDetails": { "relatedPlaylists": { "uploads": "UU1" } },
        }] }),
    );
    let answers = [gone(), channel, refused(404, "playlistNotFound")];
    let (asked, found) = located(&job, &before_last(&job), &answers);
    assert!(asked[2].contains("playlistId=UU1"), "{asked:?}");
    assert!(matches!(found, Ok(Located::Wait { .. })));
    let located = done(youtube().locate(&job, &before_last(&job), &[whole()]));
    assert!(matches!(located, Located::Live(_)));
}

#[test]
fn who_may_not_read_has_only_the_session() {
    let mut job = youtube_job(json!({}));
    job.credentials = credentials("https://www.googleapis.com/auth/youtube.upload");
    let last = before_last(&job);
    let (asked, found) = located(&job, &last, &[gone()]);
    assert_eq!((asked.len(), found), (1, Ok(Located::Unknown)));
    let (_, found) = located(&job, &last, &[whole()]);
    assert!(matches!(found, Ok(Located::Live(_))), "{found:?}");
}
