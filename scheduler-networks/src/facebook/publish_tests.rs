//! Posts of the feed as an exchange of values.

use insta::assert_json_snapshot;
use serde_json::{Value, json};

use super::*;
use crate::conversation::{Conversation, shown};
use crate::facebook::testing::{
    PAGE, Server, after_answers, asked, asks, done, error, facebook, facebook_job, job_with, ok,
    step,
};
use crate::testing::crash::exhaust;
use crate::testing::steps::next;
use crate::testing::{answered_text, with_options};

fn created() -> Answer {
    ok(&json!({ "id": "1001_2001" }))
}

fn duplicate() -> Answer {
    answered_text(400, include_str!("fixtures/error.json"))
}

/// A list of posts; each is an id, a text and how many seconds after the job it was made.
fn listed(job: &PublishJob, posts: &[(&str, &str, i64)]) -> Answer {
    let posts: Vec<Value> = posts
        .iter()
        .map(|(id, message, seconds)| {
            let at = job.begun_at + TimeDelta::seconds(*seconds);
            json!({
                "id": id,
                "message": message,
                "created_time": at.format("%Y-%m-%dT%H:%M:%S+0000").to_string(),
                "permalink_url": format!("https://www.facebook.com/{PAGE}/posts/{id}"),
            })
        })
        .collect();
    ok(&json!({ "data": posts }))
}

