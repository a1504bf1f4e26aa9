//! Every row of the errors that the documentation names.

use scheduler_core::ports::NetworkErrorKind as Kind;
use scheduler_core::target::FailureCode as Code;

use super::*;
use crate::instagram::testing::error;
use crate::testing::{answered, answered_text, begun_at, with_header};

/// Code, subcode (0 for none), and what they mean: for a container, for a call that nobody sees,
/// and for one that makes a post.
#[test]
fn every_documented_error_has_its_meaning() {
    let temporary = (Kind::Temporary, Code::NetworkError);
    let content = (Kind::Permanent, Code::ValidationFailed);
    let refused = (Kind::Permanent, Code::NetworkRefused);
    let reconnect = (Kind::Reconnect, Code::AccountNotConnected);
    let limited = |wait| (Kind::RateLimited { wait: Some(wait) }, Code::RateLimited);
    for (code, subcode, meaning, want) in [
        (-2, 2_207_003, Meaning::Later, temporary),
        (-2, 2_207_020, Meaning::NewContainer, temporary),
        (-1, 2_207_001, Meaning::Theirs, temporary),
        (-1, 2_207_032, Meaning::NewContainer, temporary),
        (-1, 2_207_053, Meaning::NewContainer, temporary),
        (0, 2_207_082, Meaning::NewContainer, temporary),
        (0, 2_207_077, Meaning::Later, temporary),
        (1, 2_207_057, Meaning::Content, content),
        (4, 2_207_051, Meaning::Spam, limited(SPAM_WAIT)),
        (9, 2_207_042, Meaning::DayLimit, limited(DAY_LIMIT_WAIT)),
        (9007, 2_207_027, Meaning::NotReady, temporary),
        (24, 2_207_006, Meaning::NotFound, refused),
        (24, 2_207_008, Meaning::NotFoundYet, temporary),
        (25, 2_207_050, Meaning::Reconnect, reconnect),
        (100, 2_207_023, Meaning::Refused, refused),
        (100, 2_207_028, Meaning::Content, content),
        (100, 2_207_035, Meaning::Content, content),
        (100, 2_207_036, Meaning::Content, content),
        (100, 2_207_037, Meaning::Content, content),
        (100, 2_207_040, Meaning::Content, content),
        (352, 2_207_026, Meaning::Content, content),
        (9004, 2_207_052, Meaning::NotFetched, temporary),
        (36_000, 2_207_004, Meaning::Content, content),
        (36_001, 2_207_005, Meaning::Content, content),
        (36_003, 2_207_009, Meaning::Content, content),
        (36_004, 2_207_010, Meaning::Content, content),
        // The media type is not supported.
        (0, 2_207_073, Meaning::Content, content),
        (0, 2_207_081, Meaning::Refused, refused),
        (0, 2_207_085, Meaning::Refused, refused),
        (190, 458, Meaning::Reconnect, reconnect),
        (190, 459, Meaning::Reconnect, reconnect),
        (190, 460, Meaning::Reconnect, reconnect),
        (190, 463, Meaning::Reconnect, reconnect),
        (190, 464, Meaning::Reconnect, reconnect),
        (190, 467, Meaning::Reconnect, reconnect),
        (190, 0, Meaning::Reconnect, reconnect),
        (102, 0, Meaning::Reconnect, reconnect),
        (10, 0, Meaning::Reconnect, reconnect),
        (200, 0, Meaning::Reconnect, reconnect),
        (299, 0, Meaning::Reconnect, reconnect),
        (100, 33, Meaning::Missing, refused),
        (1, 0, Meaning::Theirs, temporary),
        (2, 0, Meaning::Theirs, temporary),
        (4, 0, Meaning::Limited, limited(LIMIT_WAIT)),
        (17, 0, Meaning::Limited, limited(LIMIT_WAIT)),
        (32, 0, Meaning::Limited, limited(LIMIT_WAIT)),
        (613, 0, Meaning::Limited, limited(LIMIT_WAIT)),
        (80_002, 0, Meaning::Limited, limited(LIMIT_WAIT)),
        // Nobody has described these.
        (100, 0, Meaning::Unknown, temporary),
        (12_345, 0, Meaning::Unknown, temporary),
        (0, 2_207_099, Meaning::Unknown, temporary),
    ] {
        let name = format!("{code}/{subcode}");
        let answer = error(code, subcode, "Said by Instagram");
        assert_eq!(Described::read(&answer).meaning(), meaning, "{name}");
        let hidden = failure(&answer, false, None);
        assert_eq!((hidden.kind, hidden.code), want, "{name}");
        assert!(hidden.message.contains("Said by Instagram."), "{name}: {hidden}");
        let visible = failure(&answer, true, None);
        let want = if meaning == Meaning::Theirs { (Kind::Unsettled, want.1) } else { want };
        assert_eq!((visible.kind, visible.code), want, "{name}");
    }
}

