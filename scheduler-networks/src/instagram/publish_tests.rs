//! Publishing to Instagram as an exchange of values.

use insta::assert_json_snapshot;
use scheduler_core::target::Remote;
use serde_json::{Value, json};

use super::*;
use crate::conversation::{Conversation, shown};
use crate::instagram::caller::SPAM_TIMEOUT;
use crate::instagram::progress::REPEATS_MAX;
use crate::instagram::testing::{Server, asks, done, error, instagram, job, job_with};
use crate::instagram::wire::Way;
use crate::testing::crash::exhaust;
use crate::testing::{answered, answered_text, with_header, with_options};

fn ok(body: Value) -> Answer {
    answered(200, &body)
}

fn status(code: &str) -> Answer {
    ok(json!({ "status_code": code, "status": code }))
}

fn next(step: Step) -> Value {
    match step {
        Step::Next(progress) | Step::Wait { progress, .. } => progress,
        other => panic!("not a next step: {other:?}"),
    }
}

/// A post up to the step that publishes it.
fn before_publish(job: &PublishJob) -> Value {
    let mut progress = instagram().begin(job);
    let mut answers = vec![
        ok(json!({ "data": [{ "quota_usage": 0, "config": { "quota_total": 100 } }] })),
        ok(json!({ "id": "17001" })),
        status("FINISHED"),
    ];
    while !instagram().is_visible(&progress) {
        progress = next(done(instagram().advance(job, &progress, &[answers.remove(0)])));
    }
    progress
}

fn advance(job: &PublishJob, progress: &Value, answers: &[Answer]) -> Step {
    done(instagram().advance(job, progress, answers))
}

#[test]
fn a_picture_is_a_container_that_is_published_and_then_asked_for_its_link() {
    let job = job_with(Way::Direct, &["image/jpeg"]);
    let options = json!({ "collaborators": ["@bea", "cleo"] });
    let job = with_options(job, options);
    let mut progress = instagram().begin(&job);
    let mut requests = Vec::new();
    for answer in [
        ok(json!({ "data": [{ "quota_usage": 3, "config": { "quota_total": 100 } }] })),
        ok(json!({ "id": "17889615691921648" })),
        status("FINISHED"),
    ] {
        assert!(!instagram().is_visible(&progress));
        requests.push(shown(&asks(instagram().advance(&job, &progress, &[]))));
        progress = next(advance(&job, &progress, &[answer]));
    }
    assert!(instagram().is_visible(&progress));
    requests.push(shown(&asks(instagram().advance(&job, &progress, &[]))));
    let published = ok(json!({ "id": "18001234567890123" }));
    let Step::Live(live) = advance(&job, &progress, &[published]) else { panic!("not live") };
    let remote = live.remote.unwrap();
    assert_eq!(remote.id, "18001234567890123");
    assert_eq!(remote.record, json!({ "product": "FEED" }));
    let progress = live.then.unwrap();
    assert_eq!(instagram().live_part(&progress), Some(remote));
    assert_eq!(instagram().skip(&progress), None);
    requests.push(shown(&asks(instagram().advance(&job, &progress, &[]))));
    let media = ok(serde_json::from_str(include_str!("fixtures/media.json")).unwrap());
    let Step::Live(live) = advance(&job, &progress, &[media]) else { panic!("not live") };
    let url = live.remote.unwrap().url;
    assert_eq!(url.as_deref(), Some("https://www.instagram.com/p/CxYz123AbCd/"));
    assert_eq!(live.then, None);
    assert_json_snapshot!(requests, @r#"
    [
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "GET https://graph.instagram.com/v26.0/17841400000000001/content_publishing_limit?fields=config%2Cquota_usage",
        "visible": false
      },
      {
        "body": [
          "alt_text=file 0",
          "caption=Hello #rust",
          "collaborators=[\"bea\",\"cleo\"]",
          "image_url=link: 00000000-0000-0000-0000-000000000003/00000000-0000-0000-0000-000000000010, image/jpeg, instagram-image"
        ],
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://graph.instagram.com/v26.0/17841400000000001/media",
        "visible": false
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "GET https://graph.instagram.com/v26.0/17889615691921648?fields=status_code%2Cstatus",
        "visible": false
      },
      {
        "body": [
          "creation_id=17889615691921648"
        ],
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "POST https://graph.instagram.com/v26.0/17841400000000001/media_publish",
        "visible": true
      },
      {
        "body": null,
        "headers": {
          "authorization": "[redacted]"
        },
        "request": "GET https://graph.instagram.com/v26.0/18001234567890123?fields=permalink%2Cshortcode%2Cmedia_product_type%2Ctimestamp",
        "visible": false
      }
    ]
    "#);
}

