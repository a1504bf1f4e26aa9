//! Every row of the errors that are known.

use scheduler_core::ports::NetworkErrorKind as Kind;
use scheduler_core::target::FailureCode as Code;
use serde_json::json;

use super::*;
use crate::facebook::testing::{error, error_body};
use crate::testing::{answered, answered_text, begun_at, with_header};

/// Code, subcode (0 for none), and what they mean, of a call that nobody sees and of one that
/// makes a post.
#[test]
fn every_known_error_has_its_meaning() {
    let temporary = (Kind::Temporary, Code::NetworkError);
    let content = (Kind::Permanent, Code::ValidationFailed);
    let refused = (Kind::Permanent, Code::NetworkRefused);
    let reconnect = (Kind::Reconnect, Code::AccountNotConnected);
    let limited = |wait| (Kind::RateLimited { wait: Some(wait) }, Code::RateLimited);
    for (code, subcode, meaning, want) in [
        (1, 0, Meaning::Theirs, temporary),
        (2, 0, Meaning::Theirs, temporary),
        (4, 0, Meaning::Limited, limited(LIMIT_WAIT)),
        (17, 0, Meaning::Limited, limited(LIMIT_WAIT)),
        (32, 0, Meaning::Limited, limited(LIMIT_WAIT)),
        (341, 0, Meaning::Limited, limited(LIMIT_WAIT)),
        (613, 0, Meaning::Limited, limited(LIMIT_WAIT)),
        (80_001, 0, Meaning::Limited, limited(LIMIT_WAIT)),
        (368, 0, Meaning::Blocked, limited(BLOCK_WAIT)),
        (10, 0, Meaning::Reconnect, reconnect),
        (200, 0, Meaning::Reconnect, reconnect),
        (210, 0, Meaning::Reconnect, reconnect),
        (299, 0, Meaning::Reconnect, reconnect),
        (102, 0, Meaning::Reconnect, reconnect),
        (190, 0, Meaning::Reconnect, reconnect),
        (190, 458, Meaning::Reconnect, reconnect),
        (190, 459, Meaning::Reconnect, reconnect),
        (190, 460, Meaning::Reconnect, reconnect),
        (190, 463, Meaning::Reconnect, reconnect),
        (190, 464, Meaning::Reconnect, reconnect),
        (190, 467, Meaning::Reconnect, reconnect),
        (190, 492, Meaning::Reconnect, reconnect),
        (100, 0, Meaning::Refused, refused),
        (100, 12_345, Meaning::Refused, refused),
        (100, 33, Meaning::Missing, refused),
        (506, 1_455_006, Meaning::Duplicate, content),
        (506, 0, Meaning::Duplicate, content),
        (100, 1_609_005, Meaning::NoPreview, temporary),
        (324, 0, Meaning::Content, content),
        (100, 1_366_046, Meaning::Content, content),
        (100, 1_366_051, Meaning::AlreadyPosted, refused),
        (1, 1_390_008, Meaning::Limited, limited(LIMIT_WAIT)),
        (100, 1_346_003, Meaning::Content, content),
        (200, 1_404_102, Meaning::Content, content),
        (100, 1_404_112, Meaning::Restricted, refused),
        (100, 1_404_006, Meaning::Restricted, refused),
        (100, 4_854_002, Meaning::Restricted, refused),
        (100, 1_404_078, Meaning::Reconnect, reconnect),
        (100, 1_609_008, Meaning::Content, content),
        (100, 2_061_006, Meaning::Content, content),
        (100, 1_349_125, Meaning::Content, content),
        (100, 2_069_019, Meaning::Content, content),
        (100, 1_363_047, Meaning::Later, temporary),
        (100, 1_609_010, Meaning::Later, temporary),
        (6000, 1_363_022, Meaning::Content, content),
        (6000, 1_363_023, Meaning::Content, content),
        (6000, 1_363_024, Meaning::Content, content),
        (6000, 1_363_025, Meaning::Content, content),
        (6000, 1_363_026, Meaning::Content, content),
        (6000, 1_363_031, Meaning::Content, content),
        (6000, 1_363_032, Meaning::Content, content),
        (6000, 0, Meaning::Content, content),
        (6001, 0, Meaning::Content, content),
        (6000, 1_363_019, Meaning::NewUpload, temporary),
        (6000, 1_363_021, Meaning::NewUpload, temporary),
        (6000, 1_363_030, Meaning::NewUpload, temporary),
        (6000, 1_363_033, Meaning::NewUpload, temporary),
        (6000, 1_363_037, Meaning::WrongOffset, temporary),
        (6000, 1_363_041, Meaning::NewUpload, temporary),
        (6000, 1_363_045, Meaning::NewUpload, temporary),
        (6000, 1_363_005, Meaning::Reconnect, reconnect),
        (6000, 1_363_042, Meaning::Reconnect, reconnect),
        (389, 0, Meaning::NotFetched, temporary),
        (382, 0, Meaning::Content, content),
        // Nobody has described these.
        (12_345, 0, Meaning::Unknown, temporary),
        (0, 9_999_999, Meaning::Unknown, temporary),
        // Told apart from codes that need another number.
        (1, 33, Meaning::Theirs, temporary),
    ] {
        let name = format!("{code}/{subcode}");
        let answer = error(code, subcode, "Said by Facebook");
        assert_eq!(meaning_of(&answer), meaning, "{name}");
        let hidden = failure(&answer, false, None);
        assert_eq!((hidden.kind, hidden.code), want, "{name}");
        if meaning != Meaning::Duplicate {
            assert!(hidden.message.contains("Said by Facebook."), "{name}: {hidden}");
        }
        let visible = failure(&answer, true, None);
        let want = if meaning == Meaning::Theirs { (Kind::Unsettled, want.1) } else { want };
        assert_eq!((visible.kind, visible.code), want, "{name}");
    }
    let role = error(100, 0, "(#100) No permission to publish the video");
    assert_eq!(failure(&role, true, None).kind, Kind::Reconnect);
}

