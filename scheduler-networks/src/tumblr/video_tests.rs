//! Posts with a video as an exchange of values.

use insta::assert_json_snapshot;
use scheduler_core::ports::NetworkErrorKind as Kind;
use scheduler_core::ports::PublishJob;
use serde_json::{Value, json};

use super::*;
use crate::conversation::Conversation;
use crate::testing::files::with_file;
use crate::testing::steps::{next, take_step};
use crate::testing::{answered_text, begun_at, with_options};
use crate::tumblr::testing::{addresses, created, fault, held, posts, tumblr, tumblr_job};

fn job() -> PublishJob {
    with_file(tumblr_job(), "video/mp4", "")
}

fn limits() -> Answer {
    answered_text(200, include_str!("fixtures/limits.json"))
}

/// The progress of a post that can be sent.
fn ready(job: &PublishJob) -> Value {
    let (asked, step) = take_step(&tumblr(), job, &tumblr().begin(job), &[limits()]);
    assert_eq!(addresses(&asked), ["GET https://api.tumblr.com/v2/user/limits"]);
    next(step)
}

/// A post of the blog that says the same.
fn same(id: &str, state: &str, genesis: Option<&str>) -> Value {
    json!({
        "id": 1, "id_string": id, "genesis_post_id": genesis, "state": state,
        "timestamp": begun_at().timestamp() + 5, "post_url": format!("https://a.example/{id}"),
        "content": [{ "type": "video" }, { "type": "text", "text": "Hello #rust" }],
    })
}

fn live(step: Result<Step, NetworkError>) -> Live {
    match step {
        Ok(Step::Live(live)) => live,
        other => panic!("not live: {other:?}"),
    }
}

fn locate(job: &PublishJob, progress: &Value, answers: &[Answer]) -> (Vec<Value>, Located) {
    let (asked, located) = held(answers, |answers| tumblr().locate(job, progress, answers));
    (asked, located.unwrap())
}

#[test]
fn only_a_call_with_the_files_takes_as_long_as_they_need() {
    let mut job = job();
    job.files[0].facts.size_bytes = Some(10 * 1024 * 1024);
    let sent = ready(&job);
    let mut drafted = sent.clone();
    drafted["stage"] = json!({ "is": "publish", "draft": "7", "since": begun_at(), "looks": 0 });
    for (name, progress, seconds) in [("sent at once", sent, 30 + 80), ("a draft", drafted, 30)] {
        assert!(tumblr().is_visible(&progress), "{name}");
        assert_eq!(
            tumblr().call_timeout(&job, &progress).of_request().as_secs(),
            seconds,
            "{name}"
        );
    }
}