#[test]
fn what_is_no_error_of_the_graph_api_is_known_by_its_status() {
    let transient = answered(
        400,
        &serde_json::json!({ "error": { "message": "x", "code": 12_345, "is_transient": true } }),
    );
    let child = error(0, 0, "(#100) The param collaborators is not allowed for this media");
    for (name, answer, hidden, visible) in [
        ("transient", transient, Kind::Temporary, Kind::Unsettled),
        ("down", answered_text(503, "<html>"), Kind::Temporary, Kind::Unsettled),
        ("timed out", answered_text(408, ""), Kind::Temporary, Kind::Unsettled),
        ("a proxy", answered_text(403, "<html>"), Kind::Temporary, Kind::Temporary),
        ("other JSON", answered_text(400, "{}"), Kind::Temporary, Kind::Temporary),
        ("not let in", answered_text(401, "{}"), Kind::Reconnect, Kind::Reconnect),
        ("collaborators", child, Kind::Permanent, Kind::Permanent),
    ] {
        assert_eq!(failure(&answer, false, None).kind, hidden, "{name}");
        assert_eq!(failure(&answer, true, None).kind, visible, "{name}");
    }
}

#[test]
fn an_account_that_is_gone_has_to_be_connected_again() {
    let gone = error(100, 33, "Object does not exist");
    assert_eq!(account_failure(&gone, None).kind, Kind::Reconnect);
    assert_eq!(account_failure(&error(2, 0, "down"), None).kind, Kind::Temporary);
}

#[test]
fn a_rate_limit_lasts_as_long_as_the_network_says() {
    let usage = |minutes: i64| {
        format!(
            r#"{{"178":[{{"type":"instagram","call_count":100,"total_cputime":25,"total_time":25,"estimated_time_to_regain_access":{minutes}}}]}}"#
        )
    };
    let limited = |name: &str, value: &str| with_header(error(4, 0, "limit"), name, value);
    for (name, answer, want) in [
        ("usage", limited("x-business-use-case-usage", &usage(17)), TimeDelta::minutes(17)),
        ("no time yet", limited("x-business-use-case-usage", &usage(0)), LIMIT_WAIT),
        ("unreadable", limited("x-business-use-case-usage", "soon"), LIMIT_WAIT),
        ("retry-after", limited("retry-after", "9"), TimeDelta::seconds(9)),
        ("neither", error(4, 0, "limit"), LIMIT_WAIT),
        ("status alone", answered_text(429, ""), LIMIT_WAIT),
    ] {
        let wait = Some(want);
        let kind = failure(&answer, true, Some(begun_at())).kind;
        assert_eq!(kind, Kind::RateLimited { wait }, "{name}");
    }
}

#[test]
fn the_text_of_a_container_names_its_error() {
    for (text, want) in [
        ("Error: Media upload has failed with error code 2207026", Some(2_207_026)),
        ("Error 22070", None),
        ("2207001: é", Some(2_207_001)),
        ("Finished: Media has been uploaded and it is ready to be published.", None),
        ("22070é 2207053", Some(2_207_053)),
    ] {
        assert_eq!(Described::of_status(text).subcode, want, "{text}");
    }
}

#[test]
fn the_networks_words_are_for_people_and_hold_no_address() {
    let body = include_str!("fixtures/error.json");
    let failure = failure(&answered_text(400, body), true, None);
    assert_eq!(
        failure.message,
        "Instagram refuses the post: The image is too large to download. It should be less than 8 MiB. Change the post or its files, then retry."
    );
    let told = error(2, 0, "See https://files.example/a?sign=secret\r\nnow");
    let message = super::failure(&told, true, None).message;
    assert_eq!(message, "Instagram failed: See [address] now. (trace A6LJ)");
    assert_eq!(Described::read(&answered_text(500, "")).said(), "status 500.");
    let long = error(2, 0, &"é".repeat(500));
    assert!(super::failure(&long, true, None).message.chars().count() < 400);
}
