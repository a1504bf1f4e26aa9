//! Files of posts on X as an exchange of values.

use insta::assert_json_snapshot;
use scheduler_core::ports::{Located, NetworkErrorKind as Kind};

use super::*;
use crate::conversation::Conversation;
use crate::testing::files::with_file;
use crate::testing::steps::{next, take_step};
use crate::testing::{answered, answered_text, with_options};
use crate::twitter::testing::{addresses, made, problem, twitter, twitter_job};

fn step(
    job: &PublishJob,
    progress: &Value,
    answers: &[Answer],
) -> (Vec<Value>, Result<Step, NetworkError>) {
    take_step(&twitter(), job, progress, answers)
}

fn media(id: &str, info: Value) -> Answer {
    let mut data = json!({ "id": id, "media_key": format!("3_{id}") });
    if !info.is_null() {
        data["processing_info"] = info;
    }
    answered(200, &json!({ "data": data }))
}

fn there(id: &str) -> Answer {
    media(id, Value::Null)
}

/// The progress after each of these answers, one step for each.
fn after(job: &PublishJob, answers: &[Answer]) -> Value {
    answers.iter().fold(twitter().begin(job), |progress, answer| {
        assert!(!twitter().is_visible(&progress));
        match step(job, &progress, std::slice::from_ref(answer)).1 {
            Ok(Step::Next(progress) | Step::Wait { progress, .. }) => progress,
            other => panic!("{other:?}"),
        }
    })
}

/// A video of so many bytes.
fn video(bytes: u64) -> PublishJob {
    let mut job = with_file(twitter_job(), "video/mp4", "");
    job.files[0].facts.size_bytes = Some(bytes);
    job
}

fn gif(frames: u32) -> PublishJob {
    let mut job = with_file(twitter_job(), "image/gif", "");
    job.files[0].facts.size_bytes = Some(2_000);
    job.files[0].facts.frame_count = Some(frames);
    job
}

