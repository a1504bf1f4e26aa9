//! Publishing as an exchange of values.

use insta::assert_json_snapshot;
use scheduler_core::ports::NetworkErrorKind as Kind;
use serde_json::{Value, json};

use super::*;
use crate::conversation::Conversation;
use crate::testing::files::with_images;
use crate::testing::steps::{next, take_step};
use crate::testing::{answered, answered_text, begun_at, with_options};
use crate::tumblr::testing::{
    addresses, created, fault, gone, held, ok, posts, tumblr, tumblr_job,
};

fn fixture(body: &str) -> Answer {
    answered_text(200, body)
}

fn stored() -> Answer {
    fixture(include_str!("fixtures/draft.json"))
}

fn listing() -> Answer {
    fixture(include_str!("fixtures/posts.json"))
}

/// The progress of a draft that can be published.
fn drafted(job: &PublishJob) -> Value {
    let answer = answered_text(201, include_str!("fixtures/created.json"));
    let (asked, step) = take_step(&tumblr(), job, &tumblr().begin(job), &[answer]);
    assert_eq!(asked.len(), 1);
    next(step)
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
fn a_text_is_a_draft_that_is_published() {
    let options = json!({ "tags": ["rust", "release"] });
    let job = PublishJob {
        content: "First paragraph\n\nSecond, see https://example.com".to_owned(),
        link_url: Some("https://blog.example.com/post".to_owned()),
        ..with_options(tumblr_job(), options)
    };
    let progress = tumblr().begin(&job);
    assert!(!tumblr().is_visible(&progress));
    let answer = answered_text(201, include_str!("fixtures/created.json"));
    let (asked, step) = take_step(&tumblr(), &job, &progress, &[answer]);
    assert_json_snapshot!(asked, @r#"
    [
      {
        "body": {
          "content": [
            {
              "text": "First paragraph",
              "type": "text"
            },
            {
              "formatting": [
                {
                  "end": 31,
                  "start": 12,
                  "type": "link",
                  "url": "https://example.com"
                }
              ],
              "text": "Second, see https://example.com",
              "type": "text"
            },
            {
              "type": "link",
              "url": "https://blog.example.com/post"
            }
          ],
          "state": "draft",
          "tags": "rust,release"
        },
        "headers": {
          "authorization": "[redacted]",
          "user-agent": "scheduler"
        },
        "request": "POST https://api.tumblr.com/v2/blog/t:0aY0xL2Fi1OFJg4YxpmegQ/posts",
        "visible": false
      }
    ]
    "#);
    let progress = next(step);
    assert!(tumblr().is_visible(&progress));
    assert_json_snapshot!(progress, @r#"
    {
      "stage": {
        "draft": "1234567891234567",
        "is": "publish",
        "looks": 0,
        "since": "2026-11-20T10:00:00Z"
      }
    }
    "#);

    let answers = [stored(), ok(&json!({ "id": "7654321987654321" }))];
    let (asked, step) = take_step(&tumblr(), &job, &progress, &answers);
    assert_json_snapshot!(asked, @r#"
    [
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]",
          "user-agent": "scheduler"
        },
        "request": "GET https://api.tumblr.com/v2/blog/t:0aY0xL2Fi1OFJg4YxpmegQ/posts/1234567891234567?post_format=npf",
        "visible": false
      },
      {
        "body": {
          "content": [
            {
              "alt_text": "A red fox",
              "media": [
                {
                  "height": 853,
                  "media_key": "0f5b:ab-1",
                  "type": "image/jpeg",
                  "url": "https://64.media.tumblr.com/0f5b/ab-1/s1280x1920/fox.jpg",
                  "width": 1280
                }
              ],
              "type": "image"
            },
            {
              "text": "Hello #rust",
              "type": "text"
            }
          ],
          "layout": [
            {
              "display": [
                {
                  "blocks": [
                    0
                  ]
                },
                {
                  "blocks": [
                    1
                  ]
                }
              ],
              "type": "rows"
            }
          ],
          "state": "published",
          "tags": "rust,release"
        },
        "headers": {
          "authorization": "[redacted]",
          "user-agent": "scheduler"
        },
        "request": "PUT https://api.tumblr.com/v2/blog/t:0aY0xL2Fi1OFJg4YxpmegQ/posts/1234567891234567",
        "visible": true
      }
    ]
    "#);
    let published = live(step);
    let remote = published.remote.unwrap();
    assert_eq!(remote.url.as_deref(), Some("https://www.tumblr.com/ana/7654321987654321"));
    let progress = published.then.unwrap();
    assert!(!tumblr().is_visible(&progress));
    assert_eq!(tumblr().live_part(&progress), Some(remote));
    assert_eq!(tumblr().skip(&progress), None);

    let (asked, step) = take_step(&tumblr(), &job, &progress, &[listing()]);
    assert_json_snapshot!(asked, @r#"
    [
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]",
          "user-agent": "scheduler"
        },
        "request": "GET https://api.tumblr.com/v2/blog/t:0aY0xL2Fi1OFJg4YxpmegQ/posts?npf=true&limit=20",
        "visible": false
      }
    ]
    "#);
    let linked = live(step);
    assert_eq!(linked.then, None);
    let url = "https://ana.tumblr.com/post/7654321987654321/hello-rust";
    assert_eq!(linked.remote, Some(Remote::new("7654321987654321", Some(url.to_owned()))));
}

