//! Looking for what was published, as an exchange of values.

use insta::assert_json_snapshot;

use super::*;

fn listed(id: &str, seconds: i64, text: &str, parent: Option<&str>) -> Value {
    let at = begun_at() + TimeDelta::seconds(seconds);
    json!({
        "id": id,
        "text": text,
        "permalink": format!("https://www.threads.com/@ana/post/{id}"),
        "timestamp": at.format("%Y-%m-%dT%H:%M:%S+0000").to_string(),
        "media_type": "TEXT_POST",
        "replied_to": parent.map(|id| json!({ "id": id })),
    })
}

fn list(posts: Vec<Value>) -> Answer {
    ok(&json!({ "data": posts }))
}

#[test]
fn a_lost_publish_is_settled_by_the_containers_status() {
    let job = threads_job();
    let progress = ready(&job);
    let locate =
        |answers: &[Answer]| held(answers, |answers| threads().locate(&job, &progress, answers)).1;
    assert_eq!(locate(&[is("FINISHED")]), Ok(Located::Repeat(progress.clone())));
    for status in ["EXPIRED", "ERROR"] {
        let located = locate(&[is(status)]);
        let Ok(Located::Absent(next)) = located else { panic!("{status}: {located:?}") };
        assert_eq!(next["stage"]["is"], "container", "{status}");
    }
    let located = locate(&[is("IN_PROGRESS")]);
    assert!(matches!(located, Ok(Located::Wait { .. })), "{located:?}");
    assert_eq!(locate(&[answered_text(503, "")]).unwrap_err().kind, Kind::Temporary);
    assert_eq!(locate(&[ok(&json!({}))]).unwrap_err().kind, Kind::Temporary);

    let answers = [is("PUBLISHED"), list(vec![listed("180", 2, "Hello #rust", None)])];
    let (asked, located) = held(&answers, |answers| threads().locate(&job, &progress, answers));
    assert_json_snapshot!(shown(&asked[1]), @r#"
    {
      "body": null,
      "headers": {
        "authorization": "[redacted]"
      },
      "request": "GET https://graph.threads.net/v1.0/17841400000000001/threads?fields=id%2Ctext%2Cpermalink%2Ctimestamp%2Cmedia_type&limit=25",
      "visible": false
    }
    "#);
    let url = "https://www.threads.com/@ana/post/180";
    let remote = Remote::new("180", Some(url.to_owned()));
    assert_eq!(located, Ok(Located::Live(remote.into())));
}

#[test]
fn the_part_is_found_among_the_accounts_own() {
    let job = threads_job();
    let progress = ready(&job);
    let since = 1_i64;
    let hello = |id: &str, seconds: i64| listed(id, since + seconds, "Hello #rust", None);
    let of = |post: Value, name: &str, value: Value| {
        let mut post = post;
        post[name] = value;
        post
    };
    for (name, posts, want) in [
        ("alone", vec![hello("1", 3)], Some("1")),
        ("two that are the same", vec![hello("2", 9), hello("1", 3)], None),
        ("another text", vec![listed("1", 3, "Goodbye", None)], None),
        ("cleaned", vec![listed("1", 4, "HELLO rust", None)], Some("1")),
        ("space around", vec![listed("1", 3, " Hello #rust\r\n", None)], Some("1")),
        ("a clock behind", vec![hello("1", -60)], Some("1")),
        ("too early", vec![hello("1", -61)], None),
        ("rather after than before", vec![hello("2", 5), hello("1", -20)], Some("2")),
        ("two before", vec![hello("2", -10), hello("1", -50)], None),
        ("a picture alone", vec![of(hello("1", 3), "media_type", json!("IMAGE"))], Some("1")),
        (
            "rather a text than a picture",
            vec![of(hello("1", 3), "media_type", json!("IMAGE")), hello("2", 9)],
            Some("2"),
        ),
        ("an answer to something", vec![of(hello("1", 3), "replied_to", json!({"id": "9"}))], None),
        ("without a time", vec![of(hello("1", 3), "timestamp", json!(null))], None),
        ("nothing", vec![], None),
    ] {
        let answers = [is("PUBLISHED"), list(posts)];
        let located = held(&answers, |answers| threads().locate(&job, &progress, answers)).1;
        match located {
            Ok(Located::Live(live)) => {
                assert_eq!(live.remote.map(|remote| remote.id).as_deref(), want, "{name}");
            }
            Ok(Located::Wait { .. }) => assert_eq!(want, None, "{name}"),
            other => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn what_is_out_and_cannot_be_found_is_never_sent_again() {
    for (name, job, status, want) in [
        (
            "alone",
            threads_job(),
            is("PUBLISHED"),
            Some(Located::Live(Live { remote: None, then: None })),
        ),
        ("the first of a thread", in_thread(threads_job(), &["two"]), is("PUBLISHED"), None),
        ("container gone", threads_job(), fault(400, 100, 33, "does not exist"), None),
    ] {
        let mut progress = ready(&job);
        let answers = [status, list(Vec::new())];
        for _ in 0..LOOKS_MAX {
            let located = held(&answers, |answers| threads().locate(&job, &progress, answers)).1;
            let Ok(Located::Wait { progress: next, .. }) = located else {
                panic!("{name}: {located:?}")
            };
            progress = next;
        }
        let located = held(&answers, |answers| threads().locate(&job, &progress, answers)).1;
        assert_eq!(located, Ok(want.unwrap_or(Located::Unknown)), "{name}");
    }
}

#[test]
fn a_look_follows_pages_and_asks_among_replies_for_parts() {
    let job = in_thread(threads_job(), &["two"]);
    let mut progress = threads().begin(&job);
    let answers =
        [quota(), made("c1"), is("FINISHED"), made("181"), page(), made("c2"), is("FINISHED")];
    steps(&job, &mut progress, &answers).1.unwrap();
    let next_page = json!({
        "data": [listed("1", 40, "another", Some("9"))],
        "paging": { "cursors": { "after": "QVFI" }, "next": "https://graph.threads.net/x" },
    });
    let answers = [
        is("PUBLISHED"),
        ok(&next_page),
        list(vec![listed("182", 30, "two", Some("181")), listed("7", 20, "two", Some("8"))]),
    ];
    let (asked, located) = held(&answers, |answers| threads().locate(&job, &progress, answers));
    assert!(asked[1].url.path().ends_with("/replies"));
    assert!(asked[2].url.query().unwrap().ends_with("&limit=25&after=QVFI"), "{}", asked[2].url);
    let Ok(Located::Live(live)) = located else { panic!("{located:?}") };
    assert_eq!(live.remote.unwrap().record, json!({ "parts": ["181", "182"] }));
}

#[test]
fn a_publish_of_what_the_network_does_not_know_looks_at_its_status() {
    let job = threads_job();
    let mut progress = ready(&job);
    let early = || fault(400, 24, 2_207_008, "The requested resource does not exist");
    let post = list(vec![listed("180", 30, "Hello #rust", None)]);
    let answers = [early(), early(), early(), early(), is("PUBLISHED"), post];
    let (asked, step) = steps(&job, &mut progress, &answers);
    assert_eq!(asked.len(), 6);
    assert_eq!(live(step).id, "180");

    // One that stays unknown is told in the end.
    let mut progress = ready(&job);
    let mut answers = Vec::new();
    for _ in 0..3 {
        answers.extend([early(), early(), early(), early(), is("FINISHED")]);
    }
    answers.extend([early(), early(), early(), early()]);
    let (_, step) = steps(&job, &mut progress, &answers);
    assert_eq!(step.unwrap_err().kind, Kind::Temporary);
}