#[test]
fn a_text_with_a_link_is_one_call() {
    let mut job = facebook_job();
    job.link_url = Some("https://blog.example.com/post".to_owned());
    let progress = after_answers(&job, &[]);
    assert!(facebook().is_visible(&progress));
    let mut requests = vec![asked(&job, &progress)];
    let Ok(Step::Live(live)) = step(&job, &progress, &[created()]) else { panic!("not live") };
    let remote = live.remote.unwrap();
    assert_eq!(remote, Remote::new("1001_2001", Some("https://www.facebook.com/1001_2001".into())));
    let then = live.then.unwrap();
    assert_eq!(facebook().live_part(&then), Some(remote));
    assert_eq!(facebook().skip(&then), None);
    requests.push(asked(&job, &then));
    let link = ok(&json!({ "permalink_url": "https://www.facebook.com/1001/posts/pfbid0" }));
    let Ok(Step::Live(live)) = step(&job, &then, &[link]) else { panic!("not live") };
    let url = live.remote.unwrap().url.unwrap();
    assert_eq!(url, "https://www.facebook.com/1001/posts/pfbid0");
    assert_eq!(live.then, None);
    requests.push(shown(&asks(facebook().locate(&job, &progress, &[]))));
    assert_json_snapshot!(requests, @r#"
    [
      {
        "body": {
          "link": "https://blog.example.com/post",
          "message": "Hello #rust",
          "published": true
        },
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://graph.facebook.com/v26.0/1001/feed",
        "visible": true
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "GET https://graph.facebook.com/v26.0/1001_2001?fields=permalink_url",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "GET https://graph.facebook.com/v26.0/1001/published_posts?fields=id%2Cmessage%2Ccreated_time%2Cpermalink_url%2Capplication%7Bid%7D&limit=25",
        "visible": false
      }
    ]
    "#);
}

#[test]
fn pictures_are_staged_and_then_attached() {
    let job = job_with(&["image/jpeg", "image/png"]);
    let mut job = with_options(job, json!({ "caption": "Three views" }));
    job.link_url = Some("https://blog.example.com/post".to_owned());
    let mut requests = Vec::new();
    let staged = |id: &str| ok(&json!({ "id": id }));
    let answers = [staged("4001"), staged("4002")];
    for count in 0..=2 {
        let progress = after_answers(&job, &answers[..count]);
        assert_eq!(facebook().is_visible(&progress), count == 2);
        requests.push(asked(&job, &progress));
    }
    let progress = after_answers(&job, &answers);
    requests.push(shown(&asks(facebook().locate(&job, &progress, &[]))));
    assert_json_snapshot!(requests, @r#"
    [
      {
        "body": [
          {
            "name": "published",
            "text": "false"
          },
          {
            "name": "alt_text_custom",
            "text": "file 0"
          },
          {
            "file": "00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000010, image/jpeg, as it came",
            "fileName": "photo",
            "name": "source"
          }
        ],
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://graph.facebook.com/v26.0/1001/photos",
        "visible": false
      },
      {
        "body": [
          {
            "name": "published",
            "text": "false"
          },
          {
            "name": "alt_text_custom",
            "text": "file 1"
          },
          {
            "file": "00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000011, image/png, as it came",
            "fileName": "photo",
            "name": "source"
          }
        ],
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://graph.facebook.com/v26.0/1001/photos",
        "visible": false
      },
      {
        "body": {
          "attached_media": [
            {
              "media_fbid": "4001"
            },
            {
              "media_fbid": "4002"
            }
          ],
          "message": "Three views\nhttps://blog.example.com/post",
          "published": true
        },
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://graph.facebook.com/v26.0/1001/feed",
        "visible": true
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "GET https://graph.facebook.com/v26.0/1001/published_posts?fields=id%2Cmessage%2Ccreated_time%2Cpermalink_url%2Cattachments%7Btarget%7Bid%7D%2Csubattachments%7Btarget%7Bid%7D%7D%7D&limit=25",
        "visible": false
      }
    ]
    "#);
    let Ok(Step::Live(live)) = step(&job, &progress, &[created()]) else { panic!("not live") };
    assert_eq!(live.remote.unwrap().record, Value::Null);
}

#[test]
fn what_facebook_has_no_post_for_is_refused_before_anything_is_sent() {
    let nothing = PublishJob { content: " ".to_owned(), ..facebook_job() };
    let as_reel = |job: PublishJob| with_options(job, json!({ "asReel": true }));
    for (name, job) in [
        ("nothing", nothing),
        ("a picture beside a video", job_with(&["image/jpeg", "video/mp4"])),
        ("two videos", job_with(&["video/mp4", "video/mp4"])),
        ("eleven pictures", job_with(&["image/jpeg"; 11])),
        ("a picture as a reel", as_reel(job_with(&["image/jpeg"]))),
        ("a text as a reel", as_reel(facebook_job())),
        ("two videos as a reel", as_reel(job_with(&["video/mp4", "video/mp4"]))),
    ] {
        let error = facebook().advance(&job, &facebook().begin(&job), &[]).unwrap_err();
        assert_eq!(error.kind, NetworkErrorKind::Permanent, "{name}");
        assert_eq!(error.code, FailureCode::ValidationFailed, "{name}");
    }
    // A link alone is a post.
    let link = Some("https://blog.example.com/post".to_owned());
    let job = PublishJob { content: String::new(), link_url: link, ..facebook_job() };
    let progress = after_answers(&job, &[]);
    assert_eq!(
        asked(&job, &progress)["body"],
        json!({ "link": "https://blog.example.com/post", "published": true })
    );
}

#[test]
fn a_text_is_looked_for_twice_and_then_sent_again() {
    let mut job = facebook_job();
    let progress = after_answers(&job, &[]);
    let before = ("1001_1", "Hello #rust", -700);
    let located = |job: &PublishJob, progress: &Value, answers: &[Answer]| {
        done(facebook().locate(job, progress, answers))
    };
    let other = ("1001_2", "Something else", 5);
    let nothing = listed(&job, &[other, before]);
    let Located::Wait { progress: waiting, until } = located(&job, &progress, &[nothing]) else {
        panic!("settled at once")
    };
    assert_eq!(until, job.now + LOOK_AGAIN);
    // Not before its time.
    let Located::Wait { .. } = located(&job, &waiting, &[]) else { panic!("looked too early") };
    job.now = until;
    let found = listed(&job, &[("1001_3", "Hello #rust\r\n", 10), before]);
    let Located::Live(live) = located(&job, &waiting, &[found]) else { panic!("not found") };
    assert_eq!(live.remote.unwrap().id, "1001_3");
    let nothing = listed(&job, &[before]);
    let Located::Absent(again) = located(&job, &waiting, &[nothing]) else { panic!("not settled") };
    assert!(!facebook().is_visible(&again));
    let again = next(step(&job, &again, &[]));
    assert!(facebook().is_visible(&again));

    // The network then says whether it is there after all.
    let late = listed(&job, &[("1001_4", "Hello #rust", 20)]);
    let Ok(Step::Live(live)) = step(&job, &again, &[duplicate(), late]) else {
        panic!("not found")
    };
    assert_eq!(live.remote.unwrap().id, "1001_4");
    // It is there, and cannot be found: a person has to look.
    let proved = next(step(&job, &again, &[duplicate(), listed(&job, &[before])]));
    assert!(facebook().is_visible(&proved));
    let error = step(&job, &proved, &[]).unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::InDoubt);
    let nothing = || listed(&job, &[before]);
    let Located::Wait { progress: proved, until } = located(&job, &proved, &[nothing()]) else {
        panic!("settled at once")
    };
    let later = PublishJob { now: until, ..job.clone() };
    assert_eq!(located(&later, &proved, &[nothing()]), Located::Unknown);
    // Whoever has looked has it sent again.
    let later = PublishJob { now: job.now + RETRY_AFTER, ..job.clone() };
    let sent = next(step(&later, &proved, &[]));
    assert!(asked(&later, &sent)["request"].as_str().unwrap().ends_with("/feed"));
    let error = step(&job, &again, &[duplicate(), answered_text(500, "")]).unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::Unsettled);
    // Of a call that was never open it is a refusal.
    let error = step(&job, &progress, &[duplicate()]).unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::Permanent);
    assert_eq!(error.code, FailureCode::ValidationFailed);
}