#[test]
fn what_instagram_has_no_post_for_is_refused_before_anything_is_sent() {
    let story = json!({ "placement": "story" });
    let two = with_options(job_with(Way::Direct, &["image/jpeg", "image/jpeg"]), story);
    for (name, job) in [("text alone", job(Way::Direct)), ("a story of two", two)] {
        let error = instagram().advance(&job, &instagram().begin(&job), &[]).unwrap_err();
        assert_eq!(error.kind, NetworkErrorKind::Permanent, "{name}");
        assert_eq!(error.code, FailureCode::ValidationFailed, "{name}");
    }
}

#[test]
fn the_limit_of_the_day_is_asked_for_first() {
    let job = job_with(Way::Direct, &["image/jpeg"]);
    let progress = instagram().begin(&job);
    let limit = |usage: u64| {
        ok(json!({ "data": [{ "quota_usage": usage, "config": { "quota_total": 50 } }] }))
    };
    let wait = Some(DAY_LIMIT_WAIT);
    for (name, answer, want) in [
        ("room", limit(49), None),
        ("full", limit(50), Some(NetworkErrorKind::RateLimited { wait })),
        ("not told", ok(json!({ "data": [{ "quota_usage": 9 }] })), None),
        ("not for us", error(100, 0, "nonexisting field"), None),
        ("token", error(190, 463, "expired"), Some(NetworkErrorKind::Reconnect)),
        ("down", answered_text(503, ""), Some(NetworkErrorKind::Temporary)),
        ("page", answered_text(200, "<html>"), Some(NetworkErrorKind::Temporary)),
    ] {
        let turn = instagram().advance(&job, &progress, &[answer]);
        match want {
            None => assert!(matches!(done(turn), Step::Next(_)), "{name}"),
            Some(kind) => assert_eq!(turn.unwrap_err().kind, kind, "{name}"),
        }
    }
}

#[test]
fn whatever_breaks_where_every_form_is_there_once() {
    let (picture, film) = ("image/jpeg", "video/mp4");
    for (way, files, placement, text, polls, minutes) in [
        (Way::Direct, vec![picture], "feed", "Hello #rust", 0, 1),
        (Way::Direct, vec![picture], "feed", "Hello #rust", 1, 25),
        (Way::Direct, vec![film], "reel", "Hello #rust", 1, 1),
        (Way::ViaPage, vec![film], "reel", "Hello #rust", 1, 1),
        (Way::Direct, vec![picture], "story", "", 0, 1),
        (Way::ViaPage, vec![film], "story", "", 0, 25),
        (Way::Direct, vec![picture; 2], "feed", "Hello #rust", 0, 1),
        (Way::ViaPage, vec![film, picture], "feed", "Hello #rust", 0, 25),
    ] {
        let job = with_options(job_with(way, &files), json!({ "placement": placement }));
        let pause = TimeDelta::minutes(minutes);
        exhaust(&instagram(), &Server::polled(polls), &job, pause, &[text]);
    }
}

