//! Looking for a Pin whose call was lost, as exchanges of values.

use scheduler_core::ports::{NetworkErrorKind as Kind, PublishJob, Step};
use serde_json::{Value, json};

use super::*;
use crate::conversation::Conversation as _;
use crate::pinterest::testing::{BOARD, PIN, fault, held, of_images, ok, pinterest};
use crate::testing::steps::{next, take_step};
use crate::testing::{answered, answered_text, begun_at};

const PINS: &str = include_str!("fixtures/pins.json");

/// The progress at a call that was lost, after so many looks.
fn lost(job: &PublishJob, looks: u32) -> Value {
    let begun = pinterest().begin(job);
    let mut progress = next(take_step(&pinterest(), job, &begun, &[ok(r#"{"items":[]}"#)]).1);
    if looks > 0 {
        progress["stage"]["create"]["look"] = json!({ "number": looks, "at": begun_at() });
    }
    progress
}

fn look(job: &PublishJob, progress: &Value, answers: &[Answer]) -> (Vec<Value>, Located) {
    let (asked, located) = held(answers, |answers| pinterest().locate(job, progress, answers));
    (asked, located.unwrap())
}

fn live_id(located: &Located) -> Option<&str> {
    match located {
        Located::Live(live) => live.remote.as_ref().map(|remote| remote.id.as_str()),
        _ => None,
    }
}

fn listed(pins: &Value) -> Answer {
    answered(200, &json!({ "items": pins, "bookmark": null }))
}

fn pin(id: &str, second: i64) -> Value {
    let at = begun_at() + TimeDelta::seconds(second);
    json!({
        "id": id,
        "created_at": at.format("%Y-%m-%dT%H:%M:%S").to_string(),
        "board_id": BOARD,
        "title": "Autumn soup",
        "description": "Ten minutes. #soup",
        "link": "https://example.com/soup",
    })
}

#[test]
fn the_first_look_waits_ten_seconds_and_the_second_thirty() {
    let mut job = of_images(1);
    let (asked, located) = look(&job, &lost(&job, 0), &[]);
    assert_eq!(asked, Vec::<Value>::new());
    let Located::Wait { progress, until } = located else { panic!("{located:?}") };
    assert_eq!(until - job.now, FIRST_WAIT);
    let (asked, located) = look(&job, &progress, &[]);
    assert!(asked.is_empty() && matches!(located, Located::Wait { .. }), "too early");

    job.now = until;
    let (asked, located) = look(&job, &progress, &[listed(&json!([]))]);
    assert_eq!(asked[0]["request"], "GET https://api.pinterest.com/v5/pins?page_size=100");
    assert_eq!(asked[0]["visible"], false);
    let Located::Wait { progress, until } = located else { panic!("{located:?}") };
    assert_eq!(until - job.now, SECOND_WAIT);
    job.now = until;
    let (_, located) = look(&job, &progress, &[listed(&json!([]))]);
    let Located::Absent(progress) = located else { panic!("{located:?}") };
    assert!(!pinterest().is_visible(&progress), "it is compared again before it is sent again");

    // It shows only now.
    let (_, step) = take_step(&pinterest(), &job, &progress, &[listed(&json!([pin("9", 1)]))]);
    let Ok(Step::Live(live)) = step else { panic!("{step:?}") };
    assert_eq!(live.remote.unwrap().id, "9");
    // Two show, and nobody can tell which it is: nothing is sent, but by a person.
    let two = listed(&json!([pin("9", 1), pin("8", 2)]));
    let unclear = next(take_step(&pinterest(), &job, &progress, std::slice::from_ref(&two)).1);
    assert!(pinterest().is_visible(&unclear));
    let doubt = take_step(&pinterest(), &job, &unclear, &[]).1.unwrap_err();
    assert_eq!(doubt.kind, Kind::InDoubt);
    let later = PublishJob { now: job.now + TimeDelta::minutes(5), ..job.clone() };
    let again = next(take_step(&pinterest(), &later, &unclear, &[]).1);
    let again = next(take_step(&pinterest(), &later, &again, &[two]).1);
    assert_eq!(again["stage"]["create"]["others"], json!(["9", "8"]));

    let progress = next(take_step(&pinterest(), &job, &progress, &[listed(&json!([]))]).1);
    let since = &progress["stage"]["create"]["lostSince"];
    assert_eq!(since.as_str().unwrap().parse::<DateTime<Utc>>().unwrap(), begun_at());
}

#[test]
fn the_pin_is_known_by_what_it_says_and_when_it_was_made() {
    let job = of_images(1);
    let located = look(&job, &lost(&job, 1), &[ok(PINS)]).1;
    assert_eq!(live_id(&located), Some(PIN));
    let other = |member: &str, value: Value| {
        let mut pin = pin("1", 0);
        pin[member] = value;
        pin
    };
    for (name, pin, want) in [
        ("the same", pin("1", 0), true),
        ("a clock behind ours", pin("1", -60), true),
        ("cleaned", other("description", json!("Ten minutes, soup")), true),
        ("much later", pin("1", 600), true),
        ("line ends", other("description", json!("\nTen minutes. #soup\r\n")), true),
        ("no board", other("board_id", json!(null)), true),
        ("no link", other("link", json!(null)), true),
        ("a link as it is written", other("link", json!("http://www.example.com/soup/")), true),
    ] {
        let located = look(&job, &lost(&job, 2), &[listed(&json!([pin]))]).1;
        assert_eq!(live_id(&located).is_some(), want, "{name}: {located:?}");
    }
    for (name, pin, is_in_doubt) in [
        ("minutes earlier", pin("1", -300), true),
        ("before", pin("1", -601), false),
        ("another board", other("board_id", json!("2")), false),
        ("half of the title", other("title", json!("Soup")), true),
        ("no title", other("title", json!(null)), true),
        ("more of a text", other("description", json!("Ten minutes, soup of the day")), true),
        ("another link", other("link", json!("https://example.com/")), true),
        ("no instant", other("created_at", json!(null)), true),
        (
            "something else",
            json!({ "id": "1", "board_id": BOARD, "title": "Bread", "created_at": "2100-01-01T00:00:00" }),
            false,
        ),
    ] {
        match look(&job, &lost(&job, 2), &[listed(&json!([pin]))]).1 {
            Located::Unknown => assert!(is_in_doubt, "{name}"),
            Located::Absent(_) => assert!(!is_in_doubt, "{name}"),
            other => panic!("{name}: {other:?}"),
        }
    }
    let mut bare = of_images(1);
    (bare.content, bare.link_url) = (String::new(), None);
    bare.options.remove("title");
    for absent in [json!(null), json!(""), json!(" ")] {
        let mut pin = pin("1", 0);
        for member in ["title", "description", "link"] {
            pin[member] = absent.clone();
        }
        let located = look(&bare, &lost(&bare, 1), &[listed(&json!([pin]))]).1;
        assert_eq!(live_id(&located), Some("1"), "{absent}");
    }
    // The network may fill in what was left empty.
    let located = look(&bare, &lost(&bare, 2), &[listed(&json!([pin("1", 0)]))]).1;
    assert_eq!(located, Located::Unknown);
}

#[test]
fn of_several_none_is_taken_and_none_of_another_post() {
    let job = of_images(1);
    let pins = json!([pin("3", 9), pin("1", 4), pin("2", 7)]);
    assert_eq!(look(&job, &lost(&job, 2), &[listed(&pins)]).1, Located::Unknown);
    let mut progress = lost(&job, 1);
    progress["stage"]["create"]["others"] = json!(["1", "3"]);
    assert_eq!(live_id(&look(&job, &progress, &[listed(&pins)]).1), Some("2"));
}

#[test]
fn three_pages_are_read_at_most() {
    let job = of_images(1);
    let more = |number: usize| {
        answered(200, &json!({ "items": [], "bookmark": format!("page {number}") }))
    };
    let (asked, located) = look(&job, &lost(&job, 1), &[more(1), listed(&json!([pin("1", 0)]))]);
    assert_eq!(live_id(&located), Some("1"));
    assert_eq!(
        asked[1]["request"],
        "GET https://api.pinterest.com/v5/pins?page_size=100&bookmark=page+1"
    );
    let (asked, located) = look(&job, &lost(&job, 1), &[more(1), more(2), more(3)]);
    assert_eq!(asked.len(), 3);
    assert!(matches!(located, Located::Wait { .. }));
}

#[test]
fn pins_that_were_not_listed_leave_it_in_doubt() {
    let job = of_images(1);
    let other = |second: i64| {
        let mut pin = pin("1", second);
        (pin["title"], pin["description"]) = (json!("Bread"), json!("Baked"));
        pin
    };
    let pages = |seconds: [[i64; 2]; 3]| {
        let page = |two: &[i64; 2]| {
            let pins: Vec<Value> = two.iter().map(|second| other(*second)).collect();
            answered(200, &json!({ "items": pins, "bookmark": "more" }))
        };
        seconds.iter().map(page).collect::<Vec<_>>()
    };
    for (name, answers, is_settled) in [
        ("newest first, back to those before", pages([[9, 5], [5, 0], [-60, -601]]), true),
        ("all of them since", pages([[9, 5], [5, 0], [-59, -600]]), false),
        ("oldest first", pages([[-900, -800], [-700, -600], [-500, -400]]), false),
        ("in no order", pages([[9, 5], [-900, 0], [-60, -700]]), false),
    ] {
        match look(&job, &lost(&job, 2), &answers).1 {
            Located::Absent(_) => assert!(is_settled, "{name}"),
            Located::Unknown => assert!(!is_settled, "{name}"),
            other => panic!("{name}: {other:?}"),
        }
    }
    let timeless = |bookmark: Option<&str>| {
        let mut pin = other(0);
        pin["created_at"] = Value::Null;
        answered(200, &json!({ "items": [pin], "bookmark": bookmark }))
    };
    let more = || timeless(Some("more"));
    let located = look(&job, &lost(&job, 2), &[more(), more(), more()]).1;
    assert_eq!(located, Located::Unknown, "no instants");
    let located = look(&job, &lost(&job, 2), &[more(), more(), timeless(None)]).1;
    assert!(matches!(located, Located::Absent(_)), "all Pins: {located:?}");
}

#[test]
fn a_look_that_is_refused_leaves_it_in_doubt_and_one_that_fails_is_repeated() {
    let job = of_images(1);
    let denied = json!({ "code": "PINNER_DATA_ACCESS_DENIED", "message": "No" });
    for answer in [answered(403, &denied), fault(403, 3, "Missing: ['pins:read']")] {
        assert_eq!(look(&job, &lost(&job, 1), &[answer]).1, Located::Unknown);
    }
    for (name, answer, want) in [
        ("failed", answered_text(500, ""), Kind::Temporary),
        ("a page", answered_text(200, "<html>"), Kind::Temporary),
        ("a page of 403", answered_text(403, "<html>"), Kind::Temporary),
        ("expired", fault(401, 2, "x"), Kind::TokenExpired),
    ] {
        let located = held(&[answer], |answers| pinterest().locate(&job, &lost(&job, 1), answers));
        assert_eq!(located.1.unwrap_err().kind, want, "{name}");
    }
}

#[test]
fn what_nobody_can_see_is_settled() {
    let job = of_images(1);
    let progress = pinterest().begin(&job);
    assert_eq!(look(&job, &progress, &[]).1, Located::Absent(progress));
}