#[test]
fn a_video_is_sent_at_once_and_gets_its_page_when_it_is_ready() {
    let mut job = job();
    let progress = ready(&job);
    assert!(tumblr().is_visible(&progress));
    let (asked, step) = take_step(&tumblr(), &job, &progress, &[created("41", "transcoding")]);
    assert_json_snapshot!(asked, @r#"
    [
      {
        "body": [
          {
            "json": {
              "content": [
                {
                  "media": {
                    "height": 800,
                    "identifier": "m0",
                    "type": "video/mp4",
                    "width": 1200
                  },
                  "type": "video"
                },
                {
                  "text": "Hello #rust",
                  "type": "text"
                }
              ],
              "state": "published"
            },
            "name": "json"
          },
          {
            "file": "00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000010, video/mp4, as it came",
            "fileName": "m0",
            "name": "m0"
          }
        ],
        "headers": {
          "authorization": "[redacted]",
          "user-agent": "scheduler"
        },
        "request": "POST https://api.tumblr.com/v2/blog/t:0aY0xL2Fi1OFJg4YxpmegQ/posts",
        "visible": true
      }
    ]
    "#);
    let taken = live(step);
    let provisional = taken.remote.unwrap();
    assert_eq!((provisional.id.as_str(), provisional.url.as_deref()), ("41", None));
    assert_eq!(provisional.record, json!({ "provisional": true }));
    let mut progress = taken.then.unwrap();
    assert!(!tumblr().is_visible(&progress));
    assert_json_snapshot!(progress, @r#"
    {
      "stage": {
        "id": "41",
        "is": "transcoding",
        "since": "2026-11-20T10:00:00Z",
        "taken_at": "2026-11-20T10:00:00Z"
      }
    }
    "#);

    for (after, answer, want) in [
        (0, posts(&[]), 15),
        (15, posts(&[same("41", "transcoding", None)]), 15),
        (90, posts(&[same("9", "published", Some("8"))]), 15),
        (120, posts(&[]), 60),
        (1_799, posts(&[]), 60),
    ] {
        job.now = begun_at() + TimeDelta::seconds(after);
        let (asked, step) = take_step(&tumblr(), &job, &progress, &[answer]);
        let url =
            "GET https://api.tumblr.com/v2/blog/t:0aY0xL2Fi1OFJg4YxpmegQ/posts?npf=true&limit=5";
        assert_eq!(addresses(&asked), [url]);
        let Ok(Step::Wait { progress: next, until }) = step else { panic!("{after}: {step:?}") };
        assert_eq!((until - job.now).num_seconds(), want, "{after}");
        progress = next;
    }
    for (name, post) in [
        ("by the id that it had", same("42", "published", Some("41"))),
        ("by what it says", same("42", "published", None)),
    ] {
        let (_, step) = take_step(&tumblr(), &job, &progress, &[posts(&[post])]);
        let url = Some("https://a.example/42".to_owned());
        let want = scheduler_core::target::Remote::new("42", url);
        assert_eq!(live(step), want.into(), "{name}");
    }
    job.now = begun_at() + TimeDelta::minutes(30);
    let (asked, step) = take_step(&tumblr(), &job, &progress, &[posts(&[])]);
    let url = "GET https://api.tumblr.com/v2/blog/t:0aY0xL2Fi1OFJg4YxpmegQ/posts?npf=true&limit=20";
    assert_eq!(addresses(&asked), [url], "the last time a whole page");
    assert_eq!(live(step), Live { remote: None, then: None });
}

#[test]
fn a_video_that_needs_no_work_is_asked_for_its_page() {
    let job = job();
    let (_, step) = take_step(&tumblr(), &job, &ready(&job), &[created("41", "published")]);
    let taken = live(step);
    let url = taken.remote.unwrap().url;
    assert_eq!(url.as_deref(), Some("https://www.tumblr.com/ana/41"));
    let (_, step) = take_step(
        &tumblr(),
        &job,
        &taken.then.unwrap(),
        &[posts(&[same("41", "published", None)])],
    );
    assert_eq!(live(step).remote.unwrap().url.as_deref(), Some("https://a.example/41"));
}

#[test]
fn answers_that_are_no_success() {
    let job = job();
    let progress = ready(&job);
    let until = |seconds: i64| TimeDelta::seconds(seconds - begun_at().timestamp());
    for (name, answers, want) in [
        (
            "another video",
            vec![fault(403, 8010, "x")],
            Kind::RateLimited { wait: Some(TimeDelta::minutes(5)) },
        ),
        (
            "the day's videos",
            vec![fault(403, 8011, "x"), limits()],
            Kind::RateLimited { wait: Some(until(1_795_240_800)) },
        ),
        ("failed", vec![fault(500, 8009, "x")], Kind::Unsettled),
        ("unreadable", vec![answered_text(201, "")], Kind::InDoubt),
        ("the blog is gone", vec![fault(404, 0, "x")], Kind::Reconnect),
    ] {
        let (asked, step) = take_step(&tumblr(), &job, &progress, &answers);
        assert_eq!(asked.len(), answers.len(), "{name}");
        assert_eq!(step.unwrap_err().kind, want, "{name}");
    }
}

#[test]
fn a_lost_post_is_looked_for_and_sent_once_more() {
    let mut job = job();
    let progress = ready(&job);
    let (asked, located) = locate(&job, &progress, &[]);
    assert_eq!(asked, Vec::<Value>::new(), "it may still be on its way");
    let Located::Wait { progress, until } = located else { panic!("{located:?}") };
    assert_eq!(until - job.now, TimeDelta::seconds(60));
    job.now = until;

    let (_, located) = locate(&job, &progress, &[posts(&[same("42", "published", Some("41"))])]);
    let Located::Live(found) = located else { panic!("{located:?}") };
    assert_eq!(found.remote.unwrap().id, "42");
    for (name, answers) in [
        ("among posts", vec![posts(&[same("41", "transcoding", None)])]),
        ("among drafts", vec![posts(&[]), posts(&[same("41", "transcoding", None)])]),
    ] {
        let (_, located) = locate(&job, &progress, &answers);
        let Located::Live(found) = located else { panic!("{name}: {located:?}") };
        assert_eq!(found.remote.unwrap().record, json!({ "provisional": true }), "{name}");
        assert_eq!(found.then.unwrap()["stage"]["id"], "41", "{name}");
    }
    let draft = posts(&[same("41", "draft", None)]);
    let (_, located) = locate(&job, &progress, &[posts(&[]), draft]);
    let Located::Continue(as_draft) = located else { panic!("{located:?}") };
    assert_eq!(as_draft["stage"]["is"], "publish");

    let mut progress = progress;
    for _ in 0..4 {
        let (asked, located) = locate(&job, &progress, &[posts(&[]), posts(&[])]);
        let blog = "GET https://api.tumblr.com/v2/blog/t:0aY0xL2Fi1OFJg4YxpmegQ";
        let want =
            [format!("{blog}/posts?npf=true&limit=20"), format!("{blog}/posts/draft?npf=true")];
        assert_eq!(addresses(&asked), want);
        let Located::Wait { progress: next, until } = located else { panic!("{located:?}") };
        (progress, job.now) = (next, until);
    }
    let (_, located) = locate(&job, &progress, &[posts(&[]), posts(&[])]);
    let Located::Absent(progress) = located else { panic!("{located:?}") };

    // It is sent once more, unless it has turned up meanwhile.
    let (_, step) =
        take_step(&tumblr(), &job, &progress, &[posts(&[same("42", "published", None)])]);
    assert_eq!(live(step).remote.unwrap().id, "42");
    let answers = [posts(&[]), posts(&[]), fault(403, 8010, "x")];
    let (asked, step) = take_step(&tumblr(), &job, &progress, &answers);
    assert_eq!(asked.len(), 3);
    let wait = Some(TimeDelta::minutes(5));
    assert_eq!(step.unwrap_err().kind, Kind::RateLimited { wait });
    let answers = [posts(&[]), posts(&[]), created("43", "transcoding")];
    let (_, step) = take_step(&tumblr(), &job, &progress, &answers);
    assert_eq!(live(step).remote.unwrap().id, "43");

    // And when that is lost too, a person has to look.
    let (_, located) = locate(&job, &progress, &[]);
    let Located::Wait { progress, until } = located else { panic!("{located:?}") };
    job.now = until + TimeDelta::minutes(5);
    let (_, located) = locate(&job, &progress, &[posts(&[]), posts(&[])]);
    assert_eq!(located, Located::Unknown);
}

#[test]
fn a_post_that_may_be_ours_is_never_sent_again() {
    let mut job = job();
    let (_, located) = locate(&job, &ready(&job), &[]);
    let Located::Wait { progress, .. } = located else { panic!("{located:?}") };
    job.now += LOST_AFTER;
    let of = |member: &str, value: Value| {
        let mut post = same("42", "published", None);
        post[member] = value;
        post
    };
    let text = |text: &str| json!([{ "type": "video" }, { "type": "text", "text": text }]);
    for (name, list, want) in [
        ("the same", vec![same("42", "published", None)], Ok(true)),
        ("other tags", vec![of("tags", json!(["cut"]))], Ok(true)),
        ("cleaned", vec![of("content", text("Hello rust"))], Ok(true)),
        (
            "two that are the same",
            vec![same("42", "published", None), same("43", "published", None)],
            Ok(false),
        ),
        ("without its video", vec![of("content", json!([text("Hello #rust")[1]]))], Ok(false)),
        ("not told", vec![of("content", json!([]))], Ok(false)),
        ("minutes before", vec![of("timestamp", json!(begun_at().timestamp() - 300))], Ok(false)),
        ("long before", vec![of("timestamp", json!(begun_at().timestamp() - 700))], Err(())),
        ("something else", vec![of("content", text("Something else"))], Err(())),
    ] {
        let found = match locate(&job, &progress, &[posts(&list), posts(&[])]).1 {
            Located::Live(_) => Ok(true),
            Located::Unknown => Ok(false),
            Located::Absent(_) => Err(()),
            other => panic!("{name}: {other:?}"),
        };
        assert_eq!(found, want, "{name}");
    }
    // A list is read on until it shows what was there before, a hundred posts at most.
    let page = |first: i64, seconds: i64| {
        let listed = (first..first + PAGE as i64).map(|number| {
            let mut post = of("content", text("Something else"));
            post["id_string"] = json!((1_000 - number).to_string());
            post["timestamp"] = json!(begun_at().timestamp() + 200 - seconds * number);
            post
        });
        posts(&listed.collect::<Vec<_>>())
    };
    let ours = posts(&[same("42", "published", None)]);
    let pages = |seconds: i64| (0..5).map(move |number| page(number * PAGE as i64, seconds));
    for (name, answers, asked, want) in [
        ("ours on the second page", vec![page(0, 5), ours], 2, Ok(true)),
        ("back to those before", vec![page(0, 5), page(20, 30)], 3, Err(())),
        ("too many since", pages(5).collect(), 6, Ok(false)),
        ("many within a second", vec![page(0, 0), page(0, 0)], 3, Ok(false)),
    ] {
        let answers: Vec<Answer> = answers.into_iter().chain([posts(&[])]).collect();
        let (requests, located) = locate(&job, &progress, &answers);
        assert_eq!(requests.len(), asked, "{name}");
        let found = match located {
            Located::Live(_) => Ok(true),
            Located::Unknown => Ok(false),
            Located::Absent(_) => Err(()),
            other => panic!("{name}: {other:?}"),
        };
        assert_eq!(found, want, "{name}");
    }
    let (requests, _) = locate(&job, &progress, &[page(0, 5), posts(&[]), posts(&[])]);
    let before = begun_at().timestamp() + 200 - 5 * (PAGE as i64 - 1) + 1;
    let address = &addresses(&requests)[1];
    assert!(address.ends_with(&format!("npf=true&limit=20&before={before}")), "{address}");
    // Something turns up before it is sent once more.
    let (_, located) = locate(&job, &progress, &[posts(&[]), posts(&[])]);
    let Located::Absent(again) = located else { panic!("{located:?}") };
    let unclear = [posts(&[of("content", json!([]))]), posts(&[])];
    let (_, step) = take_step(&tumblr(), &job, &again, &unclear);
    assert_eq!(step.unwrap_err().kind, Kind::InDoubt);
}

#[test]
fn a_lost_private_video_is_never_sent_again() {
    let mut job = with_options(job(), json!({ "visibility": "private" }));
    let progress = ready(&job);
    let (_, located) = locate(&job, &progress, &[]);
    let Located::Wait { progress, until } = located else { panic!("{located:?}") };
    job.now = until + TimeDelta::minutes(5);
    let (_, located) = locate(&job, &progress, &[posts(&[]), posts(&[])]);
    assert!(matches!(located, Located::Unknown), "it need not be listed: {located:?}");
}