#[test]
fn what_a_refused_publish_leads_to() {
    let job = job_with(Way::Direct, &["image/jpeg"]);
    let progress = before_publish(&job);
    let list = ok(json!({ "data": [{
        "id": "18001",
        "caption": "Hello #rust",
        "permalink": "https://www.instagram.com/p/a/",
        "timestamp": job.now.to_rfc3339(),
        "media_product_type": "FEED",
    }] }));
    let live = |answers: &[Answer]| match advance(&job, &progress, answers) {
        Step::Live(live) => live,
        other => panic!("not live: {other:?}"),
    };
    // An error was answered, and the post is out all the same.
    let odd = || error(12_345, 0, "What is this?");
    let found = live(&[odd(), status("PUBLISHED"), list]);
    assert_eq!(found.remote.unwrap().id, "18001");
    let unfound = live(&[odd(), status("PUBLISHED"), ok(json!({ "data": [] }))]);
    assert_eq!(unfound.remote, None);
    assert!(unfound.then.is_some());

    let unsettled = NetworkErrorKind::Unsettled;
    let limited = |minutes| NetworkErrorKind::RateLimited { wait: TimeDelta::try_minutes(minutes) };
    for (name, answers, want) in [
        ("odd, and not out", vec![odd(), status("FINISHED")], NetworkErrorKind::Temporary),
        ("odd, and no look", vec![odd(), answered_text(502, "")], unsettled),
        (
            "odd, and not shown",
            vec![odd(), error(100, 33, ""), ok(json!({ "data": [] }))],
            unsettled,
        ),
        ("theirs", vec![error(2, 0, "down")], unsettled),
        ("-1", vec![error(-1, 2_207_001, "down")], unsettled),
        ("a page", vec![answered_text(502, "<html>")], unsettled),
        (
            "refused",
            vec![error(36_004, 2_207_010, "too long"), status("FINISHED")],
            NetworkErrorKind::Permanent,
        ),
        ("token", vec![error(190, 460, "password")], NetworkErrorKind::Reconnect),
        ("day", vec![error(9, 2_207_042, "limit")], limited(180)),
        ("calls", vec![error(4, 0, "limit")], limited(60)),
        ("spam", vec![error(4, 2_207_051, "spam")], limited(24 * 60)),
        ("nothing to read", vec![ok(json!({}))], NetworkErrorKind::InDoubt),
    ] {
        let error = instagram().advance(&job, &progress, &answers).unwrap_err();
        assert_eq!(error.kind, want, "{name}: {error}");
    }
    let mut late = job.clone();
    late.now += SPAM_TIMEOUT;
    let answers = [error(4, 2_207_051, "spam")];
    let refused = instagram().advance(&late, &progress, &answers).unwrap_err();
    assert_eq!(refused.kind, NetworkErrorKind::Permanent);
}

#[test]
fn a_container_that_is_not_known_yet_is_tried_twice_and_then_made_anew() {
    let job = job_with(Way::Direct, &["image/jpeg"]);
    let mut progress = before_publish(&job);
    let unknown = || error(24, 2_207_008, "The media was not found");
    for miss in 0..MISSES_MAX {
        let Step::Wait { progress: waits, until } = advance(&job, &progress, &[unknown()]) else {
            panic!("miss {miss}")
        };
        assert_eq!(until, job.now + MISS_WAIT);
        assert!(instagram().is_visible(&waits));
        progress = waits;
    }
    let step = advance(&job, &progress, &[unknown(), status("FINISHED")]);
    let Step::Next(anew) = step else { panic!("{step:?}") };
    assert!(!instagram().is_visible(&anew));
    let request = asks(instagram().advance(&job, &anew, &[]));
    assert!(request.url.path().ends_with("/media"), "{}", request.url);
    let gone = error(24, 2_207_006, "The media was not found");
    let refused = instagram().advance(&job, &progress, &[gone, status("FINISHED")]).unwrap_err();
    assert_eq!(refused.kind, NetworkErrorKind::Permanent);
}

#[test]
fn a_post_that_is_not_ready_goes_back_to_waiting() {
    let job = job_with(Way::Direct, &["video/mp4"]);
    let progress = before_publish(&job);
    let not_ready = error(9007, 2_207_027, "The media is not ready");
    let Step::Wait { progress, .. } = advance(&job, &progress, &[not_ready]) else {
        panic!("not waiting")
    };
    assert!(!instagram().is_visible(&progress));
    let request = asks(instagram().advance(&job, &progress, &[]));
    assert!(request.url.path().ends_with("/17001"), "{}", request.url);
    // It was taken after all.
    let Step::Live(live) = advance(&job, &progress, &[status("PUBLISHED")]) else {
        panic!("not live")
    };
    assert!(live.remote.is_none() && live.then.is_some());
}