#[test]
fn photos_that_are_posted_already_are_proof() {
    let mut job = job_with(&["image/jpeg"]);
    let progress = after_answers(&job, &[ok(&json!({ "id": "4001" }))]);
    let posted = error(100, 1_366_051, "These photos were already posted.");
    let with_photo = ok(&json!({ "data": [
        { "id": "1001_7", "message": "another text", "attachments": { "data": [
            { "subattachments": { "data": [{ "target": { "id": "4001" } }] } },
        ] } },
    ] }));
    let Ok(Step::Live(live)) = step(&job, &progress, &[posted.clone(), with_photo]) else {
        panic!("not found")
    };
    assert_eq!(live.remote.unwrap().id, "1001_7");
    let nothing = ok(&json!({ "data": [] }));
    let proved = next(step(&job, &progress, &[posted, nothing.clone()]));
    assert_eq!(step(&job, &proved, &[]).unwrap_err().kind, NetworkErrorKind::InDoubt);
    // After two looks the call may be made again, and stays open.
    let located = done(facebook().locate(&job, &progress, std::slice::from_ref(&nothing)));
    let Located::Wait { progress: waiting, until } = located else { panic!("{located:?}") };
    job.now = until;
    let located = done(facebook().locate(&job, &waiting, &[nothing]));
    let Located::Repeat(again) = located else { panic!("{located:?}") };
    assert!(facebook().is_visible(&again));

    // Photos that the network has ended are staged anew, but not while a call is open.
    job.now += TimeDelta::hours(30);
    assert_eq!(asked(&job, &again)["body"]["attached_media"][0]["media_fbid"], "4001");
    let staged = next(step(&job, &progress, &[]));
    assert!(asked(&job, &staged)["request"].as_str().unwrap().ends_with("/photos"));
}

#[test]
fn long_lists_are_followed_until_they_are_older_than_the_call() {
    let job = facebook_job();
    let progress = after_answers(&job, &[]);
    let page = |at: &str| {
        ok(&json!({
            "data": [{ "id": "1001_9", "message": "x", "created_time": at }],
            "paging": { "cursors": { "after": "QVF" }, "next": "https://graph.facebook.com/x" },
        }))
    };
    let young = "2100-01-01T00:00:00+0000";
    let request = asks(facebook().locate(&job, &progress, &[page(young)]));
    assert!(request.url.as_str().ends_with("&after=QVF"), "{}", request.url);
    let answers = [page(young), page("2020-01-01T00:00:00+0000")];
    let located = done(facebook().locate(&job, &progress, &answers));
    assert!(matches!(located, Located::Wait { .. }), "{located:?}");
}

