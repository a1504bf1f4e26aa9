//! Which posts a look takes for ours.

use scheduler_core::ports::Located;
use serde_json::{Value, json};

use super::*;
use crate::conversation::Conversation;
use crate::facebook::Facebook;
use crate::facebook::testing::{after_answers, done, facebook, facebook_job, ok, step};
use crate::registry::{Client, NetworkSettings};
use crate::testing::steps::next;

/// A look at a text post whose answer was lost, the second one: posts by id, text, second and
/// application.
fn second_look(posts: &[(&str, &str, i64, Value)]) -> Located {
    let secret = secrecy::SecretString::from("secret");
    let client = Some(Client { id: "770".to_owned(), secret });
    let own = Facebook::new(NetworkSettings { client, ..NetworkSettings::default() });
    let mut job = facebook_job();
    job.content = "Fish & chips: https://shop.example.com/a".to_owned();
    let mut progress = after_answers(&job, &[]);
    let post = |(id, message, second, application): &(&str, &str, i64, Value)| {
        let at = job.now + TimeDelta::seconds(*second);
        let at = at.format("%Y-%m-%dT%H:%M:%S+0000").to_string();
        json!({ "id": id, "message": message, "created_time": at, "application": application })
    };
    let posts: Vec<Value> = posts.iter().map(post).collect();
    let list = || ok(&json!({ "data": posts }));
    let mut now = job.now;
    loop {
        let job = PublishJob { now, ..job.clone() };
        match done(own.locate(&job, &progress, &[list()])) {
            Located::Wait { progress: waiting, until } => (progress, now) = (waiting, until),
            settled => return settled,
        }
    }
}

#[test]
fn no_look_excludes_a_post_that_can_be_ours() {
    let app = |id: &str| json!({ "id": id });
    let text = "Fish & chips: https://shop.example.com/a";
    let none = Value::Null;
    for (name, posts, want) in [
        ("our application", vec![("1", text, 1, app("770"))], Ok(Some("1"))),
        ("no application", vec![("1", text, 1, none.clone())], Ok(Some("1"))),
        ("another application", vec![("1", text, 1, app("1"))], Ok(Some("1"))),
        (
            "another's beside ours",
            vec![("1", text, 1, app("1")), ("2", text, 2, app("770"))],
            Ok(Some("2")),
        ),
        (
            "two of another application",
            vec![("1", text, 1, app("1")), ("2", text, 2, app("1"))],
            Ok(None),
        ),
        (
            "entities and a shortened link",
            vec![("1", "Fish &amp; chips: https://sho.rt/x", 1, none.clone())],
            Ok(Some("1")),
        ),
        ("half of the text", vec![("1", "Fish & chips today", 1, none.clone())], Ok(None)),
        ("a text that is not told", vec![("1", "", 1, none.clone())], Ok(None)),
        ("a clock a minute behind", vec![("1", text, -59, none.clone())], Ok(Some("1"))),
        ("a clock minutes behind", vec![("1", text, -300, none.clone())], Ok(None)),
        ("a post of yesterday", vec![("1", text, -90_000, none.clone())], Err(())),
        ("something else", vec![("1", "Closed on Monday", 1, app("770"))], Err(())),
        ("nothing", vec![], Err(())),
    ] {
        let found = match second_look(&posts) {
            Located::Live(live) => Ok(live.remote.map(|remote| remote.id)),
            Located::Unknown => Ok(None),
            Located::Absent(_) => Err(()),
            other => panic!("{name}: {other:?}"),
        };
        let want = want.map(|id| id.map(|id: &str| format!("1001_{id}")));
        assert_eq!(found, want, "{name}");
    }
}

#[test]
fn a_post_that_shows_after_the_second_call_is_the_first() {
    let mut job = facebook_job();
    let progress = after_answers(&job, &[]);
    let nothing = ok(&json!({ "data": [] }));
    let located = done(facebook().locate(&job, &progress, std::slice::from_ref(&nothing)));
    let Located::Wait { progress, until } = located else { panic!("{located:?}") };
    job.now = until;
    let located = done(facebook().locate(&job, &progress, &[nothing]));
    let Located::Absent(progress) = located else { panic!("{located:?}") };
    // The second call comes much later, is lost too, and the first has shown by now.
    job.now += TimeDelta::hours(1);
    let progress = next(step(&job, &progress, &[]));
    let at = job.begun_at + TimeDelta::seconds(1);
    let list = ok(&json!({ "data": [{
        "id": "1001_5", "message": "Hello #rust",
        "created_time": at.format("%Y-%m-%dT%H:%M:%S+0000").to_string(),
    }] }));
    let located = done(facebook().locate(&job, &progress, &[list]));
    assert!(matches!(located, Located::Live(_)), "{located:?}");
}

#[test]
fn a_list_that_is_not_read_to_its_end_settles_nothing() {
    let mut job = facebook_job();
    let progress = after_answers(&job, &[]);
    let page = || {
        ok(&json!({
            "data": [{ "id": "1001_9", "message": "Closed", "created_time": "2100-01-01T00:00:00+0000" }],
            "paging": { "cursors": { "after": "QVF" }, "next": "https://graph.facebook.com/x" },
        }))
    };
    let pages: Vec<Answer> = std::iter::repeat_with(page).take(PAGES_MAX).collect();
    let located = done(facebook().locate(&job, &progress, &pages));
    let Located::Wait { progress, until } = located else { panic!("{located:?}") };
    job.now = until;
    assert_eq!(done(facebook().locate(&job, &progress, &pages)), Located::Unknown);
}