#[test]
fn a_lost_publish_is_settled_by_the_container() {
    let job = job_with(Way::Direct, &["image/jpeg"]);
    let progress = before_publish(&job);
    let locate = |answers: &[Answer]| done(instagram().locate(&job, &progress, answers));
    let request = asks(instagram().locate(&job, &progress, &[]));
    assert_eq!(
        request.url.as_str(),
        "https://graph.instagram.com/v26.0/17001?fields=status_code%2Cstatus"
    );
    assert_eq!(locate(&[status("FINISHED")]), Located::Repeat(progress.clone()));
    assert!(matches!(locate(&[status("IN_PROGRESS")]), Located::Wait { .. }));
    for code in ["EXPIRED", "ERROR"] {
        let Located::Absent(anew) = locate(&[status(code)]) else { panic!("{code}") };
        assert!(!instagram().is_visible(&anew));
    }
    let listed = |posts: Value| ok(json!({ "data": posts }));
    let post = |id: &str, seconds: i64, caption: &str, product: &str| {
        json!({
            "id": id,
            "caption": caption,
            "permalink": format!("https://www.instagram.com/p/{id}/"),
            "timestamp": (job.now + TimeDelta::seconds(seconds)).to_rfc3339(),
            "media_product_type": product,
        })
    };
    let list = || asks(instagram().locate(&job, &progress, &[status("PUBLISHED")]));
    assert_eq!(
        list().url.as_str(),
        "https://graph.instagram.com/v26.0/17841400000000001/media?fields=id%2Ccaption%2Cpermalink%2Ctimestamp%2Cmedia_product_type&limit=25"
    );
    let posts = listed(json!([
        post("6", 9, "Hello #rust", "FEED"),
        post("5", 8, "Hello #rust", "REELS"),
        post("4", 7, "another", "FEED"),
        post("3", -60, "Hello #rust ", "FEED"),
        post("2", -61, "Hello #rust", "FEED"),
    ]));
    let Located::Live(live) = locate(&[status("PUBLISHED"), posts.clone()]) else {
        panic!("not found")
    };
    let want = Remote {
        record: json!({ "product": "FEED" }),
        ..Remote::new("6", Some("https://www.instagram.com/p/6/".to_owned()))
    };
    assert_eq!((live.remote, live.then), (Some(want), None));
    for (name, posts, want) in [
        ("a clock behind", vec![post("3", -60, "Hello #rust ", "FEED")], Some("3")),
        ("another kind", vec![post("5", 8, "Hello #rust", "REELS")], Some("5")),
        ("cleaned", vec![post("5", 8, "Hello rust", "FEED")], Some("5")),
        (
            "two",
            vec![post("5", 8, "Hello #rust", "FEED"), post("6", 9, "Hello #rust", "FEED")],
            None,
        ),
        ("another caption", vec![post("4", 7, "another", "FEED")], None),
        ("no instant", vec![json!({ "id": "4", "caption": "Hello #rust" })], None),
    ] {
        let answers = [status("PUBLISHED"), listed(json!(posts))];
        let Located::Live(live) = locate(&answers) else { panic!("{name}: not live") };
        assert_eq!(live.remote.map(|remote| remote.id).as_deref(), want, "{name}");
        // What nobody can tell is in doubt where the container does not say that it is out.
        let answers = [error(100, 33, "Object does not exist"), listed(json!(posts))];
        assert_eq!(locate(&answers) == Located::Unknown, want.is_none(), "{name}");
    }
    let gone = || error(100, 33, "Object does not exist");
    assert!(matches!(locate(&[gone(), posts]), Located::Live(_)));
    assert_eq!(locate(&[gone(), listed(json!([]))]), Located::Unknown);
    let down = instagram().locate(&job, &progress, &[answered_text(500, "")]).unwrap_err();
    assert_eq!(down.kind, NetworkErrorKind::Temporary);
}