#[test]
fn an_image_goes_in_one_call_and_its_description_in_another() {
    let job = with_file(twitter_job(), "image/jpeg", "A crab");
    let job = with_options(
        job,
        json!({ "sensitive": ["adult", "violence", "other"], "aiGenerated": true }),
    );
    let begun = twitter().begin(&job);
    let (asked, sent) = step(&job, &begun, &[there("7")]);
    let progress = next(sent);
    let (described, ready) = step(&job, &progress, &[answered(200, &json!({ "data": {} }))]);
    let (posted, live) = step(&job, &next(ready), &[made("1")]);
    assert!(matches!(live, Ok(Step::Live(_))), "{live:?}");
    assert_json_snapshot!([&asked[0], &described[0], &posted[0]], @r#"
    [
      {
        "body": [
          {
            "name": "media_category",
            "text": "tweet_image"
          },
          {
            "file": "00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000010, image/jpeg, as it came",
            "fileName": "00000000-0000-0000-0000-000000000010",
            "name": "media"
          }
        ],
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://api.x.com/2/media/upload",
        "visible": false
      },
      {
        "body": {
          "id": "7",
          "metadata": {
            "alt_text": {
              "text": "A crab"
            },
            "sensitive_media_warning": {
              "adult_content": true,
              "graphic_violence": true,
              "other": true
            }
          }
        },
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://api.x.com/2/media/metadata",
        "visible": false
      },
      {
        "body": {
          "made_with_ai": true,
          "media": {
            "media_ids": [
              "7"
            ]
          },
          "text": "Hello #rust"
        },
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://api.x.com/2/tweets",
        "visible": true
      }
    ]
    "#);
}

#[test]
fn those_who_are_seen_are_tagged_in_images_alone() {
    let options = json!({ "taggedUsers": ["12", "7"] });
    let job = with_options(with_file(twitter_job(), "image/png", ""), options.clone());
    let (asked, _) = step(&job, &after(&job, &[there("7")]), &[made("1")]);
    let tagged = json!({ "media_ids": ["7"], "tagged_user_ids": ["12", "7"] });
    assert_eq!(asked[0]["body"]["media"], tagged);
    let text = with_options(twitter_job(), options);
    let (asked, _) = step(&text, &after(&text, &[]), &[made("1")]);
    assert!(asked[0]["body"]["media"].is_null(), "{asked:?}");
}

#[test]
fn a_description_is_not_sent_where_there_is_none() {
    let job = with_file(with_file(twitter_job(), "image/png", ""), "image/webp", "");
    let progress = after(&job, &[there("7"), there("8")]);
    assert!(twitter().is_visible(&progress));
    let (asked, _) = step(&job, &progress, &[made("1")]);
    assert_eq!(asked[0]["body"]["media"], json!({ "media_ids": ["7", "8"] }));
    assert_eq!(asked[0]["body"]["text"], "Hello #rust");
    let silent = PublishJob { content: String::new(), ..job };
    let progress = after(&silent, &[there("7"), there("8")]);
    let (asked, _) = step(&silent, &progress, &[made("1")]);
    assert_eq!(asked[0]["body"].get("text"), None);
}

#[test]
fn a_video_goes_in_segments() {
    let job = video(SEGMENT_BYTES + 1);
    let pending = json!({ "state": "pending", "check_after_secs": 3 });
    let (mut progress, mut asked) = (twitter().begin(&job), Vec::new());
    for answer in [there("7"), answered_text(204, ""), answered_text(204, ""), media("7", pending)]
    {
        let (of_step, stepped) = step(&job, &progress, &[answer]);
        asked.extend(of_step);
        progress = match stepped {
            Ok(Step::Next(progress)) => progress,
            Ok(Step::Wait { progress, until }) => {
                assert_eq!(until, job.now + TimeDelta::seconds(3), "as X asks");
                progress
            }
            other => panic!("{other:?}"),
        };
    }
    assert_json_snapshot!(asked, @r#"
    [
      {
        "body": {
          "media_category": "tweet_video",
          "media_type": "video/mp4",
          "total_bytes": 1048577
        },
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://api.x.com/2/media/upload/initialize",
        "visible": false
      },
      {
        "body": [
          {
            "name": "segment_index",
            "text": "0"
          },
          {
            "file": "00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000010, video/mp4, as it came, bytes 0..1048576",
            "fileName": "00000000-0000-0000-0000-000000000010",
            "name": "media"
          }
        ],
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://api.x.com/2/media/upload/7/append",
        "visible": false
      },
      {
        "body": [
          {
            "name": "segment_index",
            "text": "1"
          },
          {
            "file": "00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000010, video/mp4, as it came, bytes 1048576..1048577",
            "fileName": "00000000-0000-0000-0000-000000000010",
            "name": "media"
          }
        ],
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://api.x.com/2/media/upload/7/append",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://api.x.com/2/media/upload/7/finalize",
        "visible": false
      }
    ]
    "#);
}

#[test]
fn a_large_image_goes_in_segments_too() {
    for (bytes, want) in [(SEGMENT_BYTES, ""), (SEGMENT_BYTES + 1, "/initialize")] {
        let mut job = with_file(twitter_job(), "image/png", "");
        job.files[0].facts.size_bytes = Some(bytes);
        let (asked, _) = step(&job, &twitter().begin(&job), &[there("7")]);
        let want = format!("POST https://api.x.com/2/media/upload{want}");
        assert_eq!(asked[0]["request"], want, "{bytes}");
    }
}

#[test]
fn files_that_a_repeat_is_refused_for_may_be_those_of_the_post() {
    let job = with_file(twitter_job(), "image/png", "");
    let progress = after(&job, &[there("7")]);
    let none = || crate::twitter::testing::page(&json!([]), None);
    let looked =
        |job: &PublishJob, progress: &Value| match twitter().locate(job, progress, &[none()]) {
            Ok(Turn::Done(located)) => located,
            other => panic!("{other:?}"),
        };
    let Located::Wait { progress, until } = looked(&job, &progress) else { panic!() };
    let job = PublishJob { now: until, ..job };
    let Located::Absent(progress) = looked(&job, &progress) else { panic!() };
    let gone = problem(400, "", "Invalid Request", "Your media IDs are invalid.");
    let refused = step(&job, &progress, &[gone, none()]).1;
    let Ok(Step::Next(refused)) = refused else { panic!("{refused:?}") };
    assert!(twitter().is_visible(&refused), "nothing is uploaded anew");
    let error = step(&job, &refused, &[]).1.unwrap_err();
    assert_eq!(error.kind, Kind::InDoubt);
}

#[test]
fn an_animation_is_told_from_a_still_gif() {
    for (frames, want) in [(1, "tweet_image"), (2, "tweet_gif")] {
        let job = gif(frames);
        let (asked, _) = step(&job, &twitter().begin(&job), &[there("7")]);
        let want =
            json!({ "media_category": want, "media_type": "image/gif", "total_bytes": 2_000 });
        assert_eq!(asked[0]["body"], want, "{frames}");
    }
}

#[test]
fn a_file_that_x_works_on_is_waited_for() {
    let job = video(10);
    let begun = media("7", json!({ "state": "in_progress" }));
    let progress = after(&job, &[there("7"), answered_text(204, ""), begun]);
    let asked_at = |seconds: i64, info: Value| {
        let later = PublishJob { now: job.now + TimeDelta::seconds(seconds), ..job.clone() };
        let (asked, stepped) = step(&later, &progress, &[media("7", info)]);
        assert_eq!(
            asked[0]["request"],
            "GET https://api.x.com/2/media/upload?command=STATUS&media_id=7"
        );
        match stepped {
            Ok(Step::Wait { until, .. }) => Ok(Some((until - later.now).num_seconds())),
            Ok(Step::Next(progress)) => {
                assert!(twitter().is_visible(&progress));
                Ok(None)
            }
            Err(error) => Err((error.kind, error.code)),
            other => panic!("{other:?}"),
        }
    };
    let works = || json!({ "state": "in_progress" });
    let failed = json!({ "state": "failed", "error": { "message": "Bad codec" } });
    let permanent = |code| Err((Kind::Permanent, code));
    for (name, seconds, info, want) in [
        ("at first", 1, works(), Ok(Some(5))),
        ("later", 60, works(), Ok(Some(15))),
        ("as X asks", 60, json!({ "state": "pending", "check_after_secs": 9 }), Ok(Some(9))),
        ("no longer", 9, json!({ "state": "pending", "check_after_secs": 900 }), Ok(Some(60))),
        ("the last", 1_800, works(), Ok(Some(15))),
        ("too long", 1_801, works(), permanent(FailureCode::NetworkError)),
        ("failed", 9, failed, permanent(FailureCode::ValidationFailed)),
        ("done", 9, json!({ "state": "succeeded" }), Ok(None)),
        ("nothing left to do", 9, Value::Null, Ok(None)),
    ] {
        assert_eq!(asked_at(seconds, info), want, "{name}");
    }
}

#[test]
fn what_x_says_of_a_file_it_cannot_process_is_told() {
    let job = video(10);
    let begun = media("7", json!({ "state": "pending" }));
    let progress = after(&job, &[there("7"), answered_text(204, ""), begun]);
    let failed = json!({ "state": "failed", "error": { "message": "Bad codec" } });
    let error = step(&job, &progress, &[media("7", failed)]).1.unwrap_err();
    let want = "X cannot process a file of this post. Send it in another format. X said: Bad codec";
    assert_eq!(error.message, want);
}

#[test]
fn segments_that_do_not_fit_are_sent_anew_a_few_times() {
    let job = video(10);
    let refused = || problem(400, "invalid-request", "Invalid Request", "Segments do not add up.");
    let mut progress = twitter().begin(&job);
    for repeat in 0..=REPEATS_MAX {
        progress = next(step(&job, &progress, &[there("7")]).1);
        let refused = step(&job, &progress, &[refused()]).1;
        if repeat < REPEATS_MAX {
            progress = next(refused);
        } else {
            assert_eq!(refused.unwrap_err().kind, Kind::Permanent);
        }
    }
}

#[test]
fn files_that_x_has_dropped_are_sent_again_before_the_post() {
    let job = with_file(twitter_job(), "image/png", "");
    let gone = || problem(400, "", "Invalid Request", "Your media IDs are invalid.");
    let mut progress = after(&job, &[there("7")]);
    for _ in 0..REPEATS_MAX {
        let again = next(step(&job, &progress, &[gone()]).1);
        assert!(!twitter().is_visible(&again));
        progress = next(step(&job, &again, &[there("8")]).1);
    }
    let error = step(&job, &progress, &[gone()]).1.unwrap_err();
    assert_eq!(
        (error.kind, error.message.as_str()),
        (
            Kind::Permanent,
            "X does not know the files of this post again and again: it loses them, or does not show files of their kind. Send them in another format."
        )
    );
}

#[test]
fn what_uploads_meet() {
    let job = with_file(twitter_job(), "image/png", "");
    let forbidden = |detail| problem(403, "", "Forbidden", detail);
    for (name, answer, want) in [
        ("no permission", forbidden("Forbidden"), Kind::Reconnect),
        (
            "another refusal",
            forbidden("You are not permitted to perform this action."),
            Kind::Permanent,
        ),
        (
            "a token that has ended",
            problem(401, "", "Unauthorized", "Unauthorized"),
            Kind::TokenExpired,
        ),
        ("too large", problem(413, "", "Too Large", "Too Large"), Kind::Permanent),
        ("trouble", answered_text(503, ""), Kind::Temporary),
        ("unreadable", answered_text(200, "?"), Kind::Temporary),
    ] {
        let error = step(&job, &twitter().begin(&job), &[answer]).1.unwrap_err();
        assert_eq!(error.kind, want, "{name}");
    }
}

#[test]
fn a_post_with_files_is_known_by_them() {
    let job = with_file(twitter_job(), "image/png", "");
    let progress = after(&job, &[there("7")]);
    let shown = |id: &str, keys: &[&str]| {
        json!({
            "id": id, "text": "edited https://t.co/a", "created_at": job.begun_at,
            "attachments": { "media_keys": keys },
        })
    };
    let found = |posts: Value| {
        let answers = [crate::twitter::testing::page(&posts, None)];
        let look = |answers: &[Answer]| twitter().locate(&job, &progress, answers);
        let (asked, found) = crate::twitter::testing::held(&answers, look);
        assert!(addresses(&asked)[0].contains("referenced_tweets%2Cattachments"), "{asked:?}");
        match found.unwrap() {
            Located::Live(live) => live.remote.map(|remote| remote.id),
            _ => None,
        }
    };
    assert_eq!(found(json!([shown("1", &["3_8"]), shown("2", &["3_7"])])).as_deref(), Some("2"));
    assert_eq!(found(json!([shown("1", &["3_8"]), shown("2", &[])])), None);
}