#[test]
fn what_is_no_error_of_the_graph_api_is_known_by_its_status() {
    let mut transient = error_body(100, 0, "x");
    transient["error"]["is_transient"] = json!(true);
    let mut undescribed = error_body(12_345, 0, "x");
    undescribed["error"]["is_transient"] = json!(true);
    for (name, answer, hidden, visible) in [
        ("transient", answered(400, &transient), Kind::Temporary, Kind::Unsettled),
        ("transient, unknown", answered(400, &undescribed), Kind::Temporary, Kind::Unsettled),
        ("down", answered_text(503, "<html>"), Kind::Temporary, Kind::Unsettled),
        ("timed out", answered_text(408, ""), Kind::Temporary, Kind::Unsettled),
        ("a proxy", answered_text(403, "<html>"), Kind::Temporary, Kind::Temporary),
        ("other JSON", answered_text(400, "{}"), Kind::Temporary, Kind::Temporary),
        ("not let in", answered_text(401, "{}"), Kind::Reconnect, Kind::Reconnect),
    ] {
        assert_eq!(failure(&answer, false, None).kind, hidden, "{name}");
        assert_eq!(failure(&answer, true, None).kind, visible, "{name}");
    }
}

#[test]
fn a_page_that_is_gone_has_to_be_connected_again() {
    let gone = error(100, 33, "Object does not exist");
    assert_eq!(page_failure(&gone, None).kind, Kind::Reconnect);
    assert_eq!(page_failure(&error(2, 0, "down"), None).kind, Kind::Temporary);
}

#[test]
fn a_rate_limit_lasts_as_long_as_the_network_says() {
    let usage = |minutes: i64| {
        format!(
            r#"{{"1001":[{{"type":"pages","call_count":100,"total_cputime":25,"total_time":25,"estimated_time_to_regain_access":{minutes}}}]}}"#
        )
    };
    let limited = |name: &str, value: &str| with_header(error(32, 0, "limit"), name, value);
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
fn where_an_upload_goes_on_is_part_of_the_refusal() {
    let with = |data: Value| {
        let mut body = error_body(6000, 1_363_037, "Wrong offset");
        body["error"]["error_data"] = data;
        answered(400, &body)
    };
    let want = Some(Offsets { start_offset: 5, end_offset: 9 });
    for (name, answer, want) in [
        ("an object", with(json!({ "start_offset": 5, "end_offset": "9" })), want),
        ("a text", with(json!(r#"{"start_offset":"5","end_offset":"9"}"#)), want),
        ("nothing", error(6000, 1_363_037, "Wrong offset"), None),
        ("nonsense", with(json!("soon")), None),
    ] {
        assert_eq!(expected(&answer), want, "{name}");
    }
}

#[test]
fn the_networks_words_are_for_people_and_hold_no_address() {
    let body = include_str!("fixtures/error.json");
    let described = Described::read(&answered_text(400, body));
    assert!(described.said().starts_with("This status update is identical"), "{described:?}");
    assert_eq!(
        failure(&answered_text(400, body), true, None).message,
        "Facebook refuses the same text twice in a row. Change the text, then retry."
    );
    let told = error(2, 0, "See https://files.example/a?sign=secret\r\nnow");
    let message = failure(&told, true, None).message;
    assert_eq!(message, "Facebook failed: See [address] now. (trace A6LJ)");
    let failed = PhaseError { code: Some(5), message: "Too https://x/ dark".to_owned() };
    assert_eq!(
        processing_failure(Some(&failed)).message,
        "Facebook could not process the video: Too [address] dark Change the video, then retry."
    );
    assert_eq!(processing_failure(None).kind, Kind::Permanent);
}