#[test]
fn a_post_that_is_out_is_looked_for_a_few_times() {
    let job = job_with(Way::Direct, &["image/jpeg"]);
    let progress = before_publish(&job);
    let nothing = || ok(json!({ "data": [] }));
    let located = done(instagram().locate(&job, &progress, &[status("PUBLISHED"), nothing()]));
    let Located::Live(live) = located else { panic!("{located:?}") };
    let mut progress = live.then.unwrap();
    for _ in 0..TRIES_MAX {
        let step = advance(&job, &progress, &[nothing()]);
        let Step::Wait { progress: waits, .. } = step else { panic!("{step:?}") };
        progress = waits;
    }
    let error = instagram().advance(&job, &progress, &[nothing()]).unwrap_err();
    assert_eq!(error.kind, NetworkErrorKind::Permanent);
    assert_eq!(instagram().skip(&progress), None);
}

#[test]
fn a_link_that_cannot_be_had_never_fails_the_post() {
    let job = job_with(Way::Direct, &["video/mp4"]);
    let progress = before_publish(&job);
    let Step::Live(live) = advance(&job, &progress, &[ok(json!({ "id": "18001" }))]) else {
        panic!("not live")
    };
    let mut progress = live.then.unwrap();
    let coded = ok(json!({ "shortcode": "Cab" }));
    let Step::Live(live) = advance(&job, &progress, &[coded]) else { panic!("not live") };
    let url = live.remote.unwrap().url;
    assert_eq!(url.as_deref(), Some("https://www.instagram.com/reel/Cab/"));
    for answer in [answered_text(500, ""), error(100, 33, ""), ok(json!({})), ok(json!([]))]
        .into_iter()
        .cycle()
        .take(usize::try_from(TRIES_MAX).unwrap())
    {
        let step = advance(&job, &progress, &[answer]);
        let Step::Wait { progress: waits, .. } = step else { panic!("{step:?}") };
        progress = waits;
    }
    let step = advance(&job, &progress, &[answered_text(500, "")]);
    assert_eq!(step, Step::Live(Live { remote: None, then: None }));
    let limited = with_header(error(4, 0, "limit"), "retry-after", "5");
    assert!(instagram().advance(&job, &progress, &[limited]).is_err());
}

#[test]
fn progress_that_cannot_be_read_sends_nothing() {
    let job = job_with(Way::Direct, &["image/jpeg"]);
    let good = before_publish(&job);
    let mut later = good.clone();
    later["trial"] = json!(true);
    let mut stage = good.clone();
    stage["stage"] = json!({ "is": "later" });
    let mut half = good;
    half["files"][0]["container"]["state"] = json!({ "is": "missing" });
    for progress in [Value::Null, json!({ "stage": "later" }), later, stage, half] {
        assert!(instagram().is_visible(&progress), "{progress}");
        assert_eq!(instagram().live_part(&progress), None);
        let error = instagram().advance(&job, &progress, &[]).unwrap_err();
        assert_eq!(error.kind, NetworkErrorKind::InDoubt, "{progress}");
        assert_eq!(done(instagram().locate(&job, &progress, &[])), Located::Unknown);
    }
}

#[test]
fn a_container_that_expires_again_and_again_is_given_up() {
    let job = job_with(Way::Direct, &["image/jpeg"]);
    let mut progress = before_publish(&job);
    for _ in 0..=REPEATS_MAX {
        let located = done(instagram().locate(&job, &progress, &[status("EXPIRED")]));
        let Located::Absent(anew) = located else { panic!("{located:?}") };
        if instagram().advance(&job, &anew, &[]).is_err() {
            return;
        }
        let made = next(advance(&job, &anew, &[ok(json!({ "id": "17001" }))]));
        progress = next(advance(&job, &made, &[status("FINISHED")]));
    }
    panic!("no end");
}