#[test]
fn pictures_go_with_the_draft_under_their_names() {
    let job = with_images(tumblr_job(), 2);
    let progress = tumblr().begin(&job);
    let (asked, step) = take_step(&tumblr(), &job, &progress, &[created("12", "draft")]);
    assert_json_snapshot!(asked, @r#"
    [
      {
        "body": [
          {
            "json": {
              "content": [
                {
                  "alt_text": "image 0",
                  "media": [
                    {
                      "height": 800,
                      "identifier": "m0",
                      "type": "image/png",
                      "width": 1200
                    }
                  ],
                  "type": "image"
                },
                {
                  "alt_text": "image 1",
                  "media": [
                    {
                      "height": 800,
                      "identifier": "m1",
                      "type": "image/png",
                      "width": 1200
                    }
                  ],
                  "type": "image"
                },
                {
                  "text": "Hello #rust",
                  "type": "text"
                }
              ],
              "state": "draft"
            },
            "name": "json"
          },
          {
            "file": "00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000010, image/png, as it came",
            "fileName": "m0",
            "name": "m0"
          },
          {
            "file": "00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000011, image/png, as it came",
            "fileName": "m1",
            "name": "m1"
          }
        ],
        "headers": {
          "authorization": "[redacted]",
          "user-agent": "scheduler"
        },
        "request": "POST https://api.tumblr.com/v2/blog/t:0aY0xL2Fi1OFJg4YxpmegQ/posts",
        "visible": false
      }
    ]
    "#);
    assert_eq!(next(step)["stage"]["draft"], "12");
}

#[test]
fn names_are_looked_up_first_and_stay_text_where_nobody_has_them() {
    let content = "Hello @staff, @nobody and @private".to_owned();
    let job = PublishJob { content, ..tumblr_job() };
    let progress = tumblr().begin(&job);
    let answers = [fixture(include_str!("fixtures/blog_info.json")), gone(), fault(403, 0, "no")];
    let (asked, step) = take_step(&tumblr(), &job, &progress, &answers);
    assert_json_snapshot!(addresses(&asked), @r#"
    [
      "GET https://api.tumblr.com/v2/blog/staff/info",
      "GET https://api.tumblr.com/v2/blog/nobody/info",
      "GET https://api.tumblr.com/v2/blog/private/info"
    ]
    "#);
    let progress = next(step);
    assert_eq!(progress["mentioned"].as_array().unwrap().len(), 1);
    let (asked, _) = take_step(&tumblr(), &job, &progress, &[created("12", "draft")]);
    assert_json_snapshot!(asked[0]["body"]["content"][0], @r#"
    {
      "formatting": [
        {
          "blog": {
            "name": "staff",
            "url": "https://staff.tumblr.com/",
            "uuid": "t:0aY0xL2Fi1OFJg4YxpmegQ"
          },
          "end": 12,
          "start": 6,
          "type": "mention"
        }
      ],
      "text": "Hello @staff, @nobody and @private",
      "type": "text"
    }
    "#);
    for (name, answer, want) in [
        ("a fault", fault(500, 0, "x"), Kind::Temporary),
        ("an expired token", fault(401, 1016, "x"), Kind::TokenExpired),
    ] {
        let (_, step) = take_step(&tumblr(), &job, &tumblr().begin(&job), &[answer]);
        assert_eq!(step.unwrap_err().kind, want, "{name}");
    }
}

#[test]
fn a_draft_whose_answer_was_lost_is_looked_for() {
    let mut job = tumblr_job();
    let progress = tumblr().begin(&job);
    let of = |at: i64, tags: Value, text: &str| {
        json!({
            "id": 7, "id_string": "7", "timestamp": begun_at().timestamp() + at, "state": "draft",
            "tags": tags, "content": [{ "type": "text", "text": text }],
        })
    };
    let right = of(1, json!([]), "Hello #rust");
    // In the same step, when it is answered as failed.
    for (name, drafts, want) in [
        ("found", vec![right.clone()], Some("7")),
        ("another text", vec![of(1, json!([]), "Hello")], None),
        ("other tags", vec![of(1, json!(["a"]), "Hello #rust")], None),
        ("too old", vec![of(-61, json!([]), "Hello #rust")], None),
        ("the latest before", vec![of(-60, json!([]), "Hello #rust")], Some("7")),
    ] {
        let answers = [fault(504, 0, "Gateway Timeout"), posts(&drafts)];
        let (asked, step) = take_step(&tumblr(), &job, &progress, &answers);
        assert_eq!(asked.len(), 2, "{name}");
        match want {
            Some(id) => assert_eq!(next(step)["stage"]["draft"], id, "{name}"),
            None => assert_eq!(step.unwrap_err().kind, Kind::Temporary, "{name}"),
        }
    }
    // And before it is made again.
    job.now += TimeDelta::minutes(1);
    let (asked, step) = take_step(&tumblr(), &job, &progress, &[posts(&[right])]);
    assert_json_snapshot!(addresses(&asked), @r#"
    [
      "GET https://api.tumblr.com/v2/blog/t:0aY0xL2Fi1OFJg4YxpmegQ/posts/draft?npf=true"
    ]
    "#);
    assert_eq!(next(step)["stage"]["draft"], "7");
    let answers = [posts(&[]), created("8", "draft")];
    let (asked, step) = take_step(&tumblr(), &job, &progress, &answers);
    assert_eq!(asked.len(), 2);
    assert_eq!(next(step)["stage"]["draft"], "8");
}

#[test]
fn a_lost_answer_to_publishing_is_settled_by_the_draft() {
    let mut job = tumblr_job();
    let progress = drafted(&job);
    let draft = |state: &str| ok(&json!({ "id": "1", "state": state, "content": [] }));
    let (asked, located) = locate(&job, &progress, &[draft("draft")]);
    assert_json_snapshot!(addresses(&asked), @r#"
    [
      "GET https://api.tumblr.com/v2/blog/t:0aY0xL2Fi1OFJg4YxpmegQ/posts/1234567891234567?post_format=npf"
    ]
    "#);
    assert_eq!(located, Located::Repeat(progress.clone()));

    let (_, located) = locate(&job, &progress, &[draft("published")]);
    let url = "https://www.tumblr.com/ana/1234567891234567".to_owned();
    assert_eq!(located, Located::Live(Remote::new("1234567891234567", Some(url)).into()));

    let (asked, located) = locate(&job, &progress, &[gone(), listing()]);
    assert_eq!(asked.len(), 2);
    let Located::Live(found) = located else { panic!("{located:?}") };
    assert_eq!(found.remote.unwrap().id, "7654321987654321");

    // Without the id that it had, its content tells.
    let same = json!({
        "id": 9, "timestamp": begun_at().timestamp() + 2, "post_url": "https://a.example/9",
        "content": [{ "type": "text", "text": "Hello #rust" }],
    });
    let mut another = same.clone();
    (another["id"], another["genesis_post_id"]) = (8.into(), "5".into());
    let (_, located) = locate(&job, &progress, &[gone(), posts(&[another.clone(), same])]);
    let url = Some("https://a.example/9".to_owned());
    assert_eq!(located, Located::Live(Remote::new("9", url).into()));

    // It went out and is nowhere: asked for five minutes, then told.
    let mut progress = progress;
    for _ in 0..LOOKS_MAX {
        let (_, located) = locate(&job, &progress, &[gone(), posts(&[another.clone()])]);
        let Located::Wait { progress: next, until } = located else { panic!("{located:?}") };
        assert_eq!(until - job.now, TimeDelta::seconds(60));
        (progress, job.now) = (next, until);
    }
    let (_, located) = locate(&job, &progress, &[gone(), posts(&[])]);
    assert_eq!(located, Located::Unknown);
    // A person who looks and retries has it made anew.
    let (_, step) = take_step(&tumblr(), &job, &progress, &[gone()]);
    assert_eq!(next(step)["stage"]["is"], "draft");
}

#[test]
fn a_draft_that_is_gone_is_in_doubt_and_one_that_is_out_is_live() {
    let job = tumblr_job();
    let progress = drafted(&job);
    let (_, step) = take_step(&tumblr(), &job, &progress, &[gone()]);
    assert_eq!(step.unwrap_err().kind, Kind::InDoubt);
    let (_, step) = take_step(&tumblr(), &job, &progress, &[stored(), gone()]);
    assert_eq!(step.unwrap_err().kind, Kind::InDoubt);
    let published = ok(&json!({
        "id": "1", "state": "published", "content": [], "post_url": "https://a.example/1",
    }));
    let (_, step) = take_step(&tumblr(), &job, &progress, &[published]);
    let found = live(step);
    assert_eq!(found.then, None);
    assert_eq!(found.remote.unwrap().url.as_deref(), Some("https://a.example/1"));
}

#[test]
fn answers_to_publishing_that_are_no_success() {
    let job = tumblr_job();
    let progress = drafted(&job);
    let limits = fixture(include_str!("fixtures/limits.json"));
    let until = |seconds: i64| TimeDelta::seconds(seconds - begun_at().timestamp());
    for (name, answers, want) in [
        ("unreadable", vec![stored(), fixture("<html>")], Kind::InDoubt),
        ("failed", vec![stored(), fault(504, 0, "x")], Kind::Unsettled),
        ("refused", vec![stored(), fault(400, 8001, "x")], Kind::Permanent),
        ("expired", vec![stored(), fault(401, 1016, "x")], Kind::TokenExpired),
        ("not allowed", vec![stored(), fault(403, 0, "x")], Kind::Reconnect),
        (
            "the day's posts",
            vec![stored(), fault(403, 8023, "x"), limits],
            Kind::RateLimited { wait: Some(until(1_795_237_200)) },
        ),
        ("the draft cannot be read", vec![fixture("<html>")], Kind::Temporary),
        ("reading failed", vec![fault(500, 0, "x")], Kind::Temporary),
    ] {
        let (asked, step) = take_step(&tumblr(), &job, &progress, &answers);
        assert_eq!(asked.len(), answers.len(), "{name}");
        assert_eq!(step.unwrap_err().kind, want, "{name}");
        let visible = asked.iter().filter(|request| request["visible"] == true).count();
        assert_eq!(visible, usize::from(answers.len() > 1), "{name}");
    }
    let (_, step) = take_step(&tumblr(), &job, &tumblr().begin(&job), &[gone()]);
    assert_eq!(step.unwrap_err().kind, Kind::Reconnect, "the blog is gone");
}

#[test]
fn a_page_that_is_not_told_is_asked_for_a_while() {
    let mut job = tumblr_job();
    let progress = drafted(&job);
    let answers = [stored(), ok(&json!({ "id": 9 }))];
    let (_, step) = take_step(&tumblr(), &job, &progress, &answers);
    let mut progress = live(step).then.unwrap();
    for _ in 0..LINK_TRIES {
        let (_, step) = take_step(&tumblr(), &job, &progress, &[posts(&[])]);
        let Ok(Step::Wait { progress: next, until }) = step else { panic!("{step:?}") };
        assert_eq!(until - job.now, TimeDelta::seconds(15));
        (progress, job.now) = (next, until);
    }
    let (_, step) = take_step(&tumblr(), &job, &progress, &[posts(&[])]);
    assert_eq!(live(step), Live { remote: None, then: None });
}

#[test]
fn a_private_post_is_published_for_members_and_has_no_page() {
    let job = with_options(tumblr_job(), json!({ "visibility": "private" }));
    let answer = answered_text(201, include_str!("fixtures/created.json"));
    let (_, step) = take_step(&tumblr(), &job, &tumblr().begin(&job), &[answer]);
    let progress = next(step);
    let draft = answered(200, &json!({ "response": { "state": "draft", "content": [] } }));
    let done = answered(200, &json!({ "response": { "id": "77" } }));
    let (asked, step) = take_step(&tumblr(), &job, &progress, &[draft, done]);
    assert_eq!(asked[1]["body"]["state"], "private");
    let Ok(Step::Live(live)) = step else { panic!("{step:?}") };
    assert_eq!(live.remote, Some(Remote::new("77", None)));
    assert!(live.then.is_none(), "nobody can open its page");

    // It is known again by its state.
    let out = answered(200, &json!({ "response": { "state": "private", "content": [] } }));
    let (_, located) = locate(&job, &progress, std::slice::from_ref(&out));
    assert!(matches!(located, Located::Live(_)), "{located:?}");
    let public = with_options(tumblr_job(), json!({ "visibility": "public" }));
    let (_, located) = locate(&public, &progress, &[out]);
    assert!(matches!(located, Located::Repeat(_)), "{located:?}");
}