#[test]
fn a_link_without_a_preview_is_tried_twice_more() {
    let mut job = facebook_job();
    job.link_url = Some("https://blog.example.com/post".to_owned());
    let unread = || error(100, 1_609_005, "The url you supplied is invalid");
    let mut progress = after_answers(&job, &[]);
    for _ in 0..2 {
        let Ok(Step::Wait { progress: waiting, until }) = step(&job, &progress, &[unread()]) else {
            panic!("no wait")
        };
        job.now = until;
        assert!(!facebook().is_visible(&waiting));
        progress = next(step(&job, &waiting, &[]));
    }
    let error = step(&job, &progress, &[unread()]).unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::Permanent);
    assert!(error.message.contains("Check the link"), "{error}");
}

#[test]
fn a_block_is_waited_for_a_day_and_then_told() {
    let mut job = facebook_job();
    let progress = after_answers(&job, &[]);
    let blocked = || error(368, 0, "The action attempted has been deemed abusive");
    let failed = step(&job, &progress, &[blocked()]).unwrap_err();
    let wait = Some(TimeDelta::hours(24));
    assert_eq!(failed.kind, NetworkErrorKind::RateLimited { wait });
    job.now = job.begun_at + TimeDelta::hours(24);
    let progress = next(step(&job, &progress, &[]));
    let failed = step(&job, &progress, &[blocked()]).unwrap_err();
    assert_eq!(failed.kind, NetworkErrorKind::Permanent);
}

#[test]
fn a_post_is_live_without_a_link() {
    let mut job = facebook_job();
    let Ok(Step::Live(live)) = step(&job, &after_answers(&job, &[]), &[created()]) else {
        panic!("not live")
    };
    let mut progress = live.then.unwrap();
    for _ in 0..TRIES_MAX {
        let Ok(Step::Wait { progress: waiting, until }) =
            step(&job, &progress, &[answered_text(500, "")])
        else {
            panic!("no wait")
        };
        job.now = until;
        progress = waiting;
    }
    let Ok(Step::Live(live)) = step(&job, &progress, &[answered_text(500, "")]) else {
        panic!("not live")
    };
    assert_eq!(live.remote.unwrap().url.unwrap(), "https://www.facebook.com/1001_2001");
    let unread = step(&job, &progress, &[error(10, 0, "pages_read_engagement")]);
    assert!(matches!(unread, Ok(Step::Live(_))), "{unread:?}");
    let error = step(&job, &progress, &[error(190, 463, "expired")]).unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::Reconnect);
}

#[test]
fn a_success_that_cannot_be_read_is_in_doubt() {
    let job = facebook_job();
    let progress = after_answers(&job, &[]);
    for body in ["<html>", "{}", r#"{"id":null}"#] {
        let error = step(&job, &progress, &[answered_text(200, body)]).unwrap_err();
        assert_eq!(error.kind, NetworkErrorKind::InDoubt, "{body}");
    }
    let error = step(&job, &progress, &[answered_text(500, "")]).unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::Unsettled);
}

#[test]
fn a_progress_of_a_later_release_sends_nothing() {
    let job = facebook_job();
    let mut later = facebook().begin(&job);
    later["later"] = json!(1);
    let mut without = facebook().begin(&job);
    without["stage"] = json!({ "finish": { "isRepeat": false } });
    for progress in [later, without, Value::Null] {
        assert!(facebook().is_visible(&progress));
        let error = facebook().advance(&job, &progress, &[]).unwrap_err();
        assert_eq!(error.kind, NetworkErrorKind::InDoubt);
        assert_eq!(done(facebook().locate(&job, &progress, &[])), Located::Unknown);
        assert_eq!(facebook().live_part(&progress), None);
        assert_eq!(facebook().skip(&progress), None);
        assert_eq!(facebook().part(&progress), None);
    }
}

#[test]
fn whatever_breaks_a_post_is_there_once() {
    let comment = json!({ "firstComment": "First!" });
    let text = "Hello #rust";
    for (media_types, options, texts) in [
        (vec![], json!({}), vec![text]),
        (vec![], comment.clone(), vec![text, "First!"]),
        (vec!["image/jpeg"], json!({}), vec![text]),
        (vec!["image/jpeg", "image/png"], comment, vec![text, "First!"]),
    ] {
        let job = with_options(job_with(&media_types), options);
        for pause in [TimeDelta::seconds(1), TimeDelta::minutes(7)] {
            exhaust(&facebook(), &Server::default(), &job, pause, &texts);
        }
    }
}
